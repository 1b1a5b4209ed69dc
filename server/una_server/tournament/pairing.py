"""Who waits for a match, and who plays whom. Pure: keys and times in, a group of keys out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

WITHIN: Final = 3
"""Opponents are looked for among so many times the seats of a table, from the front of the line."""


class Queue:
    """Those who want to play, with the time since when each waits; and how often who has met whom."""

    def __init__(self, seats: int, wait_s: float) -> None:
        """Groups of `seats`; of fewer, once somebody has waited for `wait_s`."""
        self._seats = seats
        self._wait_s = wait_s
        self._since: dict[str, float] = {}
        self._met: Counter[frozenset[str]] = Counter()

    def __contains__(self, key: str) -> bool:
        return key in self._since

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._since))

    def join(self, key: str, now: float) -> None:
        """They wait from now on."""
        self._since.setdefault(key, now)

    def again(self, key: str, now: float) -> None:
        """A match of theirs is over: they wait anew, if they still want to."""
        if key in self._since:
            self._since[key] = now

    def leave(self, key: str) -> None:
        """They want no further match."""
        if self._since.pop(key, None) is not None:
            self._met = Counter({pair: times for pair, times in self._met.items() if key not in pair})

    def group(
        self, ready: Iterable[str], now: float, akin: Callable[[str, str], int] = lambda one, other: 0
    ) -> list[str] | None:
        """Of those who are ready, the next who play together; None: nobody yet.

        Who has waited for longest plays for certain; then come those who are least `akin` to the group – whom nobody
        need suspect of helping each other – of these whom it has met least, and of these who has waited for longest.
        """
        line = sorted(ready, key=self._since.__getitem__)
        if len(line) < 2 or (len(line) < self._seats and now < self._since[line[0]] + self._wait_s):
            return None
        chosen, others = line[:1], line[1 : WITHIN * self._seats]
        while others and len(chosen) < self._seats:
            best = min(
                others,
                key=lambda key: (
                    sum(akin(key, other) for other in chosen),
                    sum(self._met[frozenset((key, other))] for other in chosen),
                ),
            )
            others.remove(best)
            chosen.append(best)
        return chosen

    def due(self, ready: Iterable[str]) -> float | None:
        """When a group of fewer may be made of them; None: there is nobody to wait with."""
        times = [self._since[key] for key in ready]
        return min(times) + self._wait_s if len(times) > 1 else None

    def meet(self, keys: Sequence[str]) -> None:
        """They play together now."""
        self._met.update(frozenset(pair) for pair in combinations(keys, 2))
