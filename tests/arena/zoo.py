"""Bots that misbehave, each in its own way, and some that do not."""

from __future__ import annotations

import os
from typing import Any

from una_protocol import events as ev
from una_protocol.actions import UNA, Action, Catch, Play
from una_protocol.bot import AsyncBot, Bot, BotView
from una_protocol.cards import Card
from una_protocol.events import Event
from una_protocol.view import View


class First(Bot):
    """Well-behaved: the first choice."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]


class Waiting(AsyncBot):
    """Well-behaved, with a coroutine."""

    async def choose(self, view: BotView) -> Action:
        return view.legal[0]


class Raising(Bot):
    """Fails at its first decision."""

    def choose(self, view: BotView) -> Action:
        raise ZeroDivisionError("oh")


class Unmade(Bot):
    """Cannot even be made."""

    def __init__(self) -> None:
        raise OSError("no model file")


class Nothing(Bot):
    """Answers with no action."""

    def choose(self, view: BotView) -> Any:
        return None


class Cheating(Bot):
    """Lays cards that it does not hold."""

    def choose(self, view: BotView) -> Action:
        return Play(Card("W+4"), "red", una=True)


class Endless(Bot):
    """Never comes back."""

    def choose(self, view: BotView) -> Action:
        while True:
            pass


class Calling(Bot):
    """Calls una without end instead of deciding."""

    def choose(self, view: BotView) -> Action:
        return UNA


class Spoiling(Bot):
    """Fails when it is told something."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]

    def watch(self, view: View, event: Event) -> Action | None:
        if isinstance(event, ev.Played):
            raise KeyError("card")
        return None


class Comparing(Bot):
    """Well-behaved, and sees to it that what it was told and what it is shown are the same; catches and calls."""

    def __init__(self) -> None:
        self.told: View | None = None

    def choose(self, view: BotView) -> Action:
        shown = view.table
        assert self.told is not None
        self.told.ms = shown.ms = None
        assert self.told == shown
        assert (view.hand, view.top, view.color, view.phase) == (shown.hand, shown.top, shown.color, shown.phase)
        assert (view.pending, view.drawn, view.players) == (shown.pending, shown.drawn, shown.players)
        assert view.next_player == BotView(shown, view.legal, 0).next_player
        return view.legal[0]

    def watch(self, view: View, event: Event) -> Action | None:
        self.told = view
        if isinstance(event, ev.Turn) and event.catchable:
            return UNA if view.you in event.catchable else Catch(event.catchable[0])
        return None


class Leaving(Bot):
    """Ends the program, as it thinks, and chats on its standard output."""

    def choose(self, view: BotView) -> Action:
        print("bye")
        raise SystemExit(0)


class Swallowing(Bot):
    """Never comes back, and catches whatever is thrown at it."""

    def choose(self, view: BotView) -> Action:
        while True:
            try:
                while True:
                    pass
            except Exception:  # noqa: BLE001, S110
                pass


class Killing(Bot):
    """Takes the whole process with it."""

    def choose(self, view: BotView) -> Action:
        os._exit(3)
