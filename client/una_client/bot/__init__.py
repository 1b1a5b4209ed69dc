"""Runs bots: classes (`una_protocol.bot.Bot`) and programs of their own, against any server. And checks them.

From a program of one's own, a bot plays by `play_blocking`, or under Trio by `await play`:

    from una_client.bot import play_blocking

    outcome = play_blocking(MyBot(), "localhost/kitchen", matches=3)
    print(outcome.won, "of", outcome.matches)

Both take the address as the command line does, `HOST[:PORT][/TABLE]`; without a table the bot sits down at the first
with a free seat. `bots` opens a table of its own instead and seats house bots there, as many as the list has levels.
With `ranked` a server in arena mode seats it, match after match; `key`, a secret of your own, gives its name a place in
the ladder. They raise `ConnectFailed` or `RequestRefused` where the bot cannot get to a table, and `BotFailed`, with
its cause, where the bot's own code raises something. A lost connection is taken up again; `Outcome.lost` says where
that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from una_protocol.address import Address
from una_protocol.bot import Bot
from una_protocol.messages import Create
from una_protocol.text import check_name

from .. import __version__
from ..link import keep_connected
from ..session import ConnectFailed, RequestRefused
from . import runner
from .player import BotFailed
from .runner import Outcome, Plan

__all__ = ["BotFailed", "ConnectFailed", "Outcome", "RequestRefused", "play", "play_blocking"]

CLIENT = f"una-bot/{__version__}"


async def play(
    bot: Bot,
    address: str,
    *,
    name: str | None = None,
    password: str | None = None,
    matches: int | None = 1,
    bots: Sequence[str] | None = None,
    profile: str = "una",
    ranked: bool = False,
    key: str | None = None,
    tell: Callable[[str], None] = lambda sentence: None,
) -> Outcome:
    """Connect, play so many matches (None: for ever), leave. Under Trio; it may be cancelled at any time, and then the
    seat is kept for a while, as after a lost connection.

    `tell` is told in sentences what goes on: results, refused moves. ValueError where the address or name is none.
    """
    where = Address.parse(address)
    called = class_name(type(bot).__name__) if name is None else check_name(name)
    table = None if bots is None else own_table(called, bots, profile)
    plan = Plan(where.table, password, matches, table, ranked, key)
    async with keep_connected(where.host, where.port, called, bot=True, client=CLIENT, password=password) as link:
        return await runner.play(bot, link, plan, called, tell)


def play_blocking(
    bot: Bot,
    address: str,
    *,
    name: str | None = None,
    password: str | None = None,
    matches: int | None = 1,
    bots: Sequence[str] | None = None,
    profile: str = "una",
    ranked: bool = False,
    key: str | None = None,
    tell: Callable[[str], None] = lambda sentence: None,
) -> Outcome:
    """As `play`, for programs without Trio: returns when it is over."""

    async def main() -> Outcome:
        return await play(
            bot, address, name=name, password=password, matches=matches, bots=bots, profile=profile, ranked=ranked,
            key=key, tell=tell,
        )  # fmt: skip

    return trio.run(main)


def own_table(name: str, bots: Sequence[str], profile: str) -> Create:
    """A table of the bot's own, with house bots of these levels."""
    return Create(0, name, profile=profile, seats=max(2, len(bots) + 1), bots=list(bots))


def class_name(name: str) -> str:
    """The class's name as a name to play under, where it may be one."""
    try:
        return check_name(name[:16])
    except ValueError:
        return "Bot"
