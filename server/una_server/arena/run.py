"""Plays a whole run: deal by deal, here or in worker processes, with the same results for any number of jobs.

Every game hangs on the run's seed and its own number only: its cards, the players' chance, and what the module
`random` gives to bots that use it. Jobs get slices of deals in fixed order, and results are put together in it.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stdout
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
    while slices:
        done = 0
        with _pool(jobs) as pool:
            futures = [pool.submit(_play_quietly, run, part) for part in slices]
            for part, future in zip(slices, futures, strict=True):
                results = _result(run, part, future)
                done += 1
                progress(len(results))
                yield from results
                if future.exception() is not None:
                    break  # the rest needs a new pool
        slices = slices[done:]


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes; nothing more is begun once this ends, for whatever reason."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is the main process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _result(run: Run, part: range, future: Future[list[GameResult]]) -> list[GameResult]:
    """What came of a slice. If its process died, or that of another: once more, alone, to see whose fault it was."""
    try:
        return future.result()
    except BrokenProcessPool:
        pass
    try:
        with _pool(1) as pool:
            return pool.submit(_play_quietly, run, part).result()
    except BrokenProcessPool:
        return _lost(run, part)


def _lost(run: Run, part: range) -> list[GameResult]:
    """The games of a process that died. Classes share it with the game, so one of them killed it, and all have lost."""
    classes = {index for index, one in enumerate(run.competitors) if one.kind == "class"}
    results = []
    for deal in map(run.plan.deal, part):
        for seating in deal.seatings:
            seats = [Outcome(failed="the process died" if index in classes else None) for index in seating]
            results.append(GameResult(deal.number, seating, Played(seats)))
    return results


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
    dealer = game // run.plan.seats % run.plan.seats  # the same in all games of a deal
    with redirect_stdout(sys.stderr):  # what bots print is not the result
        players = [company.player(index, seat, game) for seat, index in enumerate(seating)]
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
