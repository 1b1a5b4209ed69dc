"""The door: one for each connection. Says hello, finds out who is there, and hands on what they ask for."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from una_protocol import messages as m
from una_protocol.codec import Request, encode
from una_protocol.errors import ERRORS
from una_protocol.version import MINOR, PROTO

from .guests import Denied
from .lobby import Lobby
from .logs import note
from .net.link import Link, bye
from .session import Session

log = logging.getLogger(__name__)

HELLOS: Final = 3
"""So many refused hellos end a connection."""


class House(Struct):
    """What the door says of the house. `closing` makes it say that the server stops."""

    server: str
    limits: m.Limits
    keepalive_s: int
    resume_s: int
    password: str | None = None
    bots: bool = True
    motd: str | None = None
    closing: bool = False


class Door:
    """The visitor of one link: nobody at first, then a session."""

    __slots__ = ("_house", "_link", "_lobby", "_refused", "_session")

    def __init__(self, link: Link, lobby: Lobby, house: House) -> None:
        self._link = link
        self._lobby = lobby
        self._house = house
        self._session: Session | None = None
        self._refused = 0

    def received(self, message: Request, now: float) -> None:
        """A message has come; the connection sees to it that a hello is the first, and the only one."""
        try:
            session = self._session
            if session is not None:
                self._lobby.received(session, message, now)
            elif type(message) is m.Hello:
                self._greet(message, now)
            elif isinstance(message, m.Admin | m.Status):
                self._look_after(message, now)
        except Exception:
            log.exception("a message of type %s failed", type(message).__name__)
            self._link.send(_err("internal", getattr(message, "id", None)))

    def too_fast(self, message: Request, wait_ms: int) -> None:
        """A message over the limit: it counts as never sent, so its id may be used again."""
        self._link.send(_err("too_fast", getattr(message, "id", None), after_ms=wait_ms))

    def lost(self, now: float) -> None:
        """The connection is over, and with it the session's, if it has not moved to another one."""
        session = self._session
        if session is not None and session.link is self._link:
            session.link = None
            session.seen = now
            note(log, "disconnected", guest=session.key, name=session.name, reason=self._link.reason)
            self._lobby.presence.disconnected(session, now)

    def _look_after(self, message: m.Admin | m.Status, now: float) -> None:
        """Whoever looks after the server needs no hello."""
        try:
            answer: m.Ok | m.Err = self._lobby.office(message, self._link.transport.peer, now)
        except Denied as denied:
            answer = denied.err(message.id)
        self._link.send(encode(answer))
        if isinstance(answer, m.Err) and answer.code == "wrong_password":
            self._link.close(bye("wrong_password", msg=answer.msg))

    # -- hello ---------------------------------------------------------------------------------------------------

    def _greet(self, hello: m.Hello, now: float) -> None:
        if self._link.spare:
            self._link.close(bye("full", after_ms=5000))
            return
        try:
            session, returned = self._admit(hello, now)
        except Denied as denied:
            self._turn_away(hello, denied, now)
            return
        self._session = session
        self._link.greeted = True
        self._link.connection.accept()
        self._link.send(encode(self._welcome(hello, session)))
        note(
            log, "connected", guest=session.key, name=session.name, bot=session.guest.bot, client=hello.client,
            address=self._link.transport.peer, resumed=hello.resume is not None,
        )  # fmt: skip
        seen = hello.resume.tables if hello.resume is not None else {}
        self._lobby.presence.connected(session, seen, returned, now)

    def _admit(self, hello: m.Hello, now: float) -> tuple[Session, bool]:
        """The session, and whether it was away until now."""
        if self._house.closing:
            raise Denied("shutting_down", after_ms=5000)
        if hello.bot and not self._house.bots:
            raise Denied("no_bots")
        if hello.resume is None:
            self._check_password(hello.password, now)
            session = self._lobby.book.enter(hello, now)
        else:  # the token proves more than the password does
            session = self._lobby.book.come_back(hello, now)
        former, session.link = session.link, self._link
        if former is not None:
            self._lobby.listing.subscribe(session, False)
            former.close(bye("replaced"))
        return session, former is None

    def _check_password(self, given: str | None, now: float) -> None:
        wanted, peer = self._house.password, self._link.transport.peer
        if wanted is None:
            return
        self._lobby.check_tries(peer, now)
        if not hmac.compare_digest((given or "").encode(), wanted.encode()):
            self._lobby.wrong_password(peer, now)
            raise Denied("wrong_password")

    def _turn_away(self, hello: m.Hello, denied: Denied, now: float) -> None:
        """Refuse a hello; another may follow, but not for ever."""
        refusal = _err(denied.code, hello.id, denied.msg, denied.after_ms)
        self._refused += 1
        if denied.code == "shutting_down" or self._refused >= HELLOS:
            self._link.close(bye(denied.code, denied.after_ms, msg=denied.msg), refusal)
        else:
            self._link.connection.refuse()
            self._link.opened = now
            self._link.send(refusal)

    def _welcome(self, hello: m.Hello, session: Session) -> m.Welcome:
        house, tables = self._house, self._lobby.hall.places
        seats = [(table_id, tables[table_id].table.seat_of(session.key)) for table_id in session.tables]
        return m.Welcome(
            re=hello.id,
            proto=self._link.connection.proto or PROTO,
            minor=MINOR,
            server=house.server,
            session=session.token,
            resumed=hello.resume is not None,
            caps=[],
            last_id=max(session.last_id, 0),
            limits=house.limits,
            keepalive_s=house.keepalive_s,
            resume_s=house.resume_s,
            seats=[m.SeatOf(table_id, seat) for table_id, seat in seats if seat is not None],
            motd=house.motd,
        )


def doors(lobby: Lobby, house: House) -> Callable[[Link], Door]:
    """What makes the door for each new link."""
    return lambda link: Door(link, lobby, house)


def _err(code: str, re: int | None, msg: str | None = None, after_ms: int | None = None) -> bytes:
    known = ERRORS[code]
    return encode(m.Err(code, msg or known.meaning, known.retry, re, after_ms))
