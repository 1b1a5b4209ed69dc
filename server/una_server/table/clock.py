"""The deadlines of a table, and what happens when one has come: bots move, limits run out, rounds are dealt."""

from __future__ import annotations

from typing import Final

from una_protocol import events as ev
from una_protocol.actions import Action
from una_protocol.bot import BotView

from ..bots import LEVELS, SUBSTITUTE, with_call
from ..bots.thought import Thought
from ..game import Round, can_una, default_action, turn_actions
from .playing import apply, decide_catches, grace_ends, limit_ends
from .rounds import deal
from .seating import LOST_KEEP_S, leave_seat, take_over
from .state import Refusal, Seat, TableState
from .views import view_of
from .voting import give_verdict

THINK_S: Final = 0.8
"""How long a house bot waits before it moves, where people play and nothing else is set."""
DEFAULTS: Final = 3
"""So many default moves in a row, and the table's `away` rule applies."""


def deadline(table: TableState) -> float | None:
    """When the next tick is due."""
    if table.closed:
        return None
    if table.stage != "playing":
        return _idle_deadline(table)
    if table.paused:
        return None
    due = _decision_due(table)
    if table.kept:
        due = grace_ends(table)
    if table.notices and (due is None or table.notice_at < due):
        due = table.notice_at
    if table.accusation is not None and (due is None or table.accusation.due < due):
        due = table.accusation.due
    return due


def _idle_deadline(table: TableState) -> float | None:
    if table.stage == "between":
        return None if table.paused else table.deal_at
    return min((seat.lost_at + LOST_KEEP_S for seat in _lost(table)), default=None)


def _lost(table: TableState) -> list[Seat]:
    return [seat for seat in table.taken_seats() if seat.guest is not None and not seat.connected]


def _decision_due(table: TableState) -> float | None:
    round = table.round
    if round is None:
        return None
    seat = table.seats[round.turn]
    if seat.guest is not None and not (seat.auto or seat.taken):
        return limit_ends(table, seat)
    due = table.turn_began + _think_s(table)
    if any(number == seat.number for number, _ in table.notices):
        return max(due, table.notice_at)
    return due


def _think_s(table: TableState) -> float:
    if table.settings.think_ms is not None:
        return table.settings.think_ms / 1000
    return 0.0 if table.all_bots else THINK_S


def tick(table: TableState, move: Action | None = None) -> None:
    """Do what is due: one thing at a time; the next deadline brings the next. `move`: what a house bot is to do."""
    due = deadline(table)
    if due is None or due > table.now:
        return
    if table.stage == "between":
        deal(table)
    elif table.stage != "playing":
        for seat in _lost(table):
            if seat.lost_at + LOST_KEEP_S <= table.now:
                leave_seat(table, seat, "gone")
    elif table.accusation is not None and table.accusation.due <= table.now:
        give_verdict(table)
    elif table.kept:
        decide_catches(table)
    elif table.notices and table.notice_at <= table.now:
        _catch_noticed(table)
    else:
        _decide(table, move)


def _catch_noticed(table: TableState) -> None:
    notices, table.notices = table.notices, []
    for number, catch in notices:
        try:
            apply(table, number, catch)
        except Refusal:
            continue  # called in time, or another bot was faster
        return


def _decide(table: TableState, move: Action | None) -> None:
    round = table.round
    assert round is not None
    seat = table.seats[round.turn]
    if seat.house_plays:
        action = table.out.move = move or house_move(table, seat)
        try:
            apply(table, seat.number, action)
        except Refusal:
            # a strategy of ours chose what the rules forbid: the table must not stand still for that
            apply(table, seat.number, default_action(round))
    else:
        _time_out(table, seat)


def house_move(table: TableState, seat: Seat) -> Action:
    """What the house bot of this seat does; it sees what the seat sees."""
    round = table.round
    assert round is not None
    level = LEVELS[seat.level or SUBSTITUTE]
    view = _sight(table, round, seat)
    return with_call(level.choose(view, table.chance), view, table.chance, level.calls)


def _sight(table: TableState, round: Round, seat: Seat) -> BotView:
    legal = turn_actions(round)
    default = legal.index(default_action(round))
    return BotView(view_of(table, seat.number), legal, default, can_una(round, seat.number))


def thought(table: TableState) -> Thought | None:
    """What the house bot on turn has to think about now, if it is one that searches and has a choice. Changes nothing:
    the answer is the move of a `Tick`. It hangs on the table's seed, and on what the seat was told."""
    round = table.round
    due = deadline(table)
    if round is None or due is None or due > table.now:
        return None
    seat = table.seats[round.turn]
    memory = table.memories.get(seat.number)
    if not seat.house_plays or seat.level is None or not LEVELS[seat.level].searches or memory is None:
        return None
    view = _sight(table, round, seat)
    if len(view.legal) == 1:
        return None
    seed = f"una thought {table.seed.hex()} {table.matches} {table.seq}"
    return Thought(table.turn, view.table, view.legal, view.default, view.can_una, memory.copy(), seed)


def _time_out(table: TableState, seat: Seat) -> None:
    """The default move; after drawing a card that fits, the rest of the turn too, for there is no time left."""
    table.tell(ev.Timeout(seat.number))
    while True:
        round = table.round
        assert round is not None
        apply(table, seat.number, default_action(round), by_clock=True)
        round = table.round
        if round is None or round.turn != seat.number or round.phase != "drawn":
            break
    seat.defaults += 1
    if seat.defaults >= DEFAULTS:
        if table.settings.away == "bot":
            take_over(table, seat)
        elif table.settings.away == "leave":
            leave_seat(table, seat, "gone")
