"""Keeps the records of arena games: one file for each round, named after game and round."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from una_protocol.actions import RecordedAction

from .. import __version__
from ..game import Match
from ..game.record import Recorder

_NO_TIME = "1970-01-01T00:00:00Z"
"""The same games give the same files, so no clock is looked at."""


class CannotRecord(Exception):
    """A record cannot be written; the text is one sentence."""


class Records:
    """The records of one game. CannotRecord."""

    def __init__(self, folder: Path, game: int, profile: str, names: Sequence[str]) -> None:
        self._folder = folder
        self._game = game
        self._profile = profile
        self._names = names
        self._recorder: Recorder | None = None
        self._lines: list[str] = []
        self._round = 0

    def deal(self, match: Match) -> None:
        """A round was dealt."""
        self.close()
        self._round = match.number
        self._recorder = Recorder(match)
        assert match.round is not None
        players = [{"name": self._names[seat], "kind": "bot"} for seat in match.round.order]
        self._lines = self._recorder.start(
            match, id=self._id, table="arena", started=_NO_TIME, server=f"una-lan {__version__}",
            profile=self._profile, players=players,
        )  # fmt: skip

    def note(self, match: Match, seat: int, action: RecordedAction, auto: bool) -> None:
        """An action was applied."""
        if self._recorder is not None:
            self._lines += self._recorder.action(match, seat, action, auto=auto)

    def close(self) -> None:
        """Write what there is of the round."""
        if self._recorder is not None:
            file = self._folder / f"{self._id}.una.jsonl"
            try:
                file.write_text("".join(f"{line}\n" for line in self._lines), "utf-8")
            except OSError as error:
                raise CannotRecord(f"{file} cannot be written: {(error.strerror or 'it failed').lower()}.") from None
        self._recorder = None

    @property
    def _id(self) -> str:
        return f"game-{self._game:06d}-{self._round}"
