"""The table: its only way in, `do`, and what its callers may ask it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from una_protocol import messages as msg
from una_protocol.events import Event
from una_protocol.text import check_chat
from una_protocol.view import View

from ..bots.thought import Thought
from ..game import Happening, Split
from . import clock, matches, playing, seating, voting
from .between import Between, between_of, go_on_from
from .commands import Command, Gone, Guest, Outcome, Request, Returned, Shut, Tick
from .settings import BadSetting, settings_of
from .state import Refusal, TableState
from .views import view_of

Handler = Callable[[TableState, Guest, Any], dict[str, Any] | None]


def say(table: TableState, guest: Guest, message: msg.Say) -> dict[str, object]:
    """Chat: to all; of watchers, while a round runs, to watchers only (no hints to players)."""
    if guest.key not in table.watchers:
        table.seat_of_guest(guest.key)
    try:
        text = check_chat(message.text)
    except ValueError as error:
        raise Refusal("bad_message", str(error)) from None
    watcher = guest.key in table.watchers
    apart = watcher and table.round is not None
    keys = tuple(table.watchers) if apart else tuple(table.keys())
    table.out.said.append((keys, msg.Said(text, guest.name, table.id, watcher)))
    return {}


def send_state(table: TableState, guest: Guest, message: msg.GetState) -> dict[str, object]:
    """The whole state, and the pending decision."""
    if guest.key not in table.watchers:
        table.seat_of_guest(guest.key)
    table.out.states.append(guest.key)
    return {}


HANDLERS: Final[dict[type, Handler]] = {
    msg.Act: playing.act,
    msg.Join: seating.join,
    msg.Watch: seating.watch,
    msg.Leave: seating.leave,
    msg.Kick: seating.kick,
    msg.BotSeat: seating.add_or_remove_bot,
    msg.Auto: seating.auto,
    msg.SetOptions: matches.set_options,
    msg.Start: matches.start,
    msg.SetReady: matches.ready,
    msg.Rematch: matches.rematch,
    msg.Pause: voting.pause,
    msg.Accuse: voting.accuse,
    msg.Vote: voting.vote,
    msg.Say: say,
    msg.GetState: send_state,
}
_NOT_WAKING: Final = frozenset({msg.Auto, msg.Say, msg.GetState, msg.Leave})
"""Requests that do not say: I am playing again. Who asked for `auto` comes back by ending it, or by an act."""


class Table(TableState):
    """A table. Pure: the same commands at the same times lead to the same outcomes."""

    __slots__ = ()

    @classmethod
    def open(cls, table_id: str, create: msg.Create, guest: Guest, seed: bytes, now: float) -> tuple[Table, Outcome]:
        """A new table with its first guest as host (a bot may open a table, but is nobody's host), and house bots.

        Raises BadSetting. `create.name` must have been checked.
        """
        table = cls(table_id, settings_of(create, create.name), seed, now)
        seating.sit(table, guest, 0)
        for level in create.bots:
            seating.seat_bot(table, level)
        if table.host is None:
            table.host = 0  # somebody must be able to start: whoever opens a table may, also a program
        table.done.append((guest.key, create.id, {"table": table.id, "seat": 0}))
        return table, table._finish()

    @classmethod
    def reopen(cls, table_id: str, between: Between, seed: bytes, now: float) -> Table:
        """A table as it stood between two matches."""
        table = cls(table_id, between.settings, seed, now)
        go_on_from(table, between)
        return table

    def between(self) -> Between | None:
        """What is left of the table, if its match is over."""
        return between_of(self)

    def do(self, command: Command, now: float) -> Outcome:
        """The one function that changes a table: what the command leads to, told as events with their seq."""
        self.now = now
        self.out = Outcome()
        if isinstance(command, Request):
            self._request(command.guest, command.message)
        elif isinstance(command, Tick):
            if command.turn is None or command.turn == self.turn:
                clock.tick(self, command.move)
        elif isinstance(command, Gone):
            seating.lose(self, command.guest)
        elif isinstance(command, Returned):
            seating.regain(self, command.guest)
        elif isinstance(command, Shut):
            seating.shut(self)
        return self._finish()

    def _request(self, guest: Guest, message: Any) -> None:
        kind = type(message)
        number = self.seat_by_key.get(guest.key)
        if number is not None:
            seat = self.seats[number]
            if (seat.taken and kind not in _NOT_WAKING) or (seat.auto and kind is msg.Act):
                seating.wake(self, seat)
        try:
            fields = HANDLERS[kind](self, guest, message)
        except Refusal as refusal:
            self.answer(guest.key, refusal.err(message.id))
        else:
            if fields is not None:
                self.done.append((guest.key, message.id, fields))

    def _finish(self) -> Outcome:
        playing.settle(self)
        out = self.out
        if self.done:
            for key, re, fields in self.done:
                self.answer(key, msg.Ok(re, self.seq, **fields) if fields else msg.Ok(re, self.seq))
            self.done.clear()
        if out.turn is not None:
            # events may have been told after it was made; it rests on the last of them
            out.turn[1].seq = self.seq
        return out

    # -- what callers may ask -------------------------------------------------------------------------------------

    @property
    def deadline(self) -> float | None:
        """When a `Tick` is due, in the caller's monotonic seconds; None: not before the next command."""
        return clock.deadline(self)

    def thought(self, now: float) -> Thought | None:
        """What a house bot has to think about before the tick that is due now, if it is one that searches."""
        self.now = now
        return clock.thought(self)

    @property
    def name(self) -> str:
        """The table's name."""
        return self.settings.name

    @property
    def public(self) -> bool:
        """Whether it stands in the lobby's list."""
        return self.settings.public

    @property
    def members(self) -> Mapping[str, int | None]:
        """Everybody who gets events: key -> seat, None for watchers."""
        if not self.watchers:
            return self.seat_by_key
        return {**self.seat_by_key, **dict.fromkeys(self.watchers)}

    def seat_of(self, key: str) -> int | None:
        """The guest's seat."""
        return self.seat_by_key.get(key)

    def view_for(self, key: str, now: float) -> View:
        """The `state` message for a member."""
        self.now = now
        return view_of(self, self.seat_by_key.get(key))

    def turn_for(self, key: str, now: float) -> msg.TurnNow | None:
        """The pending decision, if this guest owes it."""
        self.now = now
        pending = playing.turn_message(self)
        return pending[1] if pending is not None and pending[0] == key else None

    def event_for(self, happening: Happening, key: str) -> Event:
        """The form in which a member is told."""
        return happening.for_seat(self.seat_by_key.get(key)) if isinstance(happening, Split) else happening

    def since(self, key: str, seq: int) -> list[tuple[int, Event]] | None:
        """What this member missed after `seq`, in the member's form; None where that is not remembered."""
        if seq == self.seq:
            return []
        number = self.seat_by_key.get(key)
        sat_down = self.seats[number].since if number is not None else 0
        if seq < sat_down or seq > self.seq or not self.log or self.log[0][0] > seq + 1:
            return None
        return [(told, self.event_for(happening, key)) for told, happening in self.log if told > seq]

    def row(self) -> msg.TableRow:
        """The table's line in the lobby."""
        settings = self.settings
        host = self.seats.get(self.host) if self.host is not None else None
        return msg.TableRow(
            id=self.id,
            name=settings.name,
            profile=settings.profile,
            seats=settings.seats,
            taken=len(list(self.taken_seats())),
            phase=self.stage,
            options=settings.overrides(),
            round=self.match.number if self.match is not None else 0,
            watching=len(self.watchers),
            password=settings.password is not None,
            host=host.name if host is not None else None,
        )


__all__ = ["BadSetting", "Table"]
