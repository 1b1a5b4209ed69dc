"""`una-server arena`: reads what is wanted, plays it with a progress bar, prints the results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..game import OPTION_SPECS, BadOption, check_players, make_options
from .competitors import BadCompetitor, competitors_of
from .plan import Plan
from .report import Tally, table
from .run import Run, play


class BadRun(Exception):
    """What was asked for cannot be played; the text is one sentence."""


def make_run(
    names: tuple[str, ...], *, games: int, seats: int | None, profile: str, options: tuple[str, ...], seed: int,
    matches: bool, move_ms: int, simulations: int | None, record: str | None,
) -> Run:  # fmt: skip
    """The run that a command line asks for. BadRun with one sentence."""
    if len(names) < 2:
        raise BadRun("An arena needs at least two competitors, such as: una-server arena normal easy.")
    if len(names) > 10 and seats is None:
        seats = 10
    try:
        competitors = competitors_of(names)
        rules = make_options(profile, dict(map(_option, options)))
        count = seats if seats is not None else len(names) if len(names) != 3 else 4
        check_players(rules, count)
    except (BadCompetitor, BadOption) as error:
        raise BadRun(str(error)) from None
    for what, value, least in (
        ("--games", games, 1),
        ("--move-ms", move_ms, 1),
        ("--simulations", simulations or 1, 1),
    ):
        if value < least:
            raise BadRun(f"{what} must be at least {least}.")
    if record is not None:
        try:
            Path(record).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadRun(f"{record} cannot be used for records: {(error.strerror or 'it failed').lower()}.") from None
    plan = Plan(len(competitors), count, games, seed)
    return Run(tuple(competitors), plan, profile, rules, matches, move_ms / 1000, simulations, record)


def _option(text: str) -> tuple[str, object]:
    """`name=value`, as the rules have it: true and false, numbers, words."""
    name, sign, value = text.partition("=")
    if not sign:
        raise BadRun(f"--option {text!r} should be written NAME=VALUE.")
    spec = OPTION_SPECS.get(name)
    if spec is not None and spec.kind == "bool" and value in ("true", "false", "yes", "no"):
        return name, value in ("true", "yes")
    return name, int(value) if value.lstrip("-").isdigit() else value


def run_arena(run: Run, jobs: int, json_file: str | None) -> None:
    """Play, and say what came of it."""
    tally = Tally(run)
    with _progress(run.plan.deals * run.plan.seats) as advance:
        for result in play(run, jobs, advance):
            tally.add(result)
    data = tally.data()
    if json_file is not None:
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        if json_file == "-":
            click.echo(text, nl=False)
            return
        try:
            Path(json_file).write_text(text, "utf-8")
        except OSError as error:
            raise BadRun(f"{json_file} cannot be written: {(error.strerror or 'it failed').lower()}.") from None
    click.echo(table(data))


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar: Any
    with click.progressbar(length=games, label="Playing", file=sys.stderr) as bar:
        yield bar.update
