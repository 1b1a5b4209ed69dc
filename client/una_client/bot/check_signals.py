"""SIGTERM and SIGHUP during a check, which has started processes that must not outlive it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

import trio

_ENDING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def ended_by_signals() -> AbstractContextManager[None]:
    """These signals end what runs within as Ctrl-C does, by an exception."""
    return _heeded(lambda number: sys.exit(128 + number))


@contextmanager
def cancelled_by_signals() -> Iterator[None]:
    """The same within trio, where no exception may come out of nowhere."""
    token = trio.lowlevel.current_trio_token()
    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        token.run_sync_soon(scope.cancel)

    with trio.CancelScope() as scope, _heeded(end):
        yield
    if came:
        sys.exit(128 + came[0])


@contextmanager
def _heeded(end: Callable[[int], None]) -> Iterator[None]:
    """Only the first of the signals counts, so that nothing disturbs the tidying up. What was to be ignored (nohup)
    still is; and in a thread there are no signals.
    """
    main = threading.current_thread() is threading.main_thread()
    heeded = {sign: signal.getsignal(sign) for sign in _ENDING if main and signal.getsignal(sign) != signal.SIG_IGN}

    def first(number: int, _: object) -> None:
        for sign in heeded:
            signal.signal(sign, signal.SIG_IGN)
        end(number)

    try:
        for sign in heeded:
            signal.signal(sign, first)
        yield
    finally:
        for sign, before in heeded.items():
            signal.signal(sign, before)
