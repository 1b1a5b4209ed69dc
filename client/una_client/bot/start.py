"""`una bot run`: finds the class or starts the program, connects, lets it play; one sentence for what goes wrong."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Final

import trio

from una_protocol.address import Address
from una_protocol.bot import Bot
from una_protocol.text import clean

from ..front import FAILED, USAGE, fail, run_trio, valid_name
from ..link import keep_connected
from . import CLIENT, class_name, own_table
from .keys import BadKey, key_in, usual_path
from .load import NoBot, load_bot
from .player import BotFailed, ClassPlayer
from .program import play_program, split_command
from .runner import Outcome, Plan, play

_INTERPRETERS: Final = ("python", "python3", "node", "perl", "ruby", "bash", "sh", "lua", "deno", "java", "awk", "go")
_PRESSED: Final = (signal.SIGINT, signal.SIGTERM)
_HANGUP: Final = tuple(getattr(signal, name) for name in ("SIGHUP",) if hasattr(signal, name))


def run(
    where: str | None,
    command: str | None,
    address: Address,
    *,
    name: str | None,
    password: str | None,
    matches: int | None,
    create: bool,
    bots: int,
    profile: str,
    limit: float,
    ranked: bool = False,
    key_file: str | None = None,
) -> int:
    """Run the bot, a class (`where`) or a program (`command`); the exit status."""
    bot = None if where is None else made(where)
    try:
        called = _name(bot, command) if name is None else valid_name(name)
    except BotFailed as failed:
        fail(str(failed), USAGE)
    table = own_table(called, ["normal"] * bots, profile) if create else None
    plan = Plan(address.table, password, matches, table, ranked, _key(key_file) if ranked else None)

    def tell(line: str) -> None:
        print(line, flush=True)

    async def main() -> Outcome:
        async with keep_connected(
            address.host, address.port, called, bot=True, client=CLIENT, password=password
        ) as link:
            player = None if bot is None else ClassPlayer(bot)
            with _ended_by_signals(player):
                if player is not None:
                    return await play(player, link, plan, called, tell)
                return await play_program(command or "", link, plan, called, tell, limit)
        raise KeyboardInterrupt

    async def status() -> int:
        return FAILED if (await main()).lost else 0

    try:
        return run_trio(status)
    except BotFailed as failed:
        if failed.__cause__ is not None:
            traceback.print_exception(failed.__cause__, file=sys.stderr)
        fail(str(failed))


@contextmanager
def _ended_by_signals(player: ClassPlayer | None) -> Iterator[None]:
    """Ctrl-C ends what runs within, and nothing else: the connection is there still, to leave the table by.

    Only a bot that is thinking is interrupted itself; and whatever a class does, where somebody has to press twice. A
    program is a process of its own, and ended in any case. SIGTERM is the same: whoever ends a service means it. So is
    SIGHUP, by which a terminal closes (often it comes twice), but not under `nohup`.
    """
    token = trio.lowlevel.current_trio_token()
    pressed = 0

    def end(sign: int, _: object) -> None:
        nonlocal pressed
        pressed += sign in _PRESSED
        token.run_sync_soon(scope.cancel)
        if player is not None and (player.thinking or pressed > 1):
            raise KeyboardInterrupt

    wanted = [*_PRESSED, *(sign for sign in _HANGUP if signal.getsignal(sign) != signal.SIG_IGN)]
    with trio.CancelScope() as scope:
        before = {sign: signal.signal(sign, end) for sign in wanted}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


def _key(file: str | None) -> str:
    """The key of the user's place in ladders."""
    try:
        return key_in(usual_path() if file is None else Path(file))
    except BadKey as bad:
        fail(str(bad), USAGE)


def made(where: str) -> Bot:
    """A bot of the class that `where` names; out with a sentence where there is none."""
    try:
        return load_bot(where)()
    except NoBot as error:
        fail(str(error), USAGE)
    except (Exception, SystemExit):  # noqa: BLE001  # the code of a stranger: its author wants to see where
        traceback.print_exc()
        fail(f"{clean(where)} cannot be loaded.")


def _name(bot: Bot | None, command: str | None) -> str:
    """What the bot is called where nobody says: like its class, or like the file of the program."""
    if bot is not None:
        return class_name(type(bot).__name__)
    words = [PurePath(word).stem for word in split_command(command or "") if not word.startswith("-")]
    own = [word for word in words if word.rstrip("0123456789.") not in _INTERPRETERS]
    return class_name(own[0] if own else "Bot")
