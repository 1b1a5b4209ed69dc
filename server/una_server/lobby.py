"""The lobby: takes each request of a guest to whoever answers it. No I/O, no waiting; what goes out is queued.

Requests that name a table go to the hall; the few others are answered here. Those with a table's password are
answered when a thread has hashed it; what the guest asks for meanwhile does not wait for that.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from una_protocol import messages as m
from una_protocol.codec import Request as Message
from una_protocol.codec import encode
from una_protocol.text import check_chat, check_name

from .describe import described
from .guests import Denied, GuestBook
from .hall import Hall
from .listing import Listing
from .net.link import bye
from .net.pace import Tries
from .net.transport import is_loopback
from .passwords import HashQueue, fits, hashed
from .place import Place
from .presence import Presence
from .reception import Reception
from .recorder import Recorder
from .rooms import Rooms
from .seeds import SeedSource
from .session import Session
from .store import Store
from .table import BadSetting, Request

log = logging.getLogger(__name__)

TRIES_S: Final = 600.0
RIGHT_TOO: Final = 3
"""Passwords of tables cost the server something, right ones too: so many times the wrong ones may come."""

Office = Callable[[m.Admin | m.Status, str, float], m.Ok]


class Lobby:
    """Everything behind the network: guests, tables, and the talk between them."""

    def __init__(
        self, rooms: Rooms, seeds: SeedSource, recorder: Recorder | None = None, store: Store | None = None
    ) -> None:
        self.book = GuestBook(rooms)
        self.hall = Hall(self.book, rooms, recorder, store)
        self.reception = Reception(self.hall, seeds)
        self.listing = Listing(self.hall)
        self.presence = Presence(self.hall, self.listing)
        self.hashes = HashQueue()
        self._hashing: set[str] = set()
        """The keys of the sessions for which a password is being hashed."""
        self._tries = Tries(rooms.tries, TRIES_S)
        self._hashed = Tries(RIGHT_TOO * rooms.tries, TRIES_S)
        self.permit: Callable[[Place, Any], None] | None = None
        """Denies what somebody may not ask of a table, whatever the table would say."""
        self.answers: dict[type, Callable[[Session, Any, float], None]] = {
            m.Lobby: self._list,
            m.Create: self._create,
            m.Join: self._come,
            m.Watch: self._come,
            m.Say: self._say,
            m.Ping: self._ping,
            m.Describe: self._describe,
            m.Queue: self._no_arena,
            m.Ladder: self._no_arena,
            m.Status: self._look_after,
            m.Admin: self._look_after,
        }
        self.office: Office = _closed
        """What answers whoever looks after the server."""

    # -- a request -----------------------------------------------------------------------------------------------

    def received(self, session: Session, message: Message, now: float) -> None:
        """Do what a guest asks for, once, and answer it."""
        kind = type(message)
        if kind is m.Pong or kind is m.Hello or not session.is_new(message.id):  # type: ignore[union-attr]
            return
        self._answered(session, message, self.answers.get(kind, self._at_table), now)

    def _answered(
        self, session: Session, message: Any, work: Callable[[Session, Any, float], None], now: float
    ) -> None:
        """Do it, or refuse it: one answer in either case."""
        try:
            work(session, message, now)
        except Denied as denied:
            session.refuse(message.id, denied.code, denied.msg, denied.after_ms, denied.at)
        except Exception:
            log.exception("a request of type %s failed", type(message).__name__)
            session.refuse(message.id, "internal")

    def _at_table(self, session: Session, message: Any, now: float) -> None:
        place = self.hall.places.get(message.table)
        if place is None:
            raise Denied("no_such_table")
        if self.permit is not None:
            self.permit(place, message)
        self.hall.do(place, Request(session.guest, message), now)

    def _list(self, session: Session, message: m.Lobby, now: float) -> None:
        if message.subscribe is not None:
            self.listing.subscribe(session, message.subscribe)
        rows, more = self.listing.page(message.after)
        session.answer(m.Ok(message.id, tables=rows, next=more))

    def _create(self, session: Session, message: m.Create, now: float) -> None:
        try:
            message.name = check_name(message.name)
        except ValueError as error:
            raise Denied("bad_name", str(error)) from None
        if not message.password:
            self._open(session, message, now)
            return
        self.reception.check_room(session, new=True)
        password, message.password = message.password, None

        def store(stored: str, now: float) -> None:
            message.password = stored
            self._open(session, message, now)

        self._hash(session, message, lambda: hashed(password), store, now)

    def _open(self, session: Session, message: m.Create, now: float) -> None:
        try:
            self.reception.open(session, message, now)
        except BadSetting as error:
            raise Denied("bad_option", str(error)) from None

    def _come(self, session: Session, message: m.Join | m.Watch, now: float) -> None:
        place = self.reception.find(message.table)
        if self.permit is not None:
            self.permit(place, message)
        stored, given = place.table.settings.password, message.password
        message.password = None  # nothing that is kept of the request shows it
        if place.table.id in session.tables or stored is None:
            self._enter(session, place, message, now)
            return
        self.reception.check_room(session, new=False)
        peer = session.link.transport.peer if session.link is not None else ""
        self.check_tries(peer, now)
        if not given:
            self.wrong_password(peer, now)
            raise Denied("wrong_password")

        def judge(right: bool, now: float) -> None:
            if not right:
                self.wrong_password(peer, now)
                raise Denied("wrong_password")
            self._enter(session, place, message, now)

        self._hash(session, message, lambda: fits(stored, given), judge, now)

    def _enter(self, session: Session, place: Place, message: m.Join | m.Watch, now: float) -> None:
        if place.table.id not in session.tables:
            self.reception.check_room(session, new=False)
        if self.hall.places.get(place.table.id) is not place:
            raise Denied("no_such_table")  # it was closed while a password was looked at
        self.hall.do(place, Request(session.guest, message), now)

    def _say(self, session: Session, message: m.Say, now: float) -> None:
        if not session.chat_pace.take(now):
            raise Denied("too_fast", "Too many chat messages in a short time.", session.chat_pace.wait_ms(now))
        try:
            message.text = check_chat(message.text)
        except ValueError as error:
            session.refuse(message.id, "bad_message", str(error), at="$.text")
            return
        if message.table is None:
            session.answer(m.Ok(message.id))
            frame = encode(m.Said(message.text, session.name))
            for guest in self.book.by_key.values():
                if guest is session or not guest.tables or guest.key in self.listing.subscribers:
                    guest.send(frame)
            return
        self._at_table(session, message, now)

    def _ping(self, session: Session, message: m.Ping, now: float) -> None:
        session.answer(m.Ok(message.id))

    def _describe(self, session: Session, message: m.Describe, now: float) -> None:
        catalogue = described(message.part)
        if catalogue is None:
            session.refuse(message.id, "bad_message", "There is no such part; ask without `part`.", at="$.part")
        else:
            session.answer(m.Ok(message.id, catalogue=catalogue))

    def _look_after(self, session: Session, message: m.Admin | m.Status, now: float) -> None:
        link = session.link
        if link is None:
            return
        try:
            session.answer(self.office(message, link.transport.peer, now))
        except Denied as denied:
            if denied.code != "wrong_password":
                raise
            session.answer(denied.err(message.id))
            link.close(bye("wrong_password", msg=denied.msg))

    def _no_arena(self, session: Session, message: m.Queue | m.Ladder, now: float) -> None:
        raise Denied("no_arena")

    # -- passwords -----------------------------------------------------------------------------------------------

    def _hash(
        self, session: Session, message: Any, work: Callable[[], Any], then: Callable[[Any, float], None], now: float
    ) -> None:
        """Let a thread do the work for a request, one at a time for each guest; `then` answers it."""
        key = session.key
        peer = session.link.transport.peer if session.link is not None else ""
        wait = 0 if is_loopback(peer) else self._hashed.wait_ms(peer, now)
        if wait:
            raise Denied("too_fast", "Too many passwords in a short time.", wait)

        def done(result: Any, now: float) -> None:
            self._hashing.discard(key)
            if key in self.book.by_key:
                self._answered(session, message, lambda *_: then(result, now), now)
                if session.link is None:  # the connection was lost meanwhile: what came of it has no owner there
                    self.presence.tell_gone(session, now)

        if key in self._hashing or not self.hashes.put(work, done):
            raise Denied("too_fast", "Passwords are being looked at; try again in a moment.", 1000)
        self._hashing.add(key)
        if not is_loopback(peer):
            self._hashed.failed(peer, now)

    def check_tries(self, peer: str, now: float) -> None:
        """Denied where too many wrong passwords have come from this address."""
        wait = 0 if is_loopback(peer) else self._tries.wait_ms(peer, now)
        if wait:
            raise Denied("too_fast", "Too many wrong passwords; wait a while.", wait)

    def wrong_password(self, peer: str, now: float) -> None:
        """Count a wrong password."""
        if not is_loopback(peer):
            self._tries.failed(peer, now)


def _closed(message: m.Admin | m.Status, peer: str, now: float) -> m.Ok:
    raise Denied("wrong_password", "There is no administration at this server.")
