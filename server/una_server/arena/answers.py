"""What comes from a bot, made harmless: it may be anything, and run code of its own wherever it is touched."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from una_protocol.actions import Action, Catch, Play, Una

from .player import ACTIONS, Lost
from .watchdog import OverTime


def answer_of(chosen: Any, legal: tuple[Action, ...]) -> Action | None:
    """What a bot has chosen, as an action of our own: it may claim to equal every other.

    An entry of `legal`, such a play with a call (U6), a call or a catch; None for all else.
    """
    if type(chosen) not in ACTIONS:
        return None
    try:
        return legal[legal.index(chosen)]
    except ValueError:
        pass
    if type(chosen) is Play and chosen.una is True:
        plain = structs.replace(chosen, una=False)
        for play in legal:
            if type(play) is Play and play == plain:
                return Play(play.card, play.color, play.swap_with, una=True)
    return chosen if is_beside(chosen) else None


def is_beside(action: Any) -> bool:
    """Whether it is a call or a catch."""
    return type(action) is Una or (type(action) is Catch and type(action.seat) is int)


def named(error: BaseException, own_code: bool) -> str:
    """What a player raised, in words. Ctrl-C is none of its doing where it has no code of its own here."""
    if isinstance(error, Lost | OverTime):
        return str(error)
    if isinstance(error, KeyboardInterrupt) and not own_code:
        raise error
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    except BaseException:  # noqa: BLE001  # it is the bot's own text, and runs code of its own
        return type(error).__name__
