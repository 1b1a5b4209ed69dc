"""A world: a lobby with one table and its guests, driven by commands, and the bytes that each guest is sent.

Two worlds of the same seed that are given the same commands are the same. `Tracer` watches what the engine is asked
within one command, and can hand the second world what the first one left to chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from msgspec import structs

from una_protocol import messages as m
from una_protocol.actions import Action, RecordedAction
from una_protocol.cards import Card
from una_server.game import Refused, turn_actions
from una_server.game import match as match_module
from una_server.game.match import Match
from una_server.game.shuffle import SeededShuffler
from una_server.lobby import Lobby
from una_server.rooms import Rooms
from una_server.seeds import NumberedSeeds
from una_server.session import Session
from una_server.table import clock as clock_module
from una_server.table.table import Table

NAMES = ("Ann", "Ben", "Cem", "Dee", "Eve", "Fay")


class Ask(NamedTuple):
    """A guest sends a request (its id is set when it is sent)."""

    name: str
    message: Any


class Lose(NamedTuple):
    """A guest loses the connection."""

    name: str


class Return(NamedTuple):
    """A guest comes back and has seen the events up to `seen`."""

    name: str
    seen: int | None


class Replace(NamedTuple):
    """A guest connects once more while the first connection still stands: nobody is lost, and the new one resumes."""

    name: str
    seen: int | None


class Ring(NamedTuple):
    """The table's alarm rings, if it is time for that; `at`: it becomes so late first."""

    at: float = 0.0


Command = Ask | Lose | Return | Replace | Ring


class _Peer:
    peer = "127.0.0.1"


class Wire:
    """What a session believes to be its link."""

    closing = False
    transport = _Peer()

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.sent.append(frame)


class _NoFiles:
    """Records are made, and kept nowhere."""

    def write(self, table_id: str, lines: list[str]) -> None: ...

    def close(self, table_id: str) -> None: ...


class World:
    """A lobby, its one table, its guests. `bots`: which of them are programs."""

    def __init__(self, seed: int, create: dict[str, Any], seated: Sequence[str], bots: frozenset[str]) -> None:
        self.now = 100.0
        rooms = Rooms(chat_rate=1000)
        recorder: Any = _NoFiles()
        self.lobby = Lobby(rooms, NumberedSeeds(seed), recorder)
        self.sessions: dict[str, Session] = {}
        self.wires: dict[str, Wire] = {}
        for name in NAMES:
            session = self.lobby.book.enter(m.Hello(1, [1], name, bot=name in bots), self.now)
            self.sessions[name] = session
            wire: Any = Wire()
            self.wires[name] = session.link = wire
        self.do(Ask(seated[0], m.Create(0, "Kitchen", **create)))
        (self.place,) = self.lobby.hall.places.values()
        for name in seated[1:]:
            self.do(Ask(name, m.Join(0, self.table.id)))

    @property
    def table(self) -> Table:
        """The table, also when it is closed."""
        return self.place.table

    @property
    def closed(self) -> bool:
        """Whether the table is gone."""
        return not self.lobby.hall.places

    def seat(self, name: str) -> int | None:
        """Where this guest sits."""
        return self.table.seat_of(self.sessions[name].key)

    def do(self, command: Command) -> None:
        """Carry out one command."""
        if isinstance(command, Ring):
            self.now = max(self.now, command.at)
            deadline = self.table.deadline
            if not self.closed and deadline is not None and deadline <= self.now:
                self.place.alarm.ring(self.now)
            return
        session = self.sessions[command.name]
        if isinstance(command, Ask):
            if session.link is not None:
                self.lobby.received(session, structs.replace(command.message, id=session.last_id + 1), self.now)
        elif isinstance(command, Lose):
            if session.link is not None:
                session.link, session.seen = None, self.now
                self.lobby.disconnected(session, self.now)
        elif (session.link is None) == isinstance(command, Return):
            wire: Any = self.wires[command.name]
            session.link = wire
            seen = {} if command.seen is None else {self.table.id: command.seen}
            self.lobby.connected(session, seen, isinstance(command, Return), self.now)

    def taken(self, name: str) -> list[bytes]:
        """What this guest was sent since this was last asked, frame by frame as they left."""
        wire = self.wires[name]
        sent, wire.sent = wire.sent, []
        return sent


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

    `hands` are all hands after it.
    """

    seat: int
    action: RecordedAction | None
    refused: bool
    after: Public
    hands: tuple[tuple[Card, ...], ...]


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
            tracer._note(match, -1, None)
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

    def _note(self, match: Match, seat: int, action: RecordedAction | None, refused: bool = False) -> None:
        hands = tuple(map(tuple, match.round.hands)) if match.round is not None else ()
        self.ops.append(Op(seat, action, refused, public(match), hands))


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
