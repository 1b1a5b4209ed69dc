"""What happened at a table: the `e` of an `ev` message.

Fields marked *private* are filled only in the copy for the seat that may know them; in every other copy they are
absent. Nothing else differs between the copies of an event, and no copy is ever left out, so `seq` is dense for all.
Lists that have one entry per seat (`counts`, `hands`, `points`, `scores`) are indexed by the seat number and cover
every seat from 0 to the highest one taken; an empty seat, or one that has left, counts 0 or `[]`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from .actions import CardText, SeatNumber
from .cards import Card, Color

Count = Annotated[int, Meta(ge=0)]
RoundPhase = Literal["wish", "turn", "drawn", "penalty", "over"]
SeatStatus = Literal["here", "lost", "away", "left"]
DrawReason = Literal["turn", "pending", "una", "illegal", "advice", "challenge"]


class _Event(Struct, frozen=True, omit_defaults=True, tag_field="k", gc=False):
    pass


# -- the table --------------------------------------------------------------------------------------------------


class Joined(_Event, frozen=True, tag="joined"):
    """Somebody sat down (`seat`), or watches (no `seat`). `level` names the strategy of a house bot."""

    name: str
    seat: SeatNumber | None = None
    bot: bool = False
    level: str | None = None


class Left(_Event, frozen=True, tag="left"):
    """A seat was left for good, or a watcher (no `seat`) went. `why`: own wish, kicked, or away for too long.

    In a running round the hand went under the draw pile (L1): `draw_pile` is its new size.
    """

    name: str
    seat: SeatNumber | None = None
    why: Literal["left", "kicked", "gone"] = "left"
    draw_pile: Count | None = None


class Lost(_Event, frozen=True, tag="lost"):
    """The connection of a seat is lost; the seat is kept."""

    seat: SeatNumber


class Back(_Event, frozen=True, tag="back"):
    """A lost or away seat is played by its owner again."""

    seat: SeatNumber


class Away(_Event, frozen=True, tag="away"):
    """From now on a house bot plays for the seat (its owner is away, or asked for it)."""

    seat: SeatNumber


class Host(_Event, frozen=True, tag="host"):
    """The host of the table is now this seat (None: nobody)."""

    seat: SeatNumber | None = None


class OptionsSet(_Event, frozen=True, tag="options"):
    """The table's rules and settings, all of them, as they now stand."""

    profile: str
    options: dict[str, Any]
    seats: int
    turn_s: int
    una_grace_ms: int
    away: str
    between_s: int
    public: bool
    password: bool


class Ready(_Event, frozen=True, tag="ready"):
    """The seat is ready for the next round, or (while waiting) for the match."""

    seat: SeatNumber


class Paused(_Event, frozen=True, tag="paused"):
    """A seat asks to pause (`want`) or to go on; `on` says whether the table is paused after that.

    When `on` changes, all requests are used up.
    """

    seat: SeatNumber
    want: bool
    on: bool


class Accused(_Event, frozen=True, tag="accused"):
    """`by` accuses `seat` of advising (P2): the vote is open for `ms`; or, `open` false, it ended with `guilty`."""

    seat: SeatNumber
    by: SeatNumber
    open: bool = True
    guilty: bool | None = None
    ms: int | None = None


class Voted(_Event, frozen=True, tag="voted"):
    """A seat has voted; how, is told by the verdict only."""

    seat: SeatNumber


# -- a round ----------------------------------------------------------------------------------------------------


class Dealer(_Event, frozen=True, tag="dealer"):
    """A match begins: who deals the first round. With `first_dealer=draw` each `draws` entry is `[seat, card]`."""

    seat: SeatNumber
    draws: tuple[tuple[int, Card], ...] = ()


class Dealt(_Event, frozen=True, tag="dealt"):
    """A round begins: everybody's number of cards, the size of the draw pile; *private* `hand`: your own cards."""

    round: int
    dealer: SeatNumber
    counts: tuple[Count, ...]
    draw_pile: Count
    hand: tuple[Card, ...] | None = None


class Top(_Event, frozen=True, tag="top"):
    """The first card was turned up; with `back` it went back into the pile and another follows (F1).

    `color` is the colour in force, None after a wild; `draw_pile` the size of the pile now.
    """

    card: CardText
    draw_pile: Count
    color: Color | None = None
    back: bool = False


