"""The house bots: strategies by level. They see what a seat sees (`BotView`), never the table's own state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from una_protocol.actions import Action
from una_protocol.bot import BotView

from .easy import choose_easy
from .normal import choose_normal

Strategy = Callable[[BotView, Random], Action]

NAMES: Final = ("Ada", "Otto", "Mia", "Kurt", "Lotte", "Nils", "Emmy", "Blaise", "Grace", "Konrad")
"""House bots are called `bot-` and one of these; people cannot take such names."""


class Level(NamedTuple):
    """How a house bot plays. `calls`: how often it remembers una; `notices`: how often it sees that another forgot."""

    choose: Strategy
    calls: float
    notices: float


LEVELS: Final[dict[str, Level]] = {
    "easy": Level(choose_easy, calls=0.8, notices=0.2),
    "normal": Level(choose_normal, calls=0.97, notices=0.7),
}
SUBSTITUTE: Final = "normal"
"""The level that plays for a seat whose owner is away."""
