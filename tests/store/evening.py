"""A server in memory that can be cut off and begun anew, and people at it, whose every byte the test can hold back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import msgspec
import trio
import trio.testing

from tests.server.memory import MemoryTransport
from una_protocol import messages as m
from una_protocol.codec import decode_answer, encode
from una_protocol.framing import FrameReader
from una_protocol.view import View, fold
from una_server.door import House, doors
from una_server.lobby import Lobby
from una_server.net.limits import Limits
from una_server.net.port import Port
from una_server.rooms import Rooms
from una_server.seeds import NumberedSeeds
from una_server.store import Store
from una_server.store.twin import Disk, TwinStore

Chooser = Callable[[m.TurnNow], Any]


def first(turn: m.TurnNow) -> Any:
    """The first of all choices: the same game each time."""
    return turn.legal[0]


def comparable(view: View, *more: str) -> dict[str, Any]:
    """A view without its clock, and without these fields."""
    plain: dict[str, Any] = msgspec.to_builtins(view)
    return {name: value for name, value in plain.items() if name not in ("ms", *more)}


class Person:
    """A client: bytes in, bytes out. What was asked and not answered is asked again on the next connection."""

    def __init__(self, name: str, until: int = 1 << 30, choose: Chooser = first, bot: bool = False) -> None:
        self.name = name
        self.until = until
        """Acts no more once the turn has this number."""
        self.choose = choose
        self.bot = bot
        self.session = ""
        self.view: View | None = None
        self.answers: dict[int, m.Ok | m.Err] = {}
        self.asked: dict[int, Any] = {}
        self.turn: m.TurnNow | None = None
        self.said: list[m.Said] = []
        self.errors: list[m.Err] = []
        self.welcomes: list[m.Welcome] = []
        self.wants: list[Any] = []
        """What to ask for once welcomed."""
        self.refused: list[Any] = []
        """What could not be stored, and may be asked for again."""
        self._reader = FrameReader(1 << 20)
        self._id = 1

    def hello(self) -> bytes:
        """The first words on a new connection."""
        self._reader = FrameReader(1 << 20)
        hello = m.Hello(1, [1], self.name, bot=self.bot)
        if self.session:
            seen = {self.view.table: self.view.seq} if self.view is not None else {}
            hello.resume = m.ResumeFrom(self.session, seen)
        return encode(hello)

    def ask(self, kind: type[Any], **fields: Any) -> bytes:
        """A request, as bytes to send."""
        self._id += 1
        message = self.asked[self._id] = kind(id=self._id, **fields)
        return encode(message)

    def again(self) -> bytes:
        """Ask once more for what could not be stored, with the same id."""
        again, self.refused = self.refused, []
        self.asked |= {message.id: message for message in again}
        return b"".join(map(encode, again))

    def hear(self, data: bytes) -> bytes:
        """Take in what came; what to send now."""
        out = b""
        for body in self._reader.feed(data):
            message = decode_answer(body)
            if isinstance(message, m.Welcome):
                self.session = message.session
                self.welcomes.append(message)
                out += b"".join(encode(asked) for asked in self.asked.values())
                out += b"".join(self.ask(type(want), **_fields(want)) for want in self.wants)
                self.wants.clear()
            elif isinstance(message, m.Ok | m.Err):
                if message.re is None:
                    self.errors.append(message)
                elif isinstance(message, m.Err) and message.code == "storage":
                    self.refused.append(self.asked.pop(message.re))
                else:
                    self.asked.pop(message.re, None)
                    assert self.answers.setdefault(message.re, message) == message, "two different answers"
            elif isinstance(message, View):
                self.view = message
            elif isinstance(message, m.Ev):
                if self.view is not None:
                    assert message.seq == self.view.seq + 1, "seq is dense"
                    fold(self.view, message.seq, message.e)
            elif isinstance(message, m.TurnNow):
                assert self.view is not None
                assert message.seq == self.view.seq
                self.turn = message
                if message.turn < self.until and not self._asked_for(message.turn):
                    out += self.ask(m.Act, table=message.table, turn=message.turn, do=self.choose(message))
            elif isinstance(message, m.Said):
                self.said.append(message)
        return out

    def _asked_for(self, turn: int) -> bool:
        return any(getattr(asked, "turn", None) == turn for asked in self.asked.values())


def _fields(message: Any) -> dict[str, Any]:
    return {name: getattr(message, name) for name in message.__struct_fields__ if name != "id"}


class Line:
    """A person's connection. `down` and `up`: after so many bytes from and to the server it is cut."""

    def __init__(self, server: Server, person: Person, down: int = 1 << 60, up: int = 1 << 60) -> None:
        self.server, self.person = server, person
        self.transport = MemoryTransport("127.0.0.1")
        self.read = 0
        self.written = 0
        self.down, self.up = down, up
        self.cut = False
        server.nursery.start_soon(server.port.serve, self.transport)
        self.write(person.hello())

    def write(self, data: bytes) -> None:
        """Send, as far as the line lets it through."""
        data = data[: self.up - self.written]
        self.written += len(data)
        if data:
            self.transport.feed(data)
        if self.written >= self.up:
            self.break_off()

    def break_off(self) -> None:
        """The line is dead from now on."""
        if not self.cut:
            self.cut = True
            self.transport.feed(b"")

    def exchange(self) -> bool:
        """Read what has come, and answer it; whether anything has."""
        if self.cut:
            return False
        data = bytes(self.transport.sent[self.read : self.down])
        self.read += len(data)
        if data:
            self.write(self.person.hear(data))
        if self.read >= self.down:
            self.break_off()
        return bool(data)


