"""What a server sends: answers to requests, events, and what it has to say unasked."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct, field

from .actions import Action, SeatNumber
from .errors import Retry
from .events import Count, Event
from .view import View
from .wire import Message

TablePhase = Literal["waiting", "playing", "between", "over"]


class Limits(Struct):
    """What the server takes: bytes per frame, messages per second, and how many at once."""

    frame: int
    rate: int
    burst: int


class SeatOf(Struct):
    """A seat that the session holds."""

    table: str
    seat: int


class Welcome(Message, tag="welcome"):
    """The answer to a good hello. Keeps its shape for ever. Keep `session` secret: it is who you are.

    `motd`: what the server has to say to everybody who comes.
    """

    re: int
    proto: int
    minor: int
    server: str
    session: str
    resumed: bool
    caps: list[str]
    last_id: int
    limits: Limits
    keepalive_s: int
    resume_s: int
    seats: list[SeatOf]
    motd: str | None = None


class TableRow(Struct, omit_defaults=True):
    """A table as the lobby lists it; `options` only where they differ from the profile. `seats`: how many there are."""

    id: str
    name: str
    profile: str
    seats: int
    taken: int
    phase: TablePhase
    options: dict[str, Any] = {}
    round: int = 0
    watching: int = 0
    password: bool = False
    host: str | None = None


class GuestRow(Struct, omit_defaults=True):
    """A guest as the administrator sees them."""

    key: str
    name: str
    bot: bool = False
    here: bool = False
    address: str | None = None
    tables: list[str] = []


class BanRow(Struct, omit_defaults=True):
    """An address, or an IPv6 network, from which nobody may come."""

    address: str
    seconds: int | None = None


class ServerStatus(Struct):
    """How a server is doing, in whole numbers."""

    version: str
    uptime_s: int
    connections: int
    guests: int
    sessions: int
    tables: int
    rounds: int
    moves: int
    moves_per_min: int
    connections_total: int
    tables_total: int
    refused_total: int
    bans: int = 0
    memory_kb: int | None = None
    commit_p50_us: int | None = None
    commit_p99_us: int | None = None
    storage_trouble: int = 0


class LadderRow(Struct):
    """A place in the ladder. `rating` is what counts, `mu` less three times `sigma`; all three in hundredths."""

    rank: int
    name: str
    rating: int
    mu: int
    sigma: int
    games: int
    wins: int
    points: int
    seen: int


class Ok(Message, tag="ok"):
    """The request `re` was done; the other fields depend on the request."""

    re: int
    seq: Count | None = None
    table: str | None = None
    seat: SeatNumber | None = None
    tables: list[TableRow] | None = None
    next: str | None = None
    catalogue: dict[str, Any] | None = None
    ladder: list[LadderRow] | None = None
    status: ServerStatus | None = None
    guests: list[GuestRow] | None = None
    bans: list[BanRow] | None = None
    n: Count | None = None


class Err(Message, tag="err"):
    """The request `re` was refused and changed nothing (`re` absent: the message had no usable id). Keeps its shape."""

    code: str
    msg: str
    retry: Retry
    re: int | None = None
    after_ms: int | None = None
    at: str | None = None
    supported: list[int] | None = None


class Bye(Message, tag="bye"):
    """The server closes the connection. Keeps its shape for ever."""

    code: str
    msg: str
    reconnect: bool
    after_ms: int | None = None


class Ev(Message, tag="ev"):
    """Something happened at a table; `seq` grows by one with each."""

    table: str
    seq: int
    e: Event


class TurnNow(Message, tag="turn"):
    """You must decide. `legal` is complete: send an entry back as `do`.

    `default`: the index that is played when `ms` runs out. `can_una`: a `play` may carry `una`.
    """

    table: str
    turn: int
    seq: int
    phase: str
    legal: tuple[Action, ...]
    default: int
    can_una: bool = False
    ms: int | None = None


class LobbyNow(Message, tag="lobby"):
    """The list of tables has changed (to subscribers): the first page of it, as in the answer to `lobby`."""

    tables: list[TableRow]
    next: str | None = None


class Said(Message, tag="said"):
    """Chat. Outside `seq`. `watcher`: said by somebody who only watches. No `table`: in the lobby.

    `admin`: said by whoever runs the server; its `from` is `server`.
    """

    text: str
    sender: str = field(name="from")
    table: str | None = None
    watcher: bool = False
    admin: bool = False


class PingNow(Message, tag="ping"):
    """Are you there? Answer with `pong`."""


ANSWERS: Final[tuple[type[Struct], ...]] = (
    Welcome, Ok, Err, Bye, Ev, TurnNow, View, LobbyNow, Said, PingNow,
)  # fmt: skip
