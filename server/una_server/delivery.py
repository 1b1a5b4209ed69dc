"""Who hears what of a table, and when: an outcome goes out to those who are there, and whoever came back is brought up
to date.

Sends to sessions and decides nothing else; what is sent is stored already, or need not be.
"""

from __future__ import annotations

from una_protocol import messages as m
from una_protocol.codec import encode

from .guests import GuestBook
from .net.link import Link
from .place import Place, Waiting
from .session import Session
from .table import Gone, Outcome
from .telling import Told


class Delivery:
    """The way from a table to the links of those at it."""

    def __init__(self, book: GuestBook) -> None:
        self._sessions = book.by_key

    # -- an outcome ----------------------------------------------------------------------------------------------

    def deliver(self, place: Place, outcome: Outcome, told: Told | None, now: float) -> None:
        """Send all that an outcome has for anybody, in the order it stands in there."""
        sessions = self._sessions
        for answer in outcome.answers:
            asker = sessions.get(answer.key)
            if asker is not None:
                asker.answer(answer.body)
        if told is not None:
            self._tell(place, told, outcome)
        if outcome.states:
            self._show(place, outcome, now)
        if outcome.turn is not None and told is not None:
            key = outcome.turn[0]
            decider = sessions.get(key)
            if decider is not None and decider.link is not None and key not in place.late and key not in outcome.states:
                decider.link.send(told.turn)
        for keys, said in outcome.said:
            frame = encode(said)
            for key in keys:
                if key in sessions:
                    sessions[key].send(frame)

    def _tell(self, place: Place, told: Told, outcome: Outcome) -> None:
        """Send the events to everybody there: one piece of bytes for all, but where a seat may know more."""
        public, splits = told.public, told.splits
        if not public:
            return
        members = place.table.members
        sessions, states, late = self._sessions, outcome.states, place.late
        apart = splits or states or late
        for key, seat in members.items():
            session = sessions.get(key)
            if session is None or (link := session.link) is None:
                continue
            if not apart:
                link.send(public)
            elif key not in states and key not in late:
                link.send(told.for_seat(seat) if splits and seat is not None else public)
        for key in outcome.left:
            if key in late:
                place.parted[key] = place.table.seq  # their leaving is told after what they missed before it
            elif key in sessions and key not in members:
                sessions[key].send(public)

    def _show(self, place: Place, outcome: Outcome, now: float) -> None:
        """Send the whole state to those who have just come or asked for it, and what they must decide."""
        for key in outcome.states:
            session = self._sessions.get(key)
            if session is None:
                continue
            session.tables[place.table.id] = None
            if session.link is None:  # lost while their coming was being stored
                place.queue.append(Waiting(Gone(session.guest), now - place.offset))
            elif key not in place.late:
                _send_state(place, session, now)
                _send_turn(place, session, now)

    # -- somebody who came back ----------------------------------------------------------------------------------

    def catch_up(self, place: Place, session: Session, seen: int | None, link: Link, now: float) -> None:
        """Send what was missed after `seen`, or the whole state; then the pending decision."""
        table, key = place.table, session.key
        if place.late.get(key) is link:
            del place.late[key]
        parted = place.parted.pop(key, None)
        member = key in table.members
        if session.link is not link or not (member or parted):
            return
        now = place.time(now)
        missed = table.since(key, seen) if seen is not None and 0 <= seen <= table.seq else None
        if parted and not member:
            missed = [entry for entry in missed or () if entry[0] <= parted]
        if missed is None:
            _send_state(place, session, now)
        elif missed:
            session.send(b"".join([encode(m.Ev(table.id, seq, event)) for seq, event in missed]))
        _send_turn(place, session, now)


def _send_state(place: Place, session: Session, now: float) -> None:
    session.send(encode(place.table.view_for(session.key, now)))


def _send_turn(place: Place, session: Session, now: float) -> None:
    turn = place.table.turn_for(session.key, now)
    if turn is not None:
        session.send(encode(turn))
