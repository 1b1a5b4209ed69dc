"""The other side of a check: a program that connects by TCP to a server that follows a script."""

from __future__ import annotations

import subprocess
from collections import deque
from contextlib import suppress
from typing import Any, Final

import msgspec
import trio
from msgspec import Struct

from una_protocol import messages as m
from una_protocol.catalogue import describe
from una_protocol.codec import Request, encode
from una_protocol.conformance import Fault
from una_protocol.conformance.script import TABLE
from una_protocol.connection import Problem, ServerConnection
from una_protocol.framing import frame
from una_protocol.text import clean

from .check_peers import send_all, stop
from .player import BotFailed
from .program import ending, opened, split_command

HOST: Final = "127.0.0.1"
SESSION: Final = "not-a-secret"
PATIENCE_S: Final = 10.0
"""How long a program may take to start and connect."""


class TcpPeer:
    """A program that speaks TCP: welcomes it, gives it a seat, answers its requests; the script does the rest."""

    hint = "Does it answer each `turn` with an `act`?"

    def __init__(self, process: trio.Process, listener: trio.SocketListener, stream: trio.SocketStream) -> None:
        self.pieces: int | None = None
        self.refuses_next = self.heard = self.ended = False
        self._process = process
        self._listener = listener
        self._stream = stream
        self._wire = ServerConnection()
        self._items: deque[Request] = deque()
        self._seated = self._welcomed = False
        self._last_id = -1
        self._state: dict[str, Any] | None = None
        self._pending: dict[str, Any] | None = None
        self._act = 0

    @classmethod
    async def open(cls, command: str, limit: float) -> TcpPeer:
        """Start the program, and lead it to the table."""
        listeners = await trio.open_tcp_listeners(0, host=HOST)
        (listener,) = listeners
        port = listener.socket.getsockname()[1]
        filled = {"{host}": HOST, "{port}": str(port), "{table}": TABLE}
        words = [_filled(word, filled) for word in split_command(command)]
        try:
            process = await opened(words, stdin=subprocess.DEVNULL, stdout=2)
        except BotFailed:
            await listener.aclose()
            raise
        stream: trio.SocketStream | None = None
        try:
            with trio.move_on_after(max(PATIENCE_S, 2 * limit)):
                stream = await _coming(process, listener)
                if stream is not None:
                    peer = cls(process, listener, stream)
                    await peer._lead_in()
                    return peer
            if process.poll() is not None:
                raise Fault(await ending(process))
            raise Fault("It does not connect, say hello and take a seat in time.")
        except BaseException:
            with trio.CancelScope(shield=True):
                if stream is not None:
                    await trio.aclose_forcefully(stream)
                await listener.aclose()
                await stop(process)
            raise

    async def _lead_in(self) -> None:
        """Answer it until it has a seat."""
        while not self._seated:
            await self._read()

    async def send(self, message: dict[str, Any], limit: float) -> None:
        if message["t"] == "err":
            message = message | {"re": self._act}
        if message["t"] == "state":
            self._state, self._pending = message, None
        elif message["t"] == "turn":
            self._pending = message
        await self._send(frame(msgspec.msgpack.encode(message)), limit)

    async def _send(self, data: bytes, limit: float = PATIENCE_S) -> None:
        try:
            await send_all(self._stream, data, self.pieces, limit)
        except trio.BrokenResourceError:
            raise Fault("It has closed the connection.") from None

    async def receive(self) -> Request:
        while not self._items:
            await self._read()
        self.heard = True
        return self._items.popleft()

    async def _read(self) -> None:
        try:
            chunk = await self._stream.receive_some(65536)
        except trio.BrokenResourceError:
            chunk = b""
        if not chunk:
            raise Fault("It has closed the connection.")
        for item in self._wire.receive(chunk):
            if isinstance(item, Problem):
                raise Fault(f"It sends what the server refuses as {item.code}: {clean(item.detail, 120).rstrip('.')}.")
            await self._take(item)

    async def _take(self, request: Request) -> None:
        if isinstance(request, m.Hello):
            await self._greet(request)
            return
        if not isinstance(request, m.Pong):
            if request.id <= self._last_id:
                raise Fault(f"Its ids do not increase: {request.id} comes after {self._last_id}.")
            self._last_id = request.id
            await self._reply(request)
        self._items.append(request)

    async def _greet(self, hello: m.Hello) -> None:
        resumed = hello.resume is not None and self._welcomed and hello.resume.session == SESSION
        if hello.resume is not None and not resumed:
            self._wire.refuse()
            await self._send(encode(m.Err("session_gone", "There is no such session.", "no", re=hello.id)))
            return
        self._wire.accept()
        self._welcomed = True
        if not resumed:
            self._last_id = hello.id
        self._seated = resumed
        last, seats = (self._last_id, [m.SeatOf(TABLE, 0)]) if resumed else (0, [])
        limits = m.Limits(m.FRAME_TO_SERVER, 50, 100)
        await self._send(
            encode(m.Welcome(hello.id, 1, 0, "una-check/1", SESSION, resumed, [], last, limits, 15, 60, seats))
        )

    async def _reply(self, request: Struct) -> None:
        answer = m.Ok(getattr(request, "id", 0))
        if isinstance(request, m.Act):
            self._act = request.id
            if self.refuses_next:
                return
        elif isinstance(request, m.Join | m.Create):
            self._seated = True
            answer = m.Ok(request.id, table=TABLE, seat=0)
        elif isinstance(request, m.Lobby):
            answer.tables = [m.TableRow(TABLE, "Kitchen", "una", 4, 2, "waiting", host="Bo")]
        elif isinstance(request, m.Describe):
            answer.catalogue = describe(request.part) or {}
        await self._send(encode(answer))
        if isinstance(request, m.GetState):
            for message in (self._state, self._pending):
                if message is not None:
                    await self._send(frame(msgspec.msgpack.encode(message)))

    async def cut(self, limit: float) -> None:
        await trio.aclose_forcefully(self._stream)
        stream = None
        with trio.move_on_after(limit):
            stream = await _coming(self._process, self._listener)
        if stream is None:
            if self._process.poll() is None:
                raise Fault(f"It neither ends nor comes back within {limit:g} s after the connection was lost.")
            self.ended = True
            return
        self._stream, self._wire, self._seated = stream, ServerConnection(), False
        with trio.move_on_after(limit) as scope:
            await self._lead_in()
        if scope.cancelled_caught:
            raise Fault("It comes back, but does not say hello and take its seat again.")

    async def end(self, limit: float) -> None:
        await self._send(encode(m.Bye("kicked", "The check is over.", reconnect=False)))
        await self._stream.aclose()
        with trio.move_on_after(limit):
            await self._process.wait()
        if self._process.poll() is None:
            raise Fault(f"It does not end within {limit:g} s after `bye`, which told it not to come back.")
        self.ended = True

    async def close(self) -> None:
        with suppress(trio.BrokenResourceError):
            await trio.aclose_forcefully(self._stream)
        await self._listener.aclose()
        await stop(self._process)


async def _coming(process: trio.Process, listener: trio.SocketListener) -> trio.SocketStream | None:
    """The connection of the program; None when it has ended instead."""
    while process.poll() is None:
        with trio.move_on_after(0.05):
            return await listener.accept()
    return None


def _filled(word: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(name, value)
    return word
