"""A competitor that is a program: told the messages of its seat as lines of JSON, answering each `turn` with one.

The contract is that of `una_protocol.jsonlines`. The program lives on from game to game (each begins with a `state`);
its standard error goes to ours. It is read only while it owes an answer: a call or a catch counts when it is sent
before the answer to a `turn`, and a catch out of turn cannot be made here.

The program, and what it starts in its turn, belongs to the process group of the worker that plays here, and ends with
it at the latest.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import subprocess
from collections import deque
from time import monotonic
from typing import Any, Final

from una_protocol.actions import Catch, Una
from una_protocol.bot import BotView
from una_protocol.events import Event
from una_protocol.jsonlines import LONGEST_LINE, BadLine, line_of, read_line
from una_protocol.messages import Act, Ev, TurnNow
from una_protocol.view import View

from .player import Lost, Player
from .watchdog import OverTime

TABLE: Final = "arena"
_MOST_LINES: Final = 1000
_MOST_BYTES: Final = 1 << 20
"""So much from one decision to the next is a flood, whatever it says."""


def try_program(command: str) -> None:
    """Start a program, only to end it at once: OSError, or ValueError, where that cannot be."""
    nothing = subprocess.DEVNULL
    with subprocess.Popen(shlex.split(command), stdin=nothing, stdout=nothing, stderr=nothing) as process:
        process.kill()


class Dead(Lost):
    """The program has ended, or takes nothing more."""


class Wrong:
    """Stands for an answer that is none."""


class ChildPlayer(Player):
    """One program at one seat."""

    hears = True
    watched = False
    """It keeps its time itself."""
    may_call = True

    def __init__(self, command: str, limit: float, starting: float) -> None:
        self._limit = limit
        self._extra = starting
        self.most_s = limit + starting
        self._buffer = b""
        self._lines: deque[bytes] = deque()
        self._seq = self._asked = self._taken = 0
        try:
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except (OSError, ValueError):
            self._process = None

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process is not None and self._process.poll() is None

    def begin(self, view: View) -> None:
        self._seq = view.seq
        self._asked = 0
        self._send(view)

    def hear(self, seq: int, event: Event) -> None:
        self._seq = seq
        self._send(Ev(TABLE, seq, event))

    def choose(self, view: BotView) -> Any:
        turn = view.table.turn
        ends = monotonic() + self._limit + self._extra
        self._extra = 0.0
        self._taken = 0
        if turn != self._asked:
            self._asked = turn
            self._drop_old(turn)
            self._send(TurnNow(TABLE, turn, self._seq, view.phase, view.legal, view.default, view.can_una, view.ms))
        while True:
            line = self._line(ends)
            try:
                request = read_line(line, TABLE, turn)
            except BadLine:
                return Wrong
            if isinstance(request, Act) and (request.turn is None or request.turn == turn):
                return request.do  # else readiness, chat, an answer to an old turn

    def _drop_old(self, turn: int) -> None:
        """Answers that came too late must not answer the next turn; calls and catches stay."""
        while self._read(0.0):
            pass
        self._lines = deque(line for line in self._lines if _is_beside(line))

    def close(self) -> None:
        """End the program: first by the end of its input."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    # -- lines

    def _send(self, message: Any) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise Dead("the program could not be started")
        data = memoryview(line_of(message))
        fd = process.stdin.fileno()
        os.set_blocking(fd, False)
        ends = monotonic() + self._limit + self._extra
        with selectors.DefaultSelector() as selector:
            selector.register(fd, selectors.EVENT_WRITE)
            while data:
                try:
                    data = data[os.write(fd, data) :]
                except BlockingIOError:
                    if monotonic() > ends:
                        raise Dead("the program reads nothing") from None
                    selector.select(0.05)
                except OSError:
                    raise Dead("the program has ended") from None

    def _line(self, ends: float) -> bytes:
        """The next line, which may have to be waited for."""
        while not self._lines:
            left = ends - monotonic()
            if left <= 0:
                raise OverTime
            self._read(left)
        return self._lines.popleft()

    def _read(self, wait: float) -> bool:
        """Take in what the program has sent, waiting for so long at most; whether there was anything."""
        process = self._process
        if process is None or process.stdout is None:
            raise Dead("the program could not be started")
        fd = process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(fd, selectors.EVENT_READ)
            if not selector.select(wait):
                return False
        chunk = os.read(fd, 65_536)
        if not chunk:
            raise Dead("the program has ended")
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        self._lines.extend(line for line in lines if line.strip())
        self._taken += len(chunk)
        if len(self._buffer) > LONGEST_LINE or len(self._lines) > _MOST_LINES or self._taken > _MOST_BYTES:
            raise Dead("the program sends without end")
        return True


def _is_beside(line: bytes) -> bool:
    try:
        request = read_line(line, TABLE, None)
    except BadLine:
        return False
    return isinstance(request, Act) and isinstance(request.do, (Una, Catch))
