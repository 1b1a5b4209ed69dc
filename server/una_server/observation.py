"""What is to be seen of a running server, as numbers: for `status` and for metrics.

Reads plain counters that others keep anyway; nothing of it is on the way of a move. Knows no names and no cards.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from una_protocol.messages import ServerStatus

from . import __version__
from .bans import Bans
from .lobby import Lobby
from .net.port import Port
from .store import Store
from .store.sqlite import SqliteStore

MINUTE_S: Final = 60.0


class Observation:
    """Asks the parts of a server for their numbers."""

    def __init__(self, lobby: Lobby, port: Port, store: Store, bans: Bans) -> None:
        self._lobby = lobby
        self._port = port
        self._store = store
        self._bans = bans
        self._began: float | None = None
        self._samples: deque[tuple[float, int]] = deque()
        """Time and moves, the oldest from at least a minute ago if the server has run for so long."""

    def note(self, now: float) -> None:
        """Remember how many moves there were. Called at the start, and every few seconds."""
        if self._began is None:
            self._began = now
        self._samples.append((now, self._lobby.hall.moves))
        while len(self._samples) > 1 and self._samples[1][0] <= now - MINUTE_S:
            self._samples.popleft()

    def _moves_per_min(self, now: float) -> int:
        if not self._samples:
            return 0
        then, moves = self._samples[0]
        return round((self._lobby.hall.moves - moves) * MINUTE_S / max(MINUTE_S, now - then))

    def status(self, now: float) -> ServerStatus:
        """The numbers, as they are now."""
        lobby, port, store = self._lobby, self._port, self._store
        hall = lobby.hall
        commits = commit_times(store)
        return ServerStatus(
            version=__version__,
            uptime_s=int(now - self._began) if self._began is not None else 0,
            connections=len(port.links),
            guests=sum(guest.link is not None for guest in lobby.book.by_key.values()),
            sessions=len(lobby.book.by_key),
            tables=len(hall.places),
            rounds=sum(place.table.round is not None for place in hall.places.values()),
            moves=hall.moves,
            moves_per_min=self._moves_per_min(now),
            connections_total=port.arrived_total,
            tables_total=hall.opened,
            refused_total=port.refused_total,
            bans=len(self._bans.all(time.time())),
            memory_kb=memory_kb(),
            commit_p50_us=_at(commits, 0.5),
            commit_p99_us=_at(commits, 0.99),
            storage_trouble=hall.troubles,
        )


def commit_times(store: Store) -> list[float]:
    """How long the last commits took, in seconds, shortest first. Copying a deque of numbers lets no thread between."""
    return sorted(store.commit_s) if isinstance(store, SqliteStore) else []


def _at(times: Sequence[float], part: float) -> int | None:
    """The time that this part of all times does not exceed, in microseconds."""
    return round(times[max(0, math.ceil(len(times) * part) - 1)] * 1e6) if times else None


def memory_kb() -> int | None:
    """The memory that the process has now; where the system does not say, the most it ever had; None: unknown."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most
