"""Acts in a round: turn numbers, una with its grace (U5), and the one place where the engine is asked to act.

Also tells, after each change, whose decision it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from una_protocol import events as ev
from una_protocol.actions import DRAW, Catch, Challenge, Draw, Pass, Penalty, Play, RecordedAction, Una, Wish
from una_protocol.messages import Act, TurnNow

from ..bots import LEVELS, SUBSTITUTE
from ..game import Happening, Refused, Round, can_una, catchable, default_action, legal_actions, turn_actions
from .commands import Guest
from .rounds import end_match, end_round, note
from .state import KeptCatch, Refusal, Seat, TableState, WaitingAct

COOL_DOWN_S: Final = 3.0
"""After a catch with nothing to catch (U5)."""
LOST_LIMIT_S: Final = 60.0
"""The turn limit of a lost seat where the table has none."""
NOTICE_S: Final = 1.0
"""A house bot notices a forgotten una no sooner, where people play."""
MAX_WAITING: Final = 8
NOTHING_MORE: Final[dict[str, object]] = {}
"""The fields of an `ok` that says no more than that something was done."""

_NEW_TURN: Final = frozenset({Play, Draw, Pass, Wish, Challenge})
"""Kinds of actions after which the clock starts anew, even where the same seat must decide again."""


def act(table: TableState, guest: Guest, message: Act) -> dict[str, object] | None:
    """Do something in the round; None: the answer comes when a kept catch is decided."""
    seat = table.seat_of_guest(guest.key)
    current = table.round
    if current is None:
        raise Refusal("round_over")
    if table.paused:
        raise Refusal("paused", after_ms=1000)
    do = message.do
    kind = type(do)
    if kind is Catch:
        return _catch(table, guest, seat, message.id, do)  # type: ignore[arg-type] # it is one
    if kind is not Una:
        if message.turn is None:
            raise Refusal("bad_message", "An act other than una and catch needs `turn`, the number it answers.")
        if message.turn != table.turn:
            raise Refusal("stale_turn")
        if table.kept:
            if len(table.waiting) >= MAX_WAITING:
                raise Refusal("too_fast", after_ms=500)
            table.waiting.append(WaitingAct(guest, message))
            return None
    number = seat.number
    own_turn = current.turn == number
    apply(table, number, do)
    if own_turn:
        seat.defaults = 0
    return NOTHING_MORE


def apply(table: TableState, seat: int, action: RecordedAction, *, by_clock: bool = False) -> None:
    """The one place where an action reaches the engine. Refusal where the rules forbid it; then nothing changed."""
    match = table.match
    assert match is not None
    before = match.round
    on_turn = before.turn if before is not None else None
    try:
        happenings = match.apply(seat, action)
    except Refused as refused:
        raise Refusal(refused.code) from None
    if table.recorder is not None:
        note(table, seat, action, by_clock)
    _tell_all(table, happenings)
    table.out.moves += 1
    kind = type(action)
    if kind is Catch or kind is Penalty:
        table.turn += (action.seat if isinstance(action, Catch) else seat) == on_turn
    elif kind is not Una:
        _next_decision(table, kind, on_turn)


def pass_on(table: TableState, seat: Seat, action: RecordedAction, first: Callable[[int | None], ev.Event]) -> None:
    """A seat leaves the match (L1): what everybody hears first, then what follows from it."""
    match = table.match
    assert match is not None
    running = table.round is not None
    happenings = match.apply(seat.number, action)
    note(table, seat.number, action, False)
    table.tell(first(len(match.round.draw_pile) if running and match.round is not None else None))
    on_turn = table.told[1] if table.told else None
    _tell_all(table, happenings)
    if table.round is not None:
        _next_decision(table, type(action), on_turn)


def _tell_all(table: TableState, happenings: Iterable[Happening]) -> None:
    for happening in happenings:
        if isinstance(happening, ev.RoundOver):
            happening = end_round(table, happening)
        elif isinstance(happening, ev.MatchOver):
            end_match(table, happening)
        table.tell(happening)


def _next_decision(table: TableState, kind: type, on_turn: int | None) -> None:
    """Another number for the decision; the clock runs on while the same seat is still at the same turn."""
    round = table.round
    if round is None:
        return
    table.turn += 1
    table.turn_began = table.now
    if round.turn != on_turn or (round.phase != "drawn" and kind in _NEW_TURN):
        table.limit_began = table.now


def settle(table: TableState) -> None:
    """After a command: tell whose decision it is, if that has changed, and ask the seat on turn."""
    round = table.round
    if round is None:
        if table.kept or table.waiting:
            decide_catches(table)
        table.told = ()
        table.open_seats = ()
        table.notices = []
        return
    open_seats = catchable(round)
    if table.kept and any(kept.target not in open_seats for kept in table.kept):
        decide_catches(table)
        settle(table)
        return
    called = tuple(sorted(round.called)) if round.called else ()
    told = (table.turn, round.turn, round.phase, round.pending, open_seats, called)
    if told == table.told:
        return
    new = not table.told or table.told[0] != table.turn
    table.told, table.told_turn = told, table.turn
    if open_seats != table.open_seats:
        _window(table, round, open_seats)
    seat = table.seats[round.turn]
    left = None if seat.connected and not table.settings.turn_s else _left_ms(table, seat)
    table.tell(ev.Turn(round.turn, table.turn, round.phase, round.pending, open_seats, called, left))
    if new:
        table.out.turn = _ask(table, round, seat, left)


def turn_message(table: TableState) -> tuple[str, TurnNow] | None:
    """The pending decision for the guest who owes it; None where a house bot decides, or nobody."""
    round = table.round
    if round is None:
        return None
    seat = table.seats[round.turn]
    return _ask(table, round, seat, _left_ms(table, seat))


def _ask(table: TableState, round: Round, seat: Seat, left: int | None) -> tuple[str, TurnNow] | None:
    if seat.guest is None or seat.auto or seat.taken:
        return None
    legal = turn_actions(round)
    # drawing is the default wherever it is allowed, and mostly stands last
    default = len(legal) - 1 if legal[-1] is DRAW else legal.index(default_action(round))
    may_call = len(round.hands[seat.number]) == 2 and can_una(round, seat.number)
    return seat.guest.key, TurnNow(table.id, table.turn, table.seq, round.phase, legal, default, may_call, left)


def limit_ends(table: TableState, seat: Seat) -> float | None:
    """When the time of the seat on turn runs out; None: no limit, or a house bot decides."""
    if seat.guest is None or seat.auto or seat.taken:
        return None
    if table.settings.turn_s:
        return table.limit_began + table.settings.turn_s
    if not seat.connected:
        return max(table.limit_began, seat.lost_at) + LOST_LIMIT_S
    return None


def time_left_ms(table: TableState) -> int | None:
    """What is left of the time to decide, in whole milliseconds; None: no limit, or nobody has to decide."""
    round = table.round
    return None if round is None else _left_ms(table, table.seats[round.turn])


def _left_ms(table: TableState, seat: Seat) -> int | None:
    ends = limit_ends(table, seat)
    if ends is None:
        return None
    return max(0, round((ends - (table.paused_at if table.paused else table.now)) * 1000))


# -- catching ---------------------------------------------------------------------------------------------------------


def grace_s(table: TableState) -> float:
    """How long after the laying a catch is kept before it counts (U5)."""
    return 0.0 if table.all_bots else table.settings.una_grace_ms / 1000


def grace_ends(table: TableState) -> float:
    """When the grace of the open window ends."""
    return table.opened_at + grace_s(table)


def _catch(table: TableState, guest: Guest, seat: Seat, re: int, do: Catch) -> dict[str, object] | None:
    cool = table.cooling.get(seat.number, 0.0) - table.now
    if cool > 0:
        raise Refusal("too_fast", "You tried to catch with nothing to catch a moment ago.", round(cool * 1000) + 1)
    current = table.round
    assert current is not None
    if table.now < grace_ends(table) and do in legal_actions(current, seat.number):
        if any(kept.seat == seat.number for kept in table.kept):
            raise Refusal("too_fast", "Your catch is being decided.", 500)
        table.kept.append(KeptCatch(guest.key, re, seat.number, do.seat))
        return None
    try:
        apply(table, seat.number, do)
    except Refusal as refusal:
        if refusal.code == "nothing_to_catch":
            table.cooling[seat.number] = table.now + COOL_DOWN_S
        raise
    return {}


def decide_catches(table: TableState) -> None:
    """The grace is over, or una was called: the kept catches count or not, then what waited for them happens."""
    kept, table.kept = table.kept, []
    for catch in kept:
        try:
            if table.round is None:
                raise Refusal("nothing_to_catch")
            apply(table, catch.seat, Catch(catch.target))
        except Refusal:
            table.answer(catch.key, Refusal("nothing_to_catch").err(catch.id))
        else:
            table.done.append((catch.key, catch.id, {}))
    waiting, table.waiting = table.waiting, []
    for wait in waiting:
        _act_late(table, wait)


def _act_late(table: TableState, wait: WaitingAct) -> None:
    """An action that waited keeps its turn number: it is judged as if it came now, for the decision it answered."""
    number = table.seat_by_key.get(wait.guest.key)
    try:
        if number is None:
            raise Refusal("not_seated")
        if table.round is None:
            raise Refusal("round_over")
        apply(table, number, wait.message.do)
        table.seats[number].defaults = 0
    except Refusal as refusal:
        table.answer(wait.guest.key, refusal.err(wait.message.id))
    else:
        table.done.append((wait.guest.key, wait.message.id, {}))


def _window(table: TableState, round: Round, open_seats: tuple[int, ...]) -> None:
    """Somebody forgot to call, or the window closed: which house bots notice, is settled here and now."""
    opened = set(open_seats) - set(table.open_seats)
    table.open_seats = open_seats
    table.notices = []
    if not opened:
        return
    table.opened_at = table.now
    for seat in table.taken_seats():
        if seat.house_plays:
            catches = [action for action in legal_actions(round, seat.number) if type(action) is Catch]
            if catches and table.moods.random() < LEVELS[seat.level or SUBSTITUTE].notices:
                table.notices.append((seat.number, catches[0]))
    table.notice_at = table.now + (0.0 if table.hurried else max(grace_s(table), NOTICE_S))
