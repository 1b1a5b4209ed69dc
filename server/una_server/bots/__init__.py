"""The house bots: strategies by level. They see what a seat sees (`BotView`), never the table's own state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from una_protocol.actions import Action, Play
from una_protocol.bot import BotView

from .arbitrary import choose_random
from .easy import choose_easy
from .normal import choose_normal

Strategy = Callable[[BotView, Random], Action]

NAMES: Final = ("Ada", "Otto", "Mia", "Kurt", "Lotte", "Nils", "Emmy", "Blaise", "Grace", "Konrad")
"""House bots are called `bot-` and one of these; people cannot take such names."""


class Level(NamedTuple):
    """How a house bot plays. `calls`: how often it remembers una; `notices`: how often it sees that another forgot.
    `searches`: its moves come from a search (`thought`), and `choose` decides only where there is none in time.
    """

    choose: Strategy
    calls: float
    notices: float
    searches: bool = False


LEVELS: Final[dict[str, Level]] = {
    "easy": Level(choose_easy, calls=0.8, notices=0.2),
    "normal": Level(choose_normal, calls=0.97, notices=0.7),
    "hard": Level(choose_normal, calls=0.995, notices=0.95, searches=True),
}
"""The levels that tables offer."""
SUBSTITUTE: Final = "normal"
"""The level that plays for a seat whose owner is away."""
RANDOM: Final = Level(choose_random, calls=0.5, notices=0.5)
"""Arena only."""


def with_call(action: Action, view: BotView, chance: Random, calls: float) -> Action:
    """The same action; with a call of una (U6) where it lays the second-to-last card and is remembered."""
    if type(action) is Play and not action.una and len(view.hand) == 2 and view.can_una and chance.random() < calls:
        return Play(action.card, action.color, action.swap_with, una=True)
    return action
