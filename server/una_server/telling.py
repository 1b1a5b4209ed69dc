"""What a table says, as frames: each event encoded once for all who see it alike, and once more for a seat that may
know more. Sends nothing itself.
"""

from __future__ import annotations

from typing import NamedTuple

from una_protocol.codec import encode
from una_protocol.messages import Ev

from .game import Split
from .table import Outcome


class Told(NamedTuple):
    """The events of one outcome."""

    table_id: str
    frames: list[bytes]
    splits: list[tuple[int, int, Split]]
    """Index, seq and event of those that a seat may know more of."""
    public: bytes
    """All of them as everybody may know them."""
    turn: bytes
    """The new decision, for whoever owes it; or nothing."""

    def for_seat(self, seat: int | None) -> bytes:
        """All of them as this seat (None: a watcher) may know them."""
        if seat is None or not self.splits:
            return self.public
        own: list[bytes] | None = None
        for index, seq, split in self.splits:
            event = split.own.get(seat)
            if event is not None:
                if own is None:
                    own = self.frames.copy()
                own[index] = encode(Ev(self.table_id, seq, event))
        return self.public if own is None else b"".join(own)


def told_of(table_id: str, outcome: Outcome) -> Told | None:
    """The events of an outcome, and the new decision; None where there are none."""
    turn = encode(outcome.turn[1]) if outcome.turn is not None else b""
    if not outcome.events:
        return Told(table_id, [], [], b"", turn) if turn else None
    frames: list[bytes] = []
    splits: list[tuple[int, int, Split]] = []
    for seq, happening in outcome.events:
        if type(happening) is Split:
            splits.append((len(frames), seq, happening))
            frames.append(encode(Ev(table_id, seq, happening.public)))
        else:
            frames.append(encode(Ev(table_id, seq, happening)))  # type: ignore[arg-type] # no Split: an event
    return Told(table_id, frames, splits, frames[0] if len(frames) == 1 else b"".join(frames), turn)
