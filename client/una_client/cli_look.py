"""The options that every command takes, and what is in force for them: flags, environment, config file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from .i18n import languages

if TYPE_CHECKING:
    from .goal import Goal, UiOptions

F = TypeVar("F", bound=Callable[..., Any])
_LOOK: Final = ("plain", "ascii", "color", "theme", "lang", "name", "no_bell", "mouse")


class Number(click.FloatRange):
    """A number within limits, and a number indeed: `nan` lies outside of no limits."""

    name = "float range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; a usage error where there is none."""
        number = float(super().convert(value, param, ctx))
        if number != number:
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return number


def look(command: F) -> F:
    """The global options: they may stand before the command and after it; after it wins."""
    for option in (
        click.option("--mouse", is_flag=True, help="Use the mouse."),
        click.option("--no-bell", is_flag=True, help="Never ring."),
        click.option("--name", metavar="NAME", help="Play under this name.  [default: login name]"),
        click.option("--lang", type=click.Choice(languages()), help="The language.  [default: that of the system]"),
        click.option("--theme", type=click.Choice(["default", "high-contrast", "mono"]), help="The looks."),
        click.option("--color", type=click.Choice(["auto", "none", "16", "256", "true"]), help="How many colours."),
        click.option("--ascii", is_flag=True, help="Draw with ASCII signs only."),
        click.option("--plain", is_flag=True, help="Line mode: text only, line by line; also for screen readers."),
    ):
        command = option(command)
    return command


def chosen(given: dict[str, Any], *, ask: bool = False) -> dict[str, Any]:
    """What is in force for the settings, by name; the flags are taken out of `given`.

    A flag of the command comes before one that stands before the command, this before the environment, and so on to
    the config file. `ask`: whoever plays for the first time is asked for what goes into that file; `asked` tells so.
    """
    from . import config, i18n

    before = click.get_current_context().find_root().obj or {}
    flags = {name: given.pop(name, None) or before.get(name) for name in _LOOK}
    if flags.pop("no_bell"):
        flags["bell"] = "never"
    i18n.use(str(config.settle(flags, config.Config(config.path()))["lang"] or "") or None)
    found, asked = config.read(), False
    if ask and found.text == "" and not found.problems:
        from . import first_run

        if first_run.wanted(flags):
            first_run.ask(found.path)
            if click.get_current_context().parent is not None:  # a screen comes next, and would cover what was said
                first_run.go_on()
            found, asked = config.read(), True
    i18n.use(str(config.settle(flags, found)["lang"] or "") or None)
    if found.problems:
        found = config.read()  # once more, to tell of them in the language that is in force
    settled: dict[str, Any] = config.settle(flags, found)
    settled.update(keys=found.keys, favourites=found.favourites, config=found, asked=asked)
    for problem in found.problems:
        print(problem, file=sys.stderr)
    return settled


def ui_options(settled: dict[str, Any]) -> UiOptions:
    """How it shall look."""
    from .goal import UiOptions

    return UiOptions(
        ascii=settled["ascii"],
        color=settled["color"],
        theme=settled["theme"],
        lang=settled["lang"],
        bell=settled["bell"],
        mouse=settled["mouse"],
        keys=settled["keys"],
        key_places={action: settled["config"].place_of("keys", action) for action in settled["keys"]},
        favourites=tuple(settled["favourites"]),
        problems=tuple(settled["config"].problems),
    )


def run_goal(goal: Goal, settled: dict[str, Any], **how: Any) -> int:
    """Reach the goal, in line mode where that is wanted or nothing else works; the exit status."""
    from . import front

    return front.run_goal(goal, ui_options(settled), plain=settled["plain"] or front.wants_plain(), **how)
