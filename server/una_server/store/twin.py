"""A store in memory that behaves like one on a disk, for tests and simulations. No threads, no clock of its own.

    disk = Disk()                               # what survives
    store = TwinStore(disk)                     # one server's way to it
    host = Host(config, store)                  # or Lobby(..., store=store)
    store.crash()                               # the power goes: nothing more is stored, no answer comes
    host = Host(config, TwinStore(disk))        # the next server finds what was stored

Without a delay a transaction is stored and answered within `put`, which is deterministic and needs no task. `delay`
gives the seconds until the next lot is stored (drawn from a seeded chance, say); then a task of trio's does the work,
on whatever clock trio runs: `await nursery.start(store.run)`, or `start` starts it as a system task. All that arrives
meanwhile goes into the next lot, as with the real one. `hold = True` stops storing until `release()` is called: a
test's way to stand between an action and its commit.

`fail(reason)` lets every write fail from now on, as a full disk does, until `mend()`; `fail_next(n)` only the next n
lots. `crash(stored=True)` stores what waits before it dies, so that a client misses answers of what was done;
`crash()` loses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from . import parts as p
from .store import CannotStore, Done


class Disk:
    """What was stored."""

    def __init__(self) -> None:
        self.openings: dict[int, p.Opening] = {}
        self.steps: dict[int, list[p.Step]] = {}
        self.aside: dict[int, p.Aside] = {}
        self.sessions: dict[str, p.SessionRow] = {}
        self.records: list[p.Record] = []
        self.opened = 0
        self.ladder: dict[str, p.LadderEntry] = {}
        self.ranked: dict[int, p.Ranked] = {}
        self.bans: dict[str, p.Ban] = {}

    def write(self, parts: Sequence[p.Part]) -> None:
        """Store the parts."""
        for part in parts:
            match part:
                case p.Step(table):
                    self.steps.setdefault(table, []).append(part)
                case p.Opening(table):
                    self.openings[table] = part
                    self.opened = max(self.opened, table)
                case p.Reopening(table):
                    self.openings[table] = p.Opening(*part)
                    self.steps[table] = [step for step in self.steps.get(table, []) if step.number >= part.first]
                case p.Closing(table):
                    self.openings.pop(table, None)
                    self.ranked.pop(table, None)
                    self.steps.pop(table, None)
                case p.Aside(table):
                    self.aside[table] = part
                case p.SessionRow(key):
                    self.sessions[key] = part
                case p.Forgotten(key):
                    self.sessions.pop(key, None)
                case p.Record():
                    self.records.append(part)
                case p.Prune(before):
                    self.records = [record for record in self.records if record.finished >= before]
                case p.LadderEntry(shape):
                    self.ladder[shape] = part
                case p.Ranked(table):
                    self.ranked[table] = part
                case p.Ban(network):
                    self.bans[network] = part
                case p.Unban(network):
                    self.bans.pop(network, None)
                case p.Judged(table):
                    self.ranked[table] = p.Ranked(table, "")

    def load(self) -> p.Saved:
        """What a start finds."""
        return p.Saved(
            tables=[
                (opening, list(self.steps.get(table, [])))
                for table, opening in sorted(self.openings.items())
                if table not in self.aside
            ],
            aside={aside.id: aside.why for aside in self.aside.values()},
            sessions=list(self.sessions.values()),
            opened=self.opened,
            ladder=list(self.ladder.values()),
            ranked=list(self.ranked.values()),
            bans=list(self.bans.values()),
        )


class TwinStore:
    """A server's way to a `Disk`."""

    keeps = True

    def __init__(self, disk: Disk, delay: Callable[[], float] | None = None) -> None:
        self.disk = disk
        self.hold = False
        self.lots = 0
        """How many lots were stored."""
        self._delay = delay
        self._dead = False
        self._error: str | None = None
        self._failing = 0
        self._waiting: list[tuple[Sequence[p.Part], Done]] = []
        self._busy = False
        self._more = trio.Event()
        self._idle = trio.Event()
        self._settled: Callable[[], None] = lambda: None

    # -- the store -----------------------------------------------------------------------------------------------

    def load(self) -> p.Saved:
        return self.disk.load()

    def start(self, settled: Callable[[], None]) -> None:
        self._settled = settled
        if self._delay is not None:
            trio.lowlevel.spawn_system_task(self.run)

    def put(self, parts: Sequence[p.Part], done: Done) -> None:
        if self._dead:
            return
        self._waiting.append((parts, done))
        if self._delay is None and not self.hold:
            self._store_lots()
        else:
            self._more.set()

    def read(self, table: int, done: Callable[[list[p.Step] | CannotStore], None]) -> None:
        if not self._dead:
            done(CannotStore(self._error) if self._error is not None else list(self.disk.steps.get(table, [])))

    async def drain(self) -> None:
        while self._waiting and not self._dead:
            await self._idle.wait()
            self._idle = trio.Event()

    def close(self) -> None:
        if not self._dead:
            self._store_lots()
        self._dead = True
        self._more.set()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Store each lot after its delay, until the store is closed."""
        task_status.started()
        while not self._dead:
            await self._more.wait()
            self._more = trio.Event()
            if self._waiting and not self.hold and self._delay is not None:
                await trio.sleep(self._delay())
                self._store_lots()

    # -- faults --------------------------------------------------------------------------------------------------

    def fail(self, reason: str = "database or disk is full") -> None:
        """Let every write fail from now on."""
        self._error = reason

    def mend(self) -> None:
        """The disk works again."""
        self._error = None

    def fail_next(self, lots: int = 1) -> None:
        """Let the next lots fail."""
        self._failing = lots

    def release(self) -> None:
        """Store what was held up, and go on."""
        self.hold = False
        self._store_lots()

    def crash(self, *, stored: bool = False) -> None:
        """The process is gone: `done` is not called any more. `stored`: what waited was stored before."""
        if stored and self._error is None:
            for parts, _ in self._waiting:
                self.disk.write(parts)
        self._waiting.clear()
        self._dead = True
        self._more.set()

    # -- the work ------------------------------------------------------------------------------------------------

    def _store_lots(self) -> None:
        """Store what waits, and what is put meanwhile, lot after lot: an answer often brings the next transaction."""
        if self._busy:
            return
        self._busy = True
        try:
            while self._waiting and not self._dead and not self.hold:
                lot, self._waiting = self._waiting, []
                error = self._write(lot)
                for _, done in lot:
                    done(error)
                if self._delay is not None:
                    break
        finally:
            self._busy = False
        self._settled()
        self._idle.set()

    def _write(self, lot: list[tuple[Sequence[p.Part], Done]]) -> CannotStore | None:
        self.lots += 1
        if self._error is not None or self._failing:
            self._failing = max(0, self._failing - 1)
            return CannotStore(self._error or "disk I/O error")
        for parts, _ in lot:
            self.disk.write(parts)
        return None
