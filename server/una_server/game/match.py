"""A match: rounds until the target score, who deals, the scores, and who won.

The table talks to this class only: `start`, `deal` for each round, `apply` for everything anybody does. What `apply`
refuses has changed nothing; a table that has to keep the old state until a journal is written applies to a `copy`.
"""

from __future__ import annotations

from collections.abc import Sequence

from una_protocol.actions import Leave, RecordedAction
from una_protocol.events import Dealer, MatchOver, RoundOver

from .dealing import choose_dealer, deal
from .flow import HANDLERS, knows
from .happening import Happening
from .options import Options, check_players
from .refused import Refused
from .round import Round
from .scoring import match_winners, round_points
from .shuffle import SeededShuffler, Shuffler


class Match:
    """One match. `seats` are those still in it, in joining order; `scores` has an entry for each seat number."""

    __slots__ = ("all_seats", "dealer", "number", "options", "over", "round", "scores", "seats", "seed", "winners")

    def __init__(self, options: Options, seats: Sequence[int], seed: bytes, dealer: int) -> None:
        self.options = options
        self.all_seats: tuple[int, ...] = tuple(seats)
        """Those who began the match, in joining order."""
        self.seats = self.all_seats
        self.seed = seed
        self.dealer = dealer
        """Who deals, or dealt, the round `number`; before the first deal: who will deal it."""
        self.number = 0
        self.scores = [0] * (max(seats) + 1)
        self.round: Round | None = None
        self.over = False
        self.winners: tuple[int, ...] = ()

    @classmethod
    def start(
        cls, options: Options, seats: Sequence[int], seed: bytes, dealer: int | None = None
    ) -> tuple[Match, list[Happening]]:
        """A new match of these seats; `dealer` None: chosen as `first_dealer` says (G3). BadOption for bad numbers."""
        check_players(options, len(seats))
        if len(set(seats)) < len(seats) or min(seats) < 0 or (dealer is not None and dealer not in seats):
            raise ValueError("seats are different numbers from 0, and the dealer is one of them")
        chosen = choose_dealer(options, seats, seed) if dealer is None else Dealer(dealer)
        return cls(options, seats, seed, chosen.seat), [chosen]

    def copy(self) -> Match:
        """An independent copy."""
        other = Match.__new__(Match)
        for name in Match.__slots__:
            setattr(other, name, getattr(self, name))
        other.scores = self.scores.copy()
        other.round = self.round.copy() if self.round else None
        return other

    def fingerprint(self) -> tuple[object, ...]:
        """All of the match's state as one comparable value."""
        own = (self.seats, self.dealer, self.number, tuple(self.scores), self.over, self.winners)
        return (*own, *(self.round.fingerprint() if self.round else ()))

    @property
    def playing(self) -> bool:
        """Whether a round is running."""
        return self.round is not None and not self.round.over

    def next_dealer(self) -> int:
        """The next seat after the dealer still in the match: it deals the next round, or the rematch (G3, E5)."""
        place = self.all_seats.index(self.dealer)
        following = (*self.all_seats[place + 1 :], *self.all_seats[: place + 1])
        return next(seat for seat in following if seat in self.seats)

    def deal(self, shuffler: Shuffler | None = None) -> list[Happening]:
        """Deal the next round. `shuffler`: where its shuffles come from, if not from the seed (scenarios, records)."""
        if self.over or self.playing:
            raise ValueError("there is no round to deal now")
        if self.number or self.dealer not in self.seats:
            self.dealer = self.next_dealer()
        self.number += 1
        self.round, told = deal(
            self.options,
            self.seats,
            len(self.scores),
            self.dealer,
            self.number,
            shuffler or SeededShuffler(self.seed, self.number),
        )
        return told

    def apply(self, seat: int, action: RecordedAction) -> list[Happening]:
        """Do what the seat does; tell what follows, up to the end of round and match. Refused: nothing has changed."""
        state = self.round
        if state is None or state.over:
            return self._apply_between(seat, action)
        if seat not in state.order:
            raise Refused("unknown_player")
        told = HANDLERS[type(action)](state, seat, action)
        if state.order is not self.seats:
            self.seats = state.order  # who has left the round has left the match
        if state.phase == "over":
            self._finish_round(state, told)
        return told

    def _apply_between(self, seat: int, action: RecordedAction) -> list[Happening]:
        """Between rounds a seat may only leave; the last one left wins the match (L1)."""
        if seat not in self.seats or not knows(self.seats, action):
            raise Refused("unknown_player")
        if type(action) is not Leave:
            raise Refused("round_over")
        self.seats = tuple(other for other in self.seats if other != seat)
        if self.over or len(self.seats) > 1:
            return []
        self.over, self.winners = True, self.seats
        return [MatchOver(self.winners, tuple(self.scores))]

    def _finish_round(self, state: Round, told: list[Happening]) -> None:
        """The one place where a round ends: points, scores, and perhaps the end of the match."""
        points = round_points(state)
        self.scores = [score + own for score, own in zip(self.scores, points, strict=True)]
        scores = tuple(self.scores)
        winners = match_winners(self.options, self.seats, scores, state.winner)
        self.over = winners is not None
        hands = tuple(map(tuple, state.hands))
        told.append(RoundOver(state.winner, hands, points, scores, self.over))
        if winners is not None:
            self.winners = winners
            told.append(MatchOver(winners, scores))
