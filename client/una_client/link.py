"""A session that comes back by itself: what the front ends and the bot runner hold instead of a bare connection.

    async with keep_connected("lan-pc", 4820, "Ann") as link:
        async for message in link.incoming: ...     # as in a Session, and Reconnecting and Reconnected between

After a lost connection it tries again with full jitter (0.5 s, doubled up to 30 s), resumes the session and goes on;
the server then sends what was missed. `Closed` is the last message, when trying again makes no sense.
"""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import trio
from msgspec import Struct

from una_protocol import messages as m
from una_protocol.messages import _Request as Request

from .goal import Goal
from .greeting import Dial, open_stream
from .i18n import _
from .session import Closed, ConnectFailed, Incoming, Resume, Session, SessionLost, connect
from .tokens import Tokens

FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 30.0
HELD_S: Final = 5.0
"""A connection counts as a success only after it held so long: else a server that fails at once is hammered."""


class Reconnecting(Struct, frozen=True):
    """The connection is lost; attempt number `attempt` follows in `wait_s` seconds. `reason` is a sentence."""

    attempt: int
    wait_s: float
    reason: str


class Reconnected(Struct, frozen=True):
    """There is a connection again. `resumed`: seats and tables are as before; else it is a new session, which has
    none of them.
    """

    resumed: bool


LinkMessage = Incoming | Reconnecting | Reconnected


def longest_wait(attempt: int) -> float:
    """The upper bound of the wait before an attempt (from 1); the wait itself is anything from 0 up to it."""
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(attempt - 1, 10))


class Link:
    """The present session, and those that follow it. `session` is None while there is no connection."""

    def __init__(
        self, session: Session, jitter: Callable[[float, float], float], remember: Callable[[str], None]
    ) -> None:
        self.session: Session | None = session
        self.welcome = session.welcome
        self._jitter = jitter
        self._remember = remember
        self._hurry = trio.Event()
        self._into, self.incoming = trio.open_memory_channel[LinkMessage](math.inf)

    @property
    def connected(self) -> bool:
        """Whether something sent now has a chance to arrive."""
        return self.session is not None and self.session.closed is None

    def send(self, message: Request) -> int | None:
        """As `Session.send`; None, and nothing is sent, while there is no connection."""
        return self.session.send(message) if self.session is not None and self.connected else None

    async def request(self, message: Request) -> m.Ok:
        """As `Session.request`; SessionLost while there is no connection."""
        if self.session is None:
            raise SessionLost(_("There is no connection to the server just now."))
        return await self.session.request(message)

    def hurry(self) -> None:
        """Try now instead of waiting on."""
        self._hurry.set()

    async def _run(self, arguments: dict[str, Any], session: Session, reconnect: bool) -> None:
        """Pass on what the first session brings, then open others, until that makes no sense any more."""
        began = trio.current_time()
        closed = await self._pass_on(session)
        attempt = 0
        resume: Resume | None = session.resume_data()
        while reconnect and closed.reconnect:
            attempt = 1 if trio.current_time() - began >= HELD_S else attempt + 1
            await self._wait(attempt, closed)
            try:
                async with connect(**arguments, resume=resume) as session:
                    began = trio.current_time()
                    self.session, self.welcome = session, session.welcome
                    self._remember(session.welcome.session)
                    self._into.send_nowait(Reconnected(session.welcome.resumed))
                    closed = await self._pass_on(session)
                    resume = session.resume_data()
            except ConnectFailed as failed:
                began = trio.current_time()
                gone = failed.err is not None and failed.err.code == "session_gone"
                resume = None if gone else resume
                closed = Closed(str(failed), reconnect=failed.again or gone)
        self._into.send_nowait(closed)
        self._into.close()

    async def _pass_on(self, session: Session) -> Closed:
        async for message in session.incoming:
            if isinstance(message, Closed):
                self.session = None
                return message
            self._into.send_nowait(message)
        raise AssertionError("a session ends with Closed")

    async def _wait(self, attempt: int, closed: Closed) -> None:
        wait = self._jitter(0, longest_wait(attempt))
        if closed.bye is not None and closed.bye.after_ms is not None:
            wait = max(wait, closed.bye.after_ms / 1000)
        self._hurry = trio.Event()
        self._into.send_nowait(Reconnecting(attempt, wait, closed.reason))
        with trio.move_on_after(wait):
            await self._hurry.wait()


@asynccontextmanager
async def keep_connected(
    host: str,
    port: int,
    name: str,
    *,
    bot: bool = False,
    client: str | None = None,
    password: str | None = None,
    resume: Resume | None = None,
    reconnect: bool = True,
    dial: Dial = open_stream,
    jitter: Callable[[float, float], float] = random.uniform,
    remember: Callable[[str], None] = lambda token: None,
) -> AsyncIterator[Link]:
    """Connect as `session.connect` does (ConnectFailed if the first attempt fails), and stay connected from then on.

    `remember` is told the token of each session. Without `reconnect` a lost connection is the end: for a server of
    one's own.
    """
    arguments: dict[str, Any] = {"host": host, "port": port, "name": name, "bot": bot, "password": password}
    arguments["dial"] = dial
    if client is not None:
        arguments["client"] = client
    error: Exception | None = None
    async with connect(**arguments, resume=resume) as session:
        link = Link(session, jitter, remember)
        remember(session.welcome.session)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(link._run, arguments, session, reconnect)
            try:
                yield link
            except Exception as raised:  # noqa: BLE001  # raised again below, outside of the nursery's group
                error = raised
            if link.session is not None:
                await link.session.flush()
            nursery.cancel_scope.cancel()
        if error is not None:
            raise error


@asynccontextmanager
async def reach(goal: Goal, tokens: Tokens | None = None) -> AsyncIterator[Link]:
    """The link to the goal's server. Who was there before under this name, on this machine, has their seat again.

    The session is kept in `tokens` (by default the user's file); on a server of our own there is nothing to keep.
    """
    if goal.own_server:
        async with keep_connected(goal.host, goal.port, goal.name, password=goal.password, reconnect=False) as link:
            yield link
        return
    tokens = Tokens.of_user() if tokens is None else tokens
    key = f"{goal.name}@{goal.host}:{goal.port}"
    token = tokens.get(key)
    async with AsyncExitStack() as stack:

        async def connected(resume: Resume | None) -> Link:
            return await stack.enter_async_context(
                keep_connected(
                    goal.host, goal.port, goal.name, password=goal.password, resume=resume,
                    remember=lambda token: tokens.put(key, token),
                )
            )  # fmt: skip

        try:
            link = await connected(None if token is None else Resume(token))
        except ConnectFailed as failed:
            if token is None or failed.err is None or failed.err.code != "session_gone":
                raise
            link = await connected(None)
        yield link
