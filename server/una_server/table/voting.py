"""What a table decides by asking: pausing, and whether somebody advised another player (P2)."""

from __future__ import annotations

from typing import Final

from una_protocol import events as ev
from una_protocol.actions import Penalty
from una_protocol.messages import Accuse, Pause, Vote

from .commands import Guest
from .playing import apply
from .state import Accusation, Refusal, TableState

VOTE_S: Final = 20.0


def pause(table: TableState, guest: Guest, message: Pause) -> dict[str, object]:
    """Ask to pause or to go on; most people present decide. Asking for what is, takes the request back."""
    seat = table.seat_of_guest(guest.key)
    if table.stage not in ("playing", "between"):
        raise Refusal("not_now")
    if message.on == table.paused:
        table.asked.discard(seat.number)
    else:
        table.asked.add(seat.number)
    people = {other.number for other in table.present()} or {seat.number}
    if 2 * len(table.asked & people) > len(people):
        table.asked.clear()
        _pause(table) if message.on else _go_on(table)
    table.tell(ev.Paused(seat.number, message.on, table.paused))
    return {}


def _pause(table: TableState) -> None:
    table.paused, table.paused_at = True, table.now


def _go_on(table: TableState) -> None:
    """All clocks of the table go on where they stood."""
    stood = table.now - table.paused_at
    table.paused = False
    table.turn_began += stood
    table.limit_began += stood
    table.opened_at += stood
    table.notice_at += stood
    if table.deal_at is not None:
        table.deal_at += stood
    if table.accusation is not None:
        table.accusation.due += stood


def accuse(table: TableState, guest: Guest, message: Accuse) -> dict[str, object]:
    """Accuse a seat of advising: the others vote; with nobody to ask, the host decides."""
    seat = table.seat_of_guest(guest.key)
    if table.settings.options.advice_penalty == 0:
        raise Refusal("not_now", "There is no advice penalty at this table.")
    if table.round is None:
        raise Refusal("round_over")
    if table.accusation is not None or table.accused_turn == table.turn:
        raise Refusal("not_now", "One accusation at a time, and one in a turn.")
    accused = table.named_seat(message.seat)
    if accused is seat:
        raise Refusal("not_now", "You cannot accuse yourself.")
    table.accused_turn = table.turn
    parties = (accused.number, seat.number)
    asked = tuple(
        other.number
        for other in table.taken_seats()
        if other.guest is not None and other.connected and other.number not in parties
    )
    if not asked:
        table.tell(ev.Accused(accused.number, seat.number, open=False, guilty=False))
        return {}
    table.accusation = Accusation(accused.number, seat.number, asked, table.now + VOTE_S)
    table.tell(ev.Accused(accused.number, seat.number, ms=round(VOTE_S * 1000)))
    return {}


def vote(table: TableState, guest: Guest, message: Vote) -> dict[str, object]:
    """Vote on the open accusation, once."""
    seat = table.seat_of_guest(guest.key)
    open_vote = table.accusation
    if open_vote is None or open_vote.seat != message.seat:
        raise Refusal("not_now", "There is no open accusation of that seat.")
    if seat.number not in open_vote.asked or seat.number in open_vote.votes:
        raise Refusal("not_now", "You have no vote in this, or have voted.")
    open_vote.votes[seat.number] = message.guilty
    table.tell(ev.Voted(seat.number))
    if len(open_vote.votes) == len(open_vote.asked):
        give_verdict(table)
    return {}


def give_verdict(table: TableState) -> None:
    """More votes for than against: guilty. The engine knows the verdict as a `penalty` action."""
    closed, table.accusation = table.accusation, None
    assert closed is not None
    for_it = sum(closed.votes.values())
    guilty = for_it > len(closed.votes) - for_it
    table.tell(ev.Accused(closed.seat, closed.by, open=False, guilty=guilty))
    if guilty and table.round is not None and not table.seats[closed.seat].gone:
        apply(table, closed.seat, Penalty(table.settings.options.advice_penalty))
