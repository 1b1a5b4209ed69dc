"""How the user's own matches went: kept on this machine in a small SQLite file, told by `una stats`.

`Tally` watches a mirror (`Mirror.observers`) and keeps each match that our seat has played to its end. What cannot be
written is not worth a word during a game; `una stats` says so.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from una_protocol import events as ev
from una_protocol.text import clean
from una_protocol.view import View

from .i18n import _, ngettext
from .words import points_count

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS matches (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, profile TEXT NOT NULL, rounds INTEGER NOT NULL,
    won INTEGER NOT NULL, points INTEGER NOT NULL, una INTEGER NOT NULL, caught INTEGER NOT NULL,
    was_caught INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS opponents (
    match INTEGER NOT NULL REFERENCES matches, name TEXT NOT NULL, bot INTEGER NOT NULL, points INTEGER NOT NULL,
    won INTEGER NOT NULL
);
"""
SHOWN_OPPONENTS: Final = 20


class Opponent(Struct, frozen=True):
    """Who else played: the name, whether it is a bot, its points, and whether it won."""

    name: str
    bot: bool
    points: int
    won: bool


class Finished(Struct, frozen=True, kw_only=True):
    """A match of ours that is over. `una`: said by us; `caught`: by us; `was_caught`: we were."""

    profile: str
    rounds: int
    won: bool
    points: int
    una: int
    caught: int
    was_caught: int
    opponents: tuple[Opponent, ...]


class Tally:
    """Counts what our seat does in the match of each table; `finished` is called with each match that is over."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._counts: dict[str, dict[str, int]] = {}

    def __call__(self, view: View, event: ev.Event) -> None:
        """Something happened at a table; `view` is after it."""
        if view.you is None:
            return
        counts = self._counts.setdefault(view.table, {"una": 0, "caught": 0, "was_caught": 0})
        if isinstance(event, ev.Dealer):
            counts.update(una=0, caught=0, was_caught=0)
        elif isinstance(event, ev.UnaCalled) or (isinstance(event, ev.Played) and event.una):
            counts["una"] += event.seat == view.you
        elif isinstance(event, ev.Caught):
            counts["caught"] += event.by == view.you
            counts["was_caught"] += event.seat == view.you
        elif isinstance(event, ev.MatchOver):
            keep(finished(view, event, self._counts.pop(view.table)), self._path)


def finished(view: View, over: ev.MatchOver, counts: dict[str, int]) -> Finished:
    """The match that has just ended."""

    def points(seat: int) -> int:
        return over.scores[seat] if seat < len(over.scores) else 0

    opponents = tuple(
        Opponent(player.name, player.bot or player.level is not None, points(player.seat), player.seat in over.winners)
        for player in view.players
        if player.seat != view.you
    )
    me = view.you if view.you is not None else -1
    won, own = me in over.winners, points(me)
    return Finished(profile=view.profile, rounds=view.round, won=won, points=own, opponents=opponents, **counts)


# -- the file ---------------------------------------------------------------------------------------------------


def default_path() -> Path:
    """Where it is kept."""
    from platformdirs import user_state_path

    return user_state_path("una") / "stats.sqlite"


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=2)) as database, database:
        database.executescript(_TABLES)
        yield database


def keep(match: Finished, path: Path | None = None) -> None:
    """Add a match; where that is not possible, nothing is said."""
    try:
        with _opened(path or default_path()) as database:
            row = (
                int(time.time()), match.profile, match.rounds, match.won, match.points, match.una, match.caught,
                match.was_caught,
            )  # fmt: skip
            columns = "at, profile, rounds, won, points, una, caught, was_caught"
            added = database.execute(f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            database.executemany(
                "INSERT INTO opponents (match, name, bot, points, won) VALUES (?, ?, ?, ?, ?)",
                [(added.lastrowid, one.name, one.bot, one.points, one.won) for one in match.opponents],
            )
    except (sqlite3.Error, OSError):
        return


def summary(path: Path | None = None) -> dict[str, Any]:
    """All of it added up, for programs; sqlite3.Error or OSError where it cannot be read."""
    totals = "COUNT(*), SUM(won), SUM(points), SUM(rounds), SUM(una), SUM(caught), SUM(was_caught), MIN(at), MAX(at)"
    names = ("matches", "wins", "points", "rounds", "una_called", "caught", "was_caught", "first", "last")
    by_opponent = (
        "SELECT o.name, o.bot, COUNT(*), SUM(m.won), SUM(o.won) FROM opponents o JOIN matches m ON m.id = o.match"
        " GROUP BY o.name, o.bot ORDER BY COUNT(*) DESC, o.name"
    )
    file = path or default_path()
    if not file.exists():
        return {**dict.fromkeys(names, 0), "first": None, "last": None, "opponents": []}
    with _opened(file) as database:
        row = database.execute(f"SELECT {totals} FROM matches").fetchone()
        opponents = [
            dict(zip(("name", "bot", "matches", "wins", "losses"), (name, bool(bot), *rest), strict=True))
            for name, bot, *rest in database.execute(by_opponent)
        ]
    found = {name: value or 0 for name, value in zip(names[:7], row, strict=False)}
    return {**found, "first": row[7], "last": row[8], "opponents": opponents}


# -- what `una stats` says --------------------------------------------------------------------------------------


def show(as_json: bool, path: Path | None = None) -> int:
    """Print it; the exit status."""
    try:
        found = summary(path)
    except (sqlite3.Error, OSError) as error:
        print(_("The statistics cannot be read: {reason}.").format(reason=error), file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1, ensure_ascii=False) if as_json else "\n".join(sentences(found)))
    return 0


def sentences(found: dict[str, Any]) -> Sequence[str]:
    """The same in sentences."""
    n, una, caught, was_caught = (found[name] for name in ("matches", "una_called", "caught", "was_caught"))
    if not n:
        return [_("No match of yours was played to its end yet.")]
    played = ngettext(
        "You played {n} match to its end and won {wins}.", "You played {n} matches to their end and won {wins}.", n
    )
    return [
        played.format(n=n, wins=found["wins"]),
        _("You made {points}.").format(points=points_count(found["points"])),
        ngettext("You said una {n} time.", "You said una {n} times.", una).format(n=una),
        ngettext("You caught somebody {n} time.", "You caught somebody {n} times.", caught).format(n=caught),
        ngettext("You were caught {n} time.", "You were caught {n} times.", was_caught).format(n=was_caught),
        *map(_against, found["opponents"][:SHOWN_OPPONENTS]),
    ]


def _against(one: dict[str, Any]) -> str:
    return ngettext(
        "Against {name}: {n} match, you won {wins}, {name} won {losses}.",
        "Against {name}: {n} matches, you won {wins}, {name} won {losses}.",
        one["matches"],
    ).format(name=clean(one["name"]), n=one["matches"], wins=one["wins"], losses=one["losses"])


def forget_all(path: Path | None = None) -> int:
    """Delete the file; the exit status."""
    try:
        (path or default_path()).unlink(missing_ok=True)
    except OSError as error:
        print(_("The statistics cannot be deleted: {reason}.").format(reason=error.strerror), file=sys.stderr)
        return 1
    print(_("All statistics are deleted."))
    return 0
