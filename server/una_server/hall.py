"""The tables: opening and finding them, handing them commands, and carrying out what follows to those who are there.

The only place that calls `Table.do` while the server runs, and that sends what a table says. What a command led to
leaves only when the command is stored; until then the table is busy, and further commands wait in its queue. A table
that fails is closed, or set back to where its journal stands; the others play on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import trio

from una_protocol import messages as m
from una_protocol.actions import Action
from una_protocol.codec import encode

from .alarms import Alarms
from .guests import Denied, GuestBook
from .journal import (
    END,
    body_of,
    changes_nothing,
    date_and_time,
    digest_of,
    header_of,
    lines_after,
    opening,
    reopening,
    wall_clock,
)
from .logs import note
from .place import Place, Waiting
from .recorder import Recorder
from .recovery import RETRY_MS, Recovery
from .rooms import Rooms
from .seeds import SeedSource, short_id
from .session import Session
from .store import CannotStore, Closing, NoStore, Part, Record, Reopening, Step, Store
from .table import Between, Gone, Request, Returned, Table, Tick
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
        self,
        book: GuestBook,
        rooms: Rooms,
        seeds: SeedSource,
        recorder: Recorder | None = None,
        store: Store | None = None,
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
        self._seeds = seeds
        self.recovery = Recovery(self)
        self.thinking = Thinking()

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
        if len(session.tables) + len(session.arriving) >= self.rooms.tables_per_session:
            raise Denied("table_full", f"One guest may be at {self.rooms.tables_per_session} tables at once.")
        if new and len(self.places) >= self.rooms.tables:
            raise Denied("table_full", f"The server has room for {self.rooms.tables} tables.", 60_000)

    def open(self, session: Session, create: m.Create, now: float) -> Place:
        """Open a table for a guest; raises Denied, or the table's `BadSetting`."""
        self.check_room(session, new=True)
        number = self.opened + 1
        seed = self._seeds.seed_for(number)
        length = 3
        while (table_id := short_id(seed, length)) in self.places or table_id in self.aside:
            length += 1
        table, outcome = Table.open(table_id, create, session.guest, seed, now)
        self.opened = number
        place = self.places[table_id] = self.place(table, number)
        told = told_of(table_id, outcome)
        if not self._keeps:
            self._carry_out(place, outcome, told, now)
            return place
        place.wall, place.digest = wall_clock(), digest_of(0, told)
        place.busy = True
        session.arriving.add(table_id)
        place.opening = opening(number, table_id, create, session.guest, seed, now, place.wall)
        parts: list[Part] = [*session.unsaved(), place.opening]
        self.store.put(parts, partial(self._opened, place, session, create.id, outcome, told, now))
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
        session.arriving.discard(place.table.id)
        if error is None:
            session.saved = True
            self._stored(place, outcome, told, now)
        else:
            self.places.pop(place.table.id, None)
            session.refuse_for_now(re, "storage", RETRY_MS)
            self.troubles += 1
            note(log, "storage_trouble", logging.ERROR, table=place.table.id, why=str(error))
            self.recovery.turn_away(place, "no_such_table")
            self.book.let_go(session)

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
                self._reopen(place, between)
            parts = self._parts(place, command, outcome, told, now)
        except Exception:
            log.exception("table %s failed at %s", table.id, type(command).__name__)
            self.recovery.failed(place, command, then)
            return
        place.busy = True
        if type(command) is Request and type(command.message) in _COMING:
            self._note_arrival(place, command)
        self.store.put(parts, partial(self._settled, place, command, outcome, told, now, then))

    def _parts(self, place: Place, command: Command, outcome: Outcome, told: Told | None, now: float) -> list[Part]:
        """What must be stored before anybody hears of the outcome."""
        table = place.table
        place.steps += 1
        place.digest = digest_of(place.digest, told)
        body = body_of(command, outcome, now, place.wall)
        parts: list[Part] = [Step(place.number, place.steps, table.seq, place.digest, body)]
        if not isinstance(command, Tick):
            session = self._sessions.get(command.guest.key)
            if session is not None and not session.saved:
                parts = [*session.unsaved(), *parts]
        if outcome.record:
            place.lines = lines_after(place.lines, outcome.record)
            if place.lines[-1].startswith(END):
                parts.append(_record(place.lines, place.wall))
        if place.reopening is not None:
            parts.append(Reopening(*place.reopening))
        if table.closed:
            parts.append(Closing(place.number))
        return parts

    def _reopen(self, place: Place, between: Between) -> None:
        """Another match begins: what was before it is not needed any more, but for the answers that were given."""
        if place.opening is None:
            return
        sessions = [self._sessions[key] for key in place.table.members if key in self._sessions]
        answers = [(session.key, re, frame) for session in sessions for re, frame in session.answers()]
        place.digest = 0
        place.reopening = reopening(place.opening, between, place.table, place.steps + 1, place.wall, answers)

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
            self._stored(place, outcome, told, now, then)
        else:
            self.recovery.stall(place, command, then, "storage")

    def _stored(
        self, place: Place, outcome: Outcome, told: Told | None, now: float, then: Callable[[], None] | None = None
    ) -> None:
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
        then = partial(self._catch_up, place, session, seen, link, now)
        command = Returned(session.guest) if returned else None
        if place.busy:
            place.queue.append(Waiting(command, now, then))
        elif command is not None:
            self.do(place, command, now, then)
        else:
            then()

    def _catch_up(self, place: Place, session: Session, seen: int | None, link: object, now: float) -> None:
        table, key = place.table, session.key
        if place.late.get(key) is link:
            del place.late[key]
        parted = place.parted.pop(key, None)
        member = key in table.members
        if session.link is not link or not (member or parted):
            return
        now = place.time(now)
        missed = table.since(key, seen) if seen is not None and 0 <= seen <= table.seq else None
        if parted and not member:
            missed = [entry for entry in missed or () if entry[0] <= parted]
        if missed is None:
            session.send(encode(table.view_for(key, now)))
        elif missed:
            session.send(b"".join([encode(m.Ev(table.id, seq, event)) for seq, event in missed]))
        turn = table.turn_for(key, now)
        if turn is not None:
            session.send(encode(turn))

    # -- what follows --------------------------------------------------------------------------------------------

    def _carry_out(self, place: Place, outcome: Outcome, told: Told | None, now: float) -> None:
        table, sessions, late = place.table, self._sessions, place.late
        self.moves += outcome.moves
        for answer in outcome.answers:
            asker = sessions.get(answer.key)
            if asker is not None:
                asker.answer(answer.body)
        if told is not None:
            self._tell(place, told, outcome)
        if outcome.states:
            self._show(place, outcome, now)
        if outcome.turn is not None and told is not None:
            key = outcome.turn[0]
            decider = sessions.get(key)
            if decider is not None and decider.link is not None and key not in late and key not in outcome.states:
                decider.link.send(told.turn)
        for keys, said in outcome.said:
            frame = encode(said)
            for key in keys:
                if key in sessions:
                    sessions[key].send(frame)
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

    def _tell(self, place: Place, told: Told, outcome: Outcome) -> None:
        """Send the events to everybody there: one piece of bytes for all, but where a seat may know more."""
        public, splits = told.public, told.splits
        if not public:
            return
        members = place.table.members
        sessions, states, late = self._sessions, outcome.states, place.late
        apart = splits or states or late
        for key, seat in members.items():
            session = sessions.get(key)
            if session is None or (link := session.link) is None:
                continue
            if not apart:
                link.send(public)
            elif key not in states and key not in late:
                link.send(told.for_seat(seat) if splits and seat is not None else public)
        for key in outcome.left:
            if key in late:
                place.parted[key] = place.table.seq  # their leaving is told after what they missed before it
            elif key in sessions and key not in members:
                sessions[key].send(public)

    def _show(self, place: Place, outcome: Outcome, now: float) -> None:
        """Send the whole state to those who have just come or asked for it, and what they must decide."""
        table = place.table
        for key in outcome.states:
            session = self._sessions.get(key)
            if session is None:
                continue
            session.tables[table.id] = None
            if session.link is None:  # lost while their coming was being stored
                place.queue.append(Waiting(Gone(session.guest), now - place.offset))
            elif key not in place.late:
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


def _record(lines: list[str], wall: int) -> Record:
    header = header_of(lines)
    return Record(
        id=header["id"],
        table=header["table"],
        round=header["round"],
        profile=header["profile"],
        players=", ".join(player["name"] for player in header["players"]),
        started=header["started"],
        finished=wall,
        lines="".join(line.rstrip("\n") + "\n" for line in lines),
    )
