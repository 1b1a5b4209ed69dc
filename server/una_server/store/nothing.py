"""The store that keeps nothing: a server whose tables end with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .parts import NOTHING, Part, Saved, Step
from .store import CannotStore, Done


class NoStore:
    """Everything is done at once."""

    keeps = False

    def load(self) -> Saved:
        return NOTHING

    def start(self, settled: Callable[[], None]) -> None:
        pass

    def put(self, parts: Sequence[Part], done: Done) -> None:
        done(None)

    def read(self, table: int, done: Callable[[list[Step] | CannotStore], None]) -> None:
        done(CannotStore("nothing is kept"))

    async def drain(self) -> None:
        pass

    def close(self) -> None:
        pass
