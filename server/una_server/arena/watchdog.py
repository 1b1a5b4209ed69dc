"""Ends the thinking of a bot that runs in this process and does not come back.

One timer ticks while a game is played; a tick that finds a move over its time raises `OverTime` inside of the bot.
Looking at a clock twice a move is all it costs. What this cannot end (a loop in C, a bot that switches the signal
off, a system without such signals) shows in the `Pulse`, and then the process is ended from outside (`crew`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Protocol


class Pulse(Protocol):
    """Three numbers that other processes may read: when somebody was asked last, the seat, and how many seconds the
    answer may take. Shared memory, or a list.
    """

    def __setitem__(self, place: int, value: float, /) -> None:
        """Set one of them."""


class OverTime(BaseException):
    """The move took too long. No `Exception`, so that a bot that catches everything does not catch this."""


class Watchdog:
    """`began` is when the bot that thinks now began to, 0 while none does."""

    __slots__ = ("began", "limit")

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.began = 0.0

    @contextmanager
    def patient(self, more: float) -> Iterator[None]:
        """More time for each call, as long as this lasts."""
        self.limit += more
        try:
            yield
        finally:
            self.limit -= more

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Tick as long as this lasts."""
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._tick)
        step = min(max(self.limit / 4, 0.01), 0.5)
        signal.setitimer(signal.ITIMER_REAL, step, step)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _tick(self, *_: Any) -> None:
        now = perf_counter()
        if self.began and now - self.began > self.limit:
            self.began = now  # a bot that swallows it hears of it again
            raise OverTime("it does not come back in time")
