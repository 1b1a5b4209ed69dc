"""Arena mode: bots wait in a line, are seated by the server, play one match, and wait again.

Stands beside the lobby: it answers `queue` and `ladder`, forbids at its tables what is not play, and does in the
bots' names what people do by themselves (`create`, `join`, `start`, `leave`), by way of the hall like everybody. So
these tables are stored, watched and played on after a restart like all others.
"""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable
from typing import Any, Final

import trio
from msgspec import Struct

from una_protocol import messages as m

from ..guests import Denied
from ..lobby import Lobby
from ..place import Place
from ..session import UNASKED, Session
from ..store import CannotStore, Judged, Part, Ranked, Saved
from ..table import BadSetting, Outcome, Request, Table
from ..table.settings import settings_of
from .ladder import Ladder, Result
from .pairing import Queue

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
"""How often it is looked whether those in the line are there, while somebody is."""
LONGEST: Final = 100_000
"""A match with more events than this comes to no end (bots that only draw): it is broken off, and counts for nobody."""
_IDLE: Final = ("over", "waiting")
ALLOWED: Final = (m.Act, m.Leave, m.Say, m.GetState, m.Watch)
"""What guests may ask of these tables. A bot must not throw others out, change the rules, or stop the clock."""


class Plan(Struct, frozen=True):
    """What is played, and by how many."""

    seats: int = 4
    profile: str = "una"
    options: dict[str, bool | int | str] = {}
    turn_s: int = 2
    wait_s: float = 5.0

    def table(self, name: str, seats: int) -> m.Create:
        """A table for one match. Nothing waits there but for a bot that thinks; who is away for too long has left."""
        return m.Create(
            UNASKED, name, profile=self.profile, options=dict(self.options), seats=seats, turn_s=self.turn_s,
            una_grace_ms=0, away="leave", between_s=0,
        )  # fmt: skip

    def check(self) -> None:
        """Raises the table's BadSetting where such a table cannot be."""
        settings_of(self.table("Match", self.seats), "Match")


class _Match(Struct):
    """A match that runs. `players`: the key of each session, and its shape in the ladder (None: unrated)."""

    players: dict[str, str | None]
    judged: bool = False


