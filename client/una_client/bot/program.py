"""A bot that is a program of its own, in any language: the messages of its seat as lines of JSON on its standard input,
its answers as lines on its standard output. The contract stands in `una_protocol.jsonlines`.

Hello, seat, readiness and rematches are the runner's business. What the program writes on standard error goes to ours
as it is: it is the user's own program, and that is its log.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import trio

from una_protocol import messages as m
from una_protocol.actions import Action, Catch, Una
from una_protocol.codec import Request
from una_protocol.jsonlines import LONGEST_LINE, BadLine, line_of, read_line
from una_protocol.text import clean
from una_protocol.view import View

from ..link import Link
from ..mirror import TableMirror
from .player import BotFailed
from .runner import Outcome, Plan, Runner

PARTING_S: Final = 2.0
"""How long a program may take to end after its input has."""
REPORTS: Final = 20
"""So many faulty lines are reported; a program that floods us with them shall not flood the terminal."""
OWN_GROUP: Final[dict[str, Any]] = {"process_group": 0} if os.name == "posix" else {}
"""How a program is started: Ctrl-C is for us, and we tell the program by the end of its input."""
_PASSED_ON: Final = (View, m.Ev, m.Said, m.Err)


def split_command(command: str) -> list[str]:
    """The words of a command line, by the rules of the shell. BotFailed where they make no sense."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotFailed(f"The command {clean(command, 60)} cannot be read: {error}.") from None
    if not words:
        raise BotFailed("The command is empty.")
    return words


async def opened(words: list[str], **streams: Any) -> trio.Process:
    """Start a program, in a group of its own; BotFailed where that cannot be."""
    try:
        return await trio.lowlevel.open_process(words, **streams, **OWN_GROUP)
    except OSError as error:
        raise BotFailed(f"{clean(words[0], 60)} cannot be started: {error.strerror}.") from None


@asynccontextmanager
async def started(command: str, *, piped: bool = True) -> AsyncIterator[trio.Process]:
    """Run a program while the block runs; its input ends first, and then it has a moment to end itself."""
    pipe = subprocess.PIPE if piped else None
    process = await opened(split_command(command), stdin=pipe, stdout=pipe)
    try:
        yield process
    finally:
        with trio.CancelScope(shield=True):
            if process.stdin is not None:
                await process.stdin.aclose()
            with trio.move_on_after(PARTING_S if piped else 0):
                await process.wait()
            await kill(process)
            if process.stdout is not None:
                await process.stdout.aclose()


