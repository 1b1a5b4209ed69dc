"""The hard house bot: it deals the cards it cannot see at random, again and again, and plays each choice on from there.

Every choice is tried on the same deals, so that luck cancels; choices that fall behind are given up, and the rest of
the budget goes to the others (sequential halving). The budget is counted in playouts, so a seed gives the same play on
every machine. It knows what its seat is told and nothing else: `guess` deals from a `View` and a `Memory`.
"""

from __future__ import annotations

from random import Random
from typing import Final

from una_protocol.actions import CHALLENGE, DRAW, PASS, Action, Play
from una_protocol.bot import BotView
from una_protocol.cards import COLOR
from una_protocol.events import Event
from una_protocol.view import View

from ..game.cardset import OF_COLOR
from .guess import Guesser
from .memory import Memory
from .normal import CLOSE, choose_normal
from .playout import apply, play_on
from .worth import worth

SIMULATIONS: Final = 600
"""The playouts of one decision."""
AHEAD: Final = 2
"""So many times round the table a playout goes; then `worth` says how it will end."""
CALLS: Final = 0.995
NOTICES: Final = 0.95
_DOUBTS: Final = 40
_TEMPTED: Final = 0.9
_CALM: Final = 0.08
_DOUBTFUL: Final = 0.2
"""A challenge that fails costs two cards more; one that holds saves four, gives the other four, and keeps the turn."""
_ROUNDS: Final = 3
"""How often the choices that fell behind are given up."""


class HardPlay:
    """One seat played by `hard`: tell it what happens, ask it what to do."""

    def __init__(self, chance: Random, simulations: int | None = None, memory: Memory | None = None) -> None:
        self._chance = chance
        self._budget = simulations or SIMULATIONS
        self.memory = Memory() if memory is None else memory

    def hear(self, event: Event) -> None:
        """Take in an event in the form for this seat."""
        self.memory.hear(event)

    def move(self, view: BotView) -> Action:
        """The decision, with the call of una where it is due."""
        action = choose_hard(view, self._chance, self.memory, self._budget)
        if type(action) is Play and len(view.hand) == 2 and view.can_una and self._chance.random() < CALLS:
            return Play(action.card, action.color, action.swap_with, una=True)
        return action

    def sees(self) -> bool:
        """Whether it notices that somebody forgot to call."""
        return self._chance.random() < NOTICES


def choose_hard(view: BotView, chance: Random, memory: Memory | None = None, budget: int = SIMULATIONS) -> Action:
    """The choice that promises most."""
    if CHALLENGE in view.legal and memory is not None and _bluffed(view, chance, memory):
        return CHALLENGE
    choices = candidates(view)
    if len(choices) == 1:
        return choices[0]
    return search(view.table, choices, chance, memory, budget)


def _bluffed(view: BotView, chance: Random, memory: Memory) -> bool:
    """Whether it pays to doubt the draw four: how often such a hand holds the colour, and how often a player who does
    would have laid it all the same – most do once somebody is about to go out, few do before.
    """
    table = view.table
    layer = (table.turn_seat or 0) if memory.last_layer is None else memory.last_layer
    guesser = Guesser(table, memory, chance)
    held = sum(bool(guesser.deal().held[layer] & OF_COLOR[memory.color_before]) for _ in range(_DOUBTS)) / _DOUBTS
    tempted = held * (_TEMPTED if len(view.hand) <= CLOSE else _CALM)
    return tempted > _DOUBTFUL * (tempted + 1 - held)


def search(table: View, choices: list[Action], chance: Random, memory: Memory | None, budget: int) -> Action:
    """The best of the choices, by so many playouts. Pure: it can run in another process."""
    assert table.you is not None
    guesser = Guesser(table, memory, chance)
    wins = [0.0] * len(choices)
    left = list(range(len(choices)))
    for number in range(_ROUNDS):
        deals = max(1, budget // _ROUNDS // len(left))
        for _ in range(deals):
            _try(guesser, table.you, choices, left, wins, chance)
        left.sort(key=lambda choice: -wins[choice])
        if number < _ROUNDS - 1:
            left = left[: max(2, len(left) // 2)]
    return choices[left[0]]


def _try(
    guesser: Guesser, seat: int, choices: list[Action], left: list[int], wins: list[float], chance: Random
) -> None:
    """One deal, and each of the choices that are left played on from it."""
    state = guesser.deal()
    moves = AHEAD * len(state.order)
    for choice in left:
        copy = state.copy() if choice != left[-1] else state
        apply(copy, seat, choices[choice])
        play_on(copy, moves, chance.random)
        wins[choice] += worth(copy, seat)


def candidates(view: BotView) -> list[Action]:
    """What is worth a thought: wishes for colours that are held; drawing only where all that fits is wild."""
    legal = view.legal
    if view.phase == "wish":
        return [choose_normal(view, Random(0))]
    held = {COLOR[card] for card in view.hand} - {None}
    plays: list[Action] = [
        action
        for action in legal
        if type(action) is Play and (action.color is None or action.color in held or not held)
    ]
    if not plays:
        return [DRAW if DRAW in legal else legal[view.default]]
    if all(type(play) is Play and COLOR[play.card] is None for play in plays):
        plays += [action for action in (DRAW, PASS) if action in legal]
    return plays
