"""Every SQL statement there is, on a database that `file` has opened.

Knows no threads and no clock: whoever holds a `Database` uses it from one thread at a time.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import parts as p
from .file import locked, opened
from .store import NoData

ROWS_AT_ONCE: Final = 64
"""The rows of one INSERT: each call into SQLite gives the interpreter's lock away and waits to get it back."""
PROBE_BYTES: Final = 65_536
PURGE_ROWS: Final = 20_000

_INSERT_STEPS: Final = [
    "INSERT INTO step(game_table, number, seq, digest, body) VALUES " + ", ".join(["(?, ?, ?, ?, ?)"] * count)
    for count in range(1, ROWS_AT_ONCE + 1)
]


class Database:
    """An open database, ready to write."""

    def __init__(self, path: Path) -> None:
        """Open, or make, the database; raises NoData."""
        self.path = path
        self._lock = locked(path)
        try:
            self._sql = opened(path)
        except NoData:
            self._lock.close()
            raise

    def close(self) -> None:
        """Close it, and let others use it."""
        with contextlib.suppress(sqlite3.Error):
            self._sql.close()
        self._lock.close()

    # -- writing -------------------------------------------------------------------------------------------------

    def write(self, parts: Sequence[p.Part]) -> None:
        """All parts in one transaction; sqlite3.Error, and nothing is written."""
        run = self._sql.execute
        steps = [part for part in parts if type(part) is p.Step]
        if len(steps) == len(parts) <= ROWS_AT_ONCE:
            if steps:  # one statement is a transaction of its own
                run(_INSERT_STEPS[len(steps) - 1], [value for row in steps for value in row])
            return
        run("BEGIN IMMEDIATE")
        try:
            for start in range(0, len(steps), ROWS_AT_ONCE):
                rows = steps[start : start + ROWS_AT_ONCE]
                run(_INSERT_STEPS[len(rows) - 1], [value for row in rows for value in row])
            if len(steps) < len(parts):
                for part in parts:
                    if type(part) is not p.Step:
                        self._write(part)
            run("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # some errors have rolled it back already
                run("ROLLBACK")
            raise

    def _write(self, part: p.Part) -> None:
        run = self._sql.execute
        match part:
            case p.Opening():
                run("INSERT INTO game_table(number, id, version, opening, first) VALUES (?, ?, ?, ?, ?)", part)
            case p.Reopening(table, _, version, body, first):
                run(
                    "UPDATE game_table SET version = ?, opening = ?, first = ? WHERE number = ?",
                    (version, body, first, table),
                )
            case p.Closing(table):
                run("DELETE FROM game_table WHERE number = ?", (table,))
                run("DELETE FROM ranked WHERE game_table = ?", (table,))
            case p.Aside(table, _, why):
                run("UPDATE game_table SET aside = ? WHERE number = ?", (why, table))
            case p.SessionRow():
                run("INSERT OR REPLACE INTO session(key, token, name, bot, seen) VALUES (?, ?, ?, ?, ?)", part)
            case p.Forgotten(key):
                run("DELETE FROM session WHERE key = ?", (key,))
            case p.Record():
                run(
                    "INSERT INTO record(id, table_name, round, profile, players, started, finished, lines) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    part,
                )
            case p.Prune(before):
                run("DELETE FROM record WHERE finished < ?", (before,))
            case p.LadderEntry():
                run("INSERT OR REPLACE INTO ladder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", part)
            case p.Ranked():
                run("INSERT INTO ranked VALUES (?, ?)", part)
            case p.Ban():
                run("INSERT OR REPLACE INTO ban(network, until) VALUES (?, ?)", part)
            case p.Unban(network):
                run("DELETE FROM ban WHERE network = ?", (network,))
            case p.Judged(table):
                run("UPDATE ranked SET players = '' WHERE game_table = ?", (table,))

    def probe(self) -> None:
        """Write something and take it away again: sqlite3.Error where there is no room for it."""
        run = self._sql.execute
        run("BEGIN IMMEDIATE")
        try:
            run("INSERT INTO probe(body) VALUES (zeroblob(?))", (PROBE_BYTES,))
            run("DELETE FROM probe")
            run("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                run("ROLLBACK")
            raise

    def purge(self) -> bool:
        """Delete some steps that are not needed any more; whether there may be more."""
        return bool(
            self._sql.execute(
                "DELETE FROM step WHERE place IN (SELECT place FROM step LEFT JOIN game_table"
                " ON game_table.number = step.game_table"
                " WHERE game_table.number IS NULL OR step.number < first LIMIT ?)",
                (PURGE_ROWS,),
            ).rowcount
        )

    # -- reading -------------------------------------------------------------------------------------------------

    def load(self) -> p.Saved:
        """What an earlier server left."""
        run = self._sql.execute
        tables = {
            row[0]: (p.Opening(*row), list[p.Step]())
            for row in run(
                "SELECT number, id, version, opening, first FROM game_table WHERE aside IS NULL ORDER BY number"
            )
        }
        for row in run("SELECT game_table, number, seq, digest, body FROM step ORDER BY place"):
            if row[0] in tables and row[1] >= tables[row[0]][0].first:
                tables[row[0]][1].append(p.Step(*row))
        opened = run("SELECT seq FROM sqlite_sequence WHERE name = 'game_table'").fetchone()
        return p.Saved(
            tables=list(tables.values()),
            aside=dict(run("SELECT id, aside FROM game_table WHERE aside IS NOT NULL")),
            sessions=[
                p.SessionRow(key, token, name, bool(bot), seen)
                for key, token, name, bot, seen in run("SELECT key, token, name, bot, seen FROM session")
            ],
            opened=opened[0] if opened is not None else 0,
            ladder=[p.LadderEntry(*row) for row in run("SELECT * FROM ladder")],
            bans=[p.Ban(*row) for row in run("SELECT network, until FROM ban")],
            ranked=[p.Ranked(*row) for row in run("SELECT * FROM ranked ORDER BY game_table")],
        )

    def steps(self, table: int) -> list[p.Step]:
        """The steps of one table."""
        sql = (
            "SELECT game_table, step.number, seq, digest, body FROM step"
            " JOIN game_table ON game_table.number = game_table"
            " WHERE game_table = ? AND step.number >= first ORDER BY place"
        )
        return [p.Step(*row) for row in self._sql.execute(sql, (table,))]
