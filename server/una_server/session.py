"""A session: who somebody is, over as many connections as it takes, and the answers they were given.

`token` is the secret that proves it, and only a hash of it is stored; `key` is the name under which the rest of the
server knows it.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from una_protocol.codec import encode
from una_protocol.errors import ERRORS
from una_protocol.messages import Err, Ok

from .net.link import Link
from .net.pace import Pace
from .store import SessionRow
from .table import Guest

KEPT_ANSWERS: Final = 64
UNASKED: Final = 0
"""The id of what the server does by itself in a guest's name: nobody asked for it, and nobody is answered."""


class Session:
    """One person or bot. `link` is the connection it has now, if any."""

    __slots__ = (
        "_again",
        "_answers",
        "_gaps_below",
        "_gone_below",
        "_order",
        "arriving",
        "chat_pace",
        "guest",
        "key",
        "last_id",
        "link",
        "saved",
        "seen",
        "skeleton",
        "tables",
        "token",
        "token_hash",
    )  # fmt: skip

    def __init__(
        self, key: str, token: str, token_hash: bytes, name: str, skeleton: str, bot: bool, chat_pace: Pace
    ) -> None:
        self.key = key
        self.token = token
        """Empty until somebody comes back with it, where the server has begun anew."""
        self.token_hash = token_hash
        self.guest = Guest(key, name, bot)
        self.skeleton = skeleton
        self.link: Link | None = None
        self.seen = 0.0
        """When a connection was last there; of use while there is none."""
        self.last_id = -1
        self.tables: dict[str, None] = {}
        """The ids of the tables it is at, in the order it came."""
        self.arriving: set[str] = set()
        """The ids of the tables where its coming is being stored."""
        self.saved = False
        """Whether the store knows it as it is."""
        self.chat_pace = chat_pace
        self._answers: dict[int, bytes | None] = {}
        self._order: deque[int] = deque()
        """The ids of these, oldest first. (To find it in the dict itself, all that were deleted are walked over.)"""
        self._gone_below = -1
        """The greatest id whose answer is not remembered any more."""
        self._gaps_below = -1
        """Up to here an id without an answer was never done: the server began anew before it was."""
        self._again: set[int] = set()
        """The ids of requests that were refused for now, and may come again."""

    @property
    def name(self) -> str:
        """The name, checked."""
        return self.guest.name

    def rename(self, name: str, skeleton: str) -> None:
        """Take another name; possible only while it stands at no table."""
        if name != self.guest.name:
            self.guest = Guest(self.key, name, self.guest.bot)
            self.saved = False
        self.skeleton = skeleton

    def unsaved(self) -> tuple[SessionRow, ...]:
        """What the store does not know of it yet."""
        return () if self.saved else (self.row(None),)

    def row(self, seen: float | None) -> SessionRow:
        """As the store keeps it; `seen` is when its connection was lost, in seconds since 1970."""
        return SessionRow(self.key, self.token_hash, self.guest.name, self.guest.bot, seen)

    def answers(self) -> list[tuple[int, bytes]]:
        """The answers that are remembered: id and frame."""
        return [(re, frame) for re, frame in self._answers.items() if frame is not None]

    def restore(self, answers: dict[int, bytes]) -> None:
        """Remember the answers that were given before the server began anew."""
        ids = sorted(answers)
        if ids:
            self.last_id = self._gaps_below = ids[-1]
        for re in ids[-KEPT_ANSWERS:]:
            self._remember(re, answers[re])
        if len(ids) > KEPT_ANSWERS:
            self._gone_below = ids[-KEPT_ANSWERS - 1]

    def is_new(self, id_: int) -> bool:
        """Whether a request may be done now. One that was seen before is answered again here, and never done twice."""
        if id_ > self.last_id:
            self.last_id = id_
            self._answers[id_] = None
            self._order.append(id_)
            if len(self._order) > KEPT_ANSWERS:
                self._forget_oldest()
            return True
        if id_ in self._again:
            self._again.discard(id_)
            self._answers[id_] = None
            return True
        if id_ not in self._answers:
            if self._gone_below < id_ < self._gaps_below:
                self._remember(id_, None)
                return True
            self.send(encode(_stale(id_)))
        else:
            answer = self._answers[id_]
            if answer is not None:  # else it is still being decided; the answer will come
                self.send(answer)
        return False

    def _remember(self, id_: int, answer: bytes | None) -> None:
        self._answers[id_] = answer
        self._order.append(id_)

    def _forget_oldest(self) -> None:
        oldest = self._order.popleft()
        del self._answers[oldest]
        self._again.discard(oldest)
        if oldest > self._gone_below:
            self._gone_below = oldest

    def refuse_for_now(self, re: int, code: str, after_ms: int) -> None:
        """Answer a request with an error that does not last: the same id may come again."""
        self.refuse(re, code, after_ms=after_ms)
        self._again.add(re)

    def answer(self, body: Ok | Err) -> None:
        """Send the answer to a request, and keep it in case the request comes again."""
        frame = encode(body)
        if body.re in self._answers:
            self._answers[body.re] = frame
        elif body.re == UNASKED:
            return
        if self.link is not None:
            self.link.send(frame)

    def refuse(
        self, re: int, code: str, msg: str | None = None, after_ms: int | None = None, at: str | None = None
    ) -> None:
        """Answer a request with an error."""
        known = ERRORS[code]
        self.answer(Err(code, msg or known.meaning, known.retry, re, after_ms, at))

    def send(self, frame: bytes) -> None:
        """Send a frame, if there is a connection."""
        if self.link is not None:
            self.link.send(frame)


def _stale(id_: int) -> Err:
    known = ERRORS["stale_id"]
    return Err("stale_id", known.meaning, known.retry, id_)
