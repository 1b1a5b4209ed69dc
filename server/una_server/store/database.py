"""The database file: opening it, or saying in one sentence why not; and every SQL statement there is.

Knows no threads and no clock: whoever holds a `Database` uses it from one thread at a time.

A second server is kept away by a lock of its own, a file beside the database that holds nothing: the server holds an
exclusive SQLite transaction on it while it lives. The system lets go of that however the process ends, it works the
same on every system, and, unlike an exclusive lock on the database itself, it lets others read while the server runs.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .parts import (
    Aside,
    Ban,
    Closing,
    Forgotten,
    Judged,
    LadderEntry,
    Opening,
    Part,
    Prune,
    Ranked,
    Record,
    Reopening,
    Saved,
    SessionRow,
    Step,
    Unban,
)
from .schema import APPLICATION_ID, MIGRATIONS, VERSION
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
        self._lock = _locked(path)
        try:
            self._sql = _opened(path)
        except NoData:
            self._lock.close()
            raise

    def close(self) -> None:
        """Close it, and let others use it."""
        with contextlib.suppress(sqlite3.Error):
            self._sql.close()
        self._lock.close()

    # -- writing -------------------------------------------------------------------------------------------------

    def write(self, parts: Sequence[Part]) -> None:
        """All parts in one transaction; sqlite3.Error, and nothing is written."""
        run = self._sql.execute
        steps = [part for part in parts if type(part) is Step]
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
                    if type(part) is not Step:
                        self._write(part)
            run("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # some errors have rolled it back already
                run("ROLLBACK")
            raise

    def _write(self, part: Part) -> None:
        run = self._sql.execute
        match part:
            case Opening():
                run("INSERT INTO game_table(number, id, version, opening, first) VALUES (?, ?, ?, ?, ?)", part)
            case Reopening(table, _, version, body, first):
                run(
                    "UPDATE game_table SET version = ?, opening = ?, first = ? WHERE number = ?",
                    (version, body, first, table),
                )
            case Closing(table):
                run("DELETE FROM game_table WHERE number = ?", (table,))
                run("DELETE FROM ranked WHERE game_table = ?", (table,))
            case Aside(table, _, why):
                run("UPDATE game_table SET aside = ? WHERE number = ?", (why, table))
            case SessionRow():
                run("INSERT OR REPLACE INTO session(key, token, name, bot, seen) VALUES (?, ?, ?, ?, ?)", part)
            case Forgotten(key):
                run("DELETE FROM session WHERE key = ?", (key,))
            case Record():
                run(
                    "INSERT INTO record(id, table_name, round, profile, players, started, finished, lines) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    part,
                )
            case Prune(before):
                run("DELETE FROM record WHERE finished < ?", (before,))
            case LadderEntry():
                run("INSERT OR REPLACE INTO ladder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", part)
            case Ranked():
                run("INSERT INTO ranked VALUES (?, ?)", part)
            case Ban():
                run("INSERT OR REPLACE INTO ban(network, until) VALUES (?, ?)", part)
            case Unban(network):
                run("DELETE FROM ban WHERE network = ?", (network,))
            case Judged(table):
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

    def load(self) -> Saved:
        """What an earlier server left."""
        run = self._sql.execute
        tables = {
            row[0]: (Opening(*row), list[Step]())
            for row in run(
                "SELECT number, id, version, opening, first FROM game_table WHERE aside IS NULL ORDER BY number"
            )
        }
        for row in run("SELECT game_table, number, seq, digest, body FROM step ORDER BY place"):
            if row[0] in tables and row[1] >= tables[row[0]][0].first:
                tables[row[0]][1].append(Step(*row))
        opened = run("SELECT seq FROM sqlite_sequence WHERE name = 'game_table'").fetchone()
        return Saved(
            tables=list(tables.values()),
            aside=dict(run("SELECT id, aside FROM game_table WHERE aside IS NOT NULL")),
            sessions=[
                SessionRow(key, token, name, bool(bot), seen)
                for key, token, name, bot, seen in run("SELECT key, token, name, bot, seen FROM session")
            ],
            opened=opened[0] if opened is not None else 0,
            ladder=[LadderEntry(*row) for row in run("SELECT * FROM ladder")],
            bans=[Ban(*row) for row in run("SELECT network, until FROM ban")],
            ranked=[Ranked(*row) for row in run("SELECT * FROM ranked ORDER BY game_table")],
        )

    def steps(self, table: int) -> list[Step]:
        """The steps of one table."""
        sql = (
            "SELECT game_table, step.number, seq, digest, body FROM step"
            " JOIN game_table ON game_table.number = game_table"
            " WHERE game_table = ? AND step.number >= first ORDER BY place"
        )
        return [Step(*row) for row in self._sql.execute(sql, (table,))]


# -- opening ---------------------------------------------------------------------------------------------------------


def _locked(path: Path) -> sqlite3.Connection:
    """The lock that keeps a second server away."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoData(f"The folder {path.parent} cannot be made: {(error.strerror or 'it failed').lower()}.") from None
    lock: sqlite3.Connection | None = None
    try:
        lock = sqlite3.connect(f"{path}-lock", timeout=0, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if _is(error, sqlite3.SQLITE_BUSY):
            raise NoData(
                f"{path} is in use by another una server; stop that one, or choose another file with --data."
            ) from None
        raise NoData(
            f"The folder {path.parent} cannot be written to; choose another file with --data, or use --no-data."
        ) from None
    return lock


def _opened(path: Path) -> sqlite3.Connection:
    try:
        path.touch(mode=0o600)  # the seeds in it tell all cards; SQLite gives its other files the same mode
        # One thread at a time uses it: the one that starts the server, then the one that writes.
        sql = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False, cached_statements=256)
    except (OSError, sqlite3.Error):
        raise NoData(f"{path} cannot be opened; choose another file with --data, or use --no-data.") from None
    try:
        _check(sql, path)
        for statement in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 4000"):
            sql.execute(f"PRAGMA {statement}")
        _migrate(sql)
    except (NoData, sqlite3.Error) as error:
        sql.close()
        raise (error if isinstance(error, NoData) else NoData(_why(error, path))) from None
    return sql


