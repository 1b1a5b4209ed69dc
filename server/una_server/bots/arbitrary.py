"""The random bot: any legal action. It plays in the arena only, as the measure of everything else."""

from __future__ import annotations

from random import Random

from una_protocol.actions import Action
from una_protocol.bot import BotView


def choose_random(view: BotView, chance: Random) -> Action:
    """Any of them."""
    legal = view.legal
    return legal[int(chance.random() * len(legal))]
