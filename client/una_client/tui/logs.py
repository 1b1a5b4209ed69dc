"""The lines of the log: one log for each table, one for the lobby; whose chat is not to be shown."""

from __future__ import annotations

import time
from typing import Any, Final

from msgspec import structs

from una_protocol import events as ev
from una_protocol import messages as m

from ..mirror import LogEntry
from ..sentences import entry_text
from . import cards
from .theme import Caps
from .world import LogLine

LOG_LENGTH: Final = 500
_UNTOLD: Final = (ev.Voted, ev.OptionsSet)
_CAPS: Final = Caps()
_KINDS: Final[dict[type, Any]] = {m.Said: "chat", m.Err: "error", ev.Turn: "turn"}


class Logs:
    """The logs by table (None: the lobby), and the names of those who are muted."""

    def __init__(self) -> None:
        self.muted: frozenset[str] = frozenset()
        self._logs: dict[str | None, tuple[LogLine, ...]] = {}

    def of(self, table: str | None) -> tuple[LogLine, ...]:
        """The log of a table."""
        return self._logs.get(table, ())

    def drop(self, table: str) -> None:
        """The table was left."""
        self._logs.pop(table, None)

    def add(self, table: str | None, text: str, kind: Any = "event", clock: str | None = None) -> None:
        """A line of our own, or one that was made."""
        line = LogLine(time.strftime("%H:%M") if clock is None else clock, text, kind)
        self._logs[table] = (*self.of(table)[-LOG_LENGTH:], line)

    def enter(self, entry: LogEntry, current: str | None) -> None:
        """What the mirror has to tell; refusals go where the user is."""
        what = entry.what
        if isinstance(what, _UNTOLD) or (isinstance(what, ev.Turn) and what.seat != entry.who.you):
            return
        log = self.of(entry.table)
        if isinstance(what, ev.Turn) and log and log[-1].kind == "turn":
            return  # the same decision again, or the next one of the same turn
        if isinstance(what, ev.Dealt | ev.Played):  # the hand is on the screen
            entry = structs.replace(entry, what=structs.replace(what, hand=None))
        text = entry_text(entry, lambda card: cards.label(card, _CAPS))
        table = current if isinstance(what, m.Err) else entry.table
        self.add(table, text, _KINDS.get(type(what), "event"), entry.clock)
