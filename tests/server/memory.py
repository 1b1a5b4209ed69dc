"""A transport in memory: the test plays the other side. It takes as many bytes as `room` allows."""

from __future__ import annotations

from typing import Any

import msgpack
import trio

from una_protocol.framing import FrameReader


class MemoryTransport:
    """The server's end of a connection that has no socket, so that time can be a MockClock's."""

    def __init__(self, peer: str = "192.0.2.7", room: int = 1 << 30) -> None:
        self.peer = peer
        self.room = room
        self.sent = bytearray()
        self.ended = False
        self.closed = False
        self._incoming: list[bytes] = []
        self._changed = trio.Event()

    # -- the test's side ---------------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """The other side sends bytes; empty: it has ended."""
        self._incoming.append(data)
        self._wake()

    def say(self, **message: Any) -> None:
        """The other side sends a message."""
        body = msgpack.packb(message)
        self.feed(len(body).to_bytes(4, "big") + body)

    def make_room(self, room: int) -> None:
        """The other side has read so many bytes."""
        self.room += room
        self._wake()

    def messages(self) -> list[dict[str, Any]]:
        """What the server has sent so far."""
        return [msgpack.unpackb(body) for body in FrameReader(1 << 20).feed(bytes(self.sent))]

    # -- the server's side -------------------------------------------------------------------------------------------

    def recv(self, size: int) -> bytes:
        if not self._incoming:
            raise BlockingIOError
        return self._incoming.pop(0)

    def send(self, data: bytes) -> int:
        count = min(self.room, len(data))
        if not count:
            raise BlockingIOError
        self.room -= count
        self.sent += data[:count]
        return count

    async def wait_readable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not self._incoming:
            await self._wait()

    async def wait_writable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not self.room:
            await self._wait()

    def end_writing(self) -> None:
        self.ended = True
        self.feed(b"")

    def close(self) -> None:
        self.closed = True
        self._wake()

    async def _wait(self) -> None:
        if self.closed:
            raise trio.ClosedResourceError
        await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
