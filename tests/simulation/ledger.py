"""What everybody was told and promised in one run, and whether it all holds together.

The history of a table is put together from what all its viewers heard. It must be one history, whatever crashed in
between; every acknowledged action must stand in it once, and every action in it must be somebody's.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any

import msgspec
import trio

from una_client.link import Reconnected
from una_client.session import Closed
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, Catch, Challenge, Draw, Pass, Play, Una, Wish
from una_protocol.view import View

_PRIVATE = ("hand", "cards")
_ACTED = (ev.Played, ev.Drew, ev.Passed, ev.Wished, ev.Challenged)


class Ledger:
    """Fed by the players while they play."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.acks = 0
        self.resumed = 0
        self._trace = hashlib.sha256()
        self._seqs: dict[tuple[str, str], int] = {}
        self._history: dict[str, dict[int, ev.Event]] = defaultdict(dict)
        self._seats: dict[str, dict[int, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
        """By table and seq: who was at which seat, as somebody's own state said then."""
        self._owners: dict[tuple[str, int], str] = {}
        self._tried: dict[tuple[str, int], list[tuple[str, Any]]] = defaultdict(list)
        self._promised: dict[tuple[str, int], list[tuple[str, Any, int]]] = defaultdict(list)
        self._refused: list[tuple[str, int, str, str]] = []
        self._calls: dict[tuple[str, str, type], int] = defaultdict(int)

    @property
    def trace(self) -> str:
        """A hash of everything everybody has heard, and when."""
        return self._trace.hexdigest()

    @property
    def events(self) -> int:
        """How many different events there were."""
        return sum(map(len, self._history.values()))

    def violated(self, what: str) -> None:
        """Something does not hold."""
        self.violations.append(f"{trio.current_time():.3f}: {what}")

    def note(self, *what: object) -> None:
        """Something that belongs to the trace."""
        self._trace.update(repr((round(trio.current_time(), 6), *what)).encode())

    # -- while they play -------------------------------------------------------------------------------------------

    def sent(self, name: str, id_: int, request: Any) -> None:
        """A player has sent a request for the first time."""
        self.note(name, id_, request)
        if isinstance(request, m.Act) and request.turn is not None:
            self._tried[request.table, request.turn].append((name, request.do))

    def acknowledged(self, name: str, request: Any, ok: m.Ok) -> None:
        """The server has promised that it was done."""
        if not isinstance(request, m.Act) or ok.seq is None:
            return
        self.acks += 1
        if request.turn is not None:
            self._promised[request.table, request.turn].append((name, request.do, ok.seq))
        else:
            self._calls[request.table, name, type(request.do)] += 1

    def refused(self, name: str, request: Any, err: m.Err) -> None:
        """The server has said that nothing was done."""
        if isinstance(request, m.Act) and request.turn is not None:
            self._refused.append((request.table, request.turn, name, err.code))

    def heard(self, name: str, message: object) -> None:
        """A player has received something."""
        self.note(name, message)
        if isinstance(message, m.Ev):
            self._event(name, message)
        elif isinstance(message, View):
            self._seqs[name, message.table] = message.seq
            if message.you is not None:
                self._seats[message.table][message.seq][message.you] = name
        elif isinstance(message, m.TurnNow):
            owner = self._owners.setdefault((message.table, message.turn), name)
            if owner != name:
                self.violated(f"turn {message.turn} at {message.table} was asked of {owner} and of {name}")
        elif isinstance(message, m.Err) and message.code == "internal":
            self.violated(f"{name} was told of a fault in the server")
        elif isinstance(message, Reconnected):
            self.resumed += message.resumed
            if not message.resumed:
                self._forget(name)
        elif isinstance(message, Closed):
            self._forget(name)

    def _forget(self, name: str) -> None:
        for key in [key for key in self._seqs if key[0] == name]:
            del self._seqs[key]

    def _event(self, name: str, message: m.Ev) -> None:
        key = (name, message.table)
        if key not in self._seqs:
            if not isinstance(message.e, ev.Left | ev.Joined):
                self.violated(f"{name} hears of {message.table} at {message.seq} without having a state")
        elif message.seq != self._seqs[key] + 1:
            self.violated(f"{name} hears {message.seq} after {self._seqs[key]}")
        self._seqs[key] = message.seq
        event = _public(message.e)
        known = self._history[message.table].setdefault(message.seq, event)
        if known != event:
            self.violated(f"{message.table} {message.seq}: {known} for some, {event} for {name}")

    # -- at the end ------------------------------------------------------------------------------------------------

    def audit(self) -> None:
        """Hold promises and deeds against each other."""
        for table, events in self._history.items():
            self._audit_table(table, events)
        for (table, turn), promises in self._promised.items():
            if len(promises) > 1:
                self.violations.append(f"turn {turn} at {table} was acknowledged more than once: {promises}")

    def _audit_table(self, table: str, events: dict[int, ev.Event]) -> None:
        turn: ev.Turn | None = None
        whole = True
        free: set[int] = set()
        """Seats that may act without anybody's having asked: played by a house bot, or by the clock."""
        bots: set[int] = set()
        last = 0
        done: dict[int, str] = {}
        either: set[int] = set()
        """Of these, the turns in which a bot may have done what its owner asked for too late."""
        calls: dict[tuple[str, type], int] = defaultdict(int)
        names: dict[int, str] = {}
        seats = self._seats[table]
        for seq in sorted(events.keys() | seats.keys()):
            if seq not in events:
                names |= seats[seq]
                continue
            event = events[seq]
            whole = whole and (seq == last + 1 or last == 0)
            if seq != last + 1:
                turn = None
            last = seq
            if isinstance(event, ev.Joined) and event.seat is not None:
                bots.discard(event.seat)
                free.discard(event.seat)
                names[event.seat] = event.name
                if event.level is not None:
                    bots.add(event.seat)
            elif isinstance(event, ev.Away):
                free.add(event.seat)
            elif isinstance(event, ev.Back):
                free.discard(event.seat)
            elif isinstance(event, ev.Timeout):
                turn = None
            elif isinstance(event, ev.UnaCalled):
                calls[names.get(event.seat, ""), Una] += 1
            elif isinstance(event, ev.Caught):
                calls[names.get(event.by, ""), Catch] += 1
            elif isinstance(event, ev.Turn):
                if turn is None or event.turn != turn.turn:
                    turn = event
            elif isinstance(event, ev.Drew) and event.why in ("una", "illegal", "advice"):
                continue  # no decision; an act that waited for a kept catch keeps its turn number (U5)
            elif isinstance(event, _ACTED) and turn is not None and event.seat == turn.seat:
                owner = names.get(event.seat)
                if owner is not None and event.seat not in free | bots:
                    self._deed(table, turn.turn, event, owner, done)
                elif any(who == owner and _matches(do, event) for who, do in self._tried.get((table, turn.turn), ())):
                    done[turn.turn] = owner or ""  # asked for, while it waited for a kept catch, before a bot took over
                    either.add(turn.turn)
                turn = None
            names |= seats.get(seq, {})
        if whole:
            for (place, name, kind), count in self._calls.items():
                if place == table and calls[name, kind] < count:
                    self.violations.append(
                        f"{name}: {count} acknowledged {kind.__name__}, {calls[name, kind]} happened"
                    )
            self._audit_promises(table, events, done)
        for place, number, name, code in self._refused:
            # a second click is refused; but what was sent once (or again under its id) is answered as it went
            once = sum(who == name for who, _ in self._tried[place, number]) == 1
            if place == table and done.get(number) == name and number not in either and once:
                self.violations.append(f"{table} turn {number}: {name} was told {code} of what was done")

    def _deed(self, table: str, turn: int, event: Any, name: str, done: dict[int, str]) -> None:
        """Somebody's seat has acted: somebody must have asked for just that."""
        wanted = [do for who, do in self._tried.get((table, turn), []) if who == name]
        if not any(_matches(do, event) for do in wanted):
            self.violations.append(f"{table} turn {turn}: {event} of {name}, who asked for {wanted}")
        for who, do, seq in self._promised.get((table, turn), []):
            if who != name or not _matches(do, event):
                self.violations.append(f"{table} turn {turn}: {event}, but {do} of {who} was acknowledged at {seq}")
        done[turn] = name

    def _audit_promises(self, table: str, events: dict[int, ev.Event], done: dict[int, str]) -> None:
        turns = {event.turn for event in events.values() if isinstance(event, ev.Turn)}
        for (place, turn), promises in self._promised.items():
            if place == table and turn in turns and turn not in done:
                self.violations.append(f"{table} turn {turn}: {promises} acknowledged, and lost")


def _public(event: ev.Event) -> ev.Event:
    """The form everybody could have heard."""
    hidden = {name: None for name in _PRIVATE if getattr(event, name, None) is not None}
    return msgspec.structs.replace(event, **hidden) if hidden else event


def _matches(do: Any, event: Any) -> bool:
    """Whether the event is what the action leads to."""
    if isinstance(do, Play):
        return isinstance(event, ev.Played) and event.card == do.card and event.swap_with == do.swap_with
    if isinstance(do, Draw):
        return isinstance(event, ev.Drew) and event.why in ("turn", "pending")
    if isinstance(do, Pass):
        return isinstance(event, ev.Passed)
    if isinstance(do, Wish):
        return isinstance(event, ev.Wished)
    return isinstance(do, Challenge) and do == CHALLENGE and isinstance(event, ev.Challenged)
