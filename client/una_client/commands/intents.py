"""What a typed line can mean, and the situation that it is understood in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from una_protocol import messages as m
from una_protocol.actions import Action
from una_protocol.cards import Card
from una_protocol.messages import _Request as Request
from una_protocol.view import View

from .. import reasons
from ..words import in_order


def hand_order(view: View) -> list[Card]:
    """The hand as it is read out and numbered."""
    return in_order(view.hand or ())


class Situation(Struct, frozen=True):
    """What a command is understood by: the table and the decision we owe, the hand as it is numbered on the screen,
    and the rows of the lobby as they are numbered there.
    """

    view: View | None = None
    turn: m.TurnNow | None = None
    hand: Sequence[Card] = ()
    rows: Sequence[m.TableRow] = ()

    @property
    def names(self) -> dict[int, str]:
        """The raw names at the table by seat number."""
        return {} if self.view is None else reasons.names_of(self.view)


class Send(Struct, frozen=True):
    """Send this request; whoever sends it sets the id."""

    request: Request


class Show(Struct, frozen=True):
    """Show something that is known already."""

    what: Literal["hand", "table", "score", "help", "tables"]


class Mute(Struct, frozen=True):
    """Do not show any more what somebody says; or, not `on`, show it again. The server has no part in this."""

    name: str
    on: bool


class Quit(Struct, frozen=True):
    """End the program."""


class Refusal(Struct, frozen=True):
    """Nothing is sent, for this reason: a sentence."""

    reason: str


Intent = Send | Show | Mute | Quit | Refusal
Parser = Callable[[list[str], Situation], Intent]


def act(situation: Situation, action: Action, *, any_time: bool = False) -> Intent:
    """Send an action for the decision that the user was looking at (a jump-in carries the public turn number)."""
    view = situation.view
    assert view is not None
    number = None if any_time else view.turn if situation.turn is None else situation.turn.turn
    return Send(m.Act(0, view.table, action, turn=number))


def table_of(situation: Situation) -> str:
    """The id of the table that the user is at."""
    assert situation.view is not None
    return situation.view.table
