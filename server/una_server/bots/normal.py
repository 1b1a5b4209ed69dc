"""The normal house bot: keeps its wild cards, lays what costs most, slows down whoever is about to go out."""

from __future__ import annotations

from collections import Counter
from random import Random

from una_protocol.actions import CHALLENGE, DRAW, Action, Play, Wish
from una_protocol.bot import BotView
from una_protocol.cards import COLOR, COLORS, FACE, POINTS, WILD_DRAW_FOUR, Card, Color

_ATTACKS = frozenset({"S", "R", "+2", "W+4"})
CLOSE = 3
"""A next player with so few cards is about to go out."""


def choose_normal(view: BotView, chance: Random) -> Action:
    """The play of the highest value by a simple count, or the best of what else there is."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    if plays:
        colors = _colors_of(view.hand)
        return max(plays, key=lambda play: (_value(view, play, colors), chance.random()))
    wishes = [action for action in view.legal if isinstance(action, Wish)]
    if wishes:
        return Wish(best_color(view.hand))
    if CHALLENGE in view.legal and _doubtful(view, chance):
        return CHALLENGE
    return DRAW if DRAW in view.legal else view.legal[view.default]


def _value(view: BotView, play: Play, colors: Counter[Color]) -> float:
    """How good it is to lay this now; higher is better."""
    color = COLOR[play.card]
    following = view.next_player
    close = following is not None and following.cards <= CLOSE
    value = POINTS[play.card] / 10 + (colors[color] if color else 0) * 0.8
    if color is None:
        # wild cards go last, unless the round is about to end
        value -= 12 if len(view.hand) > 2 and not close else 2
        value += 3 if play.color == best_color([card for card in view.hand if card != play.card]) else 0
    if close and FACE[play.card] in _ATTACKS:
        value += 8
    if play.swap_with is not None:
        mine, theirs = len(view.hand) - 1, _cards_of(view, play.swap_with)
        value += 4 * (mine - theirs)
    return value


def _doubtful(view: BotView, chance: Random) -> bool:
    """Challenge more readily, the more cards the other one held: somebody with many seldom lacks a colour."""
    others = [player.cards for player in view.players if player.seat != view.seat and player.cards]
    return chance.random() < min(0.6, max(others, default=0) / 16)


def _cards_of(view: BotView, seat: int) -> int:
    return next((player.cards for player in view.players if player.seat == seat), 0)


def _colors_of(hand: list[Card]) -> Counter[Color]:
    return Counter(color for card in hand if (color := COLOR[card]) is not None)


def best_color(hand: list[Card]) -> Color:
    """The colour held most; ties in the order of COLORS."""
    count = _colors_of([card for card in hand if card != WILD_DRAW_FOUR])
    return max(COLORS, key=lambda color: (count[color], -COLORS.index(color)))
