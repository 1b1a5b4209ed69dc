"""What a client sends: requests, each with an id that the one answer to it bears, and `pong`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from .actions import Action, SeatNumber
from .wire import MAX_INT, Message

Id = Annotated[int, Meta(ge=0, le=MAX_INT, description="chosen by the client, increasing within a session")]
TableId = Annotated[
    str, Meta(min_length=1, max_length=64, description="a table's id (or, in join and watch, its name)")
]
Name = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=1024)]
Password = Annotated[str, Meta(max_length=128)]
Profile = Annotated[str, Meta(max_length=32)]
Level = Annotated[str, Meta(max_length=16)]
Seats = Annotated[int, Meta(ge=2, le=10)]
Seconds = Annotated[int, Meta(ge=0, le=3600)]
Milliseconds = Annotated[int, Meta(ge=0, le=60_000)]
AwayRule = Literal["bot", "wait", "leave"]
Token = Annotated[str, Meta(max_length=128)]
AdminDeed = Literal["list", "say", "kick", "close", "ban", "unban", "shutdown"]
Listed = Literal["guests", "tables", "bans"]


class _Request(Message):
    id: Id


class _TableRequest(_Request):
    table: TableId


class ResumeFrom(Struct, omit_defaults=True):
    """What a client that comes back still has: its session, and the last `seq` it saw of each table."""

    session: Annotated[str, Meta(max_length=64)]
    tables: dict[str, int] = {}


class Hello(Message, tag="hello"):
    """The first message of a connection, within 5 s. Keeps its shape for ever. `proto`: majors, best first."""

    id: Id
    proto: Annotated[list[int], Meta(min_length=1, max_length=16)]
    name: Name
    client: Name = ""
    bot: bool = False
    caps: Annotated[list[str], Meta(max_length=64)] = []  # noqa: RUF012  # msgspec copies it for each message
    password: Password | None = None
    resume: ResumeFrom | None = None


class Lobby(_Request, tag="lobby"):
    """List the tables. `subscribe`: send a `lobby` message at each change from now on (false: no longer)."""

    subscribe: bool | None = None
    after: TableId | None = None


GRACE_MS: Final = 1500
"""The `una_grace_ms` of a table where nothing else is said (U5)."""


class Create(_Request, tag="create"):
    """Open a table and sit down as its host.

    `options` override the profile's; `turn_s` is the turn limit in seconds, 0 for none; `bots` seats house bots of
    these levels at once; `public` false keeps the table out of lists; `between_s` is the wait between rounds;
    `think_ms` is how long a house bot waits before it moves while people play.
    """

    name: Name
    profile: Profile = "una"
    options: dict[str, bool | int | str] = {}  # noqa: RUF012
    seats: Seats = 4
    password: Password | None = None
    turn_s: Seconds = 0
    una_grace_ms: Milliseconds | None = None
    away: AwayRule = "bot"
    bots: Annotated[list[Level], Meta(max_length=9)] = []  # noqa: RUF012
    public: bool = True
    between_s: Seconds = 15
    think_ms: Milliseconds | None = None


class Join(_TableRequest, tag="join"):
    """Take a seat (the lowest free one, or `seat`). A watcher who joins in a match sits down when the next begins."""

    password: Password | None = None
    seat: SeatNumber | None = None


class Watch(_TableRequest, tag="watch"):
    """Watch without a seat."""

    password: Password | None = None


class Leave(_TableRequest, tag="leave"):
    """Leave the table for good: in a round the hand goes under the pile (L1). A watcher just goes."""


class SetOptions(_TableRequest, tag="options"):
    """Change the rules or settings; host only, not during a round.

    Absent fields stay as they are; `options` replaces all overrides.
    """

    profile: Profile | None = None
    options: dict[str, bool | int | str] | None = None
    seats: Seats | None = None
    turn_s: Seconds | None = None
    una_grace_ms: Milliseconds | None = None
    away: AwayRule | None = None
    public: bool | None = None
    between_s: Seconds | None = None
    think_ms: Milliseconds | None = None


class BotSeat(_TableRequest, tag="bot"):
    """Seat a house bot of a level, or remove the one at a seat; host only, not during a round."""

    add: Level | None = None
    remove: SeatNumber | None = None


class Kick(_TableRequest, tag="kick"):
    """Remove whoever sits there; host only."""

    seat: SeatNumber


class Start(_TableRequest, tag="start"):
    """Begin the match; host only."""


class SetReady(_TableRequest, tag="ready"):
    """I am ready for the next round (or, while waiting, for the match)."""


class Rematch(_TableRequest, tag="rematch"):
    """Play another match: at once when the host asks, else when most people have asked."""


class Auto(_TableRequest, tag="auto"):
    """A house bot plays for my seat (`on`), or I am back."""

    on: bool


class Pause(_TableRequest, tag="pause"):
    """I ask to pause (`on`) or to go on; takes effect when most people at the table ask for it."""

    on: bool


class Act(_TableRequest, tag="act"):
    """Do something in the round. `turn` is the number of the decision answered; not needed for `una` and `catch`."""

    do: Action
    turn: Annotated[int, Meta(ge=0, le=MAX_INT)] | None = None


class Accuse(_TableRequest, tag="accuse"):
    """Accuse a seat of advising another player (P2)."""

    seat: SeatNumber


class Vote(_TableRequest, tag="vote"):
    """Vote on the open accusation against `seat`."""

    seat: SeatNumber
    guilty: bool


class Say(_Request, tag="say"):
    """Chat, at a table or (no `table`) in the lobby."""

    text: Text
    table: TableId | None = None


class GetState(_TableRequest, tag="state"):
    """Send me the whole `state`, and my pending `turn` if there is one."""


class Ping(_Request, tag="ping"):
    """Are you there?"""


class Describe(_Request, tag="describe"):
    """The machine-readable catalogue: messages, fields, error codes, profiles, options; in parts.

    Without `part` the answer lists the parts there are.
    """

    part: Annotated[str, Meta(max_length=32)] | None = None


class Status(_Request, tag="status"):
    """How the server is doing: numbers, no names. Free for connections from the server's own machine; others need the
    admin token. May come without a hello.
    """

    token: Token | None = None


class Admin(_Request, tag="admin"):
    """Administration, for whoever has the admin token. May come without a hello; a wrong token ends the connection.

    `list`: the `guests`, `tables` or `bans`, a page of them · `say`: `text` to everybody · `kick`: the guest `key`, or
    all of this `name`, leaves all tables, and their session ends · `close`: the table `table` · `ban`: nobody comes
    from `address` (of an IPv6 address: its /64 network) for `seconds`, or until `unban` · `shutdown`: the server stops,
    after `seconds`.
    """

    token: Token
    do: AdminDeed
    what: Listed = "guests"
    after: Annotated[str, Meta(max_length=64)] | None = None
    text: Text | None = None
    key: Annotated[str, Meta(max_length=32)] | None = None
    name: Name | None = None
    table: TableId | None = None
    address: Annotated[str, Meta(max_length=64)] | None = None
    seconds: Annotated[int, Meta(ge=0, le=31_536_000)] | None = None


class Queue(_Request, tag="queue"):
    """Seat me at ranked matches, one after another (`on`), or no more; bots only, on a server in arena mode.

    The server seats who waits, and each match begins at once: a `state` says that you are at a table. With `key`, a
    secret of your own, your name has a place in the ladder, which nobody gets with another key; without it you play
    unrated. Whoever leaves a match, or is away from it for too long, has lost it, and must ask again.
    """

    on: bool = True
    key: Annotated[str, Meta(min_length=16, max_length=128)] | None = None


class Ladder(_Request, tag="ladder"):
    """The ladder of an arena: who has played how well, the best first, a page of it."""

    after: Annotated[str, Meta(max_length=16)] | None = None


class Pong(Message, tag="pong"):
    """The answer to the server's `ping`. The only client message besides `hello` that is no request."""


REQUESTS: Final[tuple[type[Message], ...]] = (
    Hello, Lobby, Create, Join, Watch, Leave, SetOptions, BotSeat, Kick, Start, SetReady, Rematch, Auto, Pause, Act,
    Accuse, Vote, Say, GetState, Ping, Describe, Queue, Ladder, Status, Admin, Pong,
)  # fmt: skip
