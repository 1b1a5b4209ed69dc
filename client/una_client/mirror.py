"""What the client knows: the tables as views, the decision we owe, the lobby, the chat and the log. Pure, no I/O.

Feed every incoming message to `Mirror.handle`, and everything sent to `Mirror.sent`; show what stands in the mirror.
It knows neither trio nor a screen, and makes no sentences: a `LogEntry` holds what happened and who was who at that
moment, `words.entry_text` turns it into text. Times are the caller's: `now` is monotonic seconds, `clock` is `HH:MM`.

    handled = mirror.handle(message, now=trio.current_time(), clock="12:41")
    for request in handled.requests: session.send(request)      # a gap was found: the table's state is asked for
    for entry in handled.entries: show(entry)

Views are folded in place: whoever shows them from another thread takes a `copy.deepcopy` first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action, Catch, Una
from una_protocol.messages import _Request as Request
from una_protocol.view import View, fold

LOG_LENGTH: Final = 1000
"""So many entries of the log are kept; older ones are forgotten."""


class Who(Struct, frozen=True):
    """Who was who when something happened: raw names by seat number (see `words.name`), and the viewer's seat."""

    names: dict[int, str] = {}
    you: int | None = None

    @classmethod
    def of(cls, view: View | None) -> Who:
        """Those at the table of `view`."""
        if view is None:
            return cls()
        return cls({player.seat: player.name for player in view.players}, view.you)


class Note(Struct, frozen=True):
    """Something the client itself has to say, already a sentence (connection lost, back again)."""

    text: str


class LogEntry(Struct, frozen=True):
    """One thing for the log: an event, chat, a refusal, or a note; with the table (None: lobby, connection)."""

    what: ev.Event | m.Said | m.Err | m.Bye | Note
    who: Who = Who()
    table: str | None = None
    clock: str = ""


class Sent(Struct, frozen=True):
    """An action on its way: shown as sent until the server confirms or refuses it."""

    id: int
    action: Action


class TableMirror(Struct):
    """One table: its view, the decision we owe (`turn`), and what hangs on time.

    `deadline`: when the decision's time is up (whoever owes it), or when the next round is dealt; `vote_deadline`:
    when the open vote ends; both in the caller's monotonic seconds, None where there is no limit. `frozen`: seconds
    left while the table is paused. `sent`: our unconfirmed action. `stale`: a gap was found, the `state` is on its
    way. `gone`: we are no longer there, and why (`left`, `kicked`, `gone`); the view stays as it last was.
    """

    view: View
    turn: m.TurnNow | None = None
    deadline: float | None = None
    vote_deadline: float | None = None
    frozen: float | None = None
    sent: Sent | None = None
    stale: bool = False
    gone: str | None = None
    who: Who = Who()

    def seconds_left(self, now: float) -> float | None:
        """Seconds until `deadline`, never below 0; None where there is no limit."""
        if self.frozen is not None:
            return self.frozen
        return None if self.deadline is None else max(0.0, self.deadline - now)


Observer = Callable[[View, ev.Event], None]
"""Told of each event, once the view holds it."""


class Handled(NamedTuple):
    """What a message led to: new entries of the log, and requests that must be sent now."""

    entries: list[LogEntry]
    requests: list[Request]


