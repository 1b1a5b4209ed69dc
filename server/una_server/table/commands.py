"""What goes into a table and what comes out of it: the only way in is `Table.do(command, now)`.

No I/O, no clock: `now` is monotonic seconds, given by the caller. People and bots are known by a `Guest`, whose `key`
is the lobby's name for a session (not its secret token).
"""

from __future__ import annotations

from msgspec import Struct, field

from una_protocol.actions import Action
from una_protocol.messages import Err, Ok, Said, TurnNow
from una_protocol.messages import _TableRequest as TableRequest

from ..game import Happening


class Guest(Struct, frozen=True):
    """Somebody at a table: a session of the lobby. `bot`: a program, as it said in its hello."""

    key: str
    name: str
    bot: bool = False


class Request(Struct, frozen=True, gc=False):
    """A guest asks for something: any message that names a table, or `say` with this table."""

    guest: Guest
    message: TableRequest


class Gone(Struct, frozen=True):
    """The guest's connection is lost: a seat is kept, a watcher goes."""

    guest: Guest


class Returned(Struct, frozen=True):
    """The guest's session has a connection again."""

    guest: Guest


class Shut(Struct, frozen=True):
    """The administrator closes the table. `guest`: nobody who is at a table."""

    guest: Guest


class Tick(Struct, frozen=True):
    """A deadline of the table has come (or may have: a tick too early does nothing).

    `move`: what the house bot does, where that is known already, because a journal is played again, or because it was
    thought about elsewhere; then `turn` is the decision that it answers, and another one is left alone.
    """

    move: Action | None = None
    turn: int | None = None


Command = Request | Gone | Returned | Tick | Shut


class Answer(Struct, frozen=True, gc=False):
    """The one answer to a request; it may come in a later outcome than the request's own (kept catches, rules U5)."""

    key: str
    body: Ok | Err


class Outcome(Struct, gc=False):
    """What a command led to. The caller sends, in this order: `answers`; to each member the `events` (its own form of a
    `Split`, by seat), except to those in `states`, who get a whole `state` instead; then `turn` to the seat on turn.
    """

    answers: list[Answer] = []
    events: list[tuple[int, Happening]] = []
    """With their seq."""
    states: list[str] = []
    """Keys of the guests who must get a `state` (who just came, or asked for it), and after it their pending turn."""
    turn: tuple[str, TurnNow] | None = None
    """Key and message for the guest who must decide, when that decision is new."""
    said: list[tuple[tuple[str, ...], Said]] = []
    """Chat, and the keys of those who get it."""
    left: list[str] = []
    """Keys of guests who are no longer at the table after this; they still get these events."""
    row_changed: bool = False
    """The table's line in the lobby looks different now."""
    move: Action | None = None
    """What a house bot chose in this tick: of all that happens, the one thing that the commands do not decide."""
    moves: int = 0
    """How many actions of a round were done."""
    record: list[str] = field(default_factory=list)
    """Finished lines for the record of the round (see `records`), to be appended to its file."""
