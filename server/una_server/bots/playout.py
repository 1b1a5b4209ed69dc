"""Playing a round to its end quickly, by a simple and sensible way to play: the measure of the search.

Works on the real engine, on rounds that were made up from what a seat knows. Everybody plays alike: coloured cards
before wild ones, cards that hurt when the next player is about to go out, wishes for the colour held most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from una_protocol.actions import CHALLENGE, DRAW, PASS, Action, Draw, Pass, Play, Wish
from una_protocol.cards import COLORS, WILD, WILD_DRAW_FOUR, Card

from ..game import Round
from ..game.cardset import FOUR_BIT, OF_COLOR, OF_FACE, WILD_BIT, WILDS, cards_of
from ..game.flow import challenge, draw, pass_, wish
from ..game.laying import play

_ATTACKS: Final = OF_FACE["S"] | OF_FACE["R"] | OF_FACE["+2"]
_SUITS: Final = tuple(OF_COLOR[color] for color in COLORS)
_CLOSE: Final = 2
"""A next player with so few cards is about to go out."""
_LONGEST: Final = 400
"""A playout with so many moves is given up and counts as nobody's."""


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

Handler = Callable[[Round, int, Action], object]
_HANDLERS: Final[dict[type, Handler]] = {
    Play: play, Draw: draw, Pass: pass_, Wish: wish, type(CHALLENGE): challenge,
}  # type: ignore[dict-item]  # fmt: skip


def apply(state: Round, seat: int, action: Action) -> None:
    """Do it, on the engine, without the match around it."""
    _HANDLERS[type(action)](state, seat, action)


def finish(state: Round, random: Callable[[], float]) -> int | None:
    """Play the round to its end; who won."""
    for _ in range(_LONGEST):
        if state.phase == "over":
            return state.winner
        _step(state, random)
    return None


def _step(state: Round, random: Callable[[], float]) -> None:
    seat = state.turn
    phase = state.phase
    cards = state.playable(seat) if phase != "wish" else 0
    if cards:
        colored = cards & ~WILDS
        if colored:
            if colored & _ATTACKS and len(state.hands[state.after[seat]]) <= _CLOSE:
                colored &= _ATTACKS
            plays = _PLAYS[colored]
            action = plays[int(random() * len(plays))]
            if colored & state.rules.swapping:
                action = _with_target(state, seat, action)
        elif cards & WILD_BIT:
            action = _WILD_PLAYS[favorite(state.held[seat])]
        else:
            action = _FOUR_PLAYS[favorite(state.held[seat])]
        play(state, seat, action)
    elif phase == "turn":
        if state.draw_pile or len(state.discards) > 1:
            draw(state, seat, DRAW)
        else:
            pass_(state, seat, PASS)
    elif phase == "penalty":
        draw(state, seat, DRAW)
    elif phase == "drawn":
        pass_(state, seat, PASS)
    else:
        wish(state, seat, _WISHES[favorite(state.held[seat])])


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


__all__ = ["FOUR_BIT", "Card", "apply", "favorite", "finish"]
