"""What happens in the engine within one command, and what of it is public.

`Tracer` watches the engine while the first world carries out a command, and hands the second what the first left to
chance: the choices of house bots.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from una_protocol.actions import Action, RecordedAction
from una_protocol.cards import Card
from una_server.game import Refused, Split, turn_actions
from una_server.game import match as match_module
from una_server.game.match import Match
from una_server.game.shuffle import SeededShuffler
from una_server.table import clock as clock_module
from una_server.table.table import Table


class Public(NamedTuple):
    """What the rules make known to everybody."""

    number: int
    dealer: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    match_over: bool
    order: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    pile: int = 0
    discards: tuple[Card, ...] = ()
    color: str | None = None
    wish_served: bool = True
    pending: int = 0
    direction: int = 1
    turn: int = -1
    phase: str = ""
    passes: int = 0
    over: bool = False
    winner: int | None = None
    called: tuple[int, ...] = ()
    forgot: int | None = None
    doubtful: bool = False
    hands: tuple[tuple[Card, ...], ...] = ()
    """Once the round is over."""


def public(match: Match) -> Public:
    """This is read from the engine's state itself, and not from what is told of it."""
    state = match.round
    base = (match.number, match.dealer, match.seats, tuple(match.scores), match.over)
    if state is None:
        return Public(*base)
    return Public(
        *base,
        order=state.order,
        counts=tuple(map(len, state.hands)),
        pile=len(state.draw_pile),
        discards=tuple(state.discards),
        color=state.color,
        wish_served=state.wish_served,
        pending=state.pending,
        direction=state.direction,
        turn=state.turn,
        phase=state.phase,
        passes=state.passes,
        over=state.over,
        winner=state.winner,
        called=tuple(sorted(state.called)),
        forgot=state.forgot,
        doubtful=state.evidence is not None,
        hands=tuple(map(tuple, state.hands)) if state.over else (),
    )


class Op(NamedTuple):
    """Something the engine was asked: an action, or (None) to deal; what was public after it; whether it was refused.

    `hands` are all hands after it; `turned` what a deal told everybody: a wild draw four that went back leaves no trace
    in the state.
    """

    seat: int
    action: RecordedAction | None
    refused: bool
    after: Public
    hands: tuple[tuple[Card, ...], ...]
    turned: tuple[Any, ...] = ()


def turned_up(told: Iterable[Any]) -> tuple[Any, ...]:
    """What a deal told everybody alike."""
    return tuple(event for event in told if not isinstance(event, Split))


Mask = Callable[[Sequence[Card], int], Sequence[Card]]


class Tracer:
    """What one command leads to in the engine; and what the second world takes over from the first."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.ops: list[Op] = []
        self.before: Match | None = None
        """The match before the first op."""
        self.moves: list[Action] = []
        """What house bots chose. Their choice depends on their cards, so the second world's bots are told it."""
        self.first = True
        self.watching = False
        self.mask: Mask | None = None

    def begin(self) -> None:
        """The first world's turn to carry out a command."""
        self.ops, self.moves, self.before, self.mask = [], [], None, None
        self.first = self.watching = True

    def repeat(self, mask: Mask | None) -> None:
        """The second world's turn; `mask` changes the shuffles of a deal."""
        self.first = self.watching = False
        self.mask = mask

    def stop(self) -> None:
        """Whatever follows is nobody's turn."""
        self.watching, self.mask = False, None

    @contextmanager
    def patched(self) -> Iterator[None]:
        """While this holds, everything goes through here."""
        tracer, apply, deal = self, Match.apply, Match.deal

        def watched_apply(match: Match, seat: int, action: RecordedAction) -> Any:
            if not tracer.watching:
                return apply(match, seat, action)
            tracer._note_before(match)
            refused = True
            try:
                told = apply(match, seat, action)
                refused = False
            finally:
                if refused:
                    tracer._note(match, seat, action, refused=True)
            tracer._note(match, seat, action)
            return told

        def watched_deal(match: Match, shuffler: Any = None) -> Any:
            if not tracer.watching:
                return deal(match, shuffler)
            tracer._note_before(match)
            told = deal(match, shuffler)
            tracer._note(match, -1, None, turned=turned_up(told))
            return told

        class MaskedShuffler(SeededShuffler):
            def __call__(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
                dealt = super().__call__(cards, number)
                return dealt if tracer.mask is None else tracer.mask(dealt, number)

        def house_move(table: Table, seat: Any) -> Action:
            assert table.round is not None
            if not tracer.first:
                return tracer.moves.pop(0)
            tracer.moves.append(tracer.chance.choice(turn_actions(table.round)))
            return tracer.moves[-1]

        with (
            mock.patch.object(Match, "apply", watched_apply),
            mock.patch.object(Match, "deal", watched_deal),
            mock.patch.object(match_module, "SeededShuffler", MaskedShuffler),
            mock.patch.object(clock_module, "house_move", house_move),
        ):
            yield

    def _note_before(self, match: Match) -> None:
        if self.before is None:
            self.before = match.copy()

    def _note(
        self,
        match: Match,
        seat: int,
        action: RecordedAction | None,
        refused: bool = False,
        turned: tuple[Any, ...] = (),
    ) -> None:
        hands = tuple(map(tuple, match.round.hands)) if match.round is not None else ()
        self.ops.append(Op(seat, action, refused, public(match), hands, turned))


def plays_alike(match: Match, ops: Sequence[Op], viewer: int | None, by_default: Callable[[Match, Op], bool]) -> bool:
    """Whether the same actions lead this match through the same public states, and the viewer to the same cards."""
    for op in ops:
        if not by_default(match, op):
            return False
        assert op.action is not None
        try:
            match.apply(op.seat, op.action)
            refused = False
        except Refused:
            refused = True
        if refused != op.refused or public(match) != op.after:
            return False
        if viewer is not None and match.round is not None and tuple(match.round.hands[viewer]) != op.hands[viewer]:
            return False
    return True
