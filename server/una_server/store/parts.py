"""What is put into a store: the parts of a transaction, and what a start finds of them.

Plain values; their bodies are bytes, which only whoever wrote them can read.
"""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """One command of a table."""

    table: int
    number: int
    """Dense within the table, from 1."""
    seq: int
    """The table's seq after it."""
    digest: int
    """Of all that was told at the table up to here."""
    body: bytes


class Opening(NamedTuple):
    """A table that is open from now on. `table`: counted over all tables there ever were."""

    table: int
    id: str
    version: str
    """What wrote it; for people."""
    body: bytes
    first: int = 1
    """The number of the first step that counts from here."""


class Reopening(NamedTuple):
    """The table can be begun from here as well: no step before `first` is needed any more."""

    table: int
    id: str
    version: str
    body: bytes
    first: int


class Closing(NamedTuple):
    """The table is over; nothing of it is needed any more."""

    table: int


class Aside(NamedTuple):
    """The table cannot be played on: its steps are kept, for people to look at, and never begun again."""

    table: int
    id: str
    why: str


class SessionRow(NamedTuple):
    """A session as it is from now on."""

    key: str
    token: bytes
    """A hash of the secret, not the secret."""
    name: str
    bot: bool
    seen: float | None
    """When its connection was lost, in seconds since 1970; None: it is there."""


class Forgotten(NamedTuple):
    """The session is no more."""

    key: str


class Record(NamedTuple):
    """The record of a finished round. `finished`: in seconds since 1970."""

    id: str
    table: str
    round: int
    profile: str
    players: str
    started: str
    finished: int
    lines: str


class Prune(NamedTuple):
    """Forget the records that were finished before this time."""

    before: int


class LadderEntry(NamedTuple):
    """Somebody's place in the ladder, as it is from now on. `shape`: what the name looks like; no two look alike."""

    shape: str
    name: str
    key: bytes
    """A hash of the secret, not the secret."""
    mu: float
    sigma: float
    games: int
    wins: int
    points: int
    seen: float
    """When they last played, in seconds since 1970."""


class Ranked(NamedTuple):
    """What is played at the table counts in the ladder. `players`: who sits there, as whoever wrote it reads it; empty
    once it has been counted."""

    table: int
    players: str


class Judged(NamedTuple):
    """What was played at the table has been counted."""

    table: int


class Ban(NamedTuple):
    """Nobody may come from the address, or network."""

    network: str
    until: float | None
    """In seconds since 1970; None: until it is lifted."""


class Unban(NamedTuple):
    """The ban is lifted, or over."""

    network: str


Part = (
    Step
    | Opening
    | Reopening
    | Closing
    | Aside
    | SessionRow
    | Forgotten
    | Record
    | Prune
    | LadderEntry
    | Ranked
    | Judged
    | Ban
    | Unban
)


class Saved(NamedTuple):
    """What a start finds."""

    tables: list[tuple[Opening, list[Step]]]
    """The open ones, in the order they were opened."""
    aside: dict[str, str]
    """The tables that were set aside: id, and why."""
    sessions: list[SessionRow]
    opened: int
    """How many tables there ever were."""
    ladder: list[LadderEntry] = []  # noqa: RUF012  # nobody changes it
    ranked: list[Ranked] = []  # noqa: RUF012
    """The tables at which it is played for the ladder."""
    bans: list[Ban] = []  # noqa: RUF012


NOTHING = Saved([], {}, [], 0)