class Turn(_Event, frozen=True, tag="turn"):
    """Whose decision it is now, by which `turn` number; `catchable`: the seats that can be caught; `called`: the
    seats whose call of una stands. Sent again with the same number when only these two have changed.

    `ms`: the time left to decide, absent where there is no limit.
    """

    seat: SeatNumber
    turn: int
    phase: RoundPhase
    pending: Count = 0
    catchable: tuple[SeatNumber, ...] = ()
    called: tuple[SeatNumber, ...] = ()
    ms: int | None = None


class Played(_Event, frozen=True, tag="played"):
    """A card was laid. `color`: the colour in force now; `una`: called with it; `jump`: out of turn (H1).

    Where hands changed owners (H2) `with` names the other seat of a seven, `counts` holds every
    seat's new number of cards, and *private* `hand` your own new hand.
    """

    seat: SeatNumber
    card: CardText
    color: Color | None
    pending: Count = 0
    una: bool = False
    jump: bool = False
    swap_with: SeatNumber | None = field(default=None, name="with")
    counts: tuple[Count, ...] | None = None
    hand: tuple[Card, ...] | None = None


class Drew(_Event, frozen=True, tag="drew"):
    """A seat drew `n` cards; *private* `cards`: which. `draw_pile` is the size of the pile now.

    `why`: `turn` (by choice or need), `pending` (took the pending cards; also those of a last card),
    `challenge` (lost a challenge, or was found guilty in one), `una` (caught), `illegal`, `advice`.
    """

    seat: SeatNumber
    n: Count
    why: DrawReason
    draw_pile: Count
    cards: tuple[Card, ...] | None = None


class Passed(_Event, frozen=True, tag="passed"):
    """The seat keeps the drawn card, or has nothing to draw."""

    seat: SeatNumber


class Skipped(_Event, frozen=True, tag="skipped"):
    """The seat does nothing this turn (T6)."""

    seat: SeatNumber


class Reversed(_Event, frozen=True, tag="reversed"):
    """The direction of play is now 1 or -1 (T6)."""

    direction: Literal[1, -1]


class Wished(_Event, frozen=True, tag="wished"):
    """The starter wished a colour for the wild turned up first (F2)."""

    seat: SeatNumber
    color: Color


class UnaCalled(_Event, frozen=True, tag="una"):
    """The seat called una (U1)."""

    seat: SeatNumber


class Caught(_Event, frozen=True, tag="caught"):
    """`by` caught `seat` with one card and no call (U3); what it drew follows as `drew`."""

    seat: SeatNumber
    by: SeatNumber


class Challenged(_Event, frozen=True, tag="challenged"):
    """`seat` doubted the draw four of `of` (D5): guilty or not; `shown` and what is drawn for it follow."""

    seat: SeatNumber
    of: SeatNumber
    guilty: bool


class Shown(_Event, frozen=True, tag="shown"):
    """The judged hand of `seat` was shown `to` the challenger; *private* (to that one) `hand`."""

    seat: SeatNumber
    to: SeatNumber
    hand: tuple[Card, ...] | None = None


class Reshuffled(_Event, frozen=True, tag="reshuffled"):
    """The discards became the draw pile, which now has `draw_pile` cards (T5)."""

    draw_pile: Count


class Timeout(_Event, frozen=True, tag="timeout"):
    """The seat's time ran out: the default move follows."""

    seat: SeatNumber


class RoundOver(_Event, frozen=True, tag="round_over"):
    """The round is over: all hands, points of this round and total scores by seat; `winner` None: blocked (E4).

    `between_ms`: after this time the next round is dealt, if not all are ready before; absent where none follows.
    """

    winner: SeatNumber | None
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    match_over: bool
    between_ms: int | None = None


class MatchOver(_Event, frozen=True, tag="match_over"):
    """The match is over; `winners` is empty after a blocked round that was the whole match (E4)."""

    winners: tuple[SeatNumber, ...]
    scores: tuple[int, ...]


TableEvent = (
    Joined | Left | Lost | Back | Away | Host | OptionsSet | Ready | Paused | Accused | Voted
)  # fmt: skip
RoundEvent = (
    Dealer | Dealt | Top | Turn | Played | Drew | Passed | Skipped | Reversed | Wished | UnaCalled | Caught
    | Challenged | Shown | Reshuffled | Timeout | RoundOver | MatchOver
)  # fmt: skip
Event = TableEvent | RoundEvent


class UnknownEvent(Struct, frozen=True):
    """An event of a kind that this version does not know (a newer minor has it): kept, since its `seq` counts.

    Made by the codec only; never sent, and no part of `Event`. The fold takes it and changes nothing but `seq`.
    """

    k: str
