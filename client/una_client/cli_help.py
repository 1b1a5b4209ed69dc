"""Help pages in the user's language. The texts stand in English where the commands are; here they are taken apart into
sentences to translate, and put back. Examples stay as they are, but for what is said beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import cleandoc
from typing import Final

import click

from . import i18n
from .i18n import _, mark

_BESIDE: Final = re.compile(r"^(\s*\S.*?\s{2,})(\S.*)$")
"""A line of an example with its explanation."""
_OF_CLICK: Final = (mark("Show this message and exit."), mark("Options"), mark("Commands"), mark("default"))


def speak(command: click.Command, words: Sequence[str]) -> None:
    """Put all help pages into the language that `words`, the environment, the config file or the locale name."""
    i18n.use(language(words))
    if i18n.english():
        return
    for each in commands(command):
        each.context_class = _Context
        if each.help:
            each.help = _changed(each.help, _)
        for parameter in each.params:
            if isinstance(parameter, click.Option) and parameter.help:
                parameter.help = _(parameter.help)


def texts(command: click.Command) -> Iterator[str]:
    """Every text of the help pages, for those who translate."""
    found: list[str] = []

    def remember(text: str) -> str:
        found.append(text)
        return text

    for each in commands(command):
        if each.help:
            _changed(each.help, remember)
        found += [one.help for one in each.params if isinstance(one, click.Option) and one.help]
    yield from found


def commands(command: click.Command) -> Iterator[click.Command]:
    """The command and all below it."""
    yield command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from commands(each)


def _changed(text: str, change: Callable[[str], str]) -> str:
    """The help text with its sentences changed."""
    parts = []
    for part in re.split(r"\n\s*\n", cleandoc(text)):
        if part.startswith("\b"):
            lines = [_BESIDE.sub(lambda found: found[1] + change(found[2]), line) for line in part.splitlines()]
            parts.append("\n".join(lines))
        else:
            parts.append(change(" ".join(part.split())))
    return "\n\n".join(parts)


def language(words: Sequence[str]) -> str | None:
    """The language that the words of the command line, the environment or the config file name."""
    for word, following in zip(words, [*words, ""][1:], strict=True):
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.partition("=")[2]
    from . import config

    settled = config.settle({}, config.read())["lang"]
    return settled if isinstance(settled, str) else None


class _Page(click.HelpFormatter):
    """What click itself says on a help page."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        for text in (mark("[OPTIONS]"), mark("COMMAND"), mark("[ARGS]...")):
            args = args.replace(text, _(text))
        super().write_usage(prog, args, _("Usage:") + " " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        super().write_heading(_(heading))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        said = [(name, _(text) if text in _OF_CLICK else text) for name, text in rows]
        shown = [(name, text.replace("[default: ", f"[{_('default')}: ")) for name, text in said]
        super().write_dl(shown, col_max, col_spacing)


class _Context(click.Context):
    formatter_class = _Page