class Server:
    """A server on a store, without sockets."""

    def __init__(self, nursery: trio.Nursery, store: Store, seed: int = 7) -> None:
        self.nursery = nursery
        self.store = store
        self.lobby = Lobby(Rooms(chat_rate=1000), NumberedSeeds(seed), None, store)
        limits = Limits(rate=100_000, burst=100_000, bytes_per_s=10**9, bytes_burst=10**9)
        house = House("una/test", m.Limits(65536, 100_000, 100_000), 15, 86_400)
        self.port = Port(limits, doors(self.lobby, house))
        self.lines: list[Line] = []

    async def start(self) -> None:
        """Go on where the store stands."""
        await self.nursery.start(self.port.run)
        self.lobby.hall.recovery.restore(self.store.load(), trio.current_time())
        self.store.start(self.port.flush)
        self.nursery.start_soon(self.lobby.hall.alarms.run, self._flush)

    def _flush(self, now: float) -> None:
        self.port.now = now
        self.port.flush()

    def connect(self, person: Person, **cut: int) -> Line:
        """A new connection."""
        line = Line(self, person, **cut)
        self.lines.append(line)
        return line

    async def settle(self) -> None:
        """Until nobody has anything more to say; whoever was cut comes back at once."""
        moved = True
        while moved:
            await trio.testing.wait_all_tasks_blocked()
            moved = False
            for line in tuple(self.lines):
                moved |= line.exchange()
                if line.cut:
                    self.lines.remove(line)
                    self.connect(line.person)
                    moved = True

    @property
    def table(self) -> Any:
        """The only table."""
        [place] = self.lobby.hall.places.values()
        return place.table

    def check(self) -> None:
        """What each person has folded is what the server would tell."""
        for line in self.lines:
            session = next(s for s in self.lobby.book.by_key.values() if s.token == line.person.session)
            state = self.table.view_for(session.key, trio.current_time())
            assert line.person.view is not None
            plain = decode_answer(encode(state)[4:])
            assert isinstance(plain, View)
            folded, told = comparable(line.person.view), comparable(plain)
            differs = {
                key: (folded.get(key), told.get(key)) for key in folded | told if folded.get(key) != told.get(key)
            }
            assert not differs, differs


@asynccontextmanager
async def serving(store: Store, seed: int = 7) -> AsyncIterator[Server]:
    """A server while the block runs; it ends like a process that is killed."""
    async with trio.open_nursery() as nursery:
        server = Server(nursery, store, seed)
        await server.start()
        yield server
        if isinstance(store, TwinStore):
            store.crash()
        nursery.cancel_scope.cancel()


async def begin(server: Server, *people: Person, **create: Any) -> None:
    """The first opens a table, the others join, and the match begins."""
    host, *others = people
    create = {"name": "Kitchen", "una_grace_ms": 0, **create}
    line = server.connect(host)
    host.wants.append(m.Create(0, **create))
    await server.settle()
    for other in others:
        other.wants.append(m.Join(0, server.table.id))
        server.connect(other)
        await server.settle()
    line.write(host.ask(m.Start, table=server.table.id))
    await server.settle()


__all__ = ["Disk", "Line", "Person", "Server", "TwinStore", "begin", "comparable", "first", "msgpack", "serving"]
