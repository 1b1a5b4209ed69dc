"""The `hard` house bot at a seat of the arena: it hears what happens, remembers it, and searches in this process."""

from __future__ import annotations

from una_protocol.actions import Action, Catch
from una_protocol.bot import BotView
from una_protocol.events import Event

from ..bots.hard import HardPlay
from .player import Player


class SearchingPlayer(Player):
    """A seat played by `hard`."""

    hears = True
    watched = False

    def __init__(self, hard: HardPlay) -> None:
        self._hard = hard

    def choose(self, view: BotView) -> Action:
        return self._hard.move(view)

    def hear(self, seq: int, event: Event) -> None:
        self._hard.hear(event)

    def react(self, catches: list[Catch]) -> list[Action]:
        return [catches[0]] if catches and self._hard.sees() else []
