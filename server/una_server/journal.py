"""What stands in the store of a table: its opening and its commands, as bytes, and how to play them again.

`Table.do` is pure, so a table is its opening and its commands with their times; only what house bots chose is written
down as well, since their strategies change and take long. A digest runs over all that was told: where a replay tells
anything else, because the rules are another version's, it stops with `Diverged` instead of making up a game.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Final, cast
from zlib import crc32

import msgspec
from msgspec import Struct

from una_protocol import messages as m
from una_protocol.actions import Action
from una_protocol.codec import encode

from . import __version__
from .store import Opening, Step
from .table import Between, Command, Gone, Guest, Outcome, Request, Returned, Shut, Table, Tick
from .telling import Told, told_of

TableMessage = (
    m.Act | m.Join | m.Watch | m.Leave | m.SetOptions | m.BotSeat | m.Kick | m.Start | m.SetReady | m.Rematch | m.Auto
    | m.Pause | m.Accuse | m.Vote | m.Say | m.GetState
)  # fmt: skip

_TICK: Final = 0
_REQUEST: Final = 1
_GONE: Final = 2
_RETURNED: Final = 3
_SHUT: Final = 4
_KINDS: Final[dict[type, int]] = {Gone: _GONE, Returned: _RETURNED, Shut: _SHUT}


class Diverged(Exception):
    """The commands lead to something else than what was told: another version's rules, or bytes that do not fit."""


class _Opened(Struct, array_like=True, frozen=True, tag="opened"):
    create: m.Create
    guest: Guest
    seed: bytes
    now: float
    wall: int


class _Reopened(Struct, array_like=True, frozen=True, tag="reopened"):
    between: Between
    seed: bytes
    now: float
    wall: int
    keys: list[str]
    answers: list[tuple[str, int, bytes]]


class _Entry(Struct, array_like=True, frozen=True):
    kind: int
    now: float
    wall: int
    guest: Guest | None = None
    message: TableMessage | None = None
    move: Action | None = None
    turn: int | None = None


_pack: Final = msgspec.msgpack.Encoder().encode
_entry: Final = msgspec.msgpack.Decoder(_Entry).decode
_opened: Final = msgspec.msgpack.Decoder(_Opened | _Reopened).decode


def wall_clock() -> int:
    """The date and time, for people."""
    return int(time.time())


def opening(number: int, table_id: str, create: m.Create, guest: Guest, seed: bytes, now: float, wall: int) -> Opening:
    """A table's opening, to be stored."""
    return Opening(number, table_id, __version__, _pack(_Opened(create, guest, seed, now, wall)))


def reopening(
    opened: Opening, between: Between, table: Table, first: int, wall: int, answers: list[tuple[str, int, bytes]]
) -> Opening:
    """What a table can be begun from instead, when step `first` begins another match.

    `answers`: what the guests have been told, for what is left out would not say it again.
    """
    keys = [*table.seat_by_key, *table.watchers]
    body = _pack(_Reopened(between, table.seed, table.now, wall, keys, answers))
    return Opening(opened.table, opened.id, __version__, body, first)


def body_of(command: Command, outcome: Outcome, now: float, wall: int) -> bytes:
    """A command, to be stored."""
    kind = type(command)
    if kind is Request:
        message: Any = command.message  # type: ignore[union-attr]
        if type(message) is m.Say:  # that something was said is kept, so that it is not said twice; what it was, is not
            message = m.Say(message.id, "-", message.table)
        return _pack(_Entry(_REQUEST, now, wall, command.guest, message))  # type: ignore[union-attr]
    if kind is Tick:
        return _pack(_Entry(_TICK, now, wall, None, None, outcome.move, command.turn))  # type: ignore[union-attr]
    return _pack(_Entry(_KINDS[kind], now, wall, command.guest))  # type: ignore[union-attr]


