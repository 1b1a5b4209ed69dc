"""The other side of a check: what a program is to it, and one that speaks JSON lines."""

from __future__ import annotations

import subprocess
from typing import Any, Protocol

import msgspec
import trio

from una_protocol.codec import Request
from una_protocol.conformance import Fault
from una_protocol.conformance.script import TABLE
from una_protocol.jsonlines import BadLine, read_line
from una_protocol.text import clean

from .program import Lines, ending, kill, opened, split_command


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

    async def cut(self, limit: float) -> None:
        """Cut the connection, and wait until it comes back or has `ended`; Fault where it does neither."""

    async def end(self, limit: float) -> None:
        """Let it end; Fault where it does not."""

    async def close(self) -> None:
        """End it, whatever it does."""


async def send_all(stream: trio.abc.SendStream, data: bytes, pieces: int | None, limit: float) -> None:
    step = pieces or len(data)
    with trio.move_on_after(limit) as scope:
        for begin in range(0, len(data), step):
            await stream.send_all(data[begin : begin + step])
    if scope.cancelled_caught:
        raise Fault("It does not read what it is sent.")


async def stop(process: trio.Process) -> None:
    await kill(process)
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
        return cls(await opened(split_command(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    async def send(self, message: dict[str, Any], limit: float) -> None:
        if message["t"] == "turn":
            self._turn = message["turn"]
        assert self._process.stdin is not None
        try:
            await send_all(self._process.stdin, msgspec.json.encode(message) + b"\n", self.pieces, limit)
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

    async def cut(self, limit: float) -> None:
        raise NotImplementedError  # no such situation is for lines

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
        await stop(self._process)
