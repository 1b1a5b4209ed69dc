"""The hard house bot."""

from __future__ import annotations

from random import Random

from una_protocol.actions import CHALLENGE, DRAW, PASS, Action, Play
from una_protocol.bot import BotView
from una_protocol.cards import COLOR

from .guess import Guesser
from .memory import Memory
from .normal import choose_normal
from .playout import apply, finish

SIMULATIONS = 120


def choose_hard(view: BotView, chance: Random, memory: Memory | None = None, budget: int = SIMULATIONS) -> Action:
    """The action that wins most playouts."""
    options = candidates(view)
    if len(options) == 1:
        return options[0]
    guesser = Guesser(view.table, memory, chance)
    seat = view.seat
    wins = [0.0] * len(options)
    random = chance.random
    for _ in range(max(1, budget // len(options))):
        state = guesser.deal()
        last = len(options) - 1
        for number, action in enumerate(options):
            copy = state.copy() if number < last else state
            apply(copy, seat, action)
            wins[number] += finish(copy, random) == seat
    best = max(range(len(options)), key=lambda number: wins[number])
    return options[best]


def candidates(view: BotView) -> list[Action]:
    """What is worth a thought."""
    legal = view.legal
    if CHALLENGE in legal or view.phase == "wish":
        return [choose_normal(view, Random(0))]
    hand = view.hand
    held = {COLOR[card] for card in hand} - {None}
    plays: list[Action] = [
        action for action in legal
        if type(action) is Play and (action.color is None or action.color in held or not held)
    ]
    if not plays:
        return [DRAW if DRAW in legal else view.legal[view.default]]
    if all(type(play) is Play and COLOR[play.card] is None for play in plays):
        plays += [action for action in (DRAW, PASS) if action in legal]
    return plays