def _command(entry: _Entry) -> Command:
    if entry.kind == _TICK:
        return Tick(entry.move, entry.turn)
    if entry.guest is None:
        raise Diverged("a command has no guest")
    if entry.kind == _REQUEST:
        if entry.message is None:
            raise Diverged("a request has no message")
        return Request(entry.guest, cast(Any, entry.message))
    if entry.kind == _SHUT:
        return Shut(entry.guest)
    return Gone(entry.guest) if entry.kind == _GONE else Returned(entry.guest)


def changes_nothing(command: Command, outcome: Outcome) -> bool:
    """Whether the table is as it was, so that nothing needs to be stored: a refusal, or a look at the state."""
    if type(command) is not Request or outcome.events or outcome.said or outcome.left or outcome.row_changed:
        return False
    if type(command.message) is m.GetState:
        return True
    if len(outcome.answers) != 1:
        return False
    answer = outcome.answers[0]
    body = answer.body
    # a catch in vain is refused, and begins a cool-down
    own = answer.key == command.guest.key and body.re == command.message.id
    return own and type(body) is m.Err and body.code != "nothing_to_catch"


def digest_of(digest: int, told: Told | None) -> int:
    """The digest of all that was told, with this on top."""
    return digest if told is None else crc32(told.turn, crc32(told.public, digest))


class Replay:
    """A table played again from its opening, and what else follows from its commands."""

    def __init__(self, opened: Opening) -> None:
        try:
            start = _opened(opened.body)
        except msgspec.MsgspecError as error:
            raise Diverged(f"the opening cannot be read: {error}") from None
        self.keys: set[str] = set()
        """Everybody who ever asked for something here."""
        self.answers: list[tuple[str, int, bytes]] = []
        """Key, id and frame."""
        self.wall = start.wall
        self.lines: list[str] = []
        """The record of the round that runs."""
        self.digest = 0
        self.steps = opened.first - 1
        try:
            if isinstance(start, _Reopened):
                self.table = Table.reopen(opened.id, start.between, start.seed, start.now)
                self.keys.update(start.keys)
                self.answers += start.answers
            else:
                self.table, outcome = Table.open(opened.id, start.create, start.guest, start.seed, start.now)
                self.keys.add(start.guest.key)
                self._take_in(outcome)
        except Exception as error:  # noqa: BLE001  # what another version wrote may break anything
            raise Diverged(f"the table cannot be opened: {type(error).__name__}") from None
        self.table.wall_clock = lambda: date_and_time(self.wall)

    def play(self, steps: Iterable[Step]) -> None:
        """Do the commands; Diverged where they lead elsewhere than they did."""
        table = self.table
        for step in steps:
            if step.number != self.steps + 1:
                raise Diverged(f"command {self.steps + 1} is missing")
            try:
                entry = _entry(step.body)
                command = _command(entry)
                self.wall = entry.wall
                outcome = table.do(command, entry.now)
            except Diverged:
                raise
            except Exception as error:  # noqa: BLE001  # as above
                raise Diverged(f"command {step.number} fails: {type(error).__name__}") from None
            if entry.guest is not None:
                self.keys.add(entry.guest.key)
            self._take_in(outcome)
            self.steps = step.number
            if (table.seq, self.digest) != (step.seq, step.digest):
                raise Diverged(f"command {step.number} leads to something else than it did")

    def _take_in(self, outcome: Outcome) -> None:
        self.answers += [(answer.key, answer.body.re or 0, encode(answer.body)) for answer in outcome.answers]
        self.digest = digest_of(self.digest, told_of(self.table.id, outcome))
        self.lines = lines_after(self.lines, outcome.record)


# -- records ---------------------------------------------------------------------------------------------------------

HEADER: Final = '{"una_record"'
END: Final = '{"end"'


def lines_after(lines: list[str], new: list[str]) -> list[str]:
    """The lines of the round that runs, with these after them; a header begins anew."""
    for line in new:
        if line.startswith(HEADER):
            lines = []
        lines.append(line)
    return lines


def date_and_time(wall: int) -> str:
    """For people: UTC to the second, as a record's header has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(wall))


def header_of(lines: list[str]) -> dict[str, Any]:
    """What a record's first line says."""
    header: dict[str, Any] = msgspec.json.decode(lines[0])
    return header
