"""The easy house bot: lays the first card it can, at random, and draws when it has none."""

from __future__ import annotations

from random import Random

from una_protocol.actions import DRAW, Action, Play
from una_protocol.bot import BotView


def choose_easy(view: BotView, chance: Random) -> Action:
    """Any card that may be laid; else what the rules offer, taking pending cards rather than challenging."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    if plays:
        return chance.choice(plays)
    return DRAW if DRAW in view.legal else view.legal[view.default]
