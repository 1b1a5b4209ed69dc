"""How tables come back: all of them when a server starts, and one whose command could not be stored.

Either way a table is played again from its journal (`Replay`), and then brought in line with who is connected. A table
that does not lead to what was told is set aside: its steps stay in the store, and its guests are told.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from una_protocol import messages as m
from una_protocol.codec import encode
from una_protocol.errors import ERRORS

from .journal import Diverged, Replay
from .logs import note
from .place import Place, Waiting
from .session import Session
from .store import Aside, CannotStore, Opening, Saved, Step
from .table import Gone, Guest, Request, Returned
from .table.commands import Command

if TYPE_CHECKING:
    from .hall import Hall

log = logging.getLogger(__name__)

RETRY_MS: Final = 1000
"""How often a table that waits for the disk looks whether it can go on."""


class Recovery:
    """The hall's way back to what is stored."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    # -- a start -------------------------------------------------------------------------------------------------

    def restore(self, saved: Saved, now: float) -> None:
        """Open the tables that an earlier server left, in the middle of their rounds. Nobody is connected yet."""
        hall, book = self._hall, self._hall.book
        hall.opened, hall.aside = saved.opened, dict(saved.aside)
        for row in saved.sessions:
            book.restore(row, now)
        answers: dict[str, dict[int, bytes]] = {}
        count = 0
        for opened, steps in saved.tables:
            replay = self._played(opened, steps)
            if replay is None:
                continue
            count += 1
            book.skip_keys(_numbers(replay.keys))
            for key, id_, frame in replay.answers:
                answers.setdefault(key, {})[id_] = frame
            if not replay.table.closed:
                place = hall.place(replay.table, opened.table)
                place.opening = opened
                self._settle_in(place, replay, now)
                hall.places[opened.id] = place
        for key, given in answers.items():
            session = book.by_key.get(key)
            if session is not None:
                session.restore(given)
        for place in list(hall.places.values()):
            for key in place.table.members:
                session = book.by_key.get(key)
                if session is not None:
                    session.tables[place.table.id] = None
                    book.keep_name(session)
            if hall.recorder is not None and place.lines:
                hall.recorder.go_on(place.table.id, place.lines)
            self._reconcile(place, now)
            hall.go_on(place)
            self._wake(place, now)
        if count:
            log.info("tables that go on where they were: %d", count)

    def _played(self, opened: Opening, steps: list[Step]) -> Replay | None:
        try:
            replay = Replay(opened)
            replay.play(steps)
        except Diverged as error:
            self._set_aside(opened.table, opened.id, opened.version, str(error))
            return None
        return replay

    def _set_aside(self, number: int, table_id: str, version: str, why: str) -> None:
        log.error(
            "table %s, begun by version %s, cannot be played on: %s; it is set aside", table_id, version or "?", why
        )
        self._hall.aside[table_id] = why
        self._hall.store.put((Aside(number, table_id, why),), _ignore)

    def _settle_in(self, place: Place, replay: Replay, now: float) -> None:
        """The place stands where its journal stands; its time goes on from there."""
        place.table = replay.table
        self._hall.time_records(place)
        place.steps, place.digest = replay.steps, replay.digest
        place.lines, place.wall = replay.lines, replay.wall
        place.offset = replay.table.now - now
        place.row = replay.table.row()

    def _reconcile(self, place: Place, now: float) -> None:
        """What the table believes of its guests' connections must be so: commands that were lost are done again."""
        table, ahead = place.table, list[Waiting]()
        for key, seat in table.members.items():
            session = self._hall.book.by_key.get(key)
            here = session is not None and session.link is not None
            if session is None:
                ahead.append(Waiting(Request(Guest(key, ""), m.Leave(0, table.id)), now))
            elif seat is None and not here:
                ahead.append(Waiting(Gone(session.guest), now))
            elif seat is not None and table.seats[seat].connected != here:
                ahead.append(Waiting(Returned(session.guest) if here else Gone(session.guest), now))
        place.queue.extendleft(reversed(ahead))

    # -- a table that could not be stored, or failed ------------------------------------------------------------

    def failed(self, place: Place, command: Command, then: Callable[[], None] | None) -> None:
        """The table is in nobody knows what state: set it back if it was a request that did this, else close it."""
        if type(command) is Request:
            if self._hall.store.keeps:
                self.stall(place, command, then, "internal")
                return
            self.refuse(command, "internal")
        msg = f"Table {place.table.id} was closed after a fault in the server."
        frame = encode(m.Err("internal", msg, ERRORS["internal"].retry))
        for session in self._hall.book.by_key.values():
            if place.table.id in session.tables:
                session.send(frame)
        if self._hall.store.keeps:
            self._set_aside(place.number, place.table.id, "", f"it failed at {type(command).__name__}")
        self._hall.close(place)

    def stall(self, place: Place, command: Command, then: Callable[[], None] | None, code: str) -> None:
        """The command did not happen: refuse it and what waited behind it; go on from what is stored when that works.

        Nothing of it was told to anybody. Those who came back meanwhile are brought up to date then.
        """
        self._hall.troubles += code == "storage"
        note(log, "storage_trouble", logging.ERROR, table=place.table.id, why=code)
        place.busy = place.stalled = True
        place.reopening = None
        waiting = list(place.queue)
        place.queue.clear()
        if type(command) is Request:
            self.refuse(command, code)
        for kept in waiting:
            if type(kept.command) is Request:
                self.refuse(kept.command, "storage")
        thens = [(then, 0.0), *((kept.then, kept.now) for kept in waiting)]
        place.queue.extend(Waiting(None, now, call) for call, now in thens if call is not None)
        self.retry(place)

    def retry(self, place: Place) -> None:
        """Ask the store for the table's steps; it gives them when it could store more."""
        place.retry_at = None
        self._hall.store.read(place.number, partial(self._set_back, place))

    def _set_back(self, place: Place, found: list[Step] | CannotStore) -> None:
        hall, now = self._hall, trio.current_time()
        if hall.places.get(place.table.id) is not place:
            return
        if isinstance(found, CannotStore):
            place.retry_at = now + RETRY_MS / 1000
            hall.alarms.set(place.alarm, place.retry_at)
            return
        replay = self._played(place.opening, found) if place.opening is not None else None
        if replay is None:
            hall.close(place)
            return
        self._settle_in(place, replay, now)
        place.busy = place.stalled = False
        log.info("table %s goes on", place.table.id)
        self._reconcile(place, now)
        hall.go_on(place)
        self._wake(place, now)

    def _wake(self, place: Place, now: float) -> None:
        deadline = place.deadline()
        if deadline is not None:
            self._hall.alarms.set(place.alarm, max(deadline, now))

    # -- refusing ------------------------------------------------------------------------------------------------

    def refuse(self, request: Request, code: str) -> None:
        """Answer a request that was not done."""
        session: Session | None = self._hall.book.by_key.get(request.guest.key)
        if session is None:
            return
        session.arriving.discard(request.message.table)
        if code == "storage":
            session.refuse_for_now(request.message.id, code, RETRY_MS)
        else:
            session.refuse(request.message.id, code)

    def turn_away(self, place: Place, code: str) -> None:
        """The place is no more: refuse what waits there."""
        waiting = list(place.queue)
        place.queue.clear()
        for kept in waiting:
            if type(kept.command) is Request:
                self.refuse(kept.command, code)


def _numbers(keys: set[str]) -> int:
    """The greatest number of a guest among the keys."""
    return max((int(found[1]) for key in keys if (found := re.fullmatch(r"g(\d+)", key))), default=0)


def _ignore(error: CannotStore | None) -> None:
    if error is not None:
        log.error("it could not be written down: %s", error)
