"""What the engine tells: public events, and events of which some seats may know more.

The public event of a `Split` is built without the hidden fields; nothing is ever struck out of a full event.
"""

from __future__ import annotations

from msgspec import Struct

from una_protocol.events import Event


class Split(Struct, frozen=True, gc=False):
    """An event in two forms: `public` for everybody, and for the seats in `own` their copy with what they may know."""

    public: Event
    own: dict[int, Event]

    def for_seat(self, seat: int | None) -> Event:
        """The form for one seat; None: a watcher."""
        return self.public if seat is None else self.own.get(seat, self.public)


Happening = Event | Split
