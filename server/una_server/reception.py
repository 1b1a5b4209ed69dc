"""Finding a table, and opening one: whether there is room for it, and that it is stored before anybody hears of it."""

from __future__ import annotations

import logging
from functools import partial

from una_protocol import messages as m

from .guests import Denied
from .hall import Hall
from .journal import digest_of, opening, wall_clock
from .logs import note
from .place import Place
from .recovery import RETRY_MS
from .seeds import SeedSource, short_id
from .session import Session
from .store import CannotStore
from .table import Outcome, Table
from .telling import Told, told_of

log = logging.getLogger(__name__)


class Reception:
    """The way of a guest to a table of the hall."""

    def __init__(self, hall: Hall, seeds: SeedSource) -> None:
        self._hall = hall
        self._seeds = seeds

    def find(self, name: str) -> Place:
        """The table of this id, or of this name where it is unique; Denied where there is none."""
        wanted, places = name.casefold(), self._hall.places
        place = places.get(wanted)
        if place is None:
            named = [place for place in places.values() if place.table.name.casefold() == wanted]
            if len(named) != 1:
                raise Denied("no_such_table", "More than one table has this name; use its id." if named else None)
            place = named[0]
        return place

    def check_room(self, session: Session, *, new: bool) -> None:
        """Denied where the guest, or the house, has enough tables."""
        rooms = self._hall.rooms
        if len(session.tables) + len(session.arriving) >= rooms.tables_per_session:
            raise Denied("table_full", f"One guest may be at {rooms.tables_per_session} tables at once.")
        if new and len(self._hall.places) >= rooms.tables:
            raise Denied("table_full", f"The server has room for {rooms.tables} tables.", 60_000)

    def open(self, session: Session, create: m.Create, now: float) -> Place:
        """Open a table for a guest; raises Denied, or the table's `BadSetting`."""
        hall = self._hall
        self.check_room(session, new=True)
        number = hall.opened + 1
        seed = self._seeds.seed_for(number)
        length = 3
        while (table_id := short_id(seed, length)) in hall.places or table_id in hall.aside:
            length += 1
        table, outcome = Table.open(table_id, create, session.guest, seed, now)
        hall.opened = number
        place = hall.places[table_id] = hall.place(table, number)
        told = told_of(table_id, outcome)
        place.wall, place.digest = wall_clock(), digest_of(0, told)
        place.opening = opening(number, table_id, create, session.guest, seed, now, place.wall)
        place.busy = True
        session.arriving.add(table_id)
        then = partial(self._opened, place, session, create.id, outcome, told, now)
        hall.store.put((*session.unsaved(), place.opening), then)
        return place

    def _opened(
        self,
        place: Place,
        session: Session,
        re: int,
        outcome: Outcome,
        told: Told | None,
        now: float,
        error: CannotStore | None,
    ) -> None:
        """The opening is stored, or cannot be."""
        hall, table_id = self._hall, place.table.id
        session.arriving.discard(table_id)
        if error is None:
            session.saved = True
            hall.stored(place, outcome, told, now)
            return
        hall.places.pop(table_id, None)
        session.refuse_for_now(re, "storage", RETRY_MS)
        hall.troubles += 1
        note(log, "storage_trouble", logging.ERROR, table=table_id, why=str(error))
        hall.recovery.turn_away(place, "no_such_table")
        hall.book.let_go(session)
