"""The tables: opening and finding them, handing them commands, and carrying out what follows to those who are there.

The only place that calls `Table.do` and that sends what a table says. Each event is encoded once for all who see it
alike. A table that fails is closed and its guests are told; the others play on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

import trio

from una_protocol.codec import encode
from una_protocol.errors import ERRORS
from una_protocol.messages import Create, Err, Ev

from .alarms import Alarm, Alarms
from .game import Split
from .guests import Denied, GuestBook
from .recorder import Recorder, date_and_time
from .rooms import Rooms
from .seeds import SeedSource, short_id
from .session import Session
from .table import Returned, Table, Tick
from .table.commands import Command, Outcome

log = logging.getLogger(__name__)


class Place:
    """A table, and what the hall keeps beside it."""

    __slots__ = ("alarm", "table")

    def __init__(self, table: Table, alarm: Alarm) -> None:
        self.table = table
        self.alarm = alarm


class Hall:
    """All tables of a server."""

    def __init__(self, book: GuestBook, rooms: Rooms, seeds: SeedSource, recorder: Recorder | None) -> None:
        self.places: dict[str, Place] = {}
        self.alarms = Alarms()
        self.row_changed = trio.Event()
        """Set when a line of the lobby's list has changed; whoever waits for it puts a new one here."""
        self._sessions = book.by_key
        self._book = book
        self._rooms = rooms
        self._seeds = seeds
        self._recorder = recorder
        self._opened = 0

    # -- finding and opening -------------------------------------------------------------------------------------

    def find(self, name: str) -> Place:
        """The table of this id, or of this name where it is unique; Denied where there is none."""
        wanted = name.casefold()
        place = self.places.get(wanted)
        if place is None:
            named = [place for place in self.places.values() if place.table.name.casefold() == wanted]
            if len(named) != 1:
                raise Denied("no_such_table", "More than one table has this name; use its id." if named else None)
            place = named[0]
        return place

    def check_room(self, session: Session, *, new: bool) -> None:
        """Denied where the guest, or the house, has enough tables."""
        if len(session.tables) >= self._rooms.tables_per_session:
            raise Denied("table_full", f"One guest may be at {self._rooms.tables_per_session} tables at once.")
        if new and len(self.places) >= self._rooms.tables:
            raise Denied("table_full", f"The server has room for {self._rooms.tables} tables.", 60_000)

    def open(self, session: Session, create: Create, now: float) -> None:
        """Open a table for a guest; raises Denied, or the table's `BadSetting`."""
        self.check_room(session, new=True)
        seed = self._seeds.seed_for(self._opened + 1)
        length = 3
        while (table_id := short_id(seed, length)) in self.places:
            length += 1
        table, outcome = Table.open(table_id, create, session.guest, seed, now)
        if self._recorder is not None:
            table.wall_clock = date_and_time
        self._opened += 1
        place = self.places[table_id] = Place(table, Alarm(lambda: table.deadline, lambda now: self._tick(place, now)))
        self._carry_out(place, outcome, now)

    # -- commands ------------------------------------------------------------------------------------------------

    def do(self, place: Place, command: Command, now: float, quiet: str | None = None) -> bool:
        """Hand a command to a table and send what follows (no events to `quiet`). False: the table failed."""
        try:
            outcome = place.table.do(command, now)
            self._carry_out(place, outcome, now, quiet)
        except Exception:
            log.exception("table %s failed at %s and is closed", place.table.id, type(command).__name__)
            self._close_failed(place)
            return False
        return True

    def _tick(self, place: Place, now: float) -> None:
        if place.table.id in self.places:
            self.do(place, Tick(), now)

    def resume(self, place: Place, session: Session, seen: int | None, returned: bool, now: float) -> None:
        """Bring a guest up to date: what was missed after `seen`, or the whole state; then the pending decision."""
        table, key = place.table, session.key
        if returned and not self.do(place, Returned(session.guest), now, quiet=key):
            return
        if key not in table.members:
            return
        missed = table.since(key, seen) if seen is not None and 0 <= seen <= table.seq else None
        if missed is None:
            session.send(encode(table.view_for(key, now)))
        elif missed:
            session.send(b"".join([encode(Ev(table.id, seq, event)) for seq, event in missed]))
        turn = table.turn_for(key, now)
        if turn is not None:
            session.send(encode(turn))

    # -- what follows --------------------------------------------------------------------------------------------

    def _carry_out(self, place: Place, outcome: Outcome, now: float, quiet: str | None = None) -> None:
        table, sessions = place.table, self._sessions
        for answer in outcome.answers:
            asker = sessions.get(answer.key)
            if asker is not None:
                asker.answer(answer.body)
        if outcome.events:
            self._tell(table, outcome, quiet)
        if outcome.states:
            self._show(table, outcome, now)
        if outcome.turn is not None:
            key, turn = outcome.turn
            decider = sessions.get(key)
            if decider is not None and decider.link is not None and key != quiet and key not in outcome.states:
                decider.link.send(encode(turn))
        for keys, said in outcome.said:
            frame = encode(said)
            for key in keys:
                if key in sessions:
                    sessions[key].send(frame)
        if outcome.left:
            self._part(table.id, outcome.left)
        if outcome.record and self._recorder is not None:
            self._recorder.write(table.id, outcome.record)
        if outcome.row_changed:
            self.row_changed.set()
        if table.closed:
            self._close(place)
            return
        deadline = table.deadline
        if deadline is not None and deadline < place.alarm.queued:
            self.alarms.set(place.alarm, deadline if deadline > now else now)

    def _tell(self, table: Table, outcome: Outcome, quiet: str | None) -> None:
        """Send the events to everybody there: one piece of bytes for all, but where a seat may know more."""
        table_id = table.id
        frames: list[bytes] = []
        splits: list[tuple[int, int, Split]] = []
        for seq, happening in outcome.events:
            if type(happening) is Split:
                splits.append((len(frames), seq, happening))
                frames.append(encode(Ev(table_id, seq, happening.public)))
            else:
                frames.append(encode(Ev(table_id, seq, happening)))  # type: ignore[arg-type] # no Split: an event
        public = frames[0] if len(frames) == 1 else b"".join(frames)
        sessions, states = self._sessions, outcome.states
        for key, seat in table.members.items():
            link = sessions[key].link
            if link is None or key == quiet or key in states:
                continue
            if splits and seat is not None:
                link.send(_own_form(table_id, frames, splits, seat) or public)
            else:
                link.send(public)
        for key in outcome.left:
            if key in sessions and key not in table.members:
                sessions[key].send(public)

    def _show(self, table: Table, outcome: Outcome, now: float) -> None:
        """Send the whole state to those who have just come or asked for it, and what they must decide."""
        for key in outcome.states:
            session = self._sessions.get(key)
            if session is None:
                continue
            session.tables[table.id] = None
            if session.link is not None:
                session.link.send(encode(table.view_for(key, now)))
                turn = table.turn_for(key, now)
                if turn is not None:
                    session.link.send(encode(turn))

    # -- the end of a table --------------------------------------------------------------------------------------

    def _part(self, table_id: str, keys: Iterable[str]) -> None:
        for key in keys:
            session = self._sessions.get(key)
            if session is not None:
                session.tables.pop(table_id, None)
                self._book.let_go(session)

    def _close(self, place: Place) -> None:
        table_id = place.table.id
        if self.places.pop(table_id, None) is None:
            return
        self._part(table_id, [key for key, session in self._sessions.items() if table_id in session.tables])
        if self._recorder is not None:
            self._recorder.close(table_id)
        self.row_changed.set()

    def _close_failed(self, place: Place) -> None:
        """The table is in nobody knows what state: tell those who were there, and let go of it."""
        msg = f"Table {place.table.id} was closed after a fault in the server."
        frame = encode(Err("internal", msg, ERRORS["internal"].retry))
        for session in self._sessions.values():
            if place.table.id in session.tables:
                session.send(frame)
        self._close(place)


def _own_form(table_id: str, frames: list[bytes], splits: list[tuple[int, int, Split]], seat: int) -> bytes | None:
    """The events as this seat may know them; None where it knows no more than everybody."""
    own: list[bytes] | None = None
    for index, seq, split in splits:
        event = split.own.get(seat)
        if event is not None:
            if own is None:
                own = frames.copy()
            own[index] = encode(Ev(table_id, seq, event))
    return None if own is None else b"".join(own)
