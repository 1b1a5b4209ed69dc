"""`una bot check`: plays the situations, prints what is wrong; exit status 1 if anything is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from una_protocol.conformance import SITUATIONS
from una_protocol.text import clean

from ..front import DONE, FAILED, USAGE, fail
from .check import Result, chosen, results_of_class, results_of_program
from .check_peers import LinesPeer
from .check_tcp import TcpPeer
from .load import NoBot, load_bot
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
    try:
        results = list(_results(where, command, tcp, only, limit))
    except KeyError as unknown:
        fail(f"There is no situation {clean(str(unknown.args[0]))}; see una bot check --list.", USAGE)
    except (NoBot, BotFailed) as error:
        fail(str(error), USAGE)
    failed = [result for result in results if result.fault is not None]
    if as_json:
        rows = [{"name": r.situation.name, "passed": r.fault is None, "fault": r.fault} for r in results]
        _json({"tried": len(results), "failed": len(failed), "situations": rows})
    else:
        _print(results, failed)
    return FAILED if failed else DONE


def _results(
    where: str | None, command: str | None, tcp: str | None, only: Sequence[str], limit: float
) -> Iterator[Result]:
    if where is not None:
        bot = load_bot(where)
        return results_of_class(bot, chosen(only, "class"), limit)
    if command is not None:
        split_command(command)
        return results_of_program(lambda: LinesPeer.open(command), chosen(only, "jsonl"), limit)
    split_command(tcp or "")
    return results_of_program(lambda: TcpPeer.open(tcp or "", limit), chosen(only, "tcp"), limit)


def _print(results: Sequence[Result], failed: Sequence[Result]) -> None:
    for result in failed:
        print(f"{result.situation.name}: {clean(result.fault or '', 300)}\n    {result.situation.about}")
    passed = len(results) - len(failed)
    print(f"{passed} of {len(results)} situations passed." if failed else f"All {passed} situations passed.")


def _list(as_json: bool) -> None:
    if as_json:
        _json([situation.as_data() for situation in SITUATIONS])
        return
    for situation in SITUATIONS:
        ways = "" if len(situation.over) == 3 else f" ({', '.join(situation.over)})"
        print(f"{situation.name:20} {situation.about}{ways}")


def _json(value: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n")
