"""What may be done: the legal list of the seat on turn, everything a seat may do, and the default move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Play, Wish
from una_protocol.cards import COLOR, COLORS, Card, Color

from .cardset import BIT, WILDS, cards_of
from .round import Round

_KEPT_LISTS: Final = 65_536
"""So many lists of actions are kept at most; a long-lived server must not collect them without end."""

PLAYS: Final[dict[Card, tuple[Play, ...]]] = {
    card: (Play(card),) if color else tuple(Play(card, wish) for wish in COLORS) for card, color in COLOR.items()
}
"""Card -> the ways to lay it: a wild with each colour (T4)."""

WISHES: Final[tuple[Action, ...]] = tuple(Wish(color) for color in COLORS)


class _SuitPlays(dict[int, tuple[Play, ...]]):
    """Set of cards of one colour, shifted to the lowest bits -> each way to lay each of them. At most 8192 entries."""

    def __init__(self, shift: int) -> None:
        super().__init__()
        self._shift = shift

    def __missing__(self, cards: int) -> tuple[Play, ...]:
        self[cards] = plays = tuple(play for card in cards_of(cards << self._shift) for play in PLAYS[card])
        return plays


_SUITS: Final = tuple(map(_SuitPlays, (0, 13, 26, 39, 52)))
"""The plays of each colour, and of the wild cards. Lists are put together from these five parts: large hands come in
too many combinations to keep a list for each.
"""
_SUIT: Final = (1 << 13) - 1


class ActionLists(dict[int, tuple[Action, ...]]):
    """Set of cards -> each way to lay each of them, then the same few other actions; made when first asked for."""

    __slots__ = ("_others",)

    def __init__(self, *others: Action) -> None:
        super().__init__()
        self._others = others

    def __missing__(self, cards: int) -> tuple[Action, ...]:
        if len(self) >= _KEPT_LISTS:
            self.clear()
        red, green, blue, yellow, wild = _SUITS
        self[cards] = entries = (
            *red[cards & _SUIT],
            *green[cards >> 13 & _SUIT],
            *blue[cards >> 26 & _SUIT],
            *yellow[cards >> 39 & _SUIT],
            *wild[cards >> 52],
            *self._others,
        )
        return entries


_ONLY_PLAYS: Final = ActionLists()
_OR_DRAW: Final = ActionLists(DRAW)
_OR_PASS: Final = ActionLists(PASS)
_OR_CHALLENGE: Final = ActionLists(DRAW, CHALLENGE)


def turn_actions(state: Round) -> tuple[Action, ...]:
    """Everything the seat on turn may decide: the complete `legal` of the protocol.

    Each wild comes with each colour, each swapping seven with each seat; each card once. Calls of una, catches and
    jump-ins are no decisions of the turn and never listed. Empty when the round is over.
    """
    seat = state.turn
    cards = state.playable(seat) if state.rules.strict else state.held[seat] & state.fits  # the call is not free
    phase = state.phase
    if phase == "turn":
        if cards and not state.rules.voluntary_draw:
            lists = _ONLY_PLAYS  # T2 (S1)
        elif state.draw_pile or len(state.discards) > 1:
            lists = _OR_DRAW
        else:
            lists = _ONLY_PLAYS if cards else _OR_PASS  # T5
    elif phase == "penalty":
        lists = _OR_CHALLENGE if state.evidence else _OR_DRAW
    elif phase == "drawn":
        lists = _ONLY_PLAYS if cards and state.rules.options.force_play else _OR_PASS
    else:
        return WISHES if phase == "wish" else ()
    if cards & state.rules.swapping and len(state.hands[seat]) > 1:
        return (*_ways_to_lay(state, seat, cards), *lists[0])
    return lists[cards]


def _ways_to_lay(state: Round, seat: int, cards: int) -> list[Play]:
    """The plays of these cards, a seven with each seat to swap with (H2) unless it is the last card."""
    swapping = state.rules.swapping if len(state.hands[seat]) > 1 else 0
    plays: list[Play] = []
    for card in cards_of(cards):
        if BIT[card] & swapping:
            plays += [Play(card, swap_with=other) for other in state.order if other != seat]
        else:
            plays += PLAYS[card]
    return plays


def legal_actions(state: Round, seat: int) -> list[Action]:
    """Everything the seat may do now: also calls of una, plays with a call (U6), catches, and jump-ins (H1)."""
    if state.over or seat not in state.order:
        return []
    actions: list[Action] = []
    if seat == state.turn:
        actions += turn_actions(state)
    else:
        actions += _ways_to_lay(state, seat, jump_ins(state, seat))
    if may_call_with_card(state, seat):
        actions += [
            Play(action.card, action.color, action.swap_with, una=True)
            for action in actions
            if isinstance(action, Play)
        ]
    if may_call(state, seat):
        actions.append(UNA)
    return [*actions, *map(Catch, may_catch(state, seat))]


def jump_ins(state: Round, seat: int) -> int:
    """H1: the set of cards the seat may lay out of turn – the identical coloured card, or none."""
    if state.rules.options.jump_in and state.phase == "turn" and seat != state.turn:
        return BIT[state.top] & state.held[seat] & ~WILDS
    return 0


def may_call_with_card(state: Round, seat: int) -> bool:
    """U6: whether this seat's next card, laid now, is the second-to-last, so that una can be called with it."""
    return state.rules.una and len(state.hands[seat]) == 2


def can_una(state: Round, seat: int) -> bool:
    """Whether the seat on turn can call una before or with the card it lays (U1, U6), and has not done so yet."""
    return (
        may_call_with_card(state, seat)
        and seat == state.turn
        and seat not in state.called
        and state.playable(seat) != 0
        and not state.over
    )


def may_call(state: Round, seat: int) -> bool:
    """U1: whether an `una` of this seat would be accepted: before laying, or with one card left; not twice."""
    if seat in state.called or not state.rules.una or seat not in state.order or state.over:
        return False
    return len(state.hands[seat]) == 1 or can_una(state, seat)


def catchable(state: Round) -> tuple[int, ...]:
    """U3: the seats that can be caught now."""
    if state.forgot is None or state.over or len(state.hands[state.forgot]) != 1:
        return ()
    return (state.forgot,)


def may_catch(state: Round, seat: int) -> tuple[int, ...]:
    """U3: the seats that this seat can catch now."""
    return tuple(open_seat for open_seat in catchable(state) if _is_catcher(state, seat, open_seat))


def _is_catcher(state: Round, seat: int, open_seat: int) -> bool:
    """`una_catcher`: the next seat in the direction of play, skipped or not, and the seat on turn; or anyone."""
    if seat == open_seat or seat not in state.order:
        return False
    anyone = state.rules.options.una_catcher == "anyone"
    return anyone or seat in (state.after[open_seat], state.turn)


def default_action(state: Round) -> Action:
    """The move that is played when a turn limit runs out (rules, "Default moves")."""
    actions = turn_actions(state)
    seat = state.turn
    if state.phase == "wish":
        return Wish(favorite_color(state.hands[seat]))
    if DRAW in actions:
        return DRAW
    if PASS in actions:
        return PASS
    first = actions[0]
    if isinstance(first, Play) and first.color:
        return Play(first.card, favorite_color(state.hands[seat]))
    return first


def favorite_color(hand: Iterable[Card]) -> Color:
    """The colour held most; among equals the first of red, green, blue, yellow."""
    counts = dict.fromkeys(COLORS, 0)
    for card in hand:
        if color := COLOR[card]:
            counts[color] += 1
    return max(COLORS, key=counts.__getitem__)
