"""A decision of `hard` as a value: everything it may know, to be thought about somewhere else."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from una_protocol.actions import Action
from una_protocol.bot import BotView
from una_protocol.view import View

from .hard import SIMULATIONS, HardPlay
from .memory import Memory


class Thought(NamedTuple):
    """What the seat knows and may do, and the seed and size of the search. `turn`: the decision that it answers."""

    turn: int
    table: View
    legal: tuple[Action, ...]
    default: int
    can_una: bool
    memory: Memory
    seed: str
    simulations: int = SIMULATIONS


def decide(thought: Thought) -> Action:
    """The decision; the same for the same thought, wherever it runs."""
    view = BotView(thought.table, thought.legal, thought.default, thought.can_una)
    return HardPlay(Random(thought.seed), thought.simulations, thought.memory).move(view)
