"""The files of records: one for each round, in a folder, written line by line as the round is played.

What a record says is the table's business; here are only names, files and their errors. An error of the disk is
logged and costs the rest of that round's record, nothing else.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

log = logging.getLogger(__name__)

HEADER = '{"una_record"'


def date_and_time() -> str:
    """Now, for people: UTC to the second, as a record's header has it."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Recorder:
    """Appends lines to the file of each table's round."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, TextIO] = {}

    def write(self, table_id: str, lines: list[str]) -> None:
        """Append the lines of a table; a header begins a new file, an end closes it."""
        try:
            for line in lines:
                if line.startswith(HEADER):
                    self.close(table_id)
                    self._files[table_id] = self._open(table_id, line)
                file = self._files.get(table_id)
                if file is not None:
                    file.write(line.rstrip("\n") + "\n")
            if table_id in self._files:
                self._files[table_id].flush()
                if lines[-1].startswith('{"end"'):
                    self.close(table_id)
        except (OSError, ValueError) as error:
            log.error("a record could not be written: %s", getattr(error, "strerror", None) or "bad line")
            self.close(table_id)

    def go_on(self, table_id: str, lines: list[str]) -> None:
        """A round whose file an earlier server began; it has these lines so far."""
        try:
            for path in sorted(self._folder.glob(f"*-{table_id}-*.una.jsonl")):
                with path.open(encoding="utf-8") as file:
                    begun = file.readline().rstrip("\n") == lines[0]
                if begun:  # it is written anew: its last lines may be missing, or be more than were stored
                    path.unlink()
        except (OSError, ValueError) as error:
            log.error("a record could not be gone on with: %s", getattr(error, "strerror", None) or "bad text")
        self.write(table_id, lines)

    def close(self, table_id: str) -> None:
        """No more lines come for this round."""
        file = self._files.pop(table_id, None)
        if file is not None:
            try:
                file.close()
            except OSError as error:
                log.error("a record could not be closed: %s", error.strerror)

    def close_all(self) -> None:
        """No more lines come at all."""
        for table_id in tuple(self._files):
            self.close(table_id)

    def _open(self, table_id: str, header: str) -> TextIO:
        number = int(json.loads(header).get("round", 0))
        stem = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{table_id}-{number}"
        for again in range(1000):
            suffix = f"-{again}" if again else ""
            try:
                return (self._folder / f"{stem}{suffix}.una.jsonl").open("x", encoding="utf-8")
            except FileExistsError:
                continue
        raise OSError("no free file name")
