"""Plays the situations of `una_protocol.conformance` against a bot: a class, a program on JSON lines, or one on TCP.

    assert check_class(MyBot) == []
    assert check_program("node mybot.js") == []
    assert check_tcp("./mybot {host} {port} {table}") == []

Each gives the faults, as `situation: what is wrong.`. What is sent is data, what comes back is judged there; here is
only the I/O. A class is made anew for each situation; a program lives on until it fails. What a class does to the
process that it is checked in, only `check_apart` can tell.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec
import trio
from msgspec import Struct

from una_protocol import messages as m
from una_protocol.bot import Bot
from una_protocol.codec import decode_answer
from una_protocol.conformance import SITUATIONS, Fault, Judge, Situation
from una_protocol.conformance.script import Step

from ..mirror import Mirror
from .check_peers import LinesPeer, Peer
from .check_signals import cancelled_by_signals
from .check_tcp import TcpPeer
from .player import BotFailed, ClassPlayer

LIMIT_S: Final = 5.0
"""How long an answer may take."""
FIRST_S: float = 10.0
"""How long the first one of a program may take at least: programs take a while to start."""
MOST: Final = 200
"""So many messages may come while one is waited for."""
FLOOD: Final = f"It sends more than {MOST} messages that nobody has asked for."
NOT_TRIED: Final = "The situations after this one were not tried."


class Result(Struct, frozen=True):
    """How a bot did in one situation; `fault` is a sentence, None where all was well."""

    situation: Situation
    fault: str | None = None


def check_class(bot: Callable[[], Bot], limit: float = LIMIT_S) -> list[str]:
    """The faults of a class."""
    return faults(results_of_class(bot, chosen((), "class"), limit))


def check_program(command: str, limit: float = LIMIT_S) -> list[str]:
    """The faults of a program that speaks JSON lines. BotFailed where it cannot be started."""
    return faults(results_of_program(lambda: LinesPeer.open(command), chosen((), "jsonl"), limit))


def check_tcp(command: str, limit: float = LIMIT_S) -> list[str]:
    """The faults of a program that speaks TCP. `{host}`, `{port}` and `{table}` in the command are filled in.

    BotFailed where it cannot be started.
    """
    return faults(results_of_program(lambda: TcpPeer.open(command, limit), chosen((), "tcp"), limit))


def chosen(only: Sequence[str], way: str) -> list[Situation]:
    """The situations that can happen to a bot of this kind; or those of them that are named. KeyError: no such one."""
    named = {situation.name: situation for situation in SITUATIONS}
    wanted = [named[name] for name in only] or list(SITUATIONS)
    return [situation for situation in wanted if way in situation.over]


def faults(results: Iterable[Result]) -> list[str]:
    """The faults among the results, each with the name of its situation."""
    return [f"{result.situation.name}: {result.fault}" for result in results if result.fault is not None]


# -- classes


def results_of_class(bot: Callable[[], Bot], situations: Sequence[Situation], limit: float) -> Iterator[Result]:
    """Play the situations one after the other, each with a new bot."""
    for number, situation in enumerate(situations, 1):
        fault = _fault_in_time(situation, bot, limit)
        if fault == late(limit) and number < len(situations):
            yield Result(situation, f"{fault} {NOT_TRIED}")
            return  # its thread cannot be ended, and the others would not be either
        yield Result(situation, fault)


def late(limit: float) -> str:
    """The fault of a class that does not come back."""
    return f"It gives no answer within {limit:g} s."


def _fault_in_time(situation: Situation, bot: Callable[[], Bot], limit: float) -> str | None:
    found: list[str] = []

    def run() -> None:
        try:
            trio.run(_play_class, situation, bot)
        except Fault as fault:
            found.append(str(fault))
        except BaseException as error:  # noqa: BLE001  # whatever it is, it was raised by the code of the bot
            found.append(_raised(error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(limit)
    if thread.is_alive():
        return late(limit)
    return found[0] if found else None


async def _play_class(situation: Situation, make: Callable[[], Bot]) -> None:
    player, mirror, judge = ClassPlayer(make()), Mirror("Ann"), Judge()
    turn: m.TurnNow | None = None
    for step in situation.steps:
        if "answer" in step:
            judge.expect(step["answer"], step.get("also", []))
            assert turn is not None
            do = await player.decide(turn, mirror.tables[turn.table])
            judge.took(m.Act(0, turn.table, do, turn=turn.turn))
        elif "lost" in step and turn is not None:
            judge.ask_anew(turn.turn)
        elif "send" in step:
            judge.sent(step["send"])
            message = decode_answer(msgspec.msgpack.encode(step["send"]))
            mirror.handle(message, trio.current_time())
            if isinstance(message, m.TurnNow):
                turn = message
            elif message is not None:
                table = getattr(message, "table", None)
                do_beside = await player.told(message, mirror.tables.get(table or ""))
                if do_beside is not None:
                    judge.took(m.Act(0, table or "", do_beside))


def _raised(error: BaseException) -> str:
    """The sentence for an exception, and where in the bot's code it was raised."""
    if isinstance(error, BotFailed) and error.__cause__ is None:
        return str(error)
    error = error.__cause__ or error
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f" in line {trace.tb_lineno} of {os.path.basename(trace.tb_frame.f_code.co_filename)}"
        trace = trace.tb_next
    return f"It raises {type(error).__name__}{_text_of(error)}{place}."


