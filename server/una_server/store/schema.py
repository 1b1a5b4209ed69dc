"""The tables of the database, and the way from each older version of them to the next.

`MIGRATIONS[n]` leads from version n to n + 1; `user_version` says which one a file has. A released migration is never
changed.

Steps stand in one table in the order they came, without an index: appending a lot of them then touches the last pages
only, however many game tables it is for. A start reads them all anyway; those of closed tables go in the background.
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x756E6131
"""Says that a file is una's."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE game_table(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,
            version TEXT NOT NULL,
            opening BLOB NOT NULL,
            first INTEGER NOT NULL,
            aside TEXT
        ) STRICT""",
        """CREATE TABLE step(
            place INTEGER PRIMARY KEY,
            game_table INTEGER NOT NULL,
            number INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT""",
        """CREATE TABLE session(
            key TEXT PRIMARY KEY,
            token BLOB NOT NULL,
            name TEXT NOT NULL,
            bot INTEGER NOT NULL,
            seen REAL
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE record(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,
            table_name TEXT NOT NULL,
            round INTEGER NOT NULL,
            profile TEXT NOT NULL,
            players TEXT NOT NULL,
            started TEXT NOT NULL,
            finished INTEGER NOT NULL,
            lines TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX record_finished ON record(finished)",
        "CREATE TABLE probe(body BLOB NOT NULL) STRICT",
    ),
    (
        """CREATE TABLE ladder(
            shape TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            key BLOB NOT NULL,
            mu REAL NOT NULL,
            sigma REAL NOT NULL,
            games INTEGER NOT NULL,
            wins INTEGER NOT NULL,
            points INTEGER NOT NULL,
            seen REAL NOT NULL
        ) STRICT, WITHOUT ROWID""",
        "CREATE TABLE ranked(game_table INTEGER PRIMARY KEY, players TEXT NOT NULL) STRICT",
    ),
    ("CREATE TABLE ban(network TEXT PRIMARY KEY, until REAL) STRICT, WITHOUT ROWID",),
)
VERSION: Final = len(MIGRATIONS)