def _check(sql: sqlite3.Connection, path: Path) -> None:
    """Look before anything is written: somebody else's file, a newer una's, and a damaged one stay as they are."""
    version, owner = _pragma(sql, "user_version"), _pragma(sql, "application_id")
    if _pragma(sql, "schema_version") and owner != APPLICATION_ID:
        raise NoData(f"{path} is a database, but not one of una's; choose another file with --data.")
    if version > VERSION:
        raise NoData(
            f"{path} was written by a newer una server (version {version} of its form; this one knows {VERSION}); "
            "update una, or choose another file with --data."
        )
    if sql.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise NoData(_damaged(path))


def _migrate(sql: sqlite3.Connection) -> None:
    sql.execute("BEGIN EXCLUSIVE")
    version = _pragma(sql, "user_version")
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            sql.execute(statement)
    # Written also where nothing changes: whether the file can be written shows now, and not when somebody plays.
    sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    sql.execute(f"PRAGMA user_version = {VERSION}")
    sql.execute("COMMIT")


def _pragma(sql: sqlite3.Connection, name: str) -> int:
    return int(sql.execute(f"PRAGMA {name}").fetchone()[0])


def _is(error: sqlite3.Error, code: int) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == code


def _damaged(path: Path) -> str:
    return f"{path} is damaged; move it away to begin with an empty one, or choose another file with --data."


def _why(error: sqlite3.Error, path: Path) -> str:
    if _is(error, sqlite3.SQLITE_NOTADB) or _is(error, sqlite3.SQLITE_CORRUPT):
        return _damaged(path)
    if _is(error, sqlite3.SQLITE_READONLY) or _is(error, sqlite3.SQLITE_PERM) or _is(error, sqlite3.SQLITE_CANTOPEN):
        return f"{path} cannot be written to; choose another file with --data, or use --no-data."
    if _is(error, sqlite3.SQLITE_FULL):
        return f"There is no room on the disk for {path}."
    if _is(error, sqlite3.SQLITE_BUSY) or _is(error, sqlite3.SQLITE_LOCKED):
        return f"{path} is in use by another program; choose another file with --data."
    return f"{path} cannot be used ({ascii(str(error))[1:-1][:100]})."


# -- reading beside a server ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, also while a server writes; raises NoData."""
    if not path.exists():
        raise NoData(f"There is no database {path}.")
    try:
        sql = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            sql.execute("PRAGMA query_only = 1")
            if _pragma(sql, "user_version") > VERSION:
                raise NoData(f"{path} was written by a newer una server; update una.")
            if _pragma(sql, "application_id") != APPLICATION_ID:
                raise NoData(f"{path} is not one of una's databases.")
            yield sql
        finally:
            sql.close()
    except sqlite3.Error as error:
        raise NoData(_why(error, path).replace("written to", "read")) from None
