"""Every action of a round except laying a card: what is checked, what changes, what is told.

`HANDLERS` is the table of actions, for seats that take part in a round that runs. Each handler checks everything before
it changes anything, so that a `Refused` leaves the round as it was. What the end of a round means for the match is
told in `match`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from una_protocol.actions import Catch, Challenge, Draw, Leave, Pass, Penalty, Play, RecordedAction, Una, Wish
from una_protocol.cards import COLORS, Card
from una_protocol.events import Caught, Challenged, Passed, Shown, UnaCalled, Wished

from .cardset import BIT
from .happening import Happening, Split
from .laying import play
from .legal import catchable, may_call, may_catch
from .refused import Refused
from .round import Round


def knows(seats: tuple[int, ...], action: RecordedAction) -> bool:
    """Whether the seat that the action names, if any, is one of these."""
    if isinstance(action, Play):
        return action.swap_with is None or action.swap_with in seats
    return not isinstance(action, Catch) or action.seat in seats


def draw(state: Round, seat: int, action: Draw) -> list[Happening]:
    """T2, D1: draw a card, or take the pending ones."""
    if seat != state.turn:
        raise Refused("not_your_turn")
    if state.phase == "turn":
        if not state.rules.voluntary_draw and state.playable(seat):
            raise Refused("must_play")
        if state.can_draw:
            return _draw_for_the_turn(state, seat)
    elif state.phase == "penalty":
        return _take(state, seat, state.pending, "pending", [])
    raise Refused("cannot_draw")


def _draw_for_the_turn(state: Round, seat: int) -> list[Happening]:
    """T3: a card that fits may be laid now, else the turn ends. With `draw_until_playable` one draws until it fits."""
    told: list[Happening] = []
    rules = state.rules
    cards: list[Card] = []
    fits = 0
    while state.draw_pile or state.refill(told):
        card = state.draw_pile.pop()
        cards.append(card)
        state.gain(seat, (card,))
        fits = state.fits & BIT[card] and state.playable(seat) & BIT[card]
        if fits or not rules.draw_until_playable:
            break
    state.tell_drawn(seat, cards, "turn", told)
    if fits and rules.play_drawn:
        state.phase = "drawn"
        state.drawn = cards[-1]
        state.fits = fits
        if rules.acts_close:
            state.forgot = None
    else:
        state.end_turn()
    return told


def _take(state: Round, seat: int, number: int, why: Any, told: list[Happening]) -> list[Happening]:
    """D1: the seat takes the pending cards and loses the turn."""
    state.pending = 0
    state.evidence = None
    state.draw_cards(seat, number, why, told)
    state.end_turn()
    return told


def pass_(state: Round, seat: int, action: Pass) -> list[Happening]:
    """T3: keep the drawn card. T5: nothing to lay and nothing to draw; if all pass in a row, the round is blocked."""
    if seat != state.turn:
        raise Refused("not_your_turn")
    if state.phase == "drawn":
        if state.rules.options.force_play and state.playable(seat):
            raise Refused("must_play")
        state.end_turn()
        return [Passed(seat)]
    if state.phase != "turn" or state.can_draw or state.playable(seat):
        raise Refused("cannot_pass")
    state.passes += 1
    if state.passes == len(state.order):
        state.finish(None)
    else:
        state.end_turn()
    return [Passed(seat)]


def wish(state: Round, seat: int, action: Wish) -> list[Happening]:
    """F2: the starter wishes a colour for the wild turned up first."""
    if seat != state.turn:
        raise Refused("not_your_turn")
    if state.phase != "wish" or action.color not in COLORS:
        raise Refused("color_not_allowed")
    state.match(action.color, state.rules.wish_served)
    state.open_turn(seat)
    return [Wished(seat, action.color)]


def challenge(state: Round, seat: int, action: Challenge) -> list[Happening]:
    """D5: doubt the draw four just laid."""
    if seat != state.turn:
        raise Refused("not_your_turn")
    evidence = state.evidence
    if state.phase != "penalty" or evidence is None:
        raise Refused("cannot_challenge")
    told: list[Happening] = [
        Challenged(seat, evidence.seat, evidence.guilty),
        Split(Shown(evidence.seat, seat), {seat: Shown(evidence.seat, seat, evidence.hand)}),
    ]
    if not evidence.guilty:
        extra = state.rules.options.failed_challenge_extra
        return _take(state, seat, state.pending + extra, "challenge", told)
    state.draw_cards(evidence.seat, state.pending, "challenge", told)
    state.pending = 0
    state.evidence = None
    if state.rules.acts_close:
        state.forgot = None
    state.open_turn(seat)
    return told


def una(state: Round, seat: int, action: Una) -> list[Happening]:
    """U1: call una."""
    if not may_call(state, seat):
        raise Refused("una_not_now")
    state.called.add(seat)
    if state.forgot == seat:
        state.forgot = None
    return [UnaCalled(seat)]


def catch(state: Round, seat: int, action: Catch) -> list[Happening]:
    """U3: catch a seat that forgot to call; it draws, and the turn does not move."""
    if action.seat not in state.order:
        raise Refused("unknown_player")
    if action.seat not in catchable(state):
        raise Refused("nothing_to_catch")
    if action.seat not in may_catch(state, seat):
        raise Refused("cannot_catch")
    state.forgot = None
    told: list[Happening] = [Caught(action.seat, seat)]
    state.draw_cards(action.seat, state.rules.options.una_penalty, "una", told)
    return told


def penalty(state: Round, seat: int, action: Penalty) -> list[Happening]:
    """P2: the table's verdict; the seat draws."""
    told: list[Happening] = []
    state.draw_cards(seat, action.n, action.why, told)
    return told


def leave(state: Round, seat: int, action: Leave) -> list[Happening]:
    """L1: the seat leaves the round for good; its hand goes under the draw pile, its turn to the next seat."""
    following = state.after[seat]
    state.draw_pile[:0] = sorted(state.hands[seat], reverse=True)  # the last of the list is drawn first
    state.hands[seat] = []
    state.held[seat] = state.doubled[seat] = 0
    state.called.discard(seat)
    if state.forgot == seat:
        state.forgot = None
    if state.evidence and state.evidence.seat == seat:
        state.evidence = None
    state.order = tuple(other for other in state.order if other != seat)
    state.passes = 0  # the hand can be drawn now
    state.seat_neighbours()
    if len(state.order) == 1:
        state.finish(state.order[0])
    elif state.turn == seat:
        _inherit_turn(state, following)
    return []


def _inherit_turn(state: Round, seat: int) -> None:
    """Pending cards and the wish asked for go to the next seat; a drawn card does not, and no window closes (U3)."""
    if state.phase == "wish":
        state.turn = seat
    else:
        state.open_turn(seat)


HANDLERS: Final[dict[type, Callable[[Round, int, Any], list[Happening]]]] = {
    Play: play,
    Draw: draw,
    Pass: pass_,
    Wish: wish,
    Challenge: challenge,
    Una: una,
    Catch: catch,
    Penalty: penalty,
    Leave: leave,
}
