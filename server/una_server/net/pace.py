"""How fast somebody may go: so many a second, and a burst at once. Pure arithmetic on a clock that others read."""

from __future__ import annotations


class Pace:
    """A leaky bucket kept as one number: the time at which it will be empty again."""

    __slots__ = ("_burst_s", "_cost", "_empty_at")

    def __init__(self, rate: float, burst: float) -> None:
        self._cost = 1 / rate
        self._burst_s = burst / rate
        self._empty_at = 0.0

    def take(self, now: float, amount: float = 1) -> bool:
        """Whether `amount` more may pass now; if so it is counted."""
        start = self._empty_at
        if start < now:
            start = now
        start += amount * self._cost
        if start - now > self._burst_s:
            return False
        self._empty_at = start
        return True

    def wait_ms(self, now: float, amount: float = 1) -> int:
        """After how many milliseconds `amount` may pass."""
        return max(0, round((self._empty_at + amount * self._cost - self._burst_s - now) * 1000)) + 1


class Tries:
    """Failed tries by address: only so many in a while. Old addresses are forgotten by themselves."""

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit = limit
        self._seconds = seconds
        self._paces: dict[str, Pace] = {}

    def wait_ms(self, address: str, now: float) -> int:
        """0, or the milliseconds until this address may try again."""
        pace = self._paces.get(address)
        if pace is None:
            return 0
        wait = pace.wait_ms(now)
        return wait if wait > 1 else 0

    def failed(self, address: str, now: float) -> None:
        """Count a failed try."""
        if len(self._paces) > 4096:
            self._paces = {key: pace for key, pace in self._paces.items() if pace.wait_ms(now, self._limit) > 1}
        self._paces.setdefault(address, Pace(self._limit / self._seconds, self._limit)).take(now)