def _text_of(error: BaseException) -> str:
    try:
        return f": {error}" if str(error) else ""
    except BaseException:  # noqa: BLE001  # that, too, is code of the bot
        return ""


# -- programs


def results_of_program(
    start: Callable[[], Awaitable[Peer]],
    situations: Sequence[Situation],
    limit: float,
    tell: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Play the situations one after the other; a program that has failed is started anew for the next. `tell` is told
    of each result as soon as it is there.
    """
    results: list[Result] = []

    def take(result: Result) -> None:
        results.append(result)
        tell(result)

    async def run() -> None:
        with cancelled_by_signals():
            await _play_all(start, situations, limit, take)

    trio.run(run)
    return results


async def _play_all(
    start: Callable[[], Awaitable[Peer]], situations: Sequence[Situation], limit: float, take: Callable[[Result], None]
) -> None:
    peer: Peer | None = None
    before: frozenset[int] = frozenset()
    first = True
    try:
        for situation in situations:
            judge = Judge(before)
            fault = None
            try:
                if peer is None:
                    peer = await start()
                await _play(peer, situation, judge, max(limit, FIRST_S) if first else limit)
            except Fault as found:
                fault = str(found)
            silent = first and fault is not None and not (peer is not None and peer.heard and judge.satisfied)
            before = judge.numbers
            if peer is not None and (fault is not None or peer.ended):
                await peer.close()
                peer, before = None, frozenset()
            take(Result(situation, f"{fault} {NOT_TRIED}" if silent else fault))
            if silent:
                return
            first = False
    finally:
        if peer is not None:
            with trio.CancelScope(shield=True):
                await peer.close()


async def _play(peer: Peer, situation: Situation, judge: Judge, limit: float) -> None:
    peer.pieces = None
    for at, step in enumerate(situation.steps):
        peer.refuses_next = _refused_after(situation.steps[at + 1 :])
        if "send" in step:
            judge.sent(step["send"])
            await peer.send(step["send"], limit)
        elif "pieces" in step:
            peer.pieces = step["pieces"]
        elif "lost" in step:
            judge.ask_anew(max(judge.numbers))
        elif "cut" in step:
            await peer.cut(limit)
            if peer.ended:
                return  # it does not have to come back
        elif "end" in step:
            await peer.end(limit)
        elif "reply" in step:
            await _reply(peer, judge, step["reply"], limit)
        else:
            judge.expect(step["answer"], step.get("also", []))
            await _answer(peer, judge, step["answer"], limit)


def _refused_after(steps: Sequence[Step]) -> bool:
    """Whether the script refuses what is answered now, before anything else is asked."""
    for step in steps:
        kind = step.get("send", {}).get("t")
        if kind != "ev":
            return bool(kind == "err")
    return False


async def _answer(peer: Peer, judge: Judge, number: int, limit: float) -> None:
    with trio.move_on_after(limit):
        for _ in range(MOST):
            if judge.satisfied:
                return
            request = await peer.receive()
            if isinstance(request, m.Act):
                judge.took(request)
        raise Fault(FLOOD)
    if not judge.satisfied:
        hint = "" if peer.heard else f" {peer.hint}"
        raise Fault(f"It gives no answer to turn {number} within {limit:g} s.{hint}")


async def _reply(peer: Peer, judge: Judge, kind: str, limit: float) -> None:
    with trio.move_on_after(limit):
        for _ in range(MOST):
            request = await peer.receive()
            if type(request).__struct_config__.tag == kind:
                return
            if isinstance(request, m.Act):
                judge.took(request)
        raise Fault(FLOOD)
    raise Fault(f"It does not send {kind} within {limit:g} s.")
