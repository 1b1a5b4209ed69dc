"""What came from the network, as immutable values: the servers around here, a server's tables, the table we are at.

The trio side makes a new `World` whenever something came in. Texts of others are as they came: whoever draws them
cleans them (`layout.remote`). Times are monotonic seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from una_protocol.actions import Action
from una_protocol.cards import Card, Color
from una_protocol.messages import LadderRow, TableRow, TurnNow
from una_protocol.view import View

FRESH_S = 1.5
"""So long a card that was just laid or drawn stands out."""
SPIN_AFTER_S = 0.3
"""Only what takes longer than this is worth a sign that we wait."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log or the chat; `text` is made, not yet cleaned."""

    clock: str
    text: str
    kind: Literal["event", "chat", "turn", "error"] = "event"


@dataclass(frozen=True, slots=True)
class Four:
    """The draw four that may be challenged: who laid it, and the colour in force before."""

    seat: int
    before: Color | None


@dataclass(frozen=True, slots=True)
class Retrying:
    """The connection is lost: how often we tried, when we try again, why it was lost; until when our seat is held."""

    attempt: int = 0
    next_at: float | None = None
    reason: str = ""
    held_until: float | None = None


@dataclass(frozen=True, slots=True)
class ServerRow:
    """A server in the list: one that was found, or a favourite (then maybe without anything known but the address).

    `fits`: whether this client can play there; `faded`: it has not been heard of for a while; `silent`: never.
    """

    address: str
    name: str = ""
    players: int = 0
    tables: int = 0
    password: bool = False
    version: str = ""
    fits: Literal["yes", "too_old", "too_new"] = "yes"
    faded: bool = False
    silent: bool = False
    favourite: bool = False


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A rule that can be chosen, as the server describes it: its name, and the values to go through."""

    name: str
    values: tuple[bool | int | str, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What the server offers for a table: profiles with their options, all options, levels of bots."""

    profiles: dict[str, dict[str, Any]] = field(default_factory=dict)
    options: tuple[OptionInfo, ...] = ()
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Highlights:
    """What was remarkable in a round: (seat, number) of the longest hand and the biggest penalty, who caught whom."""

    longest: tuple[int, int] | None = None
    penalty: tuple[int, int] | None = None
    caught: tuple[tuple[int, int], ...] = ()
    turns: int = 0
    reshuffles: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fresh:
    """What has just happened and stands out for a moment: the card that `seat` laid, the cards that we drew."""

    laid_at: float = -100.0
    drawn: tuple[Card, ...] = ()
    drawn_at: float = -100.0

    def laid(self, now: float) -> bool:
        """Whether the top was laid just now."""
        return now < self.laid_at + FRESH_S

    def drew(self, now: float) -> tuple[Card, ...]:
        """The cards drawn just now."""
        return self.drawn if now < self.drawn_at + FRESH_S else ()


@dataclass(frozen=True, slots=True)
class World:
    """Everything that came from the network. `view` is this world's own copy.

    `frozen`: seconds left while the table is paused. `delay`: seconds that the last answer took. `sent`: our action
    that is not yet confirmed, sent at `sent_at`. `grace`: when the grace of a forgotten una ends, and how long it is.
    `before`: the discards below the top, newest first. `home`: whether there is a list of servers to go back to;
    `own`: the server ends with us. `closed`: the table is no more, and what is seen of it is the last.
    `connecting`: where to, and since when. `ladder`: None where the server keeps none. `more_tables`, `more_ladder`:
    whether there are further pages.
    """

    where: str = ""
    me: str = ""
    at_servers: bool = False
    servers: tuple[ServerRow, ...] = ()
    trouble: str = ""
    connecting: tuple[str, float] | None = None
    home: bool = False
    own: bool = False
    closed: bool = False
    lost: Retrying | None = None
    delay: float | None = None
    lobby: tuple[TableRow, ...] = ()
    more_tables: bool = False
    ladder: tuple[LadderRow, ...] | None = None
    more_ladder: bool = False
    catalogue: Catalogue | None = None
    view: View | None = None
    turn: TurnNow | None = None
    deadline: float | None = None
    vote_deadline: float | None = None
    limit: float | None = None
    frozen: float | None = None
    grace: tuple[float, float] | None = None
    sent: Action | None = None
    sent_at: float | None = None
    fresh: Fresh = Fresh()
    log: tuple[LogLine, ...] = ()
    four: Four | None = None
    before: tuple[Card, ...] = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    highlights: Highlights = Highlights()
    muted: frozenset[str] = frozenset()
