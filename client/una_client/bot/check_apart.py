"""Checks a class in a process of its own: what it does to its process is then a fault like any other.

The process is this module: it gets the class, the limit and the names of situations, and writes a line of JSON as soon
as the class is loaded, and one for each situation as it is through with it. It may end, or be ended, at any time;
whoever started it goes on with the next situation. When its time is up it ends itself, whoever is left.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper
from time import monotonic
from typing import Final, NoReturn, cast

import msgspec
from msgspec import Struct

from una_protocol.conformance import Situation
from una_protocol.text import clean

from .check import NOT_TRIED, Result, chosen, late, results_of_class
from .load import NoBot, load_bot
from .program import OWN_GROUP, ended

LOADING_S: Final = 10.0
"""So much longer than an answer the loading of the class may take."""
PATIENCE_S: Final = 2.0
"""So much longer than allowed a situation may take before the process ends itself, wherever it hangs."""


class Told(Struct):
    """What the process says of a situation, or of the loading; or why there is no bot."""

    fault: str | None = None
    no_bot: str | None = None


def results_apart(where: str, situations: Sequence[Situation], limit: float) -> Generator[Result, None, None]:
    """Play the situations with the class that `where` names. NoBot where there is none."""
    left = list(situations)
    while left:
        for fault, lost in _faults(where, [situation.name for situation in left], limit):
            silent = lost and len(situations) == len(left) > 1
            yield Result(left.pop(0), f"{fault} {NOT_TRIED}" if silent else fault)
            if silent:
                return


def _faults(where: str, names: Sequence[str], limit: float) -> Iterator[tuple[str | None, bool]]:
    """What is wrong in each situation, up to the first with which the process is lost, and whether it is that one."""
    line = [sys.executable, "-P", "-m", "una_client.bot.check_apart", where, str(limit), *names]
    began = monotonic()
    with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **OWN_GROUP) as process:
        assert process.stdout is not None
        try:
            for name in (None, *names):
                told = _told(process.stdout.readline())
                if told is None:
                    process.wait()
                    hung = monotonic() - began > limit + (LOADING_S if name is None else PATIENCE_S)
                    if hung and name is None:
                        raise NoBot(f"{clean(where)} does not finish loading within {limit + LOADING_S:g} s.")
                    yield late(limit) if hung else ended("Its process", process.returncode), True
                    return
                if told.no_bot is not None:
                    raise NoBot(told.no_bot)
                began = monotonic()
                if name is None:
                    continue
                lost = told.fault == late(limit)
                yield told.fault, lost
                if lost:
                    return
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and what the bot has started there."""
    if OWN_GROUP:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _told(line: bytes) -> Told | None:
    try:
        return msgspec.json.decode(line, type=Told)
    except msgspec.DecodeError:
        return None


# -- the process


def main() -> NoReturn:
    """Play, and end at once: threads of the bot are not waited for."""
    where, limit, *names = sys.argv[1:]
    out = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # what the bot prints, at once: the process may be ended at any time
    cast(TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)
    with suppress(BrokenPipeError):  # whoever started it has gone
        for told in _results(where, names, float(limit)):
            out.write(msgspec.json.encode(told) + b"\n")
    os._exit(0)


def _results(where: str, names: Sequence[str], limit: float) -> Iterator[Told]:
    silence = open(os.devnull, "w")  # noqa: SIM115
    faulthandler.dump_traceback_later(limit + LOADING_S, exit=True, file=silence)
    try:
        bot = load_bot(where)
    except NoBot as error:
        yield Told(no_bot=str(error))
        return
    except BaseException:  # noqa: BLE001  # the code of a stranger: its author wants to see where
        traceback.print_exc()
        yield Told(no_bot=f"{clean(where)} cannot be loaded.")
        return
    yield Told()
    for situation in chosen(names, "class"):
        faulthandler.dump_traceback_later(limit + PATIENCE_S, exit=True, file=silence)
        for result in results_of_class(bot, [situation], limit):
            yield Told(result.fault)
            if result.fault == late(limit):
                return  # its thread goes on, and would be in the way of the others


if __name__ == "__main__":
    main()
