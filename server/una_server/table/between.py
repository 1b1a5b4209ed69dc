"""What is left of a table between two matches: enough to open it again as it stood, with nothing of what was played.

A journal grows with every move; when another match begins, all before it can be replaced by this. The events are gone
with it: who comes back from further away gets a whole state.
"""

from __future__ import annotations

from msgspec import Struct, structs

from ..bots import LEVELS
from ..bots.memory import Memory
from .commands import Guest
from .settings import Settings
from .state import Seat, TableState


class Between(Struct, frozen=True, array_like=True):
    """A table whose match is over."""

    settings: Settings
    seats: list[Seat]
    watchers: list[Guest]
    coming: list[tuple[str, int]]
    host: int | None
    matches: int
    dealer: int | None
    """Who deals next, if they are still there."""
    seq: int
    turn: int
    told_turn: int
    accused_turn: int
    cooling: list[tuple[int, float]]


def between_of(table: TableState) -> Between | None:
    """The table as it is, if its match is over; None while it cannot be told in so few words."""
    if table.stage != "over" or table.match is None:
        return None
    return Between(
        settings=table.settings,
        seats=[structs.replace(seat) for seat in table.seats.values()],
        watchers=list(table.watchers.values()),
        coming=list(table.coming.items()),
        host=table.host,
        matches=table.matches,
        dealer=table.match.next_dealer(),
        seq=table.seq,
        turn=table.turn,
        told_turn=table.told_turn,
        accused_turn=table.accused_turn,
        cooling=list(table.cooling.items()),
    )


def go_on_from(table: TableState, between: Between) -> None:
    """Make a new table stand there."""
    table.stage = "over"
    table.seats = {seat.number: seat for seat in between.seats}
    table.seat_by_key = {seat.guest.key: seat.number for seat in between.seats if seat.guest and not seat.gone}
    table.watchers = {guest.key: guest for guest in between.watchers}
    table.coming = dict(between.coming)
    table.host, table.matches, table.next_dealer = between.host, between.matches, between.dealer
    table.seq, table.turn, table.told_turn = between.seq, between.turn, between.told_turn
    table.accused_turn, table.cooling = between.accused_turn, dict(between.cooling)
    for seat in between.seats:
        if not seat.gone and seat.level is not None and LEVELS[seat.level].searches:
            table.memories[seat.number] = Memory()
