"""One connection: what goes out of it, what it may do, and how it ends.

`Visitor` is what the server behind it must offer; that is all this side knows of it. Everything here is synchronous
but `flush_slowly`: a frame is appended wherever something happens, and all of them leave with one call of `send` when
the work at hand is done.
"""

from __future__ import annotations

from typing import Protocol

import trio

from una_protocol.codec import Request, encode
from una_protocol.connection import ServerConnection
from una_protocol.errors import BYES, ERRORS
from una_protocol.messages import Bye

from .limits import Limits
from .outbox import Outbox
from .pace import Pace
from .transport import Transport


class Visitor(Protocol):
    """Who speaks through a link, as the server behind it sees it. None of these may raise."""

    def received(self, message: Request, now: float) -> None:
        """A message has come."""

    def too_fast(self, message: Request, wait_ms: int) -> None:
        """A message has come that is over the limit: refuse it."""

    def lost(self, now: float) -> None:
        """The connection is over. Called once."""


class Crowd(Protocol):
    """All connections together, as one link sees them."""

    now: float
    mail: list[Link]
    """The links that have something to send when the work at hand is done."""

    def is_blocked(self, link: Link) -> None:
        """Flush this link as soon as it takes bytes again."""


class Link:
    """A connection, from the moment it is accepted."""

    __slots__ = (
        "_crowd",
        "_frames",
        "_mail",
        "_outbox",
        "_send",
        "blocked_since",
        "broken",
        "bytes_pace",
        "closing",
        "connection",
        "drained",
        "frame_since",
        "greeted",
        "heard",
        "limits",
        "opened",
        "pace",
        "reason",
        "scope",
        "sent",
        "spare",
        "strikes",
        "struck",
        "transport",
    )  # fmt: skip

    def __init__(self, transport: Transport, limits: Limits, crowd: Crowd) -> None:
        self.transport = transport
        self.limits = limits
        self.connection = ServerConnection(limits.frame)
        self.pace = Pace(limits.rate, limits.burst)
        self.bytes_pace = Pace(limits.bytes_per_s, limits.bytes_burst)
        self.strikes = 0
        self.struck = 0.0
        self.greeted = False
        self.closing = False
        self.broken = False
        self.reason = "ended"
        """Why it is over, once it is: a code of `bye` or of an error; `ended`: the other side has ended it."""
        self.spare = False
        """It is one too many, and from this machine: whoever looks after the server may use it, no guest."""
        self.opened = self.heard = self.sent = crowd.now
        self.frame_since: float | None = None
        self.blocked_since: float | None = None
        self.drained: trio.Event | None = None
        self.scope = trio.CancelScope()
        self._outbox = Outbox()
        self._frames = self._outbox.frames
        self._crowd = crowd
        self._mail = crowd.mail
        self._send = transport.send

    def send(self, frame: bytes) -> None:
        """Put a frame (or several that belong together) into the outbox; it leaves when the work at hand is done."""
        if self.closing:
            return
        frames = self._frames
        if not frames:
            self._mail.append(self)
        frames.append(frame)
        if self.blocked_since is not None:
            self._bound()

    def _bound(self) -> None:
        """Cut a reader that does not read, when too much waits for it."""
        outbox, limits = self._outbox, self.limits
        if len(outbox.frames) > limits.outbox_frames or outbox.size > limits.outbox_bytes:
            self.cut()

    def cut(self) -> None:
        """Drop what waits for somebody who does not read, and say goodbye."""
        if not self.closing:
            self._outbox.cut_to(encode(bye("slow")))
            self.reason = "slow"
            self._end()

    def flush(self) -> None:
        """Hand over as much as the transport takes now."""
        frames = self._frames
        if self.blocked_since is not None or not frames:
            return
        data = frames[0] if len(frames) == 1 else b"".join(frames)
        try:
            count = self._send(data)
        except BlockingIOError:
            count = 0
        except OSError:
            self._break()
            return
        self.sent = self._crowd.now
        if count == len(data):
            frames.clear()
        else:
            self._block(count)

    def _block(self, count: int) -> None:
        """Only `count` bytes were taken: the rest follows as the other side reads."""
        self._outbox.sent(count)
        self.blocked_since = self._crowd.now
        self.drained = trio.Event()
        self._crowd.is_blocked(self)
        if not self.closing:
            self._bound()

    async def flush_slowly(self) -> None:
        """Send what is left as the other side reads it. The sweeper's deadline ends this by closing the transport."""
        try:
            while self._frames:
                await self.transport.wait_writable()
                self._send_more()
        except (OSError, trio.ClosedResourceError, trio.BusyResourceError):
            self._break()
        finally:
            self.blocked_since = None
            if self.drained is not None:
                self.drained.set()

    def _send_more(self) -> None:
        try:
            count = self.transport.send(self._outbox.joined())
        except BlockingIOError:
            return
        self._outbox.sent(count)
        self.blocked_since = self.sent = trio.current_time()

    def close(self, farewell: Bye, refusal: bytes = b"") -> None:
        """Say (why and) goodbye, and end the connection politely."""
        self.close_with(refusal + encode(farewell), farewell.code)

    def close_with(self, last: bytes, reason: str) -> None:
        """Send the last bytes, whatever they are, and end the connection politely."""
        if not self.closing:
            self.reason = reason
            self.send(last)
            self._end()

    def abort(self) -> None:
        """End the connection without a word."""
        self._break()

    def _end(self) -> None:
        self.closing = True
        self.connection.close()
        self.scope.cancel()

    def _break(self) -> None:
        if not self.closing:
            self.reason = "broken"
        self.broken = True
        self._frames.clear()
        self._end()
        self.transport.close()


def bye(code: str, after_ms: int | None = None, *, msg: str | None = None) -> Bye:
    """The goodbye for a code. Whether to come back follows from the code."""
    known = BYES.get(code) or ERRORS[code].meaning
    return Bye(code, msg or known, reconnect=code in _COME_BACK, after_ms=after_ms)


_COME_BACK = frozenset({"slow", "silent", "shutting_down", "full", "too_fast", "internal"})
