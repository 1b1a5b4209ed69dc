"""Thinks for `hard` in processes of its own, so that no search ever runs where tables are served.

The interface is plain: `think` takes a `Thought` and a callback and returns at once; the callback gets the action, or
None where there is none in time (the pool broke, or was closed), and then a faster level decides. Nothing here knows
tables or trio. Callbacks come in a thread of the pool; a trio program wraps them:

    token = trio.lowlevel.current_trio_token()
    thinkers.think(thought, lambda action: token.run_sync_soon(done, action))

How a table offers `hard` with it, and stays pure:

- `Seat` gets a `Memory`; `TableState.tell` feeds it `happening.for_seat(seat)`. `clock.deadline` gives no time for a
  seat on turn whose level is `hard` while `table.thinking == table.turn`: the table waits for a command, not a clock.
- When such a decision comes due, the tick sets `table.thinking = table.turn` and puts `thought_of(...)`, seeded from
  `table.chance`, into the `Outcome`; the hall hands it to `think`. Nothing else of the command waits for it.
- The answer comes back as a command of its own, naming the turn it answers: the move of a `Tick`. A turn that has
  passed meanwhile (somebody was caught, the seat was left) makes it stale, and it is dropped. None means `normal`.
- A journal keeps the move, not the thinking, so a replay needs no workers and no search.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from random import Random
from threading import Lock
from typing import Final, NamedTuple

from una_protocol.actions import Action
from una_protocol.bot import BotView
from una_protocol.view import View

from .hard import SIMULATIONS, HardPlay
from .memory import Memory

_NICE: Final = 10
"""Thinking gives way to serving."""


class Thought(NamedTuple):
    """A decision to be thought about: what the seat knows, what it may do, and the seed and size of the search."""

    table: View
    legal: tuple[Action, ...]
    default: int
    can_una: bool
    memory: Memory
    seed: int
    simulations: int = SIMULATIONS


Answer = Callable[[Action | None], None]


def decide(thought: Thought) -> Action:
    """The decision; the same for the same thought, wherever it runs."""
    view = BotView(thought.table, thought.legal, thought.default, thought.can_una)
    return HardPlay(Random(thought.seed), thought.simulations, thought.memory).move(view)


class Thinkers:
    """Some processes that think. They start with the first thought; `close` ends them."""

    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()
        self._closed = False

    def think(self, thought: Thought, answer: Answer) -> None:
        """Think, and call `answer` once, from another thread."""
        try:
            future = self._running().submit(decide, thought)
        except (BrokenProcessPool, RuntimeError):
            self._forget()
            answer(None)
            return
        future.add_done_callback(partial(self._done, answer))

    def close(self) -> None:
        """No more thoughts; those that wait are answered with None."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._closed:
                raise RuntimeError("closed")
            if self._pool is None:
                context = multiprocessing.get_context("spawn")  # a fork of a process with threads and sockets is none
                self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=_give_way)
            return self._pool

    def _forget(self) -> None:
        """The pool is broken; the next thought gets a new one."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False)

    def _done(self, answer: Answer, future: Future[Action]) -> None:
        try:
            action = future.result()
        except (BrokenProcessPool, CancelledError):
            self._forget()
            answer(None)
        except Exception:  # noqa: BLE001
            answer(None)
        else:
            answer(action)


def _give_way() -> None:
    if hasattr(os, "nice"):
        os.nice(_NICE)
