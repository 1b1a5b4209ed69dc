"""A run as a value, and one game of it.

Every game hangs on the run's seed and its own number only: its cards, the players' chance, and what the module
`random` gives to bots that use it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..game import Options
from .competitors import Company, Competitor
from .game import STARTING_S, Game, Played
from .plan import Plan
from .player import LostPlayer
from .records import Records
from .sight import Setting
from .watchdog import Pulse

MEMORY_MB = 2048


class Run(NamedTuple):
    """Everything that says what a run is. It travels to the worker processes. `limit`: seconds for one move;
    `starting`: how many more to begin; `memory`: the MB that a process may take in which bots run.
    """

    competitors: tuple[Competitor, ...]
    plan: Plan
    profile: str
    options: Options
    whole: bool = False
    limit: float = 5.0
    simulations: int | None = None
    record: str | None = None
    starting: float = STARTING_S
    memory: int = MEMORY_MB

    def deal_of(self, game: int) -> int:
        """The deal that a game belongs to."""
        return game // self.plan.seats

    def seating(self, game: int) -> tuple[int, ...]:
        """The competitor at each seat."""
        return self.plan.deal(self.deal_of(game)).seatings[game % self.plan.seats]


class GameResult(NamedTuple):
    """One game: its deal, the competitor at each seat, and what came of it."""

    deal: int
    seating: tuple[int, ...]
    played: Played


def company_of(run: Run) -> Company:
    """The players of one process; BadCompetitor."""
    return Company(run.competitors, run.plan.seed, run.limit, run.starting, run.simulations)


def play_game(run: Run, company: Company, game: int, without: Mapping[int, str], pulse: Pulse | None = None) -> Played:
    """One game. `without`: the competitors that have lost it already, and why."""
    random.seed(f"una arena {run.plan.seed} game {game}")
    deal = run.plan.deal(run.deal_of(game))
    seating = run.seating(game)
    names = _names(run, seating)
    records = Records(Path(run.record), game, run.profile, names) if run.record is not None else None
    players = [
        LostPlayer(without[index]) if index in without else company.player(index, seat, game)
        for seat, index in enumerate(seating)
    ]
    played = Game(
        Setting(run.profile, run.options), players, names, deal.seed,
        deal.number % run.plan.seats,  # the dealer is the same in all games of a deal
        whole=run.whole, limit=run.limit, starting=run.starting, pulse=pulse,
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
