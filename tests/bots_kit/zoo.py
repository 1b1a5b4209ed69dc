"""Bad bots as classes: each has one fault, which a check must name."""

from __future__ import annotations

import threading
from typing import Any

from una_protocol import events as ev
from una_protocol.actions import Action, Catch, Play
from una_protocol.bot import AsyncBot, Bot, BotView
from una_protocol.cards import Card
from una_protocol.view import View


class Good(Bot):
    """Without a fault: the others are as it is but for one thing."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]


class GoodAndSlow(AsyncBot):
    """Without a fault, and it waits for something."""

    async def choose(self, view: BotView) -> Action:
        import trio

        await trio.sleep(0.001)
        return view.legal[0]  # whoever only draws may play for minutes


class Cheat(Good):
    """Lays what it does not hold."""

    def choose(self, view: BotView) -> Action:
        return Play(Card("R9"))


class Blurter(Good):
    """Calls una with every card."""

    def choose(self, view: BotView) -> Action:
        first = view.legal[0]
        return Play(first.card, first.color, first.swap_with, una=True) if isinstance(first, Play) else first


class Fixed(Good):
    """Knows only the events of today."""

    def watch(self, view: View, event: ev.Event) -> Action | None:
        known = {type_.__struct_config__.tag for type_ in ev.RoundEvent.__args__ + ev.TableEvent.__args__}
        if type(event).__struct_config__.tag not in known:
            raise NotImplementedError(type(event).__name__)
        return None


class Policeman(Good):
    """Catches whoever has one card, and itself."""

    def watch(self, view: View, event: ev.Event) -> Action | None:
        few = [player.seat for player in view.players if player.cards == 1]
        return Catch(few[0]) if isinstance(event, ev.Turn) and few else None


class Lister(Good):
    """Takes seat numbers for places in a list."""

    def choose(self, view: BotView) -> Action:
        assert view.players[view.seat].name == "Ann"
        return view.legal[0]


class Wordy(Good):
    """Answers with something that is no action."""

    def choose(self, view: BotView) -> Any:
        return "draw"


class Sleeper(Good):
    """Never answers."""

    def choose(self, view: BotView) -> Action:
        threading.Event().wait()
        raise AssertionError