class Mirror:
    """All that the client knows. `name` is our own name, by which a watcher recognises that it left a table.

    `tables` by id; `current` is the id of the table that was entered last; `lobby` the rows of the list of tables
    (None before the first), `lobby_next` where its next page begins; `log` the entries of all tables in
    order.
    `observers` are told of every event of every mirror of this process: what counts matches needs no front end.
    """

    observers: ClassVar[list[Observer]] = []

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.tables: dict[str, TableMirror] = {}
        self.current: str | None = None
        self.lobby: list[m.TableRow] | None = None
        self.lobby_next: str | None = None
        self.log: deque[LogEntry] = deque(maxlen=LOG_LENGTH)

    # -- what is shown

    @property
    def table(self) -> TableMirror | None:
        """The current table, or None."""
        return None if self.current is None else self.tables.get(self.current)

    @property
    def view(self) -> View | None:
        """The view of the current table, or None."""
        return None if self.table is None else self.table.view

    @property
    def turn(self) -> m.TurnNow | None:
        """The decision we owe at the current table, or None."""
        return None if self.table is None else self.table.turn

    # -- what comes in and goes out

    def handle(self, message: object, now: float, clock: str = "") -> Handled:
        """Take in one message of the server; messages of no interest (and of a later protocol) change nothing."""
        handled = Handled([], [])
        if isinstance(message, m.Ev):
            self._event(message, now, clock, handled)
        elif isinstance(message, View):
            self._state(message, now)
        elif isinstance(message, m.TurnNow):
            self._turn_now(message, now)
        elif isinstance(message, m.LobbyNow):
            self.lobby, self.lobby_next = message.tables, message.next
        elif isinstance(message, m.Ok):
            if message.tables is not None:
                self.lobby, self.lobby_next = message.tables, message.next
            self._confirmed(message)
        elif isinstance(message, m.Said | m.Bye):
            table = message.table if isinstance(message, m.Said) else None
            handled.entries.append(LogEntry(message, self._who(table), table, clock))
        elif isinstance(message, m.Err):
            self._refused(message, clock, handled)
        self.log.extend(handled.entries)
        return handled

    def sent(self, id: int, request: Request) -> None:
        """An `act` was sent with this id: remember it as unconfirmed. Other requests need no remembering."""
        if isinstance(request, m.Act) and request.table in self.tables:
            self.tables[request.table].sent = Sent(id, request.do)

    def note(self, text: str, clock: str = "") -> LogEntry:
        """Put a sentence of the client's own into the log."""
        entry = LogEntry(Note(text), table=self.current, clock=clock)
        self.log.append(entry)
        return entry

    def disconnected(self) -> None:
        """The connection is lost: nothing can be decided now. What was known stays, until the session resumes."""
        for table in self.tables.values():
            table.turn = None
            table.stale = False

    def forget(self) -> None:
        """The session is gone for good: its seats are no longer ours."""
        self.tables.clear()
        self.current = None
        self.lobby = None

    # -- one method per kind of message

    def _event(self, message: m.Ev, now: float, clock: str, handled: Handled) -> None:
        table = self.tables.get(message.table)
        if table is None or message.seq <= table.view.seq:
            return  # not asked for, or already in the state
        if message.seq != table.view.seq + 1:
            if not table.stale:
                table.stale = True
                handled.requests.append(m.GetState(0, message.table))
            return
        event = message.e
        who_before = table.who
        fold(table.view, message.seq, event)
        if isinstance(event, ev.Joined | ev.Left | ev.Dealer):
            table.who = Who.of(table.view)
        for observer in self.observers:
            observer(table.view, event)
        who = who_before if isinstance(event, ev.Left) else table.who
        self._note_times(table, event, now)
        self._note_turn(table, event)
        if isinstance(event, ev.Left) and self._is_me(table.view, event):
            table.gone, table.turn = event.why, None
        handled.entries.append(LogEntry(event, who, message.table, clock))

    def _is_me(self, view: View, event: ev.Left) -> bool:
        return event.seat == view.you if event.seat is not None else view.you is None and event.name == self.name

    @staticmethod
    def _note_times(table: TableMirror, event: ev.Event, now: float) -> None:
        if isinstance(event, ev.Turn):
            table.deadline = _after(now, event.ms)
        elif isinstance(event, ev.RoundOver):
            table.deadline = _after(now, event.between_ms)
        elif isinstance(event, ev.MatchOver | ev.Dealt):
            table.deadline = None
        elif isinstance(event, ev.Accused):
            table.vote_deadline = _after(now, event.ms) if event.open else None
        elif isinstance(event, ev.Paused):
            if event.on and table.frozen is None:
                table.frozen = table.seconds_left(now)
            elif not event.on and table.frozen is not None:
                table.deadline, table.frozen = now + table.frozen, None

    @staticmethod
    def _note_turn(table: TableMirror, event: ev.Event) -> None:
        ended = isinstance(event, ev.RoundOver | ev.MatchOver | ev.Dealt)
        if isinstance(event, ev.Turn):
            ended = table.turn is not None and (event.turn != table.turn.turn or event.seat != table.view.you)
        if ended:
            table.turn = None
        if ended or isinstance(event, ev.Turn):
            table.sent = None

    def _state(self, view: View, now: float) -> None:
        known = self.tables.get(view.table)
        table = TableMirror(view, deadline=_after(now, view.ms), who=Who.of(view))
        if view.paused:
            table.frozen = None if view.ms is None else view.ms / 1000
        if known is not None and known.gone is None:
            table.vote_deadline = known.vote_deadline if view.accusation else None
            if known.turn is not None and view.my_turn and known.turn.turn == view.turn:
                table.turn = known.turn
        else:
            self.current = view.table
        self.tables[view.table] = table

    def _turn_now(self, message: m.TurnNow, now: float) -> None:
        table = self.tables.get(message.table)
        if table is not None and not table.stale:
            table.turn, table.sent = message, None
            if message.ms is not None and table.frozen is None:
                table.deadline = _after(now, message.ms)

    def _confirmed(self, message: m.Ok) -> None:
        # a move stays "sent" until the turn that follows from it; these two are followed by none of their own
        for table in self.tables.values():
            if table.sent is not None and table.sent.id == message.re and isinstance(table.sent.action, Una | Catch):
                table.sent = None

    def _refused(self, message: m.Err, clock: str, handled: Handled) -> None:
        place = None
        for id, table in self.tables.items():
            if table.sent is not None and table.sent.id == message.re:
                place, table.sent = id, None
                if message.retry == "resync" and table.turn is None and not table.stale:
                    table.stale = True
                    handled.requests.append(m.GetState(0, id))
        handled.entries.append(LogEntry(message, self._who(place), place, clock))

    def _who(self, table: str | None) -> Who:
        return self.tables[table].who if table in self.tables else Who()


def _after(now: float, ms: int | None) -> float | None:
    return None if ms is None else now + ms / 1000
