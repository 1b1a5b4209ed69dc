"""Which games are played: who sits where, with which deal. Made from numbers only, so that any job can make it anew.

A *deal* is a line-up and a seed, played as many times as there are seats: each time the line-up moves on by one seat,
while cards and dealer stay. Whatever luck lies in the cards, each competitor of the line-up gets all of it once.

Where there are more seats than competitors, the seats that are left over go to each set of competitors equally often;
where there are fewer, each set of competitors that fills the table meets equally often. Once through all line-ups is
a *cycle*; only whole cycles are played.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import ceil
from random import Random
from typing import Final, NamedTuple

TRIED: Final = 10
"""Who fails in so many games, the first ones, and in each of them, is not asked again."""


class Deal(NamedTuple):
    """Some games with the same cards: `lineup` holds the competitor at each seat of the first of them."""

    number: int
    lineup: tuple[int, ...]
    seed: bytes

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """The competitor at each seat, game by game."""
        return [self.lineup[turn:] + self.lineup[:turn] for turn in range(len(self.lineup))]


class Plan(NamedTuple):
    """A whole run, as a few numbers."""

    competitors: int
    seats: int
    games: int
    seed: int

    @property
    def lineups(self) -> list[tuple[int, ...]]:
        """Every line-up of a cycle, as a set: who sits where is decided by the deal."""
        everyone = tuple(range(self.competitors))
        whole, rest = divmod(self.seats, self.competitors)
        return [everyone * whole + some for some in combinations(everyone, rest)]

    @property
    def trial(self) -> int:
        """So many deals go first: whole cycles, in which each competitor sits at least `TRIED` times."""
        held = len(self.lineups) * self.seats * self.seats / self.competitors
        return min(self.deals, ceil(TRIED / held) * len(self.lineups))

    @property
    def deals(self) -> int:
        """How many deals there are: whole cycles, with at least the games that were asked for."""
        cycle = len(self.lineups)
        cycles = -(-self.games // (cycle * self.seats))
        return max(1, cycles) * cycle

    @lru_cache(maxsize=4)  # noqa: B019  # a plan is a few numbers, and each of its deals is played several times
    def deal(self, number: int) -> Deal:
        """The deal of this number. Neighbours change from deal to deal."""
        lineups = self.lineups
        seats = list(lineups[number % len(lineups)])
        chance = Random(f"una arena {self.seed} deal {number}")
        chance.shuffle(seats)
        return Deal(number, tuple(seats), chance.randbytes(32))
