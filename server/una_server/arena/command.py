"""`una-server arena`: reads what is wanted, plays it with a progress bar, prints the results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from ..game import OPTION_SPECS, BadOption, check_players, make_options
from .competitors import BadCompetitor, competitors_of
from .crew import RunFailed, play
from .plan import Plan
from .records import CannotRecord
from .report import Tally, table
from .run import Run
from .signals import ended_by_signals


class BadRun(Exception):
    """What was asked for cannot be played; the text is one sentence."""


def make_run(
    names: tuple[str, ...], *, games: int, seats: int | None, profile: str, options: tuple[str, ...], seed: int,
    matches: bool, move_ms: int, simulations: int | None, record: str | None, memory: int,
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
    for what, value, least, most in (
        ("--games", games, 1, 10_000_000),
        ("--move-ms", move_ms, 1, 3_600_000),
        ("--simulations", simulations if simulations is not None else 1, 1, 10_000_000),
        ("--memory", memory, 64, 1_000_000),
    ):
        if not least <= value <= most:
            raise BadRun(f"{what} must be {least} to {most}.")
    if record is not None:
        try:
            Path(record).mkdir(parents=True, exist_ok=True)
            record = str(Path(record).resolve())  # a bot may go to another folder
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it failed"
            raise BadRun(f"{record} cannot be used for records: {reason.lower()}.") from None
    plan = Plan(len(competitors), count, games, seed)
    return Run(
        tuple(competitors), plan, profile, rules, matches, move_ms / 1000, simulations, record, memory=memory
    )  # fmt: skip


def _option(text: str) -> tuple[str, object]:
    """`name=value`, as the rules have it: true and false, numbers, words."""
    name, sign, value = text.partition("=")
    if not sign:
        raise BadRun(f"--option {text!r} should be written NAME=VALUE.")
    spec = OPTION_SPECS.get(name)
    if spec is not None and spec.kind == "bool" and value in ("true", "false", "yes", "no"):
        return name, value in ("true", "yes")
    number = value.removeprefix("-")
    return name, int(value) if number.isascii() and number.isdigit() and len(number) < 10 else value


def run_arena(run: Run, jobs: int, json_file: str | None) -> None:
    """Play, and say what came of it. BadRun with one sentence."""
    to_file = Path(json_file) if json_file not in (None, "-") else None
    if to_file is not None:
        _write(to_file, "")  # better now than when all is played
    tally = Tally(run)
    try:
        with (
            ended_by_signals(),
            _progress(run.plan.deals * run.plan.seats) as advance,
            closing(play(run, jobs, advance)) as results,
        ):
            for result in results:
                tally.add(result)
    except (BadCompetitor, CannotRecord, RunFailed) as error:
        raise BadRun(str(error)) from None
    data = tally.data()
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    click.echo(text if json_file == "-" else table(data) + "\n", nl=False)
    if to_file is not None:
        _write(to_file, text)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except (OSError, ValueError) as error:  # ValueError: a name that can be none
        reason = getattr(error, "strerror", None) or "it failed"
        raise BadRun(f"{file} cannot be written: {reason.lower()}.") from None


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar: Any
    with click.progressbar(
        length=games, label="Playing", file=sys.stderr, update_min_steps=max(1, games // 500)
    ) as bar:
        yield bar.update
