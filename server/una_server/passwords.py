"""Passwords of tables: hashed by scrypt in worker threads, two at a time, so that guessing stalls nobody's game.

A hash takes a tenth of a second and 16 MiB. Whoever needs one leaves a job here and is told the result later; there
is room for so many jobs only. Nobody else ever sees the text of a table's password, the journal included.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

import trio

log = logging.getLogger(__name__)

AT_ONCE: Final = 2
WAITING: Final = 32
"""So many jobs may wait; it takes the threads about two seconds to do them."""
_COST: Final = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}
_FORM: Final = "scrypt"

Job = tuple[Callable[[], Any], Callable[[Any, float], None]]
"""What a thread does, and what happens then: with its result, and the time."""


def hashed(password: str) -> str:
    """The form in which a password is kept: salt and hash, in hex."""
    salt = secrets.token_bytes(16)
    return f"{_FORM}:{salt.hex()}:{_digest(password, salt).hex()}"


def fits(stored: str, given: str) -> bool:
    """Whether this password was stored."""
    form, salt, digest = stored.split(":")
    return form == _FORM and hmac.compare_digest(bytes.fromhex(digest), _digest(given, bytes.fromhex(salt)))


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)


class HashQueue:
    """The jobs that wait for a thread."""

    def __init__(self) -> None:
        self._into, self._jobs = trio.open_memory_channel[Job](WAITING)

    def put(self, work: Callable[[], Any], then: Callable[[Any, float], None]) -> bool:
        """Leave a job: `work` is done in a thread, `then` is called in the loop. False: there is no room for it."""
        try:
            self._into.send_nowait((work, then))
        except trio.WouldBlock:
            return False
        return True

    async def run(self, after: Callable[[float], None]) -> None:
        """Do the jobs until cancelled; call `after` when one was done."""
        limiter = trio.CapacityLimiter(AT_ONCE)
        async with trio.open_nursery() as nursery:
            for _ in range(AT_ONCE):
                nursery.start_soon(self._work, limiter, after)

    async def _work(self, limiter: trio.CapacityLimiter, after: Callable[[float], None]) -> None:
        async for work, then in self._jobs:
            result = await trio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=True)
            now = trio.current_time()
            try:
                then(result, now)
            except Exception:
                log.exception("what was to follow on a password failed")
            after(now)
