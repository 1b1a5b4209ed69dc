"""What a player may do: the `do` of an `act`, the entries of `legal`, the lines of a record.

Actions are frozen values: equal actions are interchangeable, and they serve as dictionary keys. The engine accepts
two more that never cross the wire, `Leave` and `Penalty`: they are the table's decisions, and stand in records.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from .cards import Card, Color

# `$` alone would let a newline through at the end, in Python's reading of it
CardText = Annotated[Card, Meta(pattern="^(?:[RGBY](?:[0-9SR]|\\+2)|W|W\\+4)$(?!\\n)", max_length=3)]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]


class Play(Struct, frozen=True, omit_defaults=True, tag_field="k", tag="play"):
    """Lay a card. A wild names its `color` (T4), a swapping seven the seat to swap `with` (H2); `una` calls (U6)."""

    card: CardText
    color: Color | None = None
    swap_with: SeatNumber | None = field(default=None, name="with")
    una: bool = False


class Draw(Struct, frozen=True, tag_field="k", tag="draw"):
    """Draw a card, or take the pending ones (T2, D1)."""


class Pass(Struct, frozen=True, tag_field="k", tag="pass"):
    """Keep the drawn card (T3); or there is nothing to draw (T5)."""


class Wish(Struct, frozen=True, tag_field="k", tag="wish"):
    """Wish a colour where the first card turned up was a wild (F2)."""

    color: Color


class Challenge(Struct, frozen=True, tag_field="k", tag="challenge"):
    """Doubt the draw four that was just laid (D5)."""


class Una(Struct, frozen=True, tag_field="k", tag="una"):
    """Call una (U1)."""


class Catch(Struct, frozen=True, tag_field="k", tag="catch"):
    """Catch the seat that forgot to call una (U3)."""

    seat: SeatNumber


class Leave(Struct, frozen=True, tag_field="k", tag="leave"):
    """Leave the round for good (L1). Decided by the table, never sent as an `act`."""


class Penalty(Struct, frozen=True, tag_field="k", tag="penalty"):
    """Draw `n` cards by a verdict of the table (P2). Never sent as an `act`."""

    n: Annotated[int, Meta(ge=0, le=20)]
    why: Literal["advice"] = "advice"


Action = Play | Draw | Pass | Wish | Challenge | Una | Catch
"""What may stand in `act.do`."""

RecordedAction = Action | Leave | Penalty
"""What the engine applies, and what may stand in a record."""

DRAW = Draw()
PASS = Pass()
CHALLENGE = Challenge()
UNA = Una()
LEAVE = Leave()
