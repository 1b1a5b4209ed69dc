"""A world: a lobby with one table and its guests, driven by commands, and the bytes that each guest is sent.

Two worlds of the same seed that are given the same commands are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import structs

from una_protocol import messages as m
from una_server.lobby import Lobby
from una_server.rooms import Rooms
from una_server.seeds import NumberedSeeds
from una_server.session import Session
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
                self.lobby.presence.disconnected(session, self.now)
        elif (session.link is None) == isinstance(command, Return):
            wire: Any = self.wires[command.name]
            session.link = wire
            seen = {} if command.seen is None else {self.table.id: command.seen}
            self.lobby.presence.connected(session, seen, isinstance(command, Return), self.now)

    def taken(self, name: str) -> list[bytes]:
        """What this guest was sent since this was last asked, frame by frame as they left."""
        wire = self.wires[name]
        sent, wire.sent = wire.sent, []
        return sent
