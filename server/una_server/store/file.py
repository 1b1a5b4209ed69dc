"""The database file: opening it to write or to read, or saying in one sentence why not.

A second server is kept away by a lock of its own, a file beside the database that holds nothing: the server holds an
exclusive SQLite transaction on it while it lives. The system lets go of that however the process ends, it works the
same on every system, and, unlike an exclusive lock on the database itself, it lets others read while the server runs.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from .schema import APPLICATION_ID, MIGRATIONS, VERSION
from .store import NoData


def locked(path: Path) -> sqlite3.Connection:
    """The lock that keeps a second server away; raises NoData."""
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


def opened(path: Path) -> sqlite3.Connection:
    """A connection that writes, to a database of the newest form; raises NoData."""
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
