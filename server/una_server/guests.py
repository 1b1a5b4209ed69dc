"""The guest book: who is known here, under which name, and for how long.

A name belongs to somebody while they are connected or have a seat; a session lives on for a while after that, so that
its owner can come back. Nobody gets a session by name, only by its token.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable

from una_protocol.errors import ERRORS
from una_protocol.messages import Err, Hello
from una_protocol.text import check_name, is_reserved, skeleton

from .net.pace import Pace
from .rooms import Rooms
from .session import Session
from .store import SessionRow


class Denied(Exception):
    """Somebody may not do what they ask for: the code, a sentence, and when to try again."""

    def __init__(self, code: str, msg: str | None = None, after_ms: int | None = None) -> None:
        super().__init__(code)
        self.code, self.msg, self.after_ms = code, msg, after_ms
        self.at: str | None = None

    def err(self, re: int) -> Err:
        """The answer to the request."""
        known = ERRORS[self.code]
        return Err(self.code, self.msg or known.meaning, known.retry, re, self.after_ms, self.at)


class GuestBook:
    """All sessions, by token, by key, and by what their names look like."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._by_token: dict[bytes, Session] = {}
        self._by_skeleton: dict[str, Session] = {}
        self._count = 0
        self.forgotten: Callable[[Session], None] = lambda session: None
        """Called when a session is no more."""
        self.by_key: dict[str, Session] = {}

    def enter(self, hello: Hello, now: float) -> Session:
        """A new session; Denied where the name is bad or taken, or the house is full."""
        name = _checked(hello.name)
        shape = self._free_shape(name, None)
        if len(self.by_key) >= self.rooms.sessions and not self._forget_one():
            raise Denied("too_fast", "The server has no room for another guest.", 60_000)
        self._count += 1
        token = secrets.token_hex(16)
        session = Session(
            key=f"g{self._count}",
            token=token,
            token_hash=_hash(token),
            name=name,
            skeleton=shape,
            bot=hello.bot,
            chat_pace=Pace(self.rooms.chat_rate, self.rooms.chat_burst),
        )
        self._by_token[session.token_hash] = self.by_key[session.key] = self._by_skeleton[shape] = session
        return session

    def restore(self, row: SessionRow, now: float) -> None:
        """A session that an earlier server knew; who was connected then, was until now."""
        session = Session(
            key=row.key,
            token="",
            token_hash=row.token,
            name=row.name,
            skeleton=skeleton(row.name),
            bot=row.bot,
            chat_pace=Pace(self.rooms.chat_rate, self.rooms.chat_burst),
        )
        session.seen = now if row.seen is None else now - max(0.0, time.time() - row.seen)
        session.saved = True
        self._by_token[session.token_hash] = self.by_key[session.key] = session
        self.skip_keys(int(row.key[1:]))

    def skip_keys(self, number: int) -> None:
        """Give no new session a key up to this number."""
        self._count = max(self._count, number)

    def keep_name(self, session: Session) -> None:
        """A seat is kept for the session, and with it the name."""
        self._by_skeleton[session.skeleton] = session

    def come_back(self, hello: Hello, now: float) -> Session:
        """The session that the token proves. Without a seat the name may change; with one it stays."""
        token = hello.resume.session if hello.resume is not None else ""
        session = self._by_token.get(_hash(token))
        if session is None or self.is_over(session, now):
            raise Denied("session_gone")
        session.token = token
        name = session.name if session.tables else _checked(hello.name)
        shape = self._free_shape(name, session)
        if self._by_skeleton.get(session.skeleton) is session:
            del self._by_skeleton[session.skeleton]
        self._by_skeleton[shape] = session
        session.rename(name, shape)
        return session

    def _free_shape(self, name: str, owner: Session | None) -> str:
        shape = skeleton(name)
        holder = self._by_skeleton.get(shape)
        if holder is not None and holder is not owner:
            raise Denied("name_taken")
        return shape

    def let_go(self, session: Session) -> None:
        """The name is free again where nobody is connected under it, and no seat is kept for it."""
        if (
            session.link is None
            and not session.tables
            and not session.arriving
            and self._by_skeleton.get(session.skeleton) is session
        ):
            del self._by_skeleton[session.skeleton]

    def is_over(self, session: Session, now: float) -> bool:
        """Whether the session has been away for longer than it is remembered."""
        return session.link is None and now - session.seen > self.rooms.resume_s

    def over(self, now: float) -> list[Session]:
        """The sessions that have been away for too long."""
        return [session for session in self.by_key.values() if self.is_over(session, now)]

    def forget(self, session: Session) -> None:
        """The session is no more; whoever comes with its token is not known."""
        self.forgotten(session)
        self._by_token.pop(session.token_hash, None)
        self.by_key.pop(session.key, None)
        if self._by_skeleton.get(session.skeleton) is session:
            del self._by_skeleton[session.skeleton]

    def _forget_one(self) -> bool:
        """Make room by the session that was away for longest and has no seat."""
        idle = [session for session in self.by_key.values() if not (session.link or session.tables or session.arriving)]
        if idle:
            self.forget(min(idle, key=lambda session: session.seen))
        return bool(idle)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _checked(raw: str) -> str:
    try:
        name = check_name(raw)
    except ValueError as error:
        raise Denied("bad_name", str(error)) from None
    if is_reserved(name):
        raise Denied("bad_name", "Names like this are kept for house bots.")
    return name
