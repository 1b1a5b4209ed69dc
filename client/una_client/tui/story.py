"""What happened so far in a round and a match, as far as a view does not hold it: for the table and the score screen.

Fed with each event before it changes the view; pure.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from una_protocol import events as ev
from una_protocol.cards import WILD_DRAW_FOUR, Card
from una_protocol.view import View

from .world import Four, Fresh, Highlights

BEFORE: Final = 5
"""So many discards below the top are remembered."""
_PENALTIES: Final = ("pending", "challenge", "una", "illegal", "advice")


class Story:
    """The draw four that may be challenged, the last discards, what is fresh, the rounds so far, the highlights."""

    def __init__(self) -> None:
        self.four: Four | None = None
        self.before: tuple[Card, ...] = ()
        self.rounds: tuple[tuple[int, ...], ...] = ()
        self.fresh = Fresh()
        self.grace: tuple[float, float] | None = None
        self.highlights = Highlights()
        self._began: float | None = None
        self._longest: Counter[int] = Counter()
        self._penalty: Counter[int] = Counter()
        self._caught: list[tuple[int, int]] = []
        self._turn = -1
        self._turns = 0
        self._reshuffles = 0

    def note(self, event: object, view: View | None, now: float) -> None:
        """Remember what the event says, before the view changes."""
        match event:
            case ev.Played():
                self._played(event, view, now)
            case ev.Drew():
                self._drew(event, view, now)
            case ev.Turn():
                self._turned(event, view, now)
            case ev.Caught():
                self._caught.append((event.seat, event.by))
            case ev.Reshuffled():
                self._reshuffles += 1
            case ev.Dealer():
                self.rounds = ()
            case ev.Dealt():
                self._dealt(event, now)
            case ev.RoundOver():
                self.rounds = (*self.rounds, event.points)
                self.highlights = self._summary(now)
                self.grace = None

    def _dealt(self, event: ev.Dealt, now: float) -> None:
        rounds = self.rounds
        Story.__init__(self)
        self.rounds, self._began = rounds, now
        self._longest.update(dict(enumerate(event.counts)))

    def _played(self, event: ev.Played, view: View | None, now: float) -> None:
        before = view.color if view is not None else None
        self.four = Four(event.seat, before) if event.card == WILD_DRAW_FOUR else None
        if view is not None and view.top is not None:
            self.before = (view.top, *self.before)[:BEFORE]
        self.fresh = Fresh(now, self.fresh.drawn, self.fresh.drawn_at)
        for seat, count in enumerate(event.counts or ()):
            self._longest[seat] = max(self._longest[seat], count)

    def _drew(self, event: ev.Drew, view: View | None, now: float) -> None:
        player = view.player(event.seat) if view is not None else None
        if player is not None:
            self._longest[event.seat] = max(self._longest[event.seat], player.cards + event.n)
        if event.why in _PENALTIES:
            self._penalty[event.seat] = max(self._penalty[event.seat], event.n)
        if event.cards:
            self.fresh = Fresh(self.fresh.laid_at, event.cards, now)

    def _turned(self, event: ev.Turn, view: View | None, now: float) -> None:
        if event.turn != self._turn:
            self._turn, self._turns = event.turn, self._turns + (event.phase == "turn")
        known = view.catchable if view is not None else []
        grace = view.una_grace_ms / 1000 if view is not None else 0.0
        if not event.catchable:
            self.grace = None
        elif grace and set(event.catchable) - set(known):
            self.grace = (now + grace, grace)

    def _summary(self, now: float) -> Highlights:
        return Highlights(
            longest=_most(self._longest),
            penalty=_most(self._penalty),
            caught=tuple(self._caught),
            turns=self._turns,
            reshuffles=self._reshuffles,
            seconds=None if self._began is None else now - self._began,
        )


def _most(counts: Counter[int]) -> tuple[int, int] | None:
    found = counts.most_common(1)
    return found[0] if found and found[0][1] > 0 else None
