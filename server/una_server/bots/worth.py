"""How likely a seat is to win from here: an estimate that ends playouts early.

Each hand has a strength – how many cards, how many wild ones and attacks among them, how many colours, whose turn it
is – and a seat wins in proportion to the exponential of it. The weights were fitted (by logistic regression) to what
became of some ten thousand positions of playouts, for two, three, four, and six players, under the rules `una` and
`official`; what they say is what one would expect: every card less helps, a wild card is worth one or two cards.
"""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

from una_protocol.cards import COLORS

from ..game import Round
from ..game.cardset import OF_COLOR, OF_FACE, WILDS

ATTACKS: Final = OF_FACE["S"] | OF_FACE["R"] | OF_FACE["+2"]
_RED, _GREEN, _BLUE, _YELLOW = (OF_COLOR[color] for color in COLORS)


class Weights(NamedTuple):
    """`cards`: by number of cards, from none to twelve. The others are for each kind of card, or for the turn."""

    cards: tuple[float, ...]
    wild: float
    attack: float
    color: float
    turn: float
    following: float
    fitting: float


_TWO: Final = Weights(
    (9.0, 1.50, 0.90, 0.56, 0.35, 0.22, 0.03, -0.20, -0.35, -0.50, -0.68, -0.90, -1.05),
    0.85, 0.31, -0.30, -0.13, 0.13, 0.52,
)  # fmt: skip
_THREE: Final = Weights(
    (9.0, 1.76, 0.98, 0.55, 0.28, 0.04, -0.26, -0.54, -0.79, -0.97, -1.30, -1.50, -1.70),
    0.97, 0.12, -0.16, -0.22, 0.09, 0.59,
)  # fmt: skip
_FOUR: Final = Weights(
    (9.0, 2.18, 1.22, 0.66, 0.22, -0.17, -0.52, -0.85, -1.10, -1.38, -1.67, -1.93, -2.20),
    0.97, 0.10, -0.02, -0.27, 0.04, 0.66,
)  # fmt: skip
_MORE: Final = Weights(
    (9.0, 2.57, 1.42, 0.73, 0.20, -0.31, -0.80, -1.19, -1.54, -1.95, -2.40, -2.60, -2.85),
    0.90, 0.12, 0.10, -0.31, 0.11, 0.79,
)  # fmt: skip
_BY_PLAYERS: Final = {2: _TWO, 3: _THREE, 4: _FOUR}


def worth(state: Round, seat: int) -> float:
    """The estimated probability that the seat wins this round."""
    if state.phase == "over":
        return 1.0 if state.winner == seat else 0.0
    weights = _BY_PLAYERS.get(len(state.order), _MORE)
    own = total = 0.0
    for other in state.order:
        strength = exp(_strength(state, other, weights))
        total += strength
        if other == seat:
            own = strength
    return own / total


def _strength(state: Round, seat: int, weights: Weights) -> float:
    held = state.held[seat]
    number = len(state.hands[seat])
    if seat == state.turn and state.pending:
        number += state.pending
    strength = weights.cards[number if number < 12 else 12] - (0.2 * (number - 12) if number > 12 else 0.0)
    strength += weights.wild * (held & WILDS).bit_count() + weights.attack * (held & ATTACKS).bit_count()
    strength += weights.color * ((held & _RED > 0) + (held & _GREEN > 0) + (held & _BLUE > 0) + (held & _YELLOW > 0))
    if seat == state.turn:
        strength += weights.turn
        if held & state.fits & ~WILDS:
            strength += weights.fitting
    elif seat == state.after[state.turn]:
        strength += weights.following
    return strength
