"""Options of `una-server run` that take more than a line: arena mode, and limits by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def arena_options(command: F) -> F:
    """Add the options to the command; what is not given is None."""
    for option in reversed(
        (
            click.option(
                "--arena", is_flag=True, default=None,
                help="Seat waiting bots by itself, match after match, and keep a ladder of them.",
            ),
            click.option("--arena-seats", type=int, metavar="N", help="Bots at each of these tables.  [default: 4]"),
            click.option("--arena-profile", metavar="PROFILE", help="The rules there.  [default: una]"),
            click.option(
                "--arena-option", "arena_options", multiple=True, metavar="NAME=VALUE", callback=_options,
                help="Change a rule there, such as target_score=0 for matches of one round.",
            ),
            click.option("--arena-turn-s", type=int, metavar="S", help="The time for one move there.  [default: 2]"),
            click.option(
                "--arena-matches-wait", type=float, metavar="S",
                help="Seat fewer bots where one has waited for so long.  [default: 5]",
            ),
        )
    ):  # fmt: skip
        command = option(command)
    return command


def _options(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> dict[str, bool | int | str] | None:
    options: dict[str, bool | int | str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"a rule is changed by NAME=VALUE, such as target_score=0; {text!r} is not.")
        number = value.removeprefix("-")
        if number.isascii() and number.isdigit():
            options[name.strip()] = int(value)
        else:
            options[name.strip()] = {"true": True, "false": False}.get(value.strip().lower(), value.strip())
    return options or None


def limits_of(texts: tuple[str, ...]) -> dict[str, int | float | str]:
    """The limits that are written NAME=VALUE; whether they exist, and may be so, the config says."""
    limits: dict[str, int | float | str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            limits[name.strip()] = float(value) if "." in value else int(value)
        except ValueError:
            limits[name.strip()] = value
    return limits
