"""`una bot check`: plays the situations, prints what is wrong as it is found; exit status 1 if anything is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import msgspec

from una_protocol.conformance import SITUATIONS
from una_protocol.text import clean

from ..front import DONE, FAILED, USAGE, fail
from .check import Result, chosen, results_of_program
from .check_apart import results_apart
from .check_peers import LinesPeer
from .check_signals import ended_by_signals
from .check_tcp import TcpPeer
from .load import NoBot
from .player import BotFailed
from .program import split_command


def run_check(
    where: str | None,
    command: str | None,
    tcp: str | None,
    *,
    listing: bool,
    only: Sequence[str],
    limit: float,
    as_json: bool,
) -> int:
    """Check the bot, or list the situations; the exit status."""
    if listing:
        _list(as_json)
        return DONE
    results: list[Result] = []

    def tell(result: Result) -> None:
        results.append(result)
        if result.fault is not None and not as_json:
            about = result.situation.about
            print(f"{result.situation.name}: {clean(result.fault, 300)}\n    {about}", flush=True)

    try:
        _try(where, command, tcp, only, limit, tell)
    except KeyError as unknown:
        fail(f"There is no situation {clean(str(unknown.args[0]))}; see una bot check --list.", USAGE)
    except (NoBot, BotFailed) as error:
        fail(str(error), USAGE)
    if not results:
        fail("These situations are not for a bot of this kind; see una bot check --list.", USAGE)
    failed = sum(result.fault is not None for result in results)
    if as_json:
        rows = [{"name": r.situation.name, "passed": r.fault is None, "fault": r.fault} for r in results]
        _json({"tried": len(results), "failed": failed, "situations": rows})
    else:
        passed = len(results) - failed
        print(f"{passed} of {len(results)} situations passed." if failed else f"All {passed} situations passed.")
    return FAILED if failed else DONE


def _try(
    where: str | None,
    command: str | None,
    tcp: str | None,
    only: Sequence[str],
    limit: float,
    tell: Callable[[Result], None],
) -> None:
    if where is not None:
        with ended_by_signals(), closing(results_apart(where, chosen(only, "class"), limit)) as results:
            for result in results:
                tell(result)
    elif command is not None:
        split_command(command)
        results_of_program(lambda: LinesPeer.open(command), chosen(only, "jsonl"), limit, tell)
    else:
        split_command(tcp or "")
        results_of_program(lambda: TcpPeer.open(tcp or "", limit), chosen(only, "tcp"), limit, tell)


def _list(as_json: bool) -> None:
    if as_json:
        _json([situation.as_data() for situation in SITUATIONS])
        return
    for situation in SITUATIONS:
        ways = "" if len(situation.over) == 3 else f" ({', '.join(situation.over)})"
        print(f"{situation.name:20} {situation.about}{ways}")


def _json(value: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n")
