"""When which table wants to be woken: a heap, and the task that waits for its head.

A table moves its deadline with every move, mostly to a later time, so an alarm that rings too early is put back
instead of being searched for: setting one costs a comparison.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from typing import Final

import trio

AT_ONCE: Final = 8
"""So many alarms ring before everybody else has a turn: tables where only bots play have one due at all times."""


class Alarm:
    """The alarm of one table. `deadline` says when it wants to ring, `ring` is what happens then."""

    __slots__ = ("deadline", "queued", "ring")

    def __init__(self, deadline: Callable[[], float | None], ring: Callable[[float], None]) -> None:
        self.deadline = deadline
        self.ring = ring
        self.queued = math.inf
        """The time of its earliest entry in the heap."""


class Alarms:
    """All alarms."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Alarm]] = []
        self._tie = itertools.count()
        self._wake_at = math.inf
        self._sooner = trio.Event()

    def set(self, alarm: Alarm, when: float) -> None:
        """Let it ring at `when`, or earlier: then it will be asked again. A time in the past jumps no queue."""
        if when < alarm.queued:
            alarm.queued = when
            heapq.heappush(self._heap, (when, next(self._tie), alarm))
            if when < self._wake_at:
                self._wake_at = when
                self._sooner.set()

    def due(self, now: float) -> list[Alarm]:
        """Take out the alarms whose time has come, at most `AT_ONCE`, each once."""
        heap = self._heap
        found: list[Alarm] = []
        while heap and heap[0][0] <= now and len(found) < AT_ONCE:
            when, _, alarm = heapq.heappop(heap)
            if when != alarm.queued:
                continue  # an earlier entry has taken its place
            alarm.queued = math.inf
            deadline = alarm.deadline()
            if deadline is None:
                continue
            if deadline <= now:
                found.append(alarm)
            else:
                self.set(alarm, deadline)
        return found

    async def run(self, after: Callable[[float], None]) -> None:
        """Ring alarms as they fall due, until cancelled; call `after` when some have rung."""
        while True:
            now = trio.current_time()
            due = self.due(now)
            for alarm in due:
                alarm.ring(now)
                deadline = alarm.deadline()
                if deadline is not None:
                    self.set(alarm, max(deadline, now))
            if due:
                after(now)
                await trio.lowlevel.checkpoint()
            else:
                await self._wait()

    async def _wait(self) -> None:
        self._sooner = trio.Event()
        self._wake_at = self._heap[0][0] if self._heap else math.inf
        with trio.move_on_at(self._wake_at):
            await self._sooner.wait()
        self._wake_at = -math.inf  # nobody needs to wake a task that is not asleep