class Tournament:
    """All matches of an arena, the line before them, and the ladder."""

    def __init__(self, lobby: Lobby, plan: Plan, saved: Saved) -> None:
        """Raises BadSetting."""
        plan.check()
        self.plan = plan
        self.ladder = Ladder(saved.ladder)
        self.queue = Queue(plan.seats, plan.wait_s)
        self.played = 0
        """Matches that were judged since the start."""
        self._lobby, self._hall = lobby, lobby.hall
        self._keys: dict[str, str] = {}
        """The ladder key of each session in the line that has one."""
        self._matches: dict[str, _Match] = {}
        self._saved = {ranked.table: ranked for ranked in saved.ranked}
        self._changed = trio.Event()
        lobby.answers |= {m.Queue: self._answer_queue, m.Ladder: self._answer_ladder}
        lobby.permit = self._permit
        lobby.hall.referee = self._happened

    # -- requests ------------------------------------------------------------------------------------------------

    def _answer_queue(self, session: Session, message: m.Queue, now: float) -> None:
        if not session.guest.bot:
            raise Denied("not_now", "Only bots are seated here: they say so in their hello.")
        if message.on:
            if message.key is not None:
                self.ladder.check(session.name, message.key)
                self._keys[session.key] = message.key
            self.queue.join(session.key, now)
            self._changed.set()
        else:
            self._drop(session.key)
        session.answer(m.Ok(message.id))

    def _answer_ladder(self, session: Session, message: m.Ladder, now: float) -> None:
        after = message.after or "0"
        if not (after.isascii() and after.isdigit()):
            session.refuse(message.id, "bad_message", "`after` is what `next` said.", at="$.after")
            return
        rows, more = self.ladder.page(int(after))
        session.answer(m.Ok(message.id, ladder=rows, next=more))

    def _permit(self, place: Place, message: Any) -> None:
        if place.table.id in self._matches and not isinstance(message, ALLOWED):
            raise Denied("arranged")

    # -- the line ------------------------------------------------------------------------------------------------

    async def run(self, sent: Callable[[float], None]) -> None:
        """Seat and judge until cancelled; `sent` is called when there may be something to send."""
        while True:
            self._changed = trio.Event()
            now = trio.current_time()
            self.work(now)
            sent(now)
            with trio.move_on_after(self._pause(now)):
                await self._changed.wait()

    def work(self, now: float) -> None:
        """Do what can be done now."""
        self._clear(now)
        while (keys := self.queue.group(self._ready(), now, self._akin)) is not None:
            try:
                self._seat(keys, now)
            except Denied as denied:  # the house is full, or the disk
                log.warning("no table for the next match: %s", denied.msg or denied.code)
                break

    def _pause(self, now: float) -> float:
        due = self.queue.due(self._ready())
        if due is not None and due > now:
            return min(due - now, LOOK_S)
        return LOOK_S if any(True for _ in self.queue) else float("inf")

    def _ready(self) -> list[str]:
        """Who of the line is there, and at no table."""
        ready = []
        for key in self.queue:
            session = self._lobby.book.by_key.get(key)
            if session is None:
                self._drop(key)
            elif session.link is not None and not session.tables and not session.arriving:
                ready.append(key)
        return ready

    def _akin(self, one: str, other: str) -> int:
        """How likely two in the line belong to one owner: 2 by their key in the ladder, 1 by where they come from."""
        same_key = self._keys.get(one) is not None and self._keys.get(one) == self._keys.get(other)
        return 2 * same_key + (self._address(one) == self._address(other))

    def _address(self, key: str) -> str | None:
        session = self._lobby.book.by_key.get(key)
        return None if session is None or session.link is None else session.link.transport.peer

    def _drop(self, key: str) -> None:
        self.queue.leave(key)
        self._keys.pop(key, None)

    # -- a match -------------------------------------------------------------------------------------------------

    def _seat(self, keys: list[str], now: float) -> None:
        """Open a table for them, and begin."""
        sessions = [self._lobby.book.by_key[key] for key in keys]
        random.shuffle(sessions)  # nobody shall always play after the same one
        first, *others = sessions
        hall = self._hall
        place = self._lobby.reception.open(first, self.plan.table(f"Match {hall.opened + 1}", len(sessions)), now)
        table = place.table.id
        if hall.places.get(table) is not place:
            raise Denied("storage")
        self.queue.meet(keys)
        parts: list[Part] = []
        players = {session.key: self._enter(session, parts) for session in sessions}
        self._matches[table] = _Match(players)
        hall.store.put([*parts, Ranked(place.number, json.dumps(players))], _noted)
        for session in others:
            hall.do(place, Request(session.guest, m.Join(UNASKED, table)), now)
        hall.do(place, Request(first.guest, m.Start(UNASKED, table)), now)

    def _enter(self, session: Session, parts: list[Part]) -> str | None:
        """The player's entry of the ladder; None: unrated, for want of a key, or because of another name since."""
        key = self._keys.get(session.key)
        if key is None:
            return None
        try:
            entry = self.ladder.enter(session.name, key, time.time())
        except Denied:
            return None
        parts.append(entry)
        return entry.shape

    def _happened(self, place: Place, outcome: Outcome) -> None:
        match = self._matches.get(place.table.id)
        if match is None:
            return
        over = place.table.stage == "over"
        if not match.judged:
            for key in outcome.left:
                if key in match.players:
                    self._drop(key)  # also who was away for too long: nobody shall meet them again and again
            if over:
                self._judge(place, match)
        if over or outcome.left:
            self._changed.set()

    def _judge(self, place: Place, match: _Match) -> None:
        match.judged = True
        self.played += 1
        now = time.time()
        entries = self.ladder.judge(results_of(place.table, match.players), now)
        self._hall.store.put([*entries, Judged(place.number)], _noted)

    def _clear(self, now: float) -> None:
        """Let go of whoever has finished; take up the tables that an earlier server left."""
        if self._saved:
            self._take_up()
        for table, match in list(self._matches.items()):
            place = self._hall.places.get(table)
            if place is None:
                del self._matches[table]
            elif not place.busy and not place.queue and (place.table.stage in _IDLE or place.table.seq > LONGEST):
                if not match.judged:  # it comes to no end, or it could not be stored that they sat down
                    log.warning("table %s is broken off at event %d", table, place.table.seq)
                    match.judged = True
                    self._hall.store.put((Judged(place.number),), _noted)
                self._dismiss(place, now)

    def _dismiss(self, place: Place, now: float) -> None:
        """All leave the table, those who watch first, so that they are told; then it is closed."""
        for guest in list(place.table.watchers.values()):
            self._hall.do(place, Request(guest, m.Leave(UNASKED, place.table.id)), now)
        for seat in list(place.table.taken_seats()):
            if seat.guest is not None:
                self.queue.again(seat.guest.key, now)
                self._hall.do(place, Request(seat.guest, m.Leave(UNASKED, place.table.id)), now)

    def _take_up(self) -> None:
        """The matches of an earlier server go on, or are over and perhaps not counted yet."""
        for place in self._hall.places.values():
            ranked = self._saved.pop(place.number, None)
            if ranked is not None:
                players = json.loads(ranked.players or "{}")
                match = self._matches[place.table.id] = _Match(players, judged=not players)
                if place.table.stage == "over" and not match.judged:
                    self._judge(place, match)
        self._saved.clear()


def results_of(table: Table, players: dict[str, str | None]) -> list[Result]:
    """How the rated players came off: the winners first, then by score, and last whoever is not there any more."""
    match, winners = table.match, table.winners or ()
    if match is None:
        return []
    sign = 1 if table.settings.options.scoring == "losers" else -1
    seats = {seat.guest.key: seat for seat in table.seats.values() if seat.guest is not None}
    standing: dict[str, tuple[int, int]] = {}
    for key in players:
        seat = seats.get(key)
        if seat is None or seat.gone:
            standing[key] = (2, 0)
        elif seat.number in winners:
            standing[key] = (0, 0)
        else:
            standing[key] = (1, sign * match.scores[seat.number])
    order = sorted(set(standing.values()))
    return [
        Result(
            shape,
            rank=order.index(standing[key]) + 1,
            won=standing[key][0] == 0,
            points=match.scores[seats[key].number] if key in seats else 0,
        )
        for key, shape in players.items()
        if shape is not None
    ]


def _noted(error: CannotStore | None) -> None:
    if error is not None:
        log.error("the ladder could not be written down: %s", error)


__all__ = ["BadSetting", "Plan", "Tournament"]
