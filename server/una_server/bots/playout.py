"""Playing a round to its end quickly, by a simple and sensible way to play: the measure of the search.

Works on the real engine, on rounds that were made up from what a seat knows. Everybody plays alike: coloured cards
before wild ones, cards that hurt when the next player is about to go out, wishes for the colour held most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from una_protocol.actions import CHALLENGE, DRAW, PASS, Action, Play, Wish
from una_protocol.cards import COLORS, WILD, WILD_DRAW_FOUR

from ..game import Round
from ..game.cardset import OF_COLOR, OF_FACE, WILD_BIT, WILDS, cards_of
from ..game.flow import HANDLERS, challenge, draw, pass_, wish
from ..game.laying import play

_ATTACKS: Final = OF_FACE["S"] | OF_FACE["R"] | OF_FACE["+2"]
_SUITS: Final = tuple(OF_COLOR[color] for color in COLORS)
_CLOSE: Final = 2
"""A next player with so few cards is about to go out."""
_DOUBTS: Final = 0.3
"""How often a draw four is challenged."""
_MANY: Final = 4
"""With more cards than that, wild ones are kept."""


class _Plays(dict[int, tuple[Play, ...]]):
    """Set of coloured cards -> how to lay each of them. There are not many that fit at one time."""

    def __missing__(self, cards: int) -> tuple[Play, ...]:
        if len(self) > 50_000:
            self.clear()
        plays = self[cards] = tuple(Play(card) for card in cards_of(cards))
        return plays


_PLAYS: Final = _Plays()
_WILD_PLAYS: Final = tuple(Play(WILD, color) for color in COLORS)
_FOUR_PLAYS: Final = tuple(Play(WILD_DRAW_FOUR, color) for color in COLORS)
_WISHES: Final = tuple(Wish(color) for color in COLORS)


def apply(state: Round, seat: int, action: Action) -> None:
    """Do it, on the engine, without the match around it."""
    HANDLERS[type(action)](state, seat, action)


def play_on(state: Round, moves: int, random: Callable[[], float]) -> None:
    """Play so many moves, or to the end of the round."""
    for _ in range(moves):
        if state.phase == "over":
            return
        _step(state, random)


def _step(state: Round, random: Callable[[], float]) -> None:
    seat = state.turn
    phase = state.phase
    if phase == "wish":
        wish(state, seat, _WISHES[favorite(state.held[seat])])
        return
    cards = state.playable(seat)
    if cards & ~WILDS:
        _lay_colored(state, seat, cards & ~WILDS, random)
    elif cards and not _keeps_wild(state, seat, phase):
        ways = _WILD_PLAYS if cards & WILD_BIT else _FOUR_PLAYS
        play(state, seat, ways[favorite(state.held[seat])])
    elif phase == "drawn" or (phase == "turn" and not state.draw_pile and len(state.discards) < 2):
        pass_(state, seat, PASS)
    elif state.evidence is not None and random() < _DOUBTS:
        challenge(state, seat, CHALLENGE)
    else:
        draw(state, seat, DRAW)


def _lay_colored(state: Round, seat: int, cards: int, random: Callable[[], float]) -> None:
    """Between two, what costs the other the turn; then the colour held most; among those, any."""
    attacks = cards & _ATTACKS
    if attacks and (len(state.order) == 2 or len(state.hands[state.after[seat]]) <= _CLOSE):
        cards = attacks
    plays = _PLAYS[cards]
    if len(plays) > 1:
        held = state.held[seat]
        most, chosen = -1, cards
        for suit in _SUITS:
            if cards & suit:
                count = (held & suit).bit_count()
                if count > most:
                    most, chosen = count, cards & suit
        plays = _PLAYS[chosen]
    action = plays[int(random() * len(plays))]
    if cards & state.rules.swapping:
        action = _with_target(state, seat, action)
    play(state, seat, action)


def _keeps_wild(state: Round, seat: int, phase: str) -> bool:
    """With many cards left a wild card is worth more later; only where the rules let one draw or pass instead."""
    if len(state.hands[seat]) <= _MANY or len(state.hands[state.after[seat]]) <= _CLOSE:
        return False
    if phase == "turn":
        return state.rules.voluntary_draw and bool(state.draw_pile)
    return phase == "drawn" and not state.rules.options.force_play


def favorite(held: int) -> int:
    """The place of the colour of which the most different cards are held."""
    best = place = 0
    for number, suit in enumerate(_SUITS):
        count = (held & suit).bit_count()
        if count > best:
            best, place = count, number
    return place


def _with_target(state: Round, seat: int, action: Play) -> Play:
    """H2: a seven takes the smallest hand."""
    if action.card[1:] != "7" or len(state.hands[seat]) < 2:
        return action
    others = [other for other in state.order if other != seat]
    return Play(action.card, swap_with=min(others, key=lambda other: len(state.hands[other])))
