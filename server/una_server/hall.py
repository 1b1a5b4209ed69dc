"""The tables: handing them commands, one at a time, and carrying out what follows.

The only place that calls `Table.do` while the server runs. What a command led to leaves only when the command is
stored (`keeping` says what that is, `delivery` sends the rest); until then the table is busy, and further commands
wait in its queue. A table that fails is closed, or set back to where its journal stands; the others play on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import trio

from una_protocol import messages as m
from una_protocol.actions import Action

from .alarms import Alarms
from .delivery import Delivery
from .guests import GuestBook
from .journal import changes_nothing, date_and_time, wall_clock
from .keeping import begin_anew, parts_of
from .logs import note
from .place import Place, Waiting
from .recorder import Recorder
from .recovery import Recovery
from .rooms import Rooms
from .session import Session
from .store import CannotStore, NoStore, Store
from .table import Request, Returned, Table, Tick
from .table.commands import Command, Outcome
from .telling import Told, told_of
from .thinking import Thinking

log = logging.getLogger(__name__)

_COMING: Final = (m.Join, m.Watch)
MAX_WAITING: Final = 512
"""So many commands may wait for one table."""


class Hall:
    """All tables of a server."""

    def __init__(
        self, book: GuestBook, rooms: Rooms, recorder: Recorder | None = None, store: Store | None = None
    ) -> None:
        self.places: dict[str, Place] = {}
        self.aside: dict[str, str] = {}
        """The tables that could not be played on: id, and why."""
        self.alarms = Alarms()
        self.row_changed = trio.Event()
        """Set when a line of the lobby's list has changed; whoever waits for it puts a new one here."""
        self.opened = 0
        self.moves = 0
        """How many actions of rounds were done since the start."""
        self.troubles = 0
        """How often something could not be stored."""
        self.referee: Callable[[Place, Outcome], None] = lambda place, outcome: None
        """Told of everything that has happened at a table, before the table can be closed over it."""
        self.stopped = False
        """Nothing is done any more: what is stored is what the next server begins with."""
        self.store: Store = NoStore() if store is None else store
        self.book = book
        self.rooms = rooms
        self.recorder = recorder
        self._keeps = self.store.keeps
        self._sessions = book.by_key
        self._delivery = Delivery(book)
        self.recovery = Recovery(self)
        self.thinking = Thinking()

    def place(self, table: Table, number: int) -> Place:
        """A place for a table."""
        place = Place(table, number, self._tick)
        self.time_records(place)
        return place

    def time_records(self, place: Place) -> None:
        """Records are made, here or in the store, and need the date and time."""
        if self._keeps:
            place.table.wall_clock = lambda: date_and_time(place.wall)
        elif self.recorder is not None:
            place.table.wall_clock = lambda: date_and_time(wall_clock())

    # -- commands ------------------------------------------------------------------------------------------------

    def do(self, place: Place, command: Command, now: float, then: Callable[[], None] | None = None) -> None:
        """Hand a command to a table, now or when it is its turn. Then send what follows, and call `then`.

        Every request is answered, whatever happens.
        """
        if place.busy:
            self._let_wait(place, Waiting(command, now, then))
        elif not self.stopped:
            self._do(place, command, now, then)
        elif isinstance(command, Request):
            self.recovery.refuse(command, "shutting_down")

    def _let_wait(self, place: Place, waiting: Waiting) -> None:
        command = waiting.command
        if type(command) is Request:
            if place.stalled or len(place.queue) >= MAX_WAITING:
                self.recovery.refuse(command, "storage")
                return
            if type(command.message) in _COMING:
                self._note_arrival(place, command)
        place.queue.append(waiting)

    def _do(self, place: Place, command: Command, now: float, then: Callable[[], None] | None) -> None:
        table, keeps = place.table, self._keeps
        now = place.time(now)
        if keeps:
            place.wall = wall_clock()
        try:
            between = table.between() if keeps and table.stage == "over" else None
            outcome = table.do(command, now)
            told = told_of(table.id, outcome)
            if not keeps or changes_nothing(command, outcome):
                self._carry_out(place, outcome, told, now)
                if then is not None:
                    then()
                if place.queue:
                    self.go_on(place)
                return
            if between is not None and table.matches > between.matches:
                begin_anew(place, between, self._sessions)
            parts = parts_of(place, command, outcome, told, now, self._sessions)
        except Exception:
            log.exception("table %s failed at %s", table.id, type(command).__name__)
            self.recovery.failed(place, command, then)
            return
        place.busy = True
        if type(command) is Request and type(command.message) in _COMING:
            self._note_arrival(place, command)
        self.store.put(parts, partial(self._settled, place, command, outcome, told, now, then))

    def _settled(
        self,
        place: Place,
        command: Command,
        outcome: Outcome,
        told: Told | None,
        now: float,
        then: Callable[[], None] | None,
        error: CannotStore | None,
    ) -> None:
        """The command is stored, or cannot be."""
        if type(command) is Request:
            session = self._sessions.get(command.guest.key)
            if session is not None:
                session.arriving.discard(place.table.id)
                session.saved = session.saved or error is None
        if error is None:
            self.stored(place, outcome, told, now, then)
        else:
            self.recovery.stall(place, command, then, "storage")

    def stored(
        self, place: Place, outcome: Outcome, told: Told | None, now: float, then: Callable[[], None] | None = None
    ) -> None:
        """Nothing stands in the way of the outcome any more: let everybody hear of it, and go on."""
        place.busy = False
        if place.reopening is not None:
            place.opening, place.reopening = place.reopening, None
        try:
            self._carry_out(place, outcome, told, now)
            if then is not None:
                then()
        except Exception:
            log.exception("what follows at table %s failed", place.table.id)
        self.go_on(place)

    def go_on(self, place: Place) -> None:
        """Do what has waited, as far as it can be done now."""
        queue = place.queue
        while queue and not place.busy:
            command, now, then = queue.popleft()
            if command is not None:
                self.do(place, command, now, then)
            elif then is not None:
                then()

    def _tick(self, place: Place, now: float) -> None:
        if place.busy:
            if place.retry_at is not None:
                self.recovery.retry(place)
        elif self.stopped:
            place.ended = True  # else the alarm would ring again at once, and nobody else would have a turn
        elif place.table.id in self.places:
            thought = place.table.thought(place.time(now)) if self.thinking.on else None
            if thought is None:
                self.do(place, Tick(), now)
            else:
                place.thinking = True
                self.thinking.begin(place, thought)

    def thought(self, place: Place, turn: int, move: Action | None, now: float) -> None:
        """The answer to a thought has come; None: the table decides without. It counts for the decision it was for."""
        place.thinking = False
        if self.places.get(place.table.id) is place and not self.stopped:
            self.do(place, Tick(move, turn), now)

    # -- coming back ---------------------------------------------------------------------------------------------

    def resume(self, place: Place, session: Session, seen: int | None, returned: bool, now: float) -> None:
        """Bring a guest up to date: what was missed after `seen`, or the whole state; then the pending decision."""
        link = session.link
        if link is None:
            return
        place.late[session.key] = link
        then = partial(self._delivery.catch_up, place, session, seen, link, now)
        command = Returned(session.guest) if returned else None
        if place.busy:
            place.queue.append(Waiting(command, now, then))
        elif command is not None:
            self.do(place, command, now, then)
        else:
            then()

    # -- what follows --------------------------------------------------------------------------------------------

    def _carry_out(self, place: Place, outcome: Outcome, told: Told | None, now: float) -> None:
        table = place.table
        self.moves += outcome.moves
        self._delivery.deliver(place, outcome, told, now)
        if outcome.left:
            self._part(table.id, outcome.left)
        if outcome.record and self.recorder is not None:
            self.recorder.write(table.id, outcome.record)
        self.referee(place, outcome)
        if outcome.row_changed or place.row is None:
            self._note_change(place.row, table)
            place.row = table.row()
            self.row_changed.set()
        if table.closed:
            self.close(place)
            return
        deadline = place.deadline()
        if deadline is not None and deadline < place.alarm.queued:
            self.alarms.set(place.alarm, max(deadline, now - place.offset))

    # -- the end of a table --------------------------------------------------------------------------------------

    def _part(self, table_id: str, keys: Iterable[str]) -> None:
        for key in keys:
            session = self._sessions.get(key)
            if session is not None:
                session.tables.pop(table_id, None)
                self.book.let_go(session)

    def close(self, place: Place) -> None:
        """The table is over."""
        table_id = place.table.id
        if self.places.pop(table_id, None) is None:
            return
        note(log, "table_closed", table=table_id)
        self.recovery.turn_away(place, "no_such_table")
        self._part(table_id, [key for key, session in self._sessions.items() if table_id in session.tables])
        if self.recorder is not None:
            self.recorder.close(table_id)
        self.row_changed.set()

    def _note_change(self, before: m.TableRow | None, table: Table) -> None:
        """A line of the log where a table is new, or a match has come to its end."""
        if before is None:
            note(log, "table_opened", table=table.id, name=table.name, profile=table.settings.profile)
        elif table.stage == "over" and before.phase != "over":
            winners = [table.seats[seat].name for seat in table.winners or () if seat in table.seats]
            note(log, "match_over", table=table.id, winners=", ".join(winners))

    def _note_arrival(self, place: Place, request: Request) -> None:
        session = self._sessions.get(request.guest.key)
        if session is not None and place.table.id not in session.tables:
            session.arriving.add(place.table.id)
