"""What one viewer may know of a table. Built field by field from what is allowed; there is no full state to strip."""

from __future__ import annotations

from msgspec import structs

from una_protocol.view import Accusation, Player, View

from ..game import catchable
from .playing import time_left_ms
from .state import Seat, TableState


def view_of(table: TableState, you: int | None) -> View:
    """The `state` for a seat, or (None) for a watcher, before any clock of its own is looked at."""
    settings = table.settings
    view = View(
        table=table.id,
        seq=table.seq,
        name=settings.name,
        profile=settings.profile,
        options=settings.option_values(),
        seats=settings.seats,
        turn_s=settings.turn_s,
        una_grace_ms=settings.una_grace_ms,
        away=settings.away,
        between_s=settings.between_s,
        public=settings.public,
        password=settings.password is not None,
        stage=table.stage,
        host=table.host,
        players=_players(table),
        watchers=[guest.name for guest in table.watchers.values()],
        paused=table.paused,
        asked=sorted(table.asked),
        turn=table.told_turn,
        result=table.result and structs.replace(table.result, between_ms=None),
        winners=list(table.winners) if table.winners is not None else None,
        you=you,
    )
    if table.accusation is not None:
        view.accusation = Accusation(table.accusation.seat, table.accusation.by, list(table.accusation.votes))
    _add_round(table, view)
    return view


def _players(table: TableState) -> list[Player]:
    match = table.match
    round = match.round if match is not None else None
    return [
        Player(
            seat=seat.number,
            name=seat.name,
            bot=seat.is_bot,
            level=seat.level,
            cards=len(round.hands[number]) if round is not None and _dealt_in(table, seat) else 0,
            score=match.scores[number] if match is not None and seat.since <= table.match_since else 0,
            status=seat.status,
            ready=seat.ready,
            una=round is not None and table.stage == "playing" and number in round.called,
        )
        for number, seat in sorted(table.seats.items())
    ]


def _add_round(table: TableState, view: View) -> None:
    """The open cards and, for a seat, its own."""
    match = table.match
    round = match.round if match is not None else None
    if match is None or round is None:
        return
    running = table.stage == "playing"
    view.round, view.dealer = match.number, round.dealer
    view.direction = round.direction
    view.top, view.color, view.wish_served = round.top, round.color, round.wish_served
    view.draw_pile = len(round.draw_pile)
    view.ms = time_left_ms(table)
    if running:
        view.phase, view.turn_seat, view.pending = round.phase, round.turn, round.pending
        view.catchable = list(catchable(round))
    elif table.stage == "between" and table.deal_at is not None:
        stand = table.paused_at if table.paused else table.now
        view.ms = max(0, int((table.deal_at - stand) * 1000))
    if view.you is not None and _dealt_in(table, table.seats[view.you]):
        view.hand = list(round.hands[view.you])
        if running and round.phase == "drawn" and round.turn == view.you:
            view.drawn = round.drawn


def _dealt_in(table: TableState, seat: Seat) -> bool:
    """Whether the seat's owner was there when the cards were dealt, and still is."""
    return seat.since <= table.round_since and not seat.gone
