"""One connection to a server: hello and welcome, requests and their answers, signs of life. Trio.

    async with connect("192.168.1.20", 4820, "Ann") as session:
        await session.request(Join(0, "k3f"))           # the Ok, or RequestRefused; the session sets the id
        session.send(Act(0, "k3f", Draw(), turn=41))    # does not wait: Ok or Err arrives in `incoming`
        async for message in session.incoming: ...      # Ev, TurnNow, View, Said, LobbyNow, Ok, Err; last a Closed

It knows no rules and keeps no picture of a table (`mirror` does); `link` makes a connection that comes back by itself.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Final, cast

import trio
from msgspec import Struct, structs

from una_protocol import messages as m
from una_protocol.codec import Request as AnyRequest
from una_protocol.connection import ClientConnection, Problem
from una_protocol.messages import _Request as Request
from una_protocol.version import SUPPORTED
from una_protocol.view import View

from . import __version__
from .goal import RequestRefused as RequestRefused
from .greeting import CHUNK, Dial, greet, open_stream
from .greeting import ConnectFailed as ConnectFailed
from .i18n import _
from .words import bye_text

CLIENT: Final = f"una-cli/{__version__}"
SILENCE: Final = 2.5
"""So many times `keepalive_s` without a byte, and the connection counts as lost."""
ANSWER_S: float = 10.0
"""So long without the answer to a request that is waited for, and it counts as lost too."""


class Closed(Struct, frozen=True):
    """The last message of `incoming`: the connection is over. `bye` is the server's farewell, if it sent one.

    `reason` is a sentence for people; `reconnect` says whether trying again makes sense.
    """

    reason: str
    reconnect: bool = True
    bye: m.Bye | None = None


Incoming = m.Ev | m.TurnNow | View | m.Said | m.LobbyNow | m.Ok | m.Err | m.Bye | Closed


class SessionLost(Exception):
    """The connection ended before the answer came; whether the request was done is not known."""


class Resume(Struct, frozen=True):
    """What it takes to go on where a connection broke off: the token, the last seq of each table, open requests."""

    session: str
    tables: dict[str, int] = {}
    unanswered: tuple[Request, ...] = ()


class Pace:
    """Keeps what is sent within the server's limits, a little below them: `burst` at once, `rate` a second."""

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = max(1.0, rate * 0.9)
        self._burst = max(1.0, burst * 0.9)
        self._left = self._burst
        self._at = -math.inf

    def wait(self, now: float) -> float:
        """How many seconds to wait before the next message."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._left / self._rate)


class Session:
    """A connection that was welcomed. Made by `connect`.

    `seqs` holds the last seq received of each table; `closed` is set once the connection is over; `delay` is how many
    seconds the last answer took (None before the first).
    """

    def __init__(self, welcome: m.Welcome, last_id: int) -> None:
        self.welcome = welcome
        self.seqs: dict[str, int] = {}
        self.closed: Closed | None = None
        self._last_id = last_id
        self.delay: float | None = None
        self._unanswered: dict[int, Request] = {}
        self._sent_at: dict[int, float] = {}
        self._waiting: dict[int, trio.MemorySendChannel[m.Ok | m.Err]] = {}
        self._bye: m.Bye | None = None
        self._written = trio.Event()
        self._listening = trio.CancelScope()
        # unbounded: a request may be awaited by the very task that reads `incoming`; pings must be answered meanwhile
        self._into, self.incoming = trio.open_memory_channel[Incoming](math.inf)
        self._outbox, self._outgoing = trio.open_memory_channel[Request | m.Pong](math.inf)

    # -- for the owner

    def send(self, message: Request, *, resent: bool = False) -> int:
        """Send a request without waiting; its Ok or Err arrives in `incoming`. Returns the id it was given.

        After the connection is over this does nothing: a `Closed` is waiting in `incoming`.
        """
        if not resent:
            self._last_id += 1
            message = structs.replace(message, id=self._last_id)
        self._unanswered[message.id] = message
        self._sent_at[message.id] = trio.current_time()
        self._put(message)
        return message.id

    def _put(self, message: Request | m.Pong) -> None:
        with suppress(trio.ClosedResourceError):  # on the way out nothing more is sent
            self._outbox.send_nowait(message)

    async def request(self, message: Request) -> m.Ok:
        """Send a request and wait for its Ok. RequestRefused for an Err, SessionLost where no answer can come, or none
        has come for so long that the connection is given up.
        """
        if self.closed is not None:
            raise self._lost()
        answer_in, answer_out = trio.open_memory_channel[m.Ok | m.Err](1)
        id = self.send(message)
        del self._unanswered[id]  # whoever waits for it learns that it was lost, and decides
        self._waiting[id] = answer_in
        try:
            with trio.fail_after(ANSWER_S):
                answer = await answer_out.receive()
        except trio.TooSlowError:
            self._listening.cancel()
            raise SessionLost(_no_answer()) from None
        except trio.EndOfChannel:
            raise self._lost() from None
        finally:
            self._waiting.pop(id, None)
        if isinstance(answer, m.Err):
            raise RequestRefused(answer)
        return answer

    def _lost(self) -> SessionLost:
        return SessionLost(self.closed.reason if self.closed else _("The connection was lost."))

    def resume_data(self) -> Resume:
        """What to hand to `connect(resume=…)` to go on with this session over a new connection."""
        return Resume(self.welcome.session, dict(self.seqs), tuple(self._unanswered.values()))

    async def flush(self) -> None:
        """Let what was sent go out, for a moment, before the connection is closed. Nothing can be sent after it."""
        self._outbox.close()
        if self.closed is None:
            with trio.move_on_after(1):
                await self._written.wait()

    # -- for connect

    def _go_on(self, resume: Resume) -> None:
        """The session was resumed: what had no answer is sent again, under the same ids, so nothing happens twice."""
        self.seqs.update(resume.tables)
        for message in resume.unanswered:
            self._last_id = max(self._last_id, message.id)
            self.send(message, resent=True)

    # -- the two tasks

    async def _write(self, stream: trio.abc.Stream, wire: ClientConnection) -> None:
        pace = Pace(self.welcome.limits.rate, self.welcome.limits.burst)
        try:
            async for message in self._outgoing:
                await trio.sleep(pace.wait(trio.current_time()))
                await stream.send_all(wire.request(cast(AnyRequest, message)))
        except (trio.BrokenResourceError, trio.ClosedResourceError, ValueError):
            pass  # the reader finds out why
        finally:
            self._written.set()

    async def _read(self, stream: trio.abc.Stream, wire: ClientConnection, early: list[object]) -> None:
        closed = self._take_all(early)
        if closed is None:
            with self._listening:
                closed = await self._read_on(stream, wire)
        self._end(closed or Closed(_no_answer()))

    async def _read_on(self, stream: trio.abc.Stream, wire: ClientConnection) -> Closed:
        patience = SILENCE * max(1, self.welcome.keepalive_s)
        while self._bye is None:
            chunk = None
            with trio.move_on_after(patience):
                try:
                    chunk = await stream.receive_some(CHUNK)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    chunk = b""
            if chunk is None:
                return Closed(_("Nothing was heard from the server for too long."))
            if not chunk:
                return Closed(_("The server closed the connection."))
            broken = self._take_all(wire.receive(bytes(chunk)))
            if broken is not None:
                return broken
        return Closed(bye_text(self._bye), self._bye.reconnect, self._bye)

    def _take_all(self, items: Iterable[object]) -> Closed | None:
        for item in items:
            if isinstance(item, Problem) and item.close:
                return Closed(_("The server sent something that is not the una protocol."), reconnect=False)
            self._take(item)
        return None

    def _take(self, message: object) -> None:
        if isinstance(message, m.PingNow):
            self._put(m.Pong())
        elif isinstance(message, m.Ok | m.Err):
            self._answer(message)
        elif isinstance(message, m.Bye):
            self._bye = message
            self._into.send_nowait(message)
        elif isinstance(message, m.Ev | View):
            self.seqs[message.table] = message.seq
            self._into.send_nowait(message)
        elif isinstance(message, m.TurnNow | m.Said | m.LobbyNow):
            self._into.send_nowait(message)

    def _answer(self, message: m.Ok | m.Err) -> None:
        waiting = None
        if message.re is not None:
            self._unanswered.pop(message.re, None)
            waiting = self._waiting.pop(message.re, None)
            sent_at = self._sent_at.pop(message.re, None)
            self.delay = self.delay if sent_at is None else trio.current_time() - sent_at
        if waiting is not None:
            waiting.send_nowait(message)
        else:
            self._into.send_nowait(message)

    def _end(self, closed: Closed) -> None:
        self.closed = closed
        for waiting in self._waiting.values():
            waiting.close()
        self._into.send_nowait(closed)
        self._into.close()


def _no_answer() -> str:
    return _("The server gives no answer.")


@asynccontextmanager
async def connect(
    host: str,
    port: int,
    name: str,
    *,
    bot: bool = False,
    client: str = CLIENT,
    password: str | None = None,
    resume: Resume | None = None,
    dial: Dial = open_stream,
) -> AsyncIterator[Session]:
    """Connect, say hello, and keep the session going while the block runs. ConnectFailed where that does not work.

    What the block raises comes out as it is, not in a group. Leaving the block closes the connection, after what was
    sent before has gone out. `dial` makes the stream of bytes, by default a TCP connection.
    """
    where = f"{host}:{port}"
    stream = await dial(host, port, where)
    try:
        wire = ClientConnection()
        hello = m.Hello(1, list(SUPPORTED), name, client=client, bot=bot, password=password)
        if resume is not None:
            hello.resume = m.ResumeFrom(resume.session, resume.tables)
        welcome, early = await greet(stream, wire, hello, where)
        session = Session(welcome, max(welcome.last_id, hello.id))
        if resume is not None and welcome.resumed:
            session._go_on(resume)
        elif welcome.motd:
            early.insert(0, m.Said(welcome.motd, welcome.server))  # shown like what anybody says in the lobby
        error: Exception | None = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session._read, stream, wire, early)
            nursery.start_soon(session._write, stream, wire)
            try:
                yield session
            except Exception as raised:  # noqa: BLE001  # raised again below, outside of the nursery's group
                error = raised
            await session.flush()
            nursery.cancel_scope.cancel()
        if error is not None:
            raise error
    finally:
        await trio.aclose_forcefully(stream)
