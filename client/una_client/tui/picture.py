"""The `World` that the screens show, made of what is known of a stay at a server."""

from __future__ import annotations

import copy
import time

import trio

from una_protocol import messages as m

from ..goal import Goal
from ..link import Link
from ..mirror import Mirror, TableMirror
from .logs import Logs
from .model import Retrying, World
from .offers import Offers
from .story import Story


class Picture:
    """Remembers what a message tells once and the mirror does not keep: what happened last, and since when we wait."""

    def __init__(self, link: Link, mirror: Mirror, offers: Offers, logs: Logs, *, home: bool) -> None:
        self._link, self._mirror, self._offers, self._logs = link, mirror, offers, logs
        self._home = home
        self._stories: dict[str, Story] = {}
        self._sent_at: float | None = None
        self._limit: tuple[float | None, float | None] = (None, None)

    def note(self, message: m.Ev) -> None:
        """An event, before the mirror takes it in."""
        table = self._mirror.tables.get(message.table)
        story = self._stories.setdefault(message.table, Story())
        story.note(message.e, table.view if table is not None else None, time.monotonic())

    def drop(self, table: str) -> None:
        """The table was left."""
        self._stories.pop(table, None)

    def world(self, goal: Goal, lost: Retrying | None) -> World:
        """What is known now."""
        mirror, offers, session = self._mirror, self._offers, self._link.session
        table, now, clock = mirror.table, trio.current_time(), time.monotonic()
        left = table.seconds_left(now) if table is not None else None
        vote = table.vote_deadline if table is not None else None
        story = self._stories.get(mirror.current or "", None) or Story()
        sent = table.sent.action if table is not None and table.sent is not None else None
        self._sent_at = None if sent is None else self._sent_at or clock
        return World(
            where=goal.where,
            me=goal.name,
            home=self._home,
            own=goal.own_server,
            closed=table is not None and table.gone is not None,
            lost=lost,
            delay=None if session is None or goal.own_server else session.delay,
            lobby=offers.tables(mirror.lobby),
            more_tables=offers.more,
            ladder=offers.ladder,
            more_ladder=offers.more_ladder,
            catalogue=offers.catalogue,
            view=copy.deepcopy(table.view) if table is not None else None,  # the mirror folds its own in place
            turn=table.turn if table is not None else None,
            deadline=None if left is None else clock + left,
            vote_deadline=None if vote is None else clock + vote - now,
            limit=self._longest(table, left),
            frozen=table.frozen if table is not None else None,
            grace=story.grace,
            sent=sent,
            sent_at=self._sent_at,
            fresh=story.fresh,
            log=self._logs.of(mirror.current),
            four=story.four,
            before=story.before,
            rounds=story.rounds,
            highlights=story.highlights,
            muted=self._logs.muted,
        )

    def _longest(self, table: TableMirror | None, left: float | None) -> float | None:
        """What a full clock means: the most that was left since this deadline was set."""
        deadline = table.deadline if table is not None else None
        if left is None or deadline != self._limit[0]:
            self._limit = (deadline, left)
        return self._limit[1]
