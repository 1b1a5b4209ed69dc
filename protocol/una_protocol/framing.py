"""Cutting a stream of bytes into frames: a 4-byte big-endian length, then the body.

Owns the length header and its limits. Knows nothing of what a body means, and holds no connection: bytes in, bodies
out. A length is checked as soon as its four bytes are there, so what is kept is never more than one frame.
"""

from __future__ import annotations

from typing import Final

HEADER: Final = 4


class BadStream(Exception):
    """The stream cannot be cut any further. `bodies`: the frames of the same chunk that were complete before."""

    code: str = "bad_frame"

    def __init__(self, text: str, bodies: list[bytes]) -> None:
        super().__init__(text)
        self.bodies = bodies


class TooBig(BadStream):
    """A header announces more than the limit."""

    code = "too_big"


class NotUna(BadStream):
    """The first byte of the connection is not 0: whoever is there speaks something else (HTTP, TLS, a terminal)."""


def frame(body: bytes) -> bytes:
    """The body with its length before it."""
    return len(body).to_bytes(HEADER, "big") + body


def plain_text_hint() -> bytes:
    """One line of text for somebody who does not speak una at all, to be sent before closing."""
    return b"This is an una game server. It speaks the una protocol (msgpack frames); play with: una join HOST\r\n"


class FrameReader:
    """Feed it what arrives, in any pieces; it returns the bodies that became complete."""

    __slots__ = ("_buffer", "_error", "_need", "_started", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._buffer = bytearray()
        self._need = HEADER  # bytes that the buffer must hold before there is anything new to do
        self._started = False
        self._error: BadStream | None = None

    @property
    def in_frame(self) -> bool:
        """Whether a frame has begun and is not complete: the rest must follow within seconds."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies completed by `data`. Raises TooBig or NotUna, then and at every later call."""
        if self._error is not None:
            raise type(self._error)(str(self._error), [])
        if not data:
            return []
        if not self._started:
            if data[0]:
                raise self._fail(NotUna("the first byte is not 0", []))
            self._started = True
        buffer = self._buffer
        if not buffer:
            length = len(data) - HEADER
            if 0 <= length <= self.limit and int.from_bytes(data[:HEADER], "big") == length:
                return [data[HEADER:]]  # one whole frame, as nearly always
            return self._cut(data)
        buffer += data
        if len(buffer) < self._need:
            return []
        whole = bytes(buffer)
        buffer.clear()
        return self._cut(whole)

    def _cut(self, data: bytes) -> list[bytes]:
        bodies: list[bytes] = []
        limit, size, start = self.limit, len(data), 0
        while (body := start + HEADER) <= size:
            length = int.from_bytes(data[start:body], "big")
            if length > limit:
                raise self._fail(TooBig(f"a frame of {length} bytes; the limit is {limit}", bodies))
            end = body + length
            if end > size:
                self._need = HEADER + length
                self._buffer += data[start:]
                return bodies
            bodies.append(data[body:end])
            start = end
        if start < size:
            self._need = HEADER
            self._buffer += data[start:]
        return bodies

    def _fail(self, error: BadStream) -> BadStream:
        self._error = error
        self._buffer = bytearray()
        return error
