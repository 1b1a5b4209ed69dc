"""The frames that wait to be sent on one connection, within bounds. Pure: it holds bytes and sends nothing itself."""

from __future__ import annotations


class Outbox:
    """Frames in order; the first may be the rest of a frame that was sent in part."""

    __slots__ = ("_frames", "_torn", "size")

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._torn = False
        self.size = 0

    def __len__(self) -> int:
        return len(self._frames)

    def append(self, frame: bytes) -> None:
        """Add a frame (or several that belong together, as one piece)."""
        self._frames.append(frame)
        self.size += len(frame)

    def joined(self) -> bytes:
        """All of it as one piece of bytes; it stays here until it was `sent`."""
        frames = self._frames
        return frames[0] if len(frames) == 1 else b"".join(frames)

    def sent(self, count: int) -> None:
        """The first `count` bytes are on their way."""
        if count >= self.size:
            self._frames.clear()
            self._torn, self.size = False, 0
            return
        self.size -= count
        done = 0
        while count >= len(self._frames[done]):
            count -= len(self._frames[done])
            done += 1
        del self._frames[:done]
        if count:
            self._frames[0] = self._frames[0][count:]
        self._torn = count > 0 or (self._torn and not done)

    def cut_to(self, last: bytes) -> None:
        """Drop what waits, save the rest of a frame that was begun, and put `last` behind it."""
        self._frames = [*self._frames[: int(self._torn)], last]
        self.size = sum(map(len, self._frames))
