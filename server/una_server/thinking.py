"""Between the tables and the processes that think for `hard`: thoughts go out, answers come back to the loop.

A table waits for its answer without stopping anything: not its own requests, not another table. The processes start
with the first thought, and give way to the server (`bots.workers`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from una_protocol.actions import Action

from .bots.thought import Thought
from .bots.workers import Thinkers
from .place import Place

PROCESSES: Final = max(1, min(4, (os.cpu_count() or 1) - 1))
"""So many think at a time, at most."""

Answered = Callable[[Place, int, Action | None, float], None]


class Thinking:
    """All thoughts of a server. `on`: somebody waits for the answers; before and after, nothing is to be begun."""

    def __init__(self) -> None:
        self.on = False
        self._thinkers = Thinkers(PROCESSES)
        self._send, self._answers = trio.open_memory_channel[tuple[Place, int, Action | None]](math.inf)

    def begin(self, place: Place, thought: Thought) -> None:
        """Think for a table."""
        token = trio.lowlevel.current_trio_token()

        def answer(action: Action | None) -> None:
            with suppress(trio.RunFinishedError):  # the server is gone
                token.run_sync_soon(self._send.send_nowait, (place, thought.turn, action))

        self._thinkers.think(thought, answer)

    async def run(self, answered: Answered, after: Callable[[float], None]) -> None:
        """Hand over the answers, until cancelled; call `after` each."""
        self.on = True
        try:
            async for place, turn, action in self._answers:
                now = trio.current_time()
                answered(place, turn, action, now)
                after(now)
        finally:
            self.on = False

    def close(self) -> None:
        """End the processes; a search that runs is waited for, which takes no longer than one move."""
        self._thinkers.close()
