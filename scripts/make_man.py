"""Write man/una.1 from the commands themselves, their options and help texts, and from the table of settings.

.venv/bin/python scripts/make_man.py            write it
.venv/bin/python scripts/make_man.py --check    exit 1 when it is stale
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "client"), str(ROOT / "protocol")]

from una_client import i18n  # noqa: E402
from una_client.cli import cli  # noqa: E402
from una_client.settings import SETTINGS  # noqa: E402

PAGE: Final = ROOT / "man" / "una.1"


def main() -> int:
    """Write the page, or compare it."""
    i18n.use("en")
    text = "\n".join(lines()) + "\n"
    if sys.argv[1:] == ["--check"]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print("man/una.1 is stale: run scripts/make_man.py", file=sys.stderr)
        return 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


def lines() -> Iterator[str]:
    """The whole page."""
    yield '.\\" Written by scripts/make_man.py; do not edit.'
    yield ".TH UNA 1"
    yield ".SH NAME"
    yield "una \\- a card game for the terminal, alone or with others on your network"
    yield ".SH SYNOPSIS"
    yield ".B una"
    yield "[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]"
    yield ".SH DESCRIPTION"
    yield from told(cli)
    yield ".SH OPTIONS"
    yield from options(cli)
    yield ".SH COMMANDS"
    for name, command in commands(cli, "una"):
        yield f".SS {escaped(name)} {escaped(arguments(command))}".rstrip()
        yield from told(command)
        yield from options(command, without=shared())
    yield ".SH ENVIRONMENT"
    for setting in SETTINGS:
        yield ".TP"
        yield f".B {setting.env}"
        yield escaped(setting.about.format(allowed=setting.allowed))
    yield from (".TP", ".B UNA_CONFIG", "Another place for the config file.")
    yield from (".TP", ".B UNA_PASSWORD", "The password of a server or a table.")
    yield from (".TP", ".B NO_COLOR", "No colours, whatever the value.")
    yield ".SH FILES"
    yield "The config file and what is kept between games stand where the system keeps such files;"
    yield ".B una config"
    yield "says where. Command line, environment, file: the first of them that says something counts."
    yield ".SH EXIT STATUS"
    yield "0: done. 1: it did not work. 2: not understood. 130: Ctrl-C."


def commands(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    """Every command with its whole name."""
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


def shared() -> set[str]:
    """The options that all commands take; they are told once."""
    return {parameter.name or "" for parameter in cli.params} | {"help"}


def arguments(command: click.Command) -> str:
    """What follows the command."""
    return " ".join(parameter.metavar or "" for parameter in command.params if isinstance(parameter, click.Argument))


def told(command: click.Command) -> Iterator[str]:
    """The help text: sentences, and examples as they stand."""
    text = cleandoc(command.help or "").split("\b")
    yield from (escaped(line.strip()) for line in text[0].splitlines() if line.strip())
    for part in text[1:]:
        shown, _blank, rest = part.strip("\n").partition("\n\n")
        yield from (".PP", ".nf", *(escaped(line) for line in shown.splitlines() if line.strip()), ".fi")
        yield from (escaped(line.strip()) for line in rest.splitlines() if line.strip())


def options(command: click.Command, without: set[str] = frozenset()) -> Iterator[str]:  # type: ignore[assignment]
    """The options, each with its help."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name not in without:
            names = ", ".join([*parameter.opts, *parameter.secondary_opts])
            value = "" if parameter.is_flag else f" {_metavar(parameter)}"
            yield ".TP"
            yield f".B {escaped(names + value)}"
            default = f"  [default: {parameter.default}]" if parameter.show_default else ""
            yield escaped((parameter.help or "") + default)


def _metavar(option: click.Option) -> str:
    if option.metavar:
        return option.metavar
    return "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else "N"


def escaped(text: str) -> str:
    """The text, safe in roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    sys.exit(main())
