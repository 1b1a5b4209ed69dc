"""What an attentive player remembers of a round: the discards, cards that were shown, colours that others lacked.

Fed with the events of one seat, in the form that seat is told them. It holds nothing that the seat was not told.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Final

from una_protocol import events as ev
from una_protocol.cards import COLOR, FACE, Card, Color


class Memory:
    """The memory of one seat in one round; `Dealt` begins it anew."""

    def __init__(self) -> None:
        self.discards: list[Card] = []
        """The last one is the top."""
        self.known: dict[int, list[Card]] = {}
        """By seat, cards that were shown and have not been laid since."""
        self.color_before: Color | None = None
        """The colour in force before the last card was laid: a draw four is judged by it (D5)."""
        self.last_layer: int | None = None
        """The seat that laid the top; None: it was turned up."""
        self._lacks: dict[int, tuple[frozenset[Card], int]] = {}
        """By seat: what it lacked when it last drew for its turn, and how many cards came to it since."""
        self._top: Card | None = None
        self._color: Color | None = None

    def copy(self) -> Memory:
        """An independent copy."""
        other = copy(self)
        other.discards = self.discards.copy()
        other.known = {seat: cards.copy() for seat, cards in self.known.items()}
        other._lacks = self._lacks.copy()
        return other

    def hear(self, event: ev.Event) -> None:
        """Take in what happened."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def lacking(self, seat: int, count: int) -> tuple[int, frozenset[Card]]:
        """How many of the seat's cards were held when it drew for want of a fitting card, and what it lacked."""
        lacked, since = self._lacks.get(seat, (frozenset(), 0))
        return max(0, count - since), lacked

    # -- events

    def dealt(self, event: ev.Dealt) -> None:
        self.discards.clear()
        self.known.clear()
        self._lacks.clear()
        self._top = self._color = self.color_before = self.last_layer = None

    def turned_up(self, event: ev.Top) -> None:
        if not event.back:
            self.discards.append(event.card)
            self._top, self._color = event.card, event.color

    def wished(self, event: ev.Wished) -> None:
        self._color = event.color

    def played(self, event: ev.Played) -> None:
        self.discards.append(event.card)
        self.color_before, self.last_layer = self._color, event.seat
        self._top, self._color = event.card, event.color
        known = self.known.get(event.seat)
        if known and event.card in known:
            known.remove(event.card)
        lacked, since = self._lacks.get(event.seat, (frozenset(), 0))
        if event.card in lacked and since:
            self._lacks[event.seat] = (lacked, since - 1)
        if event.counts is not None:  # hands changed owners: nothing is known any more
            self.known.clear()
            self._lacks.clear()

    def drew(self, event: ev.Drew) -> None:
        lacked, since = self._lacks.get(event.seat, (frozenset(), 0))
        if event.why == "turn" and self._color is not None and self._top is not None:
            lacked = _fitting(self._top, self._color)
            self._lacks[event.seat] = (lacked, event.n)
        elif since or lacked:
            self._lacks[event.seat] = (lacked, since + event.n)

    def shown(self, event: ev.Shown) -> None:
        if event.hand is not None:
            self.known[event.seat] = list(event.hand)

    def reshuffled(self, event: ev.Reshuffled) -> None:
        del self.discards[:-1]


def _fitting(top: Card, color: Color) -> frozenset[Card]:
    """The coloured cards that fit; wild ones are often kept back."""
    face = FACE[top] if COLOR[top] else None
    return frozenset(card for card, own in COLOR.items() if own is not None and (own == color or FACE[card] == face))


_HANDLERS: Final[dict[type, Callable[[Memory, Any], None]]] = {
    ev.Dealt: Memory.dealt,
    ev.Top: Memory.turned_up,
    ev.Wished: Memory.wished,
    ev.Played: Memory.played,
    ev.Drew: Memory.drew,
    ev.Shown: Memory.shown,
    ev.Reshuffled: Memory.reshuffled,
}
