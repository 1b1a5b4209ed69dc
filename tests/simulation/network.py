"""A network in memory, on trio's clock: bytes travel late and in pieces, connections break at any byte.

A `Wire` has two ends: `Plug` is the server's transport (non-blocking, as a socket), `Cable` the client's stream. All
chance comes from the one generator that the network was made with.
"""

from __future__ import annotations

import math
import random
from collections import deque

import trio

WINDOW = 65_536
"""So many bytes may be on their way before the sender has to wait."""


class Faults:
    """How bad the network is. `calm` makes it a good one, and keeps the connections that are there."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.calm = False

    def delay(self) -> float:
        """How long a piece of bytes travels."""
        if self.calm:
            return 0.005
        return self.chance.expovariate(40) if self.chance.random() < 0.97 else self.chance.uniform(0.5, 4)

    def pieces(self, data: bytes) -> list[bytes]:
        """The data as it arrives: whole, or torn anywhere."""
        if self.calm or len(data) < 2 or self.chance.random() < 0.6:
            return [data]
        cuts = sorted(self.chance.randrange(1, len(data)) for _ in range(self.chance.randint(1, 3)))
        return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True) if a < b]

    def life(self) -> float:
        """After how many bytes a new connection breaks."""
        return math.inf if self.calm else self.chance.expovariate(1 / 25_000)

    def silent(self) -> bool:
        """Whether a connection that breaks does so without either side being told."""
        return self.chance.random() < 0.15


class Lane:
    """One direction of a wire: pieces of bytes with the time at which each arrives; None is the end."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._pieces: deque[tuple[float, bytes | None]] = deque()
        self._last = 0.0
        self.size = 0
        self.broken_at = math.inf
        self.changed = trio.Event()

    def put(self, data: bytes | None) -> None:
        """Bytes set out."""
        for piece in [None] if data is None else self._faults.pieces(data):
            self._last = max(self._last, trio.current_time() + self._faults.delay())
            self._pieces.append((self._last, piece))
            self.size += len(piece or b"")
        self.wake()

    def take(self, size: int) -> bytes | None:
        """What has arrived; empty at the end, None if nothing is there yet. ConnectionResetError once it is broken."""
        now = trio.current_time()
        if self._pieces and self._pieces[0][0] <= now:
            when, piece = self._pieces.popleft()
            if piece is None:
                self._pieces.appendleft((when, None))
                return b""
            if len(piece) > size:
                self._pieces.appendleft((when, piece[size:]))
                piece = piece[:size]
            self.size -= len(piece)
            self.wake()
            return piece
        if self.broken_at <= now:
            raise ConnectionResetError
        return None

    def break_off(self, when: float) -> None:
        """What has not arrived by then never will."""
        self.broken_at = min(self.broken_at, when)
        while self._pieces and self._pieces[-1][0] > self.broken_at:
            self._pieces.pop()
        self.wake()

    def wake(self) -> None:
        """Something is different now."""
        self.changed.set()
        self.changed = trio.Event()

    async def wait(self) -> None:
        """Until something is different, or has arrived."""
        first = self._pieces[0][0] if self._pieces else math.inf
        with trio.move_on_at(min(first, self.broken_at)):
            await self.changed.wait()


class Wire:
    """A connection."""

    def __init__(self, faults: Faults, peer: str) -> None:
        self.faults = faults
        self.peer = peer
        self.up, self.down = Lane(faults), Lane(faults)
        self._left = faults.life()
        self.dead = False
        """It is cut, and nobody is told."""
        self.plug, self.cable = Plug(self), Cable(self)

    def send(self, lane: Lane, data: bytes) -> int:
        """Hand over bytes; how many were taken. ConnectionResetError where the wire is known to be broken."""
        if lane.broken_at <= trio.current_time():
            raise ConnectionResetError
        count = min(len(data), WINDOW - lane.size)
        if count <= 0:
            raise BlockingIOError
        if self.dead:
            return count
        if self.faults.calm:
            self._left = math.inf
        arriving = data[: int(min(count, self._left))]
        if arriving:
            lane.put(arriving)
        self._left -= count
        if self._left <= 0:
            self._break()
        return count

    def _break(self) -> None:
        if self.faults.silent():
            self.dead = True
        else:
            self.reset()

    def reset(self) -> None:
        """Broken in the middle of whatever was on its way; either side finds out."""
        now = trio.current_time()
        for lane in (self.up, self.down):
            lane.break_off(now + self.faults.delay())


class Plug:
    """The server's end: a `Transport`."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.closed = False

    @property
    def peer(self) -> str:
        return self._wire.peer

    def recv(self, size: int, /) -> bytes:
        data = self._wire.up.take(size)
        if data is None:
            raise BlockingIOError
        return data

    def send(self, data: bytes, /) -> int:
        return self._wire.send(self._wire.down, data)

    async def wait_readable(self) -> None:
        await trio.lowlevel.checkpoint()
        if self.closed:
            raise trio.ClosedResourceError
        await self._wait(self._wire.up)

    async def wait_writable(self) -> None:
        await trio.lowlevel.checkpoint()
        if self.closed:
            raise trio.ClosedResourceError
        if self._wire.down.size >= WINDOW:
            await self._wait(self._wire.down)

    async def _wait(self, lane: Lane) -> None:
        await lane.wait()
        if self.closed:
            raise trio.ClosedResourceError

    def end_writing(self) -> None:
        if not self._wire.dead:
            self._wire.down.put(None)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            if not self._wire.dead:
                self._wire.down.put(None)
                self._wire.up.break_off(trio.current_time())
            self._wire.up.wake()
            self._wire.down.wake()


class Cable(trio.abc.Stream):
    """The client's end: a stream of trio's."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._closed = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        rest = bytes(data)
        await trio.lowlevel.checkpoint()
        while rest:
            if self._closed:
                raise trio.ClosedResourceError
            try:
                rest = rest[self._wire.send(self._wire.up, rest) :]
            except BlockingIOError:
                await self._wire.up.wait()
            except ConnectionResetError:
                raise trio.BrokenResourceError from None

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await trio.lowlevel.checkpoint()
        while True:
            if self._closed:
                raise trio.ClosedResourceError
            try:
                data = self._wire.down.take(max_bytes or WINDOW)
            except ConnectionResetError:
                raise trio.BrokenResourceError from None
            if data is not None:
                return data
            await self._wire.down.wait()

    async def aclose(self) -> None:
        if not self._closed:
            self._closed = True
            if not self._wire.dead:
                self._wire.up.put(None)
            self._wire.down.wake()
        await trio.lowlevel.checkpoint()
