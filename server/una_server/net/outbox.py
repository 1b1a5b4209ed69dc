"""The frames that wait to be sent on one connection. Pure: it holds bytes and sends nothing itself."""

from __future__ import annotations


class Outbox:
    """Frames in order; the first may be the rest of a frame that was sent in part. `frames` is for `Link` to fill."""

    __slots__ = ("_torn", "frames")

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self._torn = False

    @property
    def size(self) -> int:
        """How many bytes wait."""
        return sum(map(len, self.frames))

    def joined(self) -> bytes:
        """All of it as one piece of bytes; it stays here until it was `sent`."""
        return b"".join(self.frames)

    def sent(self, count: int) -> None:
        """The first `count` bytes are on their way."""
        done = 0
        while done < len(self.frames) and count >= len(self.frames[done]):
            count -= len(self.frames[done])
            done += 1
        del self.frames[:done]
        if count:
            self.frames[0] = self.frames[0][count:]
        self._torn = count > 0 or (self._torn and not done)

    def cut_to(self, last: bytes) -> None:
        """Drop what waits, save the rest of a frame that was begun, and put `last` behind it."""
        self.frames[:] = [*self.frames[: int(self._torn)], last]
