"""The state of a table, and the small things that all its parts share: telling, refusing, who is who.

Nothing here decides anything; the parts are `seating`, `matches`, `rounds`, `playing`, `voting` and `clock`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal

from msgspec import Struct

from una_protocol import events as ev
from una_protocol.actions import Catch
from una_protocol.errors import ERRORS
from una_protocol.messages import Act, Err, Ok

from ..bots.memory import Memory
from ..game import Happening, Match, Round, Split
from ..game.record import Recorder
from .commands import Answer, Guest, Outcome
from .settings import Settings

LOG_SIZE: Final = 256
"""How many events a table remembers for guests who come back; beyond it they get a `state`."""


class Refusal(Exception):
    """A request is refused and has changed nothing: the code, the sentence, and when to try again."""

    def __init__(self, code: str, msg: str = "", after_ms: int | None = None) -> None:
        super().__init__(code)
        self.code, self.msg, self.after_ms = code, msg, after_ms

    def err(self, re: int) -> Err:
        """The answer to request `re`."""
        known = ERRORS[self.code]
        return Err(self.code, self.msg or known.meaning, known.retry, re, self.after_ms)


class Seat(Struct):
    """One seat. `guest` is None for house bots. `auto`: its owner asked for a bot; `taken`: a bot plays on for want
    of an answer."""

    number: int
    name: str
    guest: Guest | None = None
    level: str | None = None
    connected: bool = True
    lost_at: float = 0.0
    auto: bool = False
    taken: bool = False
    defaults: int = 0
    ready: bool = False
    since: int = 0
    """The seq with which the owner sat down: what was told to the seat before, is not theirs."""
    gone: bool = False
    """Left in a running match: listed until the next one."""

    @property
    def is_bot(self) -> bool:
        """A program: a house bot or a guest that said so."""
        return self.guest is None or self.guest.bot

    @property
    def house_plays(self) -> bool:
        """Whether a house bot makes the moves of this seat."""
        return self.guest is None or self.auto or self.taken

    @property
    def status(self) -> ev.SeatStatus:
        """What everybody is told."""
        if self.gone:
            return "left"
        if self.guest is not None and (self.auto or self.taken):
            return "away"
        return "here" if self.connected else "lost"

    @property
    def present(self) -> bool:
        """A person who is here and plays for themselves: somebody to wait for, and to ask."""
        return not self.is_bot and self.connected and not self.house_plays and not self.gone


class KeptCatch(Struct):
    """A catch made within the grace (U5), to be decided when the grace ends."""

    key: str
    id: int
    seat: int
    target: int


class WaitingAct(Struct):
    """An action that waits for the end of a grace, because a catch is kept."""

    guest: Guest
    message: Act


class Accusation(Struct):
    """An open vote (P2). `asked`: the seats that may vote."""

    seat: int
    by: int
    asked: tuple[int, ...]
    due: float
    votes: dict[int, bool] = {}


class TableState:
    """All a table knows. `now` and `out` hold the moment and the outcome of the command being done."""

    __slots__ = (
        "accusation", "accused_turn", "asked", "chance", "closed", "coming", "cooling", "deal_at", "done", "host",
        "id", "kept", "limit_began", "log", "match", "match_since", "matches", "memories", "moods", "next_dealer",
        "notice_at", "notices", "now", "open_seats", "opened_at", "out", "paused", "paused_at", "recorder",
        "result", "round_since", "seat_by_key", "seats", "seed", "seq", "settings", "stage", "told", "told_turn",
        "turn", "turn_began", "waiting", "wall_clock", "watchers", "winners",
    )  # fmt: skip

    def __init__(self, table_id: str, settings: Settings, seed: bytes, now: float) -> None:
        self.id = table_id
        self.settings = settings
        self.seed = seed
        self.chance = random.Random(seed)
        """For what house bots choose; never for cards. Not drawn on where their choices are known (see `Tick`)."""
        self.moods = random.Random(seed + b"moods")
        """For whether house bots notice something; drawn on at the same points always."""
        self.seats: dict[int, Seat] = {}
        self.watchers: dict[str, Guest] = {}
        self.coming: dict[str, int] = {}
        """Watchers who sit down when the next match begins, and where."""
        self.seat_by_key: dict[str, int] = {}
        self.host: int | None = None
        self.stage: Literal["waiting", "playing", "between", "over"] = "waiting"
        self.closed = False
        self.matches = 0
        self.match: Match | None = None
        self.match_since = self.round_since = 0
        """The seq before the match, and the round, began: only who sat then has a score, and cards."""
        self.next_dealer: int | None = None
        """Who deals the first round, where the match before is not known any more."""
        self.result: ev.RoundOver | None = None
        self.winners: tuple[int, ...] | None = None
        # telling
        self.seq = 0
        self.log: deque[tuple[int, Happening]] = deque(maxlen=LOG_SIZE)
        # the decision that is due
        self.turn = 0
        self.told_turn = 0
        """The number of the last decision told; others may have come and gone within one command."""
        self.told: tuple[Any, ...] = ()
        """What the last `turn` event said, to tell when another is due."""
        self.turn_began = 0.0
        self.limit_began = 0.0
        # una
        self.opened_at = 0.0
        self.open_seats: tuple[int, ...] = ()
        self.notices: list[tuple[int, Catch]] = []
        """The house bots that noticed, and what they will do about it at `notice_at`."""
        self.notice_at = 0.0
        self.kept: list[KeptCatch] = []
        self.waiting: list[WaitingAct] = []
        self.cooling: dict[int, float] = {}
        # votes and pauses
        self.paused = False
        self.paused_at = 0.0
        self.asked: set[int] = set()
        self.accusation: Accusation | None = None
        self.accused_turn = -1
        self.memories: dict[int, Memory] = {}
        """By seat, what a house bot that searches remembers of the round."""
        # the record of the round
        self.wall_clock: Callable[[], str] | None = None
        """The date and time for people, as a record's header has it; None: no records are made."""
        self.recorder: Recorder | None = None
        # the next round
        self.deal_at: float | None = None
        # the command being done
        self.now = now
        self.out = Outcome()
        self.done: list[tuple[str, int, dict[str, Any]]] = []
        """Key, id and fields of requests that were done: answered last, when the seq is known."""

    # -- telling --------------------------------------------------------------------------------------------------

    def tell(self, happening: Happening) -> None:
        """Say what happened: the one place where an event gets its seq."""
        self.seq += 1
        entry = (self.seq, happening)
        self.log.append(entry)
        self.out.events.append(entry)
        if self.memories:
            for seat, memory in self.memories.items():
                memory.hear(happening.for_seat(seat) if isinstance(happening, Split) else happening)

    def answer(self, key: str, body: Ok | Err) -> None:
        """Answer a request."""
        self.out.answers.append(Answer(key, body))

    # -- who is who -----------------------------------------------------------------------------------------------

    @property
    def round(self) -> Round | None:
        """The round that is running, if one is."""
        return self.match.round if self.match is not None and self.stage == "playing" else None

    def taken_seats(self) -> Iterator[Seat]:
        """The seats that have an owner now, by number."""
        return (seat for _, seat in sorted(self.seats.items()) if not seat.gone)

    def present(self) -> list[Seat]:
        """The people to wait for and to ask."""
        return [seat for seat in self.taken_seats() if seat.present]

    def seat_of_guest(self, key: str) -> Seat:
        """The guest's seat; refused where there is none."""
        number = self.seat_by_key.get(key)
        if number is None:
            raise Refusal("not_seated")
        return self.seats[number]

    def named_seat(self, number: int) -> Seat:
        """The seat of this number; refused where nobody sits there."""
        seat = self.seats.get(number)
        if seat is None or seat.gone:
            raise Refusal("not_seated")
        return seat

    def need_host(self, key: str) -> Seat:
        """The guest's seat if it is the host's."""
        seat = self.seat_of_guest(key)
        if seat.number != self.host:
            raise Refusal("not_host")
        return seat

    def keys(self) -> Iterable[str]:
        """Everybody who gets events."""
        yield from self.seat_by_key
        yield from self.watchers

    @property
    def all_bots(self) -> bool:
        """Whether no seat is played by a person, so that nothing needs to wait."""
        return all(seat.is_bot or seat.house_plays for seat in self.seats.values() if not seat.gone)

    @property
    def hurried(self) -> bool:
        """Nothing waits here: bots only, and nobody asked for a pace to watch."""
        return not self.settings.think_ms and self.all_bots
