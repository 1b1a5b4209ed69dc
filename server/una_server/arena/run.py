"""Plays a whole run: deal by deal, here or in worker processes, with the same results for any number of jobs.

Every game hangs on the run's seed and its own number only: its cards, the players' chance, and what the module
`random` gives to bots that use it. Jobs get slices of deals in fixed order, and results are put together in it.
"""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Final, NamedTuple

from ..game import Options
from .competitors import Company, Competitor
from .game import Game, Outcome, Played
from .plan import Plan
from .records import Records
from .sight import Setting

_SLICE: Final = 60
"""A job gets about so many games at a time."""


class Run(NamedTuple):
    """Everything that says what a run is. It travels to the worker processes."""

    competitors: tuple[Competitor, ...]
    plan: Plan
    profile: str
    options: Options
    whole: bool = False
    limit: float = 5.0
    simulations: int | None = None
    record: str | None = None


class GameResult(NamedTuple):
    """One game: its deal, the competitor at each seat, and what came of it."""

    deal: int
    seating: tuple[int, ...]
    played: Played


def play(run: Run, jobs: int, progress: Callable[[int], None]) -> Iterator[GameResult]:
    """All games in order. `progress` is told of each handful of games done."""
    deals = range(run.plan.deals)
    step = max(1, _SLICE // run.plan.seats)
    slices = [deals[start : start + step] for start in range(0, len(deals), step)]
    if jobs == 1:
        for part in slices:
            yield from play_slice(run, part, progress)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        futures = [pool.submit(_play_quietly, run, part) for part in slices]
        for part, future in zip(slices, futures, strict=True):
            results = _result(run, part, future)
            progress(len(results))
            yield from results


def _result(run: Run, part: range, future: Future[list[GameResult]]) -> list[GameResult]:
    try:
        return future.result()
    except BrokenProcessPool:
        # a bot took the whole process with it: its games cannot be told from the others', so all of them have failed
        lost = Outcome(failed="the process of this job died")
        deals = [run.plan.deal(number) for number in part]
        return [
            GameResult(deal.number, seating, Played([lost] * len(seating)))
            for deal in deals
            for seating in deal.seatings
        ]


def _play_quietly(run: Run, part: range) -> list[GameResult]:
    return list(play_slice(run, part, lambda _: None))


def play_slice(run: Run, part: range, progress: Callable[[int], None]) -> Iterator[GameResult]:
    """The games of some deals, in this process."""
    setting = Setting(run.profile, run.options)
    company = Company(run.competitors, run.plan.seed, run.limit, run.simulations)
    try:
        for number in part:
            deal = run.plan.deal(number)
            for turn, seating in enumerate(deal.seatings):
                game = number * run.plan.seats + turn
                yield GameResult(number, seating, _play_game(run, setting, company, deal.seed, game, seating))
            progress(len(deal.lineup))
    finally:
        company.close()


def _play_game(
    run: Run, setting: Setting, company: Company, seed: bytes, game: int, seating: tuple[int, ...]
) -> Played:
    random.seed(f"una arena {run.plan.seed} game {game}")
    names = _names(run, seating)
    records = Records(Path(run.record), game, run.profile, names) if run.record is not None else None
    players = [company.player(index, seat, game) for seat, index in enumerate(seating)]
    dealer = game // run.plan.seats % run.plan.seats  # the same in all games of a deal
    played = Game(
        setting, players, names, seed, dealer, whole=run.whole, limit=run.limit,
        deal=records.deal if records is not None else None, note=records.note if records is not None else None,
    ).play()  # fmt: skip
    if records is not None:
        records.close()
    return played


def _names(run: Run, seating: tuple[int, ...]) -> list[str]:
    """The names at the table: a competitor at several seats is numbered."""
    names: list[str] = []
    for seat, index in enumerate(seating):
        name = run.competitors[index].name
        before = seating[:seat].count(index)
        names.append(f"{name} {before + 1}" if seating.count(index) > 1 else name)
    return names
