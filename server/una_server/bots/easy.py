"""The easy house bot: any card that fits, a wild one with the colour it holds most of; without one it draws."""

from __future__ import annotations

from random import Random

from una_protocol.actions import DRAW, Action, Play, Wish
from una_protocol.bot import BotView

from .normal import best_color


def choose_easy(view: BotView, chance: Random) -> Action:
    """Any card that may be laid; else what the rules offer, taking pending cards rather than challenging."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    if plays:
        color = best_color(view.hand)
        return chance.choice([play for play in plays if play.color in (None, color)] or plays)
    if any(isinstance(action, Wish) for action in view.legal):
        return Wish(best_color(view.hand))
    return DRAW if DRAW in view.legal else view.legal[view.default]
