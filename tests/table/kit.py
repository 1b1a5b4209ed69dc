"""A table with guests, driven without a network: commands in, and every member's folded view held against its state."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import msgspec

from una_protocol import messages as msg
from una_protocol.events import Event
from una_protocol.view import View, fold
from una_server.game import Split
from una_server.table import Command, Gone, Guest, Outcome, Request, Returned, Table, Tick

SEED = bytes(range(32))


def comparable(view: View) -> dict[str, Any]:
    """A view without its clock."""
    plain: dict[str, Any] = msgspec.to_builtins(view)
    plain.pop("ms", None)
    return plain


class Evening:
    """A table, its guests, the time, and what each member has been told."""

    def __init__(self, *names: str, bots: tuple[str, ...] = (), programs: tuple[str, ...] = (), **create: Any) -> None:
        self.guests = {name: Guest(f"key-{name}", name, name in programs) for name in names}
        self.now = 100.0
        self.ids = Counter[str]()
        self.answers: dict[tuple[str, int], msg.Ok | msg.Err] = {}
        self.views: dict[str, View] = {}
        self.turns: dict[str, msg.TurnNow] = {}
        self.said: list[tuple[tuple[str, ...], msg.Said]] = []
        self.events: list[Event] = []
        create = {"name": "Kitchen", "seats": 10, "bots": list(bots), **create}
        host = self.guests[names[0]]
        self.table, out = Table.open("k3f", msg.Create(id=self._id(names[0]), **create), host, SEED, self.now)
        self._deliver(out)
        for name in names[1:]:
            self.ask(name, msg.Join)

    def _id(self, name: str) -> int:
        self.ids[name] += 1
        return self.ids[name]

    def guest(self, name: str, bot: bool = False) -> Guest:
        return self.guests.setdefault(name, Guest(f"key-{name}", name, bot))

    def seat(self, name: str) -> int:
        seat = self.table.seat_of(self.guests[name].key)
        assert seat is not None
        return seat

    def do(self, command: Command) -> Outcome:
        out = self.table.do(command, self.now)
        self._deliver(out)
        return out

    def ask(self, name: str, kind: type[Any], **fields: Any) -> msg.Ok | msg.Err | None:
        """Send a request; its answer, or None if it is kept for later."""
        guest = self.guest(name)
        number = self.table.seat_of(guest.key)
        if number is not None and not self.table.seats[number].connected:
            self.do(Returned(guest))  # who sends something has a connection
        re = self._id(name)
        self.do(Request(guest, kind(id=re, table="k3f", **fields)))
        return self.answers.get((guest.key, re))

    def act(self, name: str, do: Any, turn: int | None = None) -> msg.Ok | msg.Err | None:
        return self.ask(name, msg.Act, do=do, turn=self.table.turn if turn is None else turn)

    def later(self, seconds: float) -> None:
        """Let time pass; every tick that is due on the way is done."""
        end = self.now + seconds
        while (due := self.table.deadline) is not None and due <= end:
            self.now = max(self.now, due)
            self.do(Tick())
        self.now = end

    def lose(self, name: str) -> None:
        self.do(Gone(self.guests[name]))

    def back(self, name: str) -> None:
        self.do(Returned(self.guests[name]))

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]

    def _deliver(self, out: Outcome) -> None:
        for answer in out.answers:
            asked = (answer.key, answer.body.re or 0)
            assert asked not in self.answers, "a request is answered once"
            self.answers[asked] = answer.body
        self.said += out.said
        self.events += [item.public if isinstance(item, Split) else item for _, item in out.events]
        for key in self.table.members:
            if key in out.states:
                self.views[key] = copy.deepcopy(self.table.view_for(key, self.now))
            elif key in self.views:
                for seq, happening in out.events:
                    assert seq == self.views[key].seq + 1, "seq is dense for every viewer"
                    fold(self.views[key], seq, self.table.event_for(happening, key))
        for key in out.left:
            self.views.pop(key, None)
        if out.turn is not None:
            self.turns[out.turn[0]] = out.turn[1]
        for key, view in self.views.items():
            folded, state = comparable(view), comparable(self.table.view_for(key, self.now))
            differs = {name for name in folded | state if folded.get(name) != state.get(name)}
            assert not differs, [(name, folded.get(name), state.get(name), out.events) for name in differs]
