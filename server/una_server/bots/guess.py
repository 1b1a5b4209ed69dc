"""Rounds as they might be: what a seat knows, and the rest of the cards dealt at random.

Takes a `View` (what the server would tell that seat) and, if there is one, what the seat remembers of the round; it
never sees the table's own state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from una_protocol.cards import Card
from una_protocol.view import View

from ..game import Options, Round, deck_for
from ..game.cardset import BIT
from ..game.rules import rules_for
from .memory import Memory

_DRAWS: Final = 3
"""Hardly ever does everybody draw more cards than that in a playout."""


@lru_cache(maxsize=64)
def _options(values: tuple[tuple[str, Any], ...]) -> Options:
    return Options(**dict(values))


class Guesser:
    """Deals the cards that a seat cannot see, as often as asked."""

    def __init__(self, view: View, memory: Memory | None, chance: Random) -> None:
        assert view.you is not None
        assert view.hand is not None
        assert view.top is not None
        self._view = view
        self._chance = chance
        self._me = view.you
        self._rules = rules_for(_options(tuple(view.options.items())))
        self._order = tuple(p.seat for p in view.players if p.status != "left" and (p.cards or p.seat == view.you))
        size = max(player.seat for player in view.players) + 1
        self._counts = [0] * size
        for player in view.players:
            self._counts[player.seat] = player.cards if player.status != "left" else 0
        unseen = Counter(deck_for(self._rules.options, len(view.players)))
        unseen.subtract(view.hand)
        unseen[view.top] -= 1
        self._known: list[list[Card]] = [[] for _ in range(size)]
        self._lacking: list[tuple[int, frozenset[Card]]] = [(0, frozenset()) for _ in range(size)]
        self._discards: list[Card] | None = None
        if memory is not None:
            self._remember(memory, unseen)
        self._pool = [card for card, number in unseen.items() for _ in range(number)]
        chance.shuffle(self._pool)
        self._seen = sum(self._counts) - self._counts[self._me] + view.pending + _DRAWS * len(self._order)

    def _remember(self, memory: Memory, unseen: Counter[Card]) -> None:
        self._discards = memory.discards[:-1]
        unseen.subtract(self._discards)
        for seat, cards in memory.known.items():
            if seat != self._me:
                self._known[seat] = cards[: self._counts[seat]]
                unseen.subtract(self._known[seat])
        for seat in self._order:
            self._lacking[seat] = memory.lacking(seat, self._counts[seat])

    def deal(self) -> Round:
        """One way the cards may lie, as a round of the engine with the seat's decision open."""
        view = self._view
        pool = self._mixed()
        hands: list[Sequence[Card]] = [()] * len(self._counts)
        for seat in self._order:
            hands[seat] = view.hand or () if seat == self._me else self._hand(seat, pool)
        if self._discards is None:
            rest = len(pool) - view.draw_pile
            pile, under = pool[rest:], pool[:rest]
        else:
            pile, under = pool, self._discards
        top = view.top or Card("")
        state = Round(self._rules, self._order, hands, pile, [*under, top], self._shuffle, view.dealer or 0)
        state.began = len(view.players)
        if view.direction == -1:
            state.reverse()
        state.pending = view.pending
        state.match(view.color, view.wish_served)
        state.open_turn(self._me)
        self._phase(state)
        return state

    def _mixed(self) -> list[Card]:
        """The pool with as many cards mixed anew, from its end, as a playout can see; below them is older chance."""
        pool, random = self._pool, self._chance.random
        for place in range(len(pool) - 1, max(0, len(pool) - 1 - self._seen), -1):
            other = int(random() * (place + 1))
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:]

    def _hand(self, seat: int, pool: list[Card]) -> list[Card]:
        """The seat's cards, taken out of the pool: those it is known to hold, then others, if possible none that it
        seems to lack."""
        hand = self._known[seat][:]
        number, lacked = self._lacking[seat]
        spared: list[Card] = []
        while lacked and number and len(hand) < self._counts[seat] and pool:
            card = pool.pop()
            if card in lacked:
                spared.append(card)
            else:
                hand.append(card)
                number -= 1
        for card in spared:
            pool.insert(int(self._chance.random() * (len(pool) + 1)), card)
        while len(hand) < self._counts[seat] and pool:
            hand.append(pool.pop())
        return hand

    def _phase(self, state: Round) -> None:
        view = self._view
        if view.phase == "wish":
            state.phase, state.fits = "wish", 0
        elif view.phase == "drawn" and view.drawn is not None:
            state.phase, state.drawn = "drawn", view.drawn
            state.fits = state.fits & BIT[view.drawn]

    def _shuffle(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
        mixed = list(cards)
        self._chance.shuffle(mixed)
        return mixed
