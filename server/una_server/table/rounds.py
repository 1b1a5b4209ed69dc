"""Where a round begins and where it ends, for the table: dealing, the wait between rounds, the record."""

from __future__ import annotations

from msgspec import structs

from una_protocol import events as ev
from una_protocol.actions import RecordedAction

from .. import __version__
from ..game import Match
from ..game.record import Recorder
from .state import TableState


def deal(table: TableState) -> None:
    """Deal the next round of the match."""
    match = table.match
    assert match is not None
    table.stage = "playing"
    table.deal_at = None
    for seat in table.seats.values():
        seat.ready = False
    table.result = None
    table.round_since = table.seq
    table.turn += 1
    table.turn_began = table.limit_began = table.now
    for happening in match.deal():
        table.tell(happening)
    table.out.row_changed = True
    _begin_record(table, match)


def end_round(table: TableState, over: ev.RoundOver) -> ev.RoundOver:
    """The one place where a round ends; the event as it is told, with the wait before the next round."""
    table.stage = "between"
    table.accusation = None
    for seat in table.seats.values():
        seat.ready = False
    table.result = over
    if over.match_over:
        return over
    wait_s = 0 if table.hurried or not table.present() else table.settings.between_s
    table.deal_at = table.now + wait_s
    return structs.replace(over, between_ms=wait_s * 1000)


def end_match(table: TableState, over: ev.MatchOver) -> None:
    """The match is over; seats stay for a rematch."""
    table.stage = "over"
    table.deal_at = None
    table.winners = over.winners
    table.paused = False
    table.asked.clear()
    for seat in table.seats.values():
        seat.defaults = 0
        if not seat.connected:
            seat.lost_at = table.now
    table.out.row_changed = True


def note(table: TableState, seat: int, action: RecordedAction, by_clock: bool) -> None:
    """Write an accepted action into the record of the round."""
    match = table.match
    if table.recorder is not None and match is not None:
        table.out.record += table.recorder.action(match, seat, action, auto=by_clock)
        if match.round is None or match.round.over:
            table.recorder = None


def _begin_record(table: TableState, match: Match) -> None:
    """A record of its own for each round, where records are wanted."""
    table.recorder = None
    state = match.round
    if table.wall_clock is None or state is None:
        return
    table.recorder = Recorder(match)
    table.out.record += table.recorder.start(
        match,
        id=f"{table.id}-{table.matches}-{match.number}",
        table=table.settings.name,
        started=table.wall_clock(),
        server=f"una-lan {__version__}",
        profile=table.settings.profile,
        players=[
            {"name": table.seats[seat].name, "kind": "bot" if table.seats[seat].is_bot else "human"}
            for seat in state.order
        ],
    )
