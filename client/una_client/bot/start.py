"""`una bot run`: finds the class, connects, lets it play, and says in one sentence what went wrong."""

from __future__ import annotations

import sys
import traceback

from una_protocol.address import Address
from una_protocol.messages import Create
from una_protocol.text import check_name

from .. import __version__
from ..front import USAGE, fail, run_trio, valid_name
from ..link import keep_connected
from .load import NoBot, load_bot
from .runner import BotFailed, Plan, play


def run(
    where: str,
    address: Address,
    *,
    name: str | None,
    password: str | None,
    matches: int | None,
    create: bool,
    bots: int,
    profile: str,
) -> int:
    """Run the bot; the exit status."""
    try:
        bot_class = load_bot(where)
        bot = bot_class()
    except NoBot as error:
        fail(str(error), USAGE)
    except Exception:  # noqa: BLE001  # the code of a stranger: its author wants to see where
        traceback.print_exc()
        fail(f"{where} cannot be loaded.")
    called = _class_name(bot_class.__name__) if name is None else valid_name(name)
    table = Create(0, called, profile=profile, seats=max(2, bots + 1), bots=["normal"] * bots) if create else None
    plan = Plan(address.table, password, matches, table)

    async def main() -> int:
        async with keep_connected(
            address.host, address.port, called, bot=True, client=f"una-bot/{__version__}", password=password
        ) as link:
            return await play(bot, link, plan, called, lambda line: print(line, flush=True))

    try:
        return run_trio(main)
    except BotFailed as failed:
        if failed.__cause__ is not None:
            traceback.print_exception(failed.__cause__, file=sys.stderr)
        fail(str(failed))


def _class_name(name: str) -> str:
    """The class's name as a name to play under, where it may be one."""
    try:
        return check_name(name[:16])
    except ValueError:
        return "Bot"
