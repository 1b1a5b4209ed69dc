"""Thinks for `hard` in processes of its own, so that no search ever runs where tables are served.

The interface is plain: `think` takes a `Thought` and a callback and returns at once; the callback gets the action, or
None where there is none in time (the pool broke, or was closed), and then a faster level decides. Nothing here knows
tables or trio. Callbacks come in a thread of the pool; a trio program wraps them:

    token = trio.lowlevel.current_trio_token()
    thinkers.think(thought, lambda action: token.run_sync_soon(done, action))
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from threading import Lock
from typing import Final

from una_protocol.actions import Action

from .thought import Thought, decide

_NICE: Final = 10
"""Thinking gives way to serving."""


Answer = Callable[[Action | None], None]


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
