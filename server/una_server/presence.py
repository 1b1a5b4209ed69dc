"""Who is there: sessions get a connection, lose it, come back, are sent away, and are forgotten in the end.

Tells the hall of it, and the store; what is asked for over a connection is the lobby's business.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping
from functools import partial

from una_protocol import messages as m
from una_protocol.codec import encode
from una_protocol.errors import ERRORS

from .hall import Hall
from .listing import Listing
from .logs import note
from .session import Session
from .store import CannotStore, Forgotten
from .table import Gone, Request

log = logging.getLogger(__name__)


class Presence:
    """The coming and going of all sessions."""

    def __init__(self, hall: Hall, listing: Listing) -> None:
        self._hall = hall
        self._book = hall.book
        self._listing = listing
        self._book.forgotten = self._forgotten

    def connected(self, session: Session, seen: Mapping[str, int], returned: bool, now: float) -> None:
        """A session has a connection (again): bring it up to date at each of its tables."""
        self._keep(session, None)
        for table_id in seen:
            if table_id in self._hall.aside:
                session.send(encode(_aside(table_id)))
        for table_id in tuple(session.tables):
            place = self._hall.places.get(table_id)
            if place is not None:
                self._hall.resume(place, session, seen.get(table_id), returned, now)

    def disconnected(self, session: Session, now: float) -> None:
        """A session has lost its connection; it may come back."""
        self._keep(session, time.time())
        self._listing.subscribe(session, False)
        self.tell_gone(session, now)
        self._book.let_go(session)

    def tell_gone(self, session: Session, now: float) -> None:
        """Its tables shall know that nobody is there."""
        for table_id in tuple(session.tables):
            place = self._hall.places.get(table_id)
            if place is not None:
                self._hall.do(place, Gone(session.guest), now)

    def send_away(self, session: Session, farewell: m.Bye, now: float) -> None:
        """End a session: its connection, its seats, and that anybody may come back to it."""
        link, session.link = session.link, None
        session.seen = -math.inf
        self._listing.subscribe(session, False)
        if link is not None:
            note(log, "disconnected", guest=session.key, name=session.name, reason=farewell.code)
            link.close(farewell)
        self.sweep(now)

    def sweep(self, now: float) -> None:
        """Forget the sessions that were away for too long; their seats are left."""
        for session in self._book.over(now):
            for table_id in tuple(session.tables):
                place = self._hall.places.get(table_id)
                if place is not None:
                    self._hall.do(place, Request(session.guest, m.Leave(0, table_id)), now)
            if not session.tables and not session.arriving:  # else when its leaving is stored
                self._book.forget(session)

    # -- what outlives the server --------------------------------------------------------------------------------

    def _keep(self, session: Session, seen: float | None) -> None:
        """Store the session as it is; nobody waits for it, for nothing is done in its name before."""
        store = self._hall.store
        if store.keeps and not self._hall.stopped:
            session.saved = False
            store.put((session.row(seen),), partial(_note_saved, session))

    def _forgotten(self, session: Session) -> None:
        if self._hall.store.keeps:
            self._hall.store.put((Forgotten(session.key),), _ignore)


def _note_saved(session: Session, error: CannotStore | None) -> None:
    session.saved = session.saved or error is None


def _ignore(error: CannotStore | None) -> None:
    pass


def _aside(table_id: str) -> m.Err:
    msg = f"Table {table_id} could not be played on by this version of the server; it is kept, but closed."
    return m.Err("no_such_table", msg, ERRORS["no_such_table"].retry)
