"""The open port: accepts connections, reads them, flushes them, sweeps their deadlines, ends them.

One task for each connection reads; one task sends what came of it; one task sweeps all deadlines (a timer around each
read would cost a third of the server's time); another task exists for a connection only while it does not take what it
is sent. Whatever goes wrong in one connection is logged and ends that connection.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import trio

from una_protocol.codec import Request, encode
from una_protocol.connection import Problem
from una_protocol.errors import ERRORS
from una_protocol.messages import Bye, Err, PingNow

from .limits import Limits
from .link import Link, Visitor, bye
from .transport import Transport, is_loopback

log = logging.getLogger(__name__)

CHUNK = 65_536
FORGIVE_S = 10.0
GOODBYE_S = 1.0
GOODBYE_BYTES = 1_048_576
TOO_MANY_MORE = 64
"""So many connections over the limit are told so; more are closed without a word."""


CARETAKERS = 4
"""So many over the limit, from this machine, are let in to look after the server, and for nothing else."""


class Port:
    """All connections of a server. `arrived` makes the visitor for a new link."""

    def __init__(self, limits: Limits, arrived: Callable[[Link], Visitor]) -> None:
        self.limits = limits
        self.links: dict[Link, Visitor | None] = {}
        self.now = 0.0
        self.banned: Callable[[str], bool] = lambda peer: False
        """Whether nobody may come from an address now."""
        self.arrived_total = 0
        self.refused_total = 0
        self._arrived = arrived
        self.mail: list[Link] = []
        self._by_address: dict[str, set[Link]] = {}
        self._nursery: trio.Nursery | None = None
        self._flusher: trio.lowlevel.Task | None = None
        self._all_gone: trio.Event | None = None
        self._silence_s = 2.5 * limits.keepalive_s
        self._ping = encode(PingNow())

    # -- what links ask for --------------------------------------------------------------------------------------

    def is_blocked(self, link: Link) -> None:
        if self._nursery is not None:
            self._nursery.start_soon(link.flush_slowly)

    def flush(self) -> None:
        """Send what all links have to send."""
        for link in self.mail:
            try:
                link.flush()
            except Exception:
                log.exception("a connection could not be sent to")
                link.abort()
        self.mail.clear()

    # -- tasks ---------------------------------------------------------------------------------------------------

    def _flush_soon(self) -> None:
        """Let the flusher run after the readers that are due now."""
        flusher = self._flusher
        if flusher is not None:
            self._flusher = None
            trio.lowlevel.reschedule(flusher)

    async def _flush_in_turn(self) -> None:
        """Send what the readers of one pass have led to, all of it together.

        Deciding and sending by turns would drive each other's code out of the processor's caches: with many tables
        this way saves a sixth of the time for each move.
        """

        def abort(_: object) -> trio.lowlevel.Abort:
            self._flusher = None
            return trio.lowlevel.Abort.SUCCEEDED

        while True:
            self._flusher = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(abort)
            self.flush()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Sweep deadlines and flush slow readers, until cancelled."""
        interval = min(1.0, self.limits.keepalive_s / 4, self.limits.hello_s / 4, self.limits.frame_s / 4)
        self.now = trio.current_time()
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._flush_in_turn)
            task_status.started()
            while True:
                await trio.sleep(interval)
                self.now = trio.current_time()
                for link in tuple(self.links):
                    self._sweep(link, self.now, interval)
                self.flush()

    def _sweep(self, link: Link, now: float, interval: float) -> None:
        limits = self.limits
        if link.blocked_since is not None and now - link.blocked_since > limits.write_s:
            link.abort()
        elif link.closing:
            return
        elif link.frame_since is not None and now - link.frame_since >= limits.frame_s:
            link.close(bye("bad_frame", msg="The rest of a frame did not follow in time."), _err("bad_frame"))
        elif not link.greeted and now - link.opened >= limits.hello_s:
            link.close(bye("not_hello", msg="No hello came in time."), _err("not_hello"))
        elif now - link.heard > self._silence_s:
            link.close(bye("silent"))
        elif link.greeted and now - link.sent + interval >= limits.keepalive_s:
            link.send(self._ping)

    async def serve(self, transport: Transport) -> None:
        """One connection from its first byte to its last. Never raises but when cancelled."""
        peer = transport.peer
        self.now = trio.current_time()
        link = Link(transport, self.limits, self)
        self._by_address.setdefault(peer, set()).add(link)
        self.links[link] = None
        try:
            if self._is_welcome(link, peer):
                await self._read(link)
            if link.closing and not link.broken:
                await self._part(link)
        except (OSError, trio.ClosedResourceError):
            pass
        except Exception:
            log.exception("a connection failed")
        finally:
            self._forget(link, peer)

    def _is_welcome(self, link: Link, peer: str) -> bool:
        count, limits = len(self.links), self.limits
        self.arrived_total += 1
        if self.banned(peer):
            link.close(bye("kicked"))
        elif count > limits.connections + TOO_MANY_MORE:
            link.abort()
        elif limits.connections < count <= limits.connections + CARETAKERS and is_loopback(peer):
            link.spare = True
        elif count > limits.connections or (not is_loopback(peer) and self._is_crowded(peer)):
            link.close(bye("full", after_ms=5000))
        self.refused_total += link.closing
        return not link.closing

    def _is_crowded(self, peer: str) -> bool:
        """Whether too many come from one address, or too many who have not said who they are."""
        links, limits = self._by_address[peer], self.limits
        if len(links) > limits.connections_per_address:
            return True
        return sum(not (link.greeted or link.closing) for link in links) > limits.strangers_per_address

    def _forget(self, link: Link, peer: str) -> None:
        visitor = self.links.pop(link)
        if visitor is not None:  # the reader ended by something other than its loop
            self._lose(visitor)
        here = self._by_address[peer]
        here.discard(link)
        if not here:
            del self._by_address[peer]
        link.closing = True
        link.transport.close()
        if self._all_gone is not None and not self.links:
            self._all_gone.set()

    async def _read(self, link: Link) -> None:
        visitor = self.links[link] = self._arrived(link)
        wait_readable, recv, receive = link.transport.wait_readable, link.transport.recv, link.connection.receive
        current_time, received, take = trio.current_time, visitor.received, link.pace.take
        try:
            with link.scope:
                while True:
                    await wait_readable()
                    try:
                        data = recv(CHUNK)
                    except BlockingIOError:
                        continue
                    if not data:
                        break
                    self.now = link.heard = now = current_time()
                    if not link.bytes_pace.take(now, len(data)):
                        link.close(bye("too_fast", msg="Too many bytes in a short time."), _err("too_fast"))
                    for message in receive(data):
                        link.frame_since = None
                        if isinstance(message, Problem):
                            self._answer_problem(link, message)
                        elif take(now):
                            received(message, now)
                        else:
                            self._slow_down(link, visitor, message)
                    link.frame_since = (link.frame_since or now) if link.connection.in_frame else None
                    if self.mail:
                        self._flush_soon()
                    if link.closing:
                        break
        except (OSError, trio.ClosedResourceError):
            link.abort()
        finally:
            self.links[link] = None
            self._lose(visitor)

    def _lose(self, visitor: Visitor) -> None:
        try:
            visitor.lost(trio.current_time())
        except Exception:
            log.exception("a connection could not be taken leave of")
        self.flush()

    def _answer_problem(self, link: Link, problem: Problem) -> None:
        """What came is no message. It counts like one, and whoever sends nothing else is sent away."""
        if problem.close:
            link.close_with(problem.send, problem.code)
        elif self._may_go_on(link):
            link.send(problem.send)

    def _slow_down(self, link: Link, visitor: Visitor, message: Request) -> None:
        """Refuse a message over the rate."""
        if self._may_go_on(link):
            visitor.too_fast(message, link.pace.wait_ms(self.now))

    def _may_go_on(self, link: Link) -> bool:
        """Count a strike against the link; too many in a short time end it."""
        link.strikes = link.strikes + 1 if self.now - link.struck < FORGIVE_S else 1
        link.struck = self.now
        if link.strikes > 2 * self.limits.burst:
            link.close(bye("too_fast", after_ms=1000))
        return not link.closing

    async def _part(self, link: Link) -> None:
        """The polite end: what waits is sent, then nothing more follows, and what still comes is read away.

        Closing with unread input would reset the connection, and the goodbye could be lost.
        """
        with trio.move_on_after(GOODBYE_S):
            link.flush()
            if link.blocked_since is not None and link.drained is not None:
                await link.drained.wait()
            link.transport.end_writing()
            drained = 0
            while drained < GOODBYE_BYTES:
                await link.transport.wait_readable()
                try:
                    data = link.transport.recv(CHUNK)
                except BlockingIOError:
                    continue
                if not data:
                    break
                drained += len(data)

    # -- the end -------------------------------------------------------------------------------------------------

    async def close_all(self, farewell: Callable[[], Bye]) -> None:
        """Say goodbye on every link and wait until all have ended."""
        for link in tuple(self.links):
            link.close(farewell())
        self.flush()
        if self.links:
            self._all_gone = trio.Event()
            await self._all_gone.wait()


def _err(code: str, msg: str | None = None) -> bytes:
    known = ERRORS[code]
    return encode(Err(code, msg or known.meaning, known.retry))
