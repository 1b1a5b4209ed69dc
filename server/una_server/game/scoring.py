"""Points (C3, E2–E4): what a round is worth, and whether it ends the match."""

from __future__ import annotations

from collections.abc import Sequence

from una_protocol.cards import points_of

from .options import Options
from .round import Round


def round_points(state: Round) -> tuple[int, ...]:
    """By seat, the points of a round that is over. `winner` (E2): who went out takes the points of all hands and the
    bonus. `losers` (E3): everybody else counts the own hand; after a blocked round (E4) everybody does.
    """
    options = state.rules.options
    points = [points_of(hand) for hand in state.hands]
    if options.scoring == "losers":
        if state.winner is not None:
            points[state.winner] = 0
        return tuple(points)
    own = [0] * len(points)
    if state.winner is not None:
        own[state.winner] = options.going_out_bonus + sum(points) - points[state.winner]
    return tuple(own)


def match_winners(
    options: Options, seats: Sequence[int], scores: Sequence[int], winner: int | None
) -> tuple[int, ...] | None:
    """The winners of the match after a round; None: the match goes on. Only seats still in the match can win.

    Where the match is one round, a blocked one has no winner (E4). With one seat left the match is over (L1).
    """
    if len(seats) == 1:
        return tuple(seats)
    if options.target_score == 0 and winner is None:
        return ()
    if max(scores[seat] for seat in seats) < options.target_score:
        return None
    if options.scoring == "winner":
        return () if winner is None else (winner,)
    lowest = min(scores[seat] for seat in seats)
    return tuple(seat for seat in seats if scores[seat] == lowest)