async def kill(process: trio.Process) -> None:
    """End a program that has not ended, and what it has started."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if OWN_GROUP else process.kill()
    await process.wait()


class Lines:
    """What a program writes, line by line; a line that is too long comes cut, and is refused for its length.

    `next` may be cancelled at any time without losing anything.
    """

    def __init__(self, stream: trio.abc.ReceiveStream) -> None:
        self._stream = stream
        self._rest = b""
        self._lines: deque[bytes] = deque()

    async def next(self) -> bytes | None:
        """The next line that is not empty; None at the end."""
        while not self._lines:
            chunk = await self._stream.receive_some(LONGEST_LINE)
            if not chunk:
                return None
            *lines, rest = (self._rest + chunk).split(b"\n")
            self._rest = rest[: LONGEST_LINE + 1]
            self._lines.extend(line for line in lines if line.strip())
        return self._lines.popleft()


async def ending(process: trio.Process) -> str:
    """One sentence on how the program ended."""
    with trio.move_on_after(PARTING_S):
        await process.wait()
    status = process.poll()
    return "The program has closed its output." if status is None else ended("The program", status)


def ended(what: str, status: int) -> str:
    """One sentence on how a process ended."""
    return f"{what} ended (exit status {status})." if status >= 0 else f"{what} ended (signal {-status})."


class ProgramPlayer:
    """Asks the program. Its answers come by `take`, whenever it gives them."""

    def __init__(self, process: trio.Process, limit: float, tell: Callable[[str], None]) -> None:
        self._process = process
        self._limit = limit
        self._tell_all = tell
        self._reports = 0
        self._turn: m.TurnNow | None = None
        self._open = False
        self.time_up = trio.CancelScope()
        self.asked = trio.Event()

    async def told(self, message: object, table: TableMirror | None) -> Action | None:
        if isinstance(message, _PASSED_ON):
            await self._write(line_of(message))
        return None

    async def decide(self, turn: m.TurnNow, table: TableMirror) -> None:
        again = self._open and self._turn is not None and self._turn.turn == turn.turn
        self._turn, self._open = turn, True
        if not again:  # asked again, as after a `state`, gives no new time
            self.time_up.cancel()
            self.asked.set()
        await self._write(line_of(turn))

    async def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            with trio.fail_after(self._limit):
                await self._process.stdin.send_all(line)
        except trio.TooSlowError:
            raise BotFailed(f"The program has read nothing for {self._limit:g} s.") from None
        except trio.BrokenResourceError:
            raise BotFailed(await ending(self._process)) from None

    # -- what comes back

    async def listen(self, runner: Runner) -> None:
        """Send on what the program answers, until its output ends."""
        assert self._process.stdout is not None
        lines = Lines(self._process.stdout)
        while (line := await lines.next()) is not None:
            await runner.room()  # meanwhile the pipe fills, and a program that floods us waits
            table = runner.table
            if table is None:
                self._tell(f"The program wrote before it was at a table: {clean(str(line)[2:-1], 60)}")
                continue
            try:
                request = read_line(line, table.view.table, None if self._turn is None else self._turn.turn)
            except BadLine as bad:
                self._tell(f"{bad} The program wrote: {clean(line.decode('utf-8', 'replace'), 80)}")
                continue
            self._take(request, table, runner)

    def _take(self, request: Request, table: TableMirror, runner: Runner) -> None:
        if isinstance(request, m.Hello | m.Pong):
            return  # that is said already
        if isinstance(request, m.Act) and not isinstance(request.do, Una | Catch):
            if self._open and self._turn is not None and request.turn == self._turn.turn:
                self._open = False
                self.time_up.cancel()
            elif request.turn != table.view.turn or table.view.my_turn:  # else it jumps in
                self._tell(f"The program answered turn {request.turn}, which is over or answered.")
                return
        runner.send(request)

    async def keep_time(self, runner: Runner) -> None:
        """Play the default move where the program gives no answer in time."""
        while True:
            await self.asked.wait()
            self.asked = trio.Event()
            with trio.CancelScope() as self.time_up:
                await trio.sleep(self._limit)
                if self._open and self._turn is not None:
                    self._open = False
                    self._tell(f"The program gave no answer for {self._limit:g} s: the default move is played instead.")
                    runner.play_default(self._turn)

    def _tell(self, sentence: str) -> None:
        self._reports += 1
        if self._reports <= REPORTS:
            self._tell_all(sentence)
        if self._reports == REPORTS:
            self._tell_all("Further faults of the program are not reported.")


async def play_program(
    command: str, link: Link, plan: Plan, name: str, tell: Callable[[str], None], limit: float
) -> Outcome:
    """Let a program play over the link. BotFailed when it ends; RequestRefused where it cannot get to the table."""
    failed: Exception | None = None
    async with started(command) as process:
        player = ProgramPlayer(process, limit, tell)
        runner = Runner(player, link, plan, name, tell)
        async with trio.open_nursery() as nursery:

            async def listen() -> None:
                nonlocal failed
                await player.listen(runner)
                failed = failed or BotFailed(await ending(process))
                nursery.cancel_scope.cancel()

            nursery.start_soon(listen)
            nursery.start_soon(player.keep_time, runner)
            try:
                await runner.run()
            except Exception as error:  # noqa: BLE001  # raised again below, outside of the nursery's group
                failed = error
            except BaseException:
                await runner.break_off()
                raise
            nursery.cancel_scope.cancel()
        if failed is not None:
            await runner.break_off()
    if failed is not None:
        raise failed
    return runner.outcome
