"""Laying a card: whether it may be laid, and what follows from it.

What a face does stands in three tables: `DRAWS` (cards pending for the next player), `_FOLLOWING` (who is next, where
it is not simply the next seat) and `_CHANGES` (hands that change owners). Most cards are in none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from una_protocol.actions import Play
from una_protocol.cards import COLOR, COLORS, FACE, Card
from una_protocol.events import Event, Played, Reversed, Skipped

from .cardset import BIT, FOUR_BIT, WILDS
from .happening import Happening, Split
from .legal import jump_ins
from .refused import Refused
from .round import Evidence, Round
from .rules import COLORED_FITS

_Item = TypeVar("_Item")


def play(state: Round, seat: int, action: Play) -> list[Happening]:
    """T1–T4, H1: lay a card, on the own turn or as a jump-in."""
    bit = BIT.get(action.card, 0)
    if action.swap_with is not None and action.swap_with not in state.order:
        raise Refused("unknown_player")
    if seat == state.turn:
        playable = state.playable(seat) if state.rules.strict else state.held[seat] & state.fits
    else:
        playable = jump_ins(state, seat)
        if not bit & playable:
            raise Refused("not_your_turn")
    colored = action.color in state.rules.wished if bit & WILDS else action.color is None
    if bit & playable and colored and action.swap_with is None and not action.una and not bit & state.rules.swapping:
        return _lay(state, seat, action, bit)
    code = _why_not(state, seat, action, playable)
    if code is None:
        return _lay(state, seat, action, bit)
    if code in _COSTS_CARDS and state.rules.options.illegal_card_penalty:
        return _take_back(state, seat)
    raise Refused(code)


_COSTS_CARDS: Final = ("illegal_card", "draw_four_not_allowed")


def _why_not(state: Round, seat: int, action: Play, playable: int) -> str | None:
    """The code by which the card is refused, or None; the checks stand in the order in which codes take precedence."""
    card = action.card
    hand = state.hands[seat]
    if state.phase == "wish":
        return "color_required"
    if card not in hand:
        return "not_in_hand"
    if COLOR[card] is None:
        if action.color not in COLORS:
            return "color_required"
    elif action.color is not None:
        return "color_not_allowed"
    if action.una and (len(hand) != 2 or not state.rules.una):
        return "una_not_now"
    if not BIT[card] & playable:
        guarded = state.rules.strict and state.held[seat] & state.rules.guards[state.top, state.color]
        return "draw_four_not_allowed" if guarded and BIT[card] == FOUR_BIT else "illegal_card"
    return _wrong_target(state, seat, action)


def _wrong_target(state: Round, seat: int, action: Play) -> str | None:
    """H2: a seven names another seat, unless it is the last card; no other card names one."""
    swapping = bool(BIT[action.card] & state.rules.swapping) and len(state.hands[seat]) > 1
    named = action.swap_with is not None and action.swap_with != seat
    return None if swapping == named and (swapping or action.swap_with is None) else "target_required"


def _take_back(state: Round, seat: int) -> list[Happening]:
    """P1 (S3): the card comes back with others; turn and phase stay. It counts as an act of the player (U3)."""
    told: list[Happening] = []
    if state.rules.acts_close:
        state.forgot = None
    state.draw_cards(seat, state.rules.options.illegal_card_penalty, "illegal", told)
    return told


def _lay(state: Round, seat: int, action: Play, bit: int) -> list[Happening]:
    """The card becomes the top, and does what it does."""
    card = action.card
    rules = state.rules
    jump = seat != state.turn
    if jump:
        state.void_call(state.turn)  # the turn of that seat ends without laying (U2)
    state.remove(seat, card)
    if rules.bluff:
        state.evidence = _evidence(state, seat) if bit == FOUR_BIT else None
    state.forgot = None
    state.passes = 0
    state.discards.append(card)
    state.top = card
    wished = action.color
    if wished is None:
        state.color = COLOR[card]
        state.wish_served = True
        state.matching = COLORED_FITS[card]
    else:
        state.color = wished
        state.wish_served = rules.wish_served
        state.matching = rules.wished[wished]
    left = len(state.hands[seat])
    if left == 0:
        return _go_out(state, seat, jump)
    una = left == 1 and _call_or_forget(state, seat, action.una)
    if bit & rules.plain:
        state.open_turn(state.after[seat])
        return [Played(seat, card, state.color, 0, una, jump)]
    face = FACE[card]
    if face in DRAWS:
        state.pending += DRAWS[face]
    elif face in _CHANGES:
        return _change_hands(state, seat, action, una, jump)
    told: list[Happening] = [Played(seat, card, state.color, state.pending, una, jump)]
    following = _FOLLOWING[face](state, seat, told) if face in _FOLLOWING else state.after[seat]
    state.open_turn(following)
    return told


DRAWS: Final = {"+2": 2, "W+4": 4}
"""Face -> the cards it makes the next player draw (D1)."""


def _evidence(state: Round, seat: int) -> Evidence:
    """D5: judged by the rest of the hand, and the colour and top before the draw four becomes the top."""
    guilty = bool(state.held[seat] & state.rules.guards[state.top, state.color])
    return Evidence(seat, tuple(state.hands[seat]), guilty)


def _call_or_forget(state: Round, seat: int, with_card: bool) -> bool:
    """U3, U6: the second-to-last card is laid. True if una is called with it, and was not before."""
    if seat in state.called or not state.rules.una:
        return False
    if with_card:
        state.called.add(seat)
    else:
        state.forgot = seat
    return with_card


def _go_out(state: Round, seat: int, jump: bool) -> list[Happening]:
    """E1: the last card is laid. With `last_card_draws` the next player still takes what is pending."""
    card = state.top
    draws = DRAWS.get(FACE[card], 0) if state.rules.options.last_card_draws else 0
    pending = state.pending + draws if draws else 0
    told: list[Happening] = [Played(seat, card, state.color, pending, False, jump)]
    if draws:
        state.draw_cards(state.after[seat], pending, "pending", told)
    state.finish(seat)
    return told


# -- who is next ------------------------------------------------------------------------------------------------


def _skip(state: Round, seat: int, told: list[Happening]) -> int:
    """T6: the next seat does nothing this turn."""
    skipped = state.after[seat]
    told.append(Skipped(skipped))
    return state.after[skipped]


def _reverse(state: Round, seat: int, told: list[Happening]) -> int:
    """T6: the direction turns; between two players a reverse is a skip, unless the option says `turn`."""
    if len(state.order) == 2 and state.rules.options.two_player_reverse != "turn":
        return _skip(state, seat, told)
    state.reverse()
    told.append(Reversed(1 if state.direction == 1 else -1))
    return state.after[seat]


_FOLLOWING: Final[dict[str, Callable[[Round, int, list[Happening]], int]]] = {"S": _skip, "R": _reverse}
"""Face -> the seat whose turn follows, where it is not simply the next one."""


# -- hands change owners (H2) -----------------------------------------------------------------------------------


def _swapped(state: Round, seat: int, action: Play) -> dict[int, int]:
    """A seven: two seats swap. Seat -> the seat whose hand it gets."""
    other = action.swap_with
    return {} if other is None else {seat: other, other: seat}


def _passed_on(state: Round, seat: int, action: Play) -> dict[int, int]:
    """A zero: each hand goes to the next seat in the direction of play. Seat -> the seat whose hand it gets."""
    return {getter: state.before[getter] for getter in state.order}


_CHANGES: Final[dict[str, Callable[[Round, int, Play], dict[int, int]]]] = {"7": _swapped, "0": _passed_on}
"""Face -> who gets whose hand."""


def _change_hands(state: Round, seat: int, action: Play, una: bool, jump: bool) -> list[Happening]:
    """The hands change owners; a call or a forgotten una stays with the one who laid the card, at one card (U3)."""
    givers = _CHANGES[FACE[action.card]](state, seat, action)
    _move_along(state.hands, givers)
    _move_along(state.held, givers)
    _move_along(state.doubled, givers)
    for getter in givers:
        if getter != seat:
            state.called.discard(getter)
    state.void_call(seat)

    counts = tuple(map(len, state.hands))
    own: dict[int, Event] = {
        getter: _hands_changed(seat, action, state, una, jump, counts, tuple(state.hands[getter])) for getter in givers
    }
    public = _hands_changed(seat, action, state, una, jump, counts, None)
    state.open_turn(state.after[seat])
    return [Split(public, own)]


def _move_along(by_seat: list[_Item], givers: dict[int, int]) -> None:
    """Each getter's entry becomes that of its giver."""
    for getter, item in [(getter, by_seat[giver]) for getter, giver in givers.items()]:
        by_seat[getter] = item


def _hands_changed(
    seat: int, action: Play, state: Round, una: bool, jump: bool, counts: tuple[int, ...], hand: tuple[Card, ...] | None
) -> Played:
    return Played(seat, action.card, state.color, 0, una, jump, action.swap_with, counts, hand)
