"""The store in an SQLite file: one thread writes, many transactions in one commit.

Whatever arrives while a commit runs goes into the next one together; where several tables are busy the thread lingers
for a moment, so that they share a commit. The answers of a commit go back to trio's thread in one call.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import trio

from .database import Database
from .parts import Part, Saved, Step
from .store import CannotStore, Done

log = logging.getLogger(__name__)

LINGER_S: Final = 0.002
"""For so long others may join a commit, where the last one was shared too."""
AT_ONCE: Final = 512
"""The most transactions of one commit."""
PURGE_EACH_S: Final = 60.0
"""How often steps that are not needed any more are looked for, when nothing else is to do."""

Put = tuple[Sequence[Part], Done]
Read = tuple[int, Callable[[list[Step] | CannotStore], None]]


class SqliteStore:
    """All in one file. Opening raises NoData."""

    keeps = True

    def __init__(self, path: Path) -> None:
        self.database = Database(path)
        self.commit_s: deque[float] = deque(maxlen=256)
        """How long the last commits took."""
        self._inbox: SimpleQueue[Put | Read | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._settled: Callable[[], None] = lambda: None
        self._open = 0
        """Transactions whose `done` was not called yet."""
        self._idle = trio.Event()

    def load(self) -> Saved:
        return self.database.load()

    def start(self, settled: Callable[[], None]) -> None:
        self._settled = settled
        self._token = trio.lowlevel.current_trio_token()
        self._thread = threading.Thread(target=self._work, name="una-store", daemon=True)
        self._thread.start()

    def put(self, parts: Sequence[Part], done: Done) -> None:
        self._open += 1
        self._inbox.put((parts, done))

    def read(self, table: int, done: Callable[[list[Step] | CannotStore], None]) -> None:
        self._open += 1
        self._inbox.put((table, done))

    async def drain(self) -> None:
        while self._open:
            await self._idle.wait()
            self._idle = trio.Event()

    def close(self) -> None:
        self._inbox.put(None)
        if self._thread is not None:
            self._thread.join()
        self.database.close()

    # -- trio's thread -------------------------------------------------------------------------------------------

    def _answer(self, puts: list[Put], error: CannotStore | None) -> None:
        for _, done in puts:
            try:
                done(error)
            except Exception:
                log.exception("what follows from a commit failed")
        self._close_books(len(puts))

    def _hand_over(self, read: Read, found: list[Step] | CannotStore) -> None:
        try:
            read[1](found)
        except Exception:
            log.exception("what follows from reading failed")
        self._close_books(1)

    def _close_books(self, count: int) -> None:
        self._open -= count
        self._settled()
        if not self._open:
            self._idle.set()

    # -- the thread that writes ----------------------------------------------------------------------------------

    def _work(self) -> None:
        shared = False
        purge_at = time.monotonic()
        while True:
            try:
                first = self._inbox.get(timeout=max(0.1, purge_at - time.monotonic()))
            except Empty:
                purge_at = self._purge()
                continue
            if first is None:
                break
            if shared:
                time.sleep(LINGER_S)
            batch, read = self._gather(first)
            shared = len(batch) > 1
            self._commit(batch)
            if read is not None:
                self._read(read)
            if time.monotonic() > purge_at + PURGE_EACH_S:  # it is never idle
                purge_at = self._purge()

    def _gather(self, first: Put | Read) -> tuple[list[Put], Read | None]:
        """What waits, up to the next reading or the end."""
        batch: list[Put] = []
        item: Put | Read | None = first
        with contextlib.suppress(Empty):
            while True:
                if item is None:
                    self._inbox.put(None)
                    break
                if isinstance(item[0], int):
                    return batch, item
                batch.append(item)
                if len(batch) >= AT_ONCE:
                    break
                item = self._inbox.get_nowait()
        return batch, None

    def _commit(self, batch: list[Put]) -> None:
        if not batch:
            return
        error = self._write([part for put in batch for part in put[0]])
        if error is None or len(batch) == 1:
            self._call(self._answer, batch, error)
            return
        for put in batch:  # one of them may be at fault alone, and the others go through
            self._call(self._answer, [put], self._write(put[0]))

    def _write(self, parts: Sequence[Part]) -> CannotStore | None:
        if not parts:
            return None
        began = time.perf_counter()
        try:
            self.database.write(parts)
        except Exception as failed:  # noqa: BLE001  # whatever it is, those who wait are answered
            log.error("the data cannot be stored: %s: %s", type(failed).__name__, failed)
            return CannotStore(str(failed))
        finally:
            self.commit_s.append(time.perf_counter() - began)
        return None

    def _read(self, read: Read) -> None:
        found: list[Step] | CannotStore
        try:
            self.database.probe()
            found = self.database.steps(read[0])
        except Exception as failed:  # noqa: BLE001  # as above
            found = CannotStore(str(failed))
        self._call(self._hand_over, read, found)

    def _purge(self) -> float:
        """Delete some old steps; when to look again."""
        more = False
        try:
            more = self.database.purge()
        except sqlite3.Error as failed:
            log.warning("old steps could not be deleted: %s", failed)
        return time.monotonic() + (1.0 if more else PURGE_EACH_S)

    def _call(self, sync: Callable[..., object], *args: object) -> None:
        assert self._token is not None
        with contextlib.suppress(trio.RunFinishedError):  # nobody is there to hear it
            self._token.run_sync_soon(sync, *args)
