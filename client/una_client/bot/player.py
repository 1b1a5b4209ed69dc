"""Who decides for a runner: what it must be able to do, and the one that asks a class (`una_protocol.bot.Bot`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, cast, get_args

import msgspec

from una_protocol import messages as m
from una_protocol.actions import Action, Catch, Una
from una_protocol.bot import Bot, BotView

from ..mirror import TableMirror

_ACTIONS: Final = get_args(Action)


class BotFailed(Exception):
    """The bot's own code raised something (the cause), ended, or answered with something that is no action."""


class Player(Protocol):
    """Decides at one seat. Anything that ends it is a `BotFailed`."""

    async def told(self, message: object, table: TableMirror | None) -> Action | None:
        """Told of each message of its table but turns, after the mirror took it in; may call or catch."""

    async def decide(self, turn: m.TurnNow, table: TableMirror) -> Action | None:
        """What to do; None where the answer comes by another way."""


class ClassPlayer:
    """Asks a `Bot`, sync or async."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.thinking = False
        """Whether code of the bot runs that waits for nothing."""

    async def told(self, message: object, table: TableMirror | None) -> Action | None:
        if not isinstance(message, m.Ev) or table is None:
            return None
        answer = await self._ask(self._bot.watch, table.view, message.e)
        return None if answer is None else checked(answer)

    async def decide(self, turn: m.TurnNow, table: TableMirror) -> Action:
        view = BotView(table.view, tuple(turn.legal), turn.default, turn.can_una, turn.ms)
        chosen = checked(await self._ask(self._bot.choose, view))
        if isinstance(chosen, Una | Catch):
            raise BotFailed("The bot calls or catches where it has to choose an entry of `legal`; only watch may.")
        return chosen

    async def _ask(self, question: Callable[..., Any], *about: object) -> object:
        try:
            self.thinking = True
            try:
                answer = question(*about)
            finally:
                self.thinking = False
            return await answer if inspect.isawaitable(answer) else answer
        except (Exception, SystemExit) as error:
            raise BotFailed(f"The bot failed: {type(error).__name__}.") from error


def checked(answer: object) -> Action:
    """The answer of a bot, if it is an action, with a card that can be and a seat that can be; else BotFailed."""
    if isinstance(answer, _ACTIONS):
        with suppress(msgspec.ValidationError, TypeError):
            return cast(Action, msgspec.convert(msgspec.to_builtins(answer), Action))
    raise BotFailed(f"The bot answered with {answer!r:.80}, which is no action: see una_protocol.actions.")
