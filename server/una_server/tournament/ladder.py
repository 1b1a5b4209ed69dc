"""The ladder: who has played how well. No I/O; times are handed in.

An entry belongs to a name and to the key with which the name was first played: whoever comes with another key does not
get it. Only a hash of the key is kept; a key is long and drawn by chance, so a fast hash is enough.

Ratings are openskill's Plackett-Luce, which knows of games with more than two players. What counts is the conservative
rating, mu less three sigma: a newcomer begins at 0, and climbs as the guess becomes more certain.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from una_protocol.messages import LadderRow
from una_protocol.text import skeleton

from ..guests import Denied
from ..store import LadderEntry

PAGE: Final = 50
HUNDREDTHS: Final = 100


class Result(NamedTuple):
    """How a rated player came off in a match: rank 1 is the best, and may be shared."""

    shape: str
    rank: int
    won: bool
    points: int


class Ladder:
    """All entries, by what their names look like."""

    def __init__(self, entries: Iterable[LadderEntry] = ()) -> None:
        from openskill.models import PlackettLuce  # takes a moment, and only an arena needs it

        self._model = PlackettLuce()
        self._entries = {entry.shape: entry for entry in entries}

    def check(self, name: str, key: str) -> None:
        """Denied where the name belongs to another key."""
        entry = self._entries.get(skeleton(name))
        if entry is not None and not hmac.compare_digest(entry.key, _hash(key)):
            raise Denied("name_claimed")

    def enter(self, name: str, key: str, now: float) -> LadderEntry:
        """The entry of this name, a new one where there is none: the name is the key's from now on."""
        self.check(name, key)
        shape = skeleton(name)
        entry = self._entries.get(shape)
        if entry is None:
            new = self._model.rating()
            entry = LadderEntry(shape, name, _hash(key), new.mu, new.sigma, 0, 0, 0, now)
        self._entries[shape] = entry = entry._replace(name=name, seen=now)
        return entry

    def judge(self, results: Sequence[Result], now: float) -> list[LadderEntry]:
        """Take in a match; the entries as they are after it. One rated player alone gains and loses no rating."""
        results = [result for result in results if result.shape in self._entries]
        before = [self._entries[result.shape] for result in results]
        ratings = [(entry.mu, entry.sigma) for entry in before]
        if len(results) > 1:
            teams = [[self._model.create_rating([mu, sigma])] for mu, sigma in ratings]
            rated = self._model.rate(teams, ranks=[float(result.rank) for result in results])
            ratings = [(team[0].mu, team[0].sigma) for team in rated]
        after = [
            entry._replace(
                mu=mu,
                sigma=sigma,
                games=entry.games + 1,
                wins=entry.wins + result.won,
                points=entry.points + result.points,
                seen=now,
            )
            for entry, result, (mu, sigma) in zip(before, results, ratings, strict=True)
        ]
        self._entries.update((entry.shape, entry) for entry in after)
        return after

    def rows(self) -> list[LadderRow]:
        """The ladder from its top. Who has not finished a match yet does not stand there."""
        played = [entry for entry in self._entries.values() if entry.games]
        played.sort(key=lambda entry: (-_conservative(entry), entry.shape))
        return [_row(rank, entry) for rank, entry in enumerate(played, 1)]

    def page(self, after: int) -> tuple[list[LadderRow], str | None]:
        """The rows after this rank, and what to go on after (None: these were the last)."""
        rows = self.rows()
        page = rows[after : after + PAGE]
        return page, str(after + PAGE) if len(rows) > after + PAGE else None


def _conservative(entry: LadderEntry) -> float:
    return entry.mu - 3 * entry.sigma


def _row(rank: int, entry: LadderEntry) -> LadderRow:
    return LadderRow(
        rank=rank,
        name=entry.name,
        rating=round(HUNDREDTHS * _conservative(entry)),
        mu=round(HUNDREDTHS * entry.mu),
        sigma=round(HUNDREDTHS * entry.sigma),
        games=entry.games,
        wins=entry.wins,
        points=entry.points,
        seen=int(entry.seen),
    )


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
