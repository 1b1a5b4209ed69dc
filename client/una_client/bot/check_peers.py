"""The other side of a check: a program that speaks JSON lines, or TCP to a server that follows a script."""

from __future__ import annotations

import subprocess
from collections import deque
from contextlib import suppress
from typing import Any, Final, Protocol

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
from una_protocol.jsonlines import BadLine, read_line
from una_protocol.text import clean

from .program import Lines, ending, split_command

HOST: Final = "127.0.0.1"
PATIENCE_S: Final = 10.0
"""How long a program may take to start and connect."""


class Peer(Protocol):
    """A program that is checked. `pieces`: so many bytes are sent at a time; `heard`: it has said something;
    `refuses_next`: the script is about to refuse what it says next; `ended`: it was told to end, and did.
    """

    pieces: int | None
    refuses_next: bool
    heard: bool
    ended: bool
    hint: str

    async def send(self, message: dict[str, Any], limit: float) -> None:
        """Send a message as it is."""

    async def receive(self) -> Request:
        """The next request of the program. Fault where it is none, or the program ends."""

    async def end(self, limit: float) -> None:
        """Let it end; Fault where it does not."""

    async def close(self) -> None:
        """End it, whatever it does."""


async def _send_all(stream: trio.abc.SendStream, data: bytes, pieces: int | None, limit: float) -> None:
    step = pieces or len(data)
    with trio.move_on_after(limit) as scope:
        for begin in range(0, len(data), step):
            await stream.send_all(data[begin : begin + step])
    if scope.cancelled_caught:
        raise Fault("It does not read what it is sent.")


async def _start(words: list[str], **streams: Any) -> trio.Process:
    try:
        return await trio.lowlevel.open_process(words, **streams)
    except OSError as error:
        raise Fault(f"{clean(words[0], 60)} cannot be started: {error.strerror}.") from None


async def _stop(process: trio.Process) -> None:
    if process.poll() is None:
        process.kill()
    await process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            await stream.aclose()


class LinesPeer:
    """A program that speaks JSON lines."""

    hint = "Does it write out each line at once (flush)?"

    def __init__(self, process: trio.Process) -> None:
        self.pieces: int | None = None
        self.refuses_next = self.heard = self.ended = False
        self._process = process
        assert process.stdout is not None
        self._lines = Lines(process.stdout)
        self._turn: int | None = None

    @classmethod
    async def open(cls, command: str) -> LinesPeer:
        """Start the program."""
        return cls(await _start(split_command(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    async def send(self, message: dict[str, Any], limit: float) -> None:
        if message["t"] == "turn":
            self._turn = message["turn"]
        assert self._process.stdin is not None
        try:
            await _send_all(self._process.stdin, msgspec.json.encode(message) + b"\n", self.pieces, limit)
        except trio.BrokenResourceError:
            raise Fault(await ending(self._process)) from None

    async def receive(self) -> Request:
        line = await self._lines.next()
        if line is None:
            raise Fault(await ending(self._process))
        self.heard = True
        try:
            return read_line(line, TABLE, self._turn)
        except BadLine as bad:
            raise Fault(f"{bad} It wrote: {clean(line.decode('utf-8', 'replace'), 60)}") from None

    async def end(self, limit: float) -> None:
        assert self._process.stdin is not None
        await self._process.stdin.aclose()
        with trio.move_on_after(limit):
            while await self._lines.next() is not None:
                pass
            await self._process.wait()
        if self._process.poll() is None:
            raise Fault(f"It does not end within {limit:g} s after its input has ended.")
        if self._process.returncode:
            raise Fault(await ending(self._process))
        self.ended = True

    async def close(self) -> None:
        await _stop(self._process)


class TcpPeer:
    """A program that speaks TCP: welcomes it, gives it a seat, answers its requests; the script does the rest."""

    hint = "Does it answer each `turn` with an `act`?"

    def __init__(self, process: trio.Process, stream: trio.SocketStream) -> None:
        self.pieces: int | None = None
        self.refuses_next = self.heard = self.ended = False
        self._process = process
        self._stream = stream
        self._wire = ServerConnection()
        self._items: deque[Request] = deque()
        self._seated = False
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
        process = await _start(words, stdin=subprocess.DEVNULL, stdout=2)
        stream: trio.SocketStream | None = None
        try:
            with trio.move_on_after(max(PATIENCE_S, 2 * limit)):
                stream = await listener.accept()
                peer = cls(process, stream)
                while not peer._seated:
                    await peer._read()
                return peer
            if process.poll() is not None:
                raise Fault(await ending(process))
            raise Fault("It does not connect, say hello and take a seat in time.")
        except BaseException:
            with trio.CancelScope(shield=True):
                if stream is not None:
                    await trio.aclose_forcefully(stream)
                await _stop(process)
            raise
        finally:
            await listener.aclose()

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
            await _send_all(self._stream, data, self.pieces, limit)
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
                raise Fault(f"It sends what the server refuses as {item.code}: {clean(item.detail, 120)}.")
            await self._take(item)

    async def _take(self, request: Request) -> None:
        if isinstance(request, m.Hello):
            self._wire.accept()
            self._last_id = request.id
            limits = m.Limits(m.FRAME_TO_SERVER, 50, 100)
            await self._send(
                encode(m.Welcome(request.id, 1, 0, "una-check/1", "not-a-secret", False, [], 0, limits, 15, 60, []))
            )
            return
        if not isinstance(request, m.Pong):
            if request.id <= self._last_id:
                raise Fault(f"Its ids do not increase: {request.id} comes after {self._last_id}.")
            self._last_id = request.id
            await self._reply(request)
        self._items.append(request)

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
        await _stop(self._process)


def _filled(word: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(name, value)
    return word
