"""A session: who somebody is, over as many connections as it takes, and the answers they were given.

`token` is the secret that proves it; `key` is the name under which the rest of the server knows it.
"""

from __future__ import annotations

from typing import Final

from una_protocol.codec import encode
from una_protocol.errors import ERRORS
from una_protocol.messages import Err, Ok

from .net.link import Link
from .net.pace import Pace
from .table import Guest

KEPT_ANSWERS: Final = 64


class Session:
    """One person or bot. `link` is the connection it has now, if any."""

    __slots__ = (
        "_answers", "chat_pace", "guest", "key", "last_id", "link", "seen", "skeleton", "tables", "token",
    )  # fmt: skip

    def __init__(self, key: str, token: str, name: str, skeleton: str, bot: bool, chat_pace: Pace) -> None:
        self.key = key
        self.token = token
        self.guest = Guest(key, name, bot)
        self.skeleton = skeleton
        self.link: Link | None = None
        self.seen = 0.0
        """When a connection was last there; of use while there is none."""
        self.last_id = -1
        self.tables: dict[str, None] = {}
        """The ids of the tables it is at, in the order it came."""
        self.chat_pace = chat_pace
        self._answers: dict[int, bytes | None] = {}

    @property
    def name(self) -> str:
        """The name, checked."""
        return self.guest.name

    def rename(self, name: str, skeleton: str) -> None:
        """Take another name; possible only while it stands at no table."""
        if name != self.guest.name:
            self.guest = Guest(self.key, name, self.guest.bot)
        self.skeleton = skeleton

    def is_new(self, id_: int) -> bool:
        """Whether a request may be done now. One that was seen before is answered again here, and never done twice."""
        if id_ > self.last_id:
            self.last_id = id_
            answers = self._answers
            answers[id_] = None
            if len(answers) > KEPT_ANSWERS:
                del answers[next(iter(answers))]
            return True
        if id_ not in self._answers:
            self.send(encode(_stale(id_)))
        else:
            answer = self._answers[id_]
            if answer is not None:  # else it is still being decided; the answer will come
                self.send(answer)
        return False

    def answer(self, body: Ok | Err) -> None:
        """Send the answer to a request, and keep it in case the request comes again."""
        frame = encode(body)
        if body.re in self._answers:
            self._answers[body.re] = frame
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
