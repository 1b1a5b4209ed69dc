"""Who plays at a seat of the arena: a house bot, a class, or a child process, behind one small interface.

A player may raise anything from anywhere; the game deals with it. It is made anew for each game (child processes
live on), so that a game's course hangs on its number alone and not on which games a job played before. A bot's own
code runs in no other place than in these methods, the making of it too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final, get_args

from una_protocol.actions import Action, Catch
from una_protocol.bot import AsyncBot, Bot, BotView
from una_protocol.events import Event
from una_protocol.view import View, fold

from ..bots import Level, with_call

ACTIONS: Final = frozenset(get_args(Action))


class Player:
    """One seat for one game. `hears`: whether it wants to be told of events at all; telling costs time. `watched`:
    whether the game has to see to it that it comes back in time.
    """

    hears = False
    watched = True
    may_call = False
    """Whether a call or a catch may come in place of a decision, which then is asked for again."""
    most_s = 600.0
    """Where it is not watched: nothing of it takes longer, however slow the machine."""

    def begin(self, view: View) -> None:
        """A game begins; nothing has been dealt."""

    def choose(self, view: BotView) -> Any:
        """The decision. Whatever is returned is checked by the game."""
        raise NotImplementedError

    def hear(self, seq: int, event: Event) -> None:
        """Told of each event in the form for this seat."""

    def react(self, catches: list[Catch]) -> list[Any]:
        """A window is open or there may be something to answer: catches and calls, beside the turn."""
        return []

    def end(self) -> None:
        """The game is over."""


class Lost(Exception):
    """The player cannot play; the text says why."""


class LostPlayer(Player):
    """Stands for one that has lost before the game begins."""

    def __init__(self, why: str) -> None:
        self._why = why

    def begin(self, view: View) -> None:
        raise Lost(self._why)


class HousePlayer(Player):
    """A house bot. It comes back: on a slow machine a clock must not change the results."""

    watched = False

    def __init__(self, level: Level, chance: Random) -> None:
        self._level = level
        self._chance = chance
        self._choose = level.choose

    def choose(self, view: BotView) -> Action:
        return with_call(self._choose(view, self._chance), view, self._chance, self._level.calls)

    def react(self, catches: list[Catch]) -> list[Action]:
        return [catches[0]] if catches and self._chance.random() < self._level.notices else []


class ClassPlayer(Player):
    """A `Bot` written as a class. Methods that are coroutines are run by trio, one call at a time."""

    def __init__(self, kind: type[Bot], *arguments: Any) -> None:
        self.hears = kind.watch not in (Bot.watch, AsyncBot.watch)
        self._make = partial(kind, *arguments)
        self._view: View | None = None
        self._answers: list[Any] = []

    def begin(self, view: View) -> None:
        bot = self._make()
        self.choose = _blocking(bot.choose)  # type: ignore[method-assign]
        self._watch = _blocking(bot.watch)
        self._view = view

    def hear(self, seq: int, event: Event) -> None:
        assert self._view is not None
        answer = self._watch(fold(self._view, seq, event), event)
        if answer is not None:
            self._answers.append(answer)

    def react(self, catches: list[Catch]) -> list[Any]:
        answers, self._answers = self._answers, []
        return answers


def _blocking(method: Callable[..., Any]) -> Callable[..., Any]:
    if not inspect.iscoroutinefunction(method):
        return method
    import trio

    return lambda *args: trio.run(method, *args)
