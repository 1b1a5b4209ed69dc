"""A table's place in the hall: the table, its alarm, and where it stands between memory and journal.

Knows nothing of sessions and sends nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from una_protocol.messages import TableRow

from .alarms import Alarm
from .net.link import Link
from .store import Opening
from .table import Command, Table


class Waiting(NamedTuple):
    """A command that waits until the one before it is stored. `then` is called when it is done (None: only that)."""

    command: Command | None
    now: float
    then: Callable[[], None] | None = None


class Place:
    """A table, and what the hall keeps beside it."""

    __slots__ = (
        "alarm", "busy", "digest", "ended", "late", "lines", "number", "offset", "opening", "parted", "queue",
        "reopening", "retry_at", "row", "stalled", "steps", "table", "thinking", "wall",
    )  # fmt: skip

    def __init__(self, table: Table, number: int, ring: Callable[[Place, float], None]) -> None:
        self.table = table
        self.number = number
        """Counted over all tables there ever were."""
        self.alarm = Alarm(self.deadline, lambda now: ring(self, now))
        self.row: TableRow | None = None
        """The table's line in the lobby; None: nobody may know of the table yet."""
        self.offset = 0.0
        """The table's time less the server's: clocks stand while no server runs."""
        self.thinking = False
        """A house bot's move is being thought about elsewhere; nothing is due before the answer."""
        self.ended = False
        """The server stops: nothing is due any more."""
        self.wall = 0
        self.lines: list[str] = []
        """The record of the round that runs."""
        # the journal
        self.opening: Opening | None = None
        """What the stored steps begin from."""
        self.reopening: Opening | None = None
        """What they begin from once the command is stored that begins another match."""
        self.steps = 0
        self.digest = 0
        self.busy = False
        """A command is done and not stored: nobody may know of it, and no other is done."""
        self.stalled = False
        """It could not be stored: the table waits until there is room."""
        self.retry_at: float | None = None
        self.queue: deque[Waiting] = deque()
        self.late: dict[str, Link] = {}
        """Who came back and was not brought up to date yet, by key: events go to them together, later."""
        self.parted: dict[str, int] = {}
        """Who of these is not at the table any more, and with which seq they left."""

    def time(self, now: float) -> float:
        """The table's time. It never goes back, whatever order things came in."""
        time, last = now + self.offset, self.table.now
        return time if time > last else last

    def deadline(self) -> float | None:
        """When the table wants to be woken, in the server's time."""
        if self.busy:
            return self.retry_at
        if self.ended:
            return None
        if self.thinking:
            return None
        deadline = self.table.deadline
        if deadline is None:
            return None
        when = deadline - self.offset
        # a rounding error must not wake the table a moment too early, for ever
        return when if when + self.offset >= deadline else when + 1e-6
