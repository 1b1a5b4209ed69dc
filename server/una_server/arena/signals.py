"""SIGTERM and SIGHUP, where processes have been started that must not outlive this one."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_ENDING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """These signals end what runs within as Ctrl-C does, by an exception. For the main thread.

    Only the first of them counts, so that nothing disturbs the tidying up. What was to be ignored (nohup) still is.
    """
    heeded = {sign: signal.getsignal(sign) for sign in _ENDING if signal.getsignal(sign) != signal.SIG_IGN}

    def end(number: int, _: object) -> None:
        for sign in heeded:
            signal.signal(sign, signal.SIG_IGN)
        sys.exit(128 + number)

    try:
        for sign in heeded:
            signal.signal(sign, end)
        yield
    finally:
        for sign, before in heeded.items():
            signal.signal(sign, before)
