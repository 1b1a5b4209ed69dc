"""The lobby's list of tables: in pages, and to subscribers whenever it has changed, a few times a second at most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from una_protocol.codec import encode
from una_protocol.messages import LobbyNow, TableRow

from .hall import Hall
from .session import Session

PAGE: Final = 50
PAUSE_S: Final = 0.3
"""The least time between two messages to subscribers."""


class Listing:
    """The public tables, ordered by id, so that a page stays what it is while tables come and go."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.subscribers: dict[str, Session] = {}

    def page(self, after: str | None = None) -> tuple[list[TableRow], str | None]:
        """The tables after that id, and the id to go on after (None: these were the last)."""
        places = self._hall.places.values()
        rows = [place.row for place in places if place.row is not None and place.table.public]
        rows.sort(key=lambda row: row.id)
        if after is not None:
            rows = [row for row in rows if row.id > after]
        return rows[:PAGE], rows[PAGE - 1].id if len(rows) > PAGE else None

    def subscribe(self, session: Session, on: bool) -> None:
        """From now on, or no longer."""
        if on:
            self.subscribers[session.key] = session
        else:
            self.subscribers.pop(session.key, None)

    async def run(self, after: Callable[[], None]) -> None:
        """Tell subscribers of changes until cancelled; call `after` when something was sent."""
        while True:
            await self._hall.row_changed.wait()
            self._hall.row_changed = trio.Event()
            if self.subscribers:
                rows, more = self.page()
                frame = encode(LobbyNow(rows, more))
                for session in self.subscribers.values():
                    session.send(frame)
                after()
            await trio.sleep(PAUSE_S)
