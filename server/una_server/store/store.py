"""The interface of a store, and its errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from .parts import Part, Saved, Step


class NoData(Exception):
    """The data cannot be used at all; one plain sentence says why. Nothing was changed."""


class CannotStore(Exception):
    """A transaction was not stored, and has left no trace: the disk is full, or broken."""


Done = Callable[[CannotStore | None], None]
"""Called once for each transaction, when it is stored for good, or with the reason why it is not."""


class Store(Protocol):
    """Takes transactions one after another. Each is stored wholly or not at all, and never before an earlier one.

    Everything is called from the server's one thread, and calls back there.
    """

    keeps: bool
    """False: nothing outlives the process, `done` is called at once, and nobody needs to make the parts."""

    def load(self) -> Saved:
        """What an earlier server left. Called once, before everything else."""

    def start(self, settled: Callable[[], None]) -> None:
        """From now on transactions are stored and answered; `settled` is called after each lot of answers."""

    def put(self, parts: Sequence[Part], done: Done) -> None:
        """Store the parts, all or none of them. May be called before `start`; then it waits for it."""

    def read(self, table: int, done: Callable[[list[Step] | CannotStore], None]) -> None:
        """The steps of a table, if at the same time there is room to store further ones."""

    async def drain(self) -> None:
        """Until all that was put so far is stored (or cannot be), and its `done` called."""

    def close(self) -> None:
        """Give everything back. Nothing is put after this; what was put before is stored."""
