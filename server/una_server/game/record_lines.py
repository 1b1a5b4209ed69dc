"""The lines of a record, as values: header, action, pile, end. Unknown keys are ignored, the version is checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from una_protocol.actions import RecordedAction
from una_protocol.cards import Card

from .match import Match
from .round import Round
from .scoring import round_points

VERSION: Final = 1


class Player(Struct, frozen=True):
    """Who played: the name, and `human` or `bot`."""

    name: str
    kind: str


class Header(Struct, frozen=True, kw_only=True):
    """The first line of a record."""

    una_record: int
    id: str
    table: str
    round: int
    started: str
    server: str
    profile: str
    options: dict[str, Any]
    players: list[Player]
    dealer: int
    scores: list[int]
    deck: list[Card]


class Act(Struct, frozen=True, omit_defaults=True):
    """The line of an accepted action. `auto`: the move of a turn limit; `ms` since the start, for people only."""

    seat: int
    do: RecordedAction
    auto: bool = False
    ms: int | None = None


class Pile(Struct, frozen=True):
    """The line of a shuffle: the new draw pile, in the order of drawing."""

    pile: list[Card]


class End(Struct, frozen=True):
    """How a round ended; `points` has those seats only that have any."""

    winner: int | None
    points: dict[str, int]
    scores: list[int]
    hands: list[list[Card]]
    match_over: bool
    match_winners: list[int]


class EndLine(Struct, frozen=True):
    """The last line of a record whose round was finished."""

    end: End


def end_of(match: Match, state: Round, seats: Sequence[int]) -> End:
    """How the round ended, in the record's seats: `seats` are the table seats of those who began it."""
    points = round_points(state)
    place = {seat: index for index, seat in enumerate(seats)}
    return End(
        winner=None if state.winner is None else place[state.winner],
        points={str(index): points[seat] for index, seat in enumerate(seats) if points[seat]},
        scores=[match.scores[seat] for seat in seats],
        hands=[list(state.hands[seat]) for seat in seats],
        match_over=match.over,
        match_winners=[place[seat] for seat in match.winners],
    )
