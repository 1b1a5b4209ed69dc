"""A record as a film: its steps as views, and where the viewer stands in it. Pure.

`una-server replay --steps` has played the record by the rules; here its lines become `View`s for any seat, or for
nobody's: then all hands are open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action
from una_protocol.cards import Card
from una_protocol.view import View

from ..mirror import LogEntry, Who

ALL: Final = None
"""The seat of who sees all hands."""


class Told(Struct, frozen=True):
    """An event: as everybody may know it, and as the seats know it that may know more."""

    public: ev.Event
    own: dict[str, ev.Event] = {}


class Step(Struct, frozen=True):
    """One step: the table after it as a watcher sees it, all hands, and what happened."""

    step: int
    view: View
    hands: list[list[Card]]
    events: list[Told]
    legal: list[Action] = []
    drawn: Card | None = None
    seat: int | None = None


def read_film(lines: Sequence[str]) -> Film:
    """The film that the lines tell; ValueError where they are not understood."""
    try:
        record = msgspec.json.decode(lines[0])["record"]
        steps = [msgspec.json.decode(line, type=Step) for line in lines[1:]]
        return Film(record, steps)
    except (msgspec.MsgspecError, IndexError, KeyError, TypeError) as error:
        raise ValueError(str(error)) from None


class Film:
    """The steps, where we are (`at`), and as whom we look on (`seat`; None: with all hands open)."""

    def __init__(self, record: dict[str, Any], steps: list[Step]) -> None:
        if not steps:
            raise ValueError("no steps")
        self.record = record
        self.steps = steps
        self.at = 0
        self.seat: int | None = ALL

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.steps[self.at]

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    @property
    def names(self) -> dict[int, str]:
        """The raw names by seat."""
        return {player.seat: player.name for player in self.step.view.players}

    def go(self, to: int) -> bool:
        """Go to a step, or as far as there is; whether that is another one."""
        before, self.at = self.at, max(0, min(to, self.last))
        return self.at != before

    def view(self, seat: int | None) -> View:
        """The table at this step, as the seat sees it."""
        step = self.step
        if seat is None:
            return step.view
        drawn = step.drawn if step.view.turn_seat == seat else None
        return structs.replace(step.view, you=seat, hand=list(step.hands[seat]), drawn=drawn)

    def turn(self, seat: int | None) -> m.TurnNow | None:
        """The decision that the seat owes at this step."""
        view = self.step.view
        if seat is None or view.turn_seat != seat or not self.step.legal:
            return None
        return m.TurnNow(view.table, view.turn, view.seq, view.phase, tuple(self.step.legal), 0)

    def entries(self, at: int) -> list[LogEntry]:
        """What happened at a step, as the present seat may know it. With all hands open: what whoever acted knows."""
        step = self.steps[at]
        who = Who({player.seat: player.name for player in step.view.players}, self.seat)
        return [LogEntry(self._seen(told), who, step.view.table) for told in step.events]

    def _seen(self, told: Told) -> ev.Event:
        return told.public if self.seat is None else told.own.get(str(self.seat), told.public)

    def drawn_cards(self, at: int) -> list[tuple[int, tuple[Card, ...]]]:
        """With all hands open: who drew which cards at a step."""
        if self.seat is not None:
            return []
        own = (event for told in self.steps[at].events for event in told.own.values())
        return [(event.seat, tuple(event.cards)) for event in own if isinstance(event, ev.Drew) and event.cards]
