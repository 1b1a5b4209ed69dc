"""One game of the arena: the engine, the players' answers, and what becomes of players that misbehave.

A player that raises, dies, or answers wrongly or too late too often leaves the round (L1) and has lost the game; the
others play on. Wrong and late answers before that are counted, and the default move is played instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, Final

from msgspec import Struct

from una_protocol import events as ev
from una_protocol.actions import LEAVE, Catch, Play, RecordedAction, Una
from una_protocol.events import Event
from una_protocol.text import clean

from ..game import (
    Happening,
    Match,
    Refused,
    Round,
    Split,
    can_una,
    catchable,
    default_action,
    legal_actions,
    turn_actions,
)
from .answers import answer_of, is_beside, named
from .player import Player
from .sight import RoundView, Scene, Setting
from .watchdog import OverTime, Pulse, Watchdog

FAULTS: Final = 3
"""So many wrong or late answers in one game, and it is lost."""
LONGEST: Final = 20_000
"""A round with so many decisions is given up, and nobody wins: bots may draw and draw without end."""
STARTING_S: Final = 10.0
"""More time to begin: a bot may have to load what it has learnt, a program takes a while to start."""
SIDE_ACTS: Final = 8
"""So many calls and catches before one decision; more are wrong answers."""

Note = Callable[[Match, int, RecordedAction, bool], None]
"""Told of every action that was applied, and whether it was the default move: for records."""


class Outcome(Struct):
    """What one seat made of a game."""

    won: bool = False
    points: int = 0
    moves: int = 0
    seconds: float = 0.0
    illegal: int = 0
    late: int = 0
    failed: str | None = None


class Played(Struct):
    """One game: the outcome of each seat, how many rounds it took, and whether it was given up as endless."""

    seats: list[Outcome]
    rounds: int = 0
    endless: bool = False


class Game:
    """One game. `whole`: rounds up to the target score; else one round."""

    def __init__(
        self, setting: Setting, players: Sequence[Player], names: Sequence[str], seed: bytes, dealer: int, *,
        whole: bool = False, limit: float = 5.0, starting: float = STARTING_S, pulse: Pulse | None = None,
        deal: Callable[[Match], None] | None = None, note: Note | None = None,
    ) -> None:  # fmt: skip
        self._players = players
        self.match, self._told = Match.start(setting.options, range(len(players)), seed, dealer)
        self._scene = Scene(setting, self.match, names)
        self._whole = whole
        self._dealt = deal
        self._note = note
        self._dog = Watchdog(limit)
        self._pulse: Pulse = [0.0, -1.0, 0.0] if pulse is None else pulse
        self._may_take = [limit if player.watched else player.most_s for player in players]
        self._starting = starting
        self._ms = int(limit * 1000)
        self._beside = 0
        self._hearing = [seat for seat, player in enumerate(players) if player.hears]
        self.played = Played([Outcome() for _ in players])

    def play(self) -> Played:
        """Play it to its end."""
        with self._dog.awake():
            with self._dog.patient(self._starting):
                for seat, player in enumerate(self._players):
                    self._guard(seat, player.begin, self._scene.view(seat))
            self._tell(self._told)
            while not (self.match.over or self.played.endless or (self.played.rounds and not self._whole)):
                self._play_round()
            if not self.played.rounds:
                self._count(self.match.winners)  # all others were gone before the first deal
            for seat, player in enumerate(self._players):
                if seat not in self._scene.gone:
                    self._guard(seat, player.end)
        return self.played

    def _play_round(self) -> None:
        told = self.match.deal()
        round = self.match.round
        assert round is not None
        self.played.rounds += 1
        if self._dealt is not None:
            self._dealt(self.match)
        self._after(round, told)
        for _ in range(LONGEST):
            if round.over:
                break
            self._decide(round)
        else:
            self.played.endless = True
        self._count(self.match.winners if self._whole else (round.winner,))

    # -- decisions

    def _decide(self, round: Round) -> None:
        """The seat on turn decides. This is the path that has to be fast."""
        seat = round.turn
        legal = turn_actions(round)
        player = self._players[seat]
        dog, pulse = self._dog, self._pulse
        began = perf_counter()
        pulse[0] = began
        pulse[1] = seat
        pulse[2] = self._may_take[seat]
        if player.watched:
            dog.began = began
        try:
            action = answer_of(player.choose(RoundView(self._scene, round, seat, legal, self._ms)), legal)
            dog.began = 0.0
        except OverTime:
            dog.began = 0.0
            self._too_late(round, seat)
            return
        except BaseException as error:  # noqa: BLE001
            dog.began = 0.0
            self._lose(seat, named(error, player.watched))
            return
        spent = perf_counter() - began
        outcome = self.played.seats[seat]
        outcome.seconds += spent
        outcome.moves += 1
        if spent > dog.limit and player.watched:
            self._too_late(round, seat)
        elif action is None or (type(action) is Play and action.una and not can_una(round, seat)):
            self._wrong(round, seat)
        elif type(action) is Una or type(action) is Catch:
            self._first(round, seat, action, player.may_call)
        else:
            self._apply(round, seat, action)

    def _first(self, round: Round, seat: int, action: Una | Catch, allowed: bool) -> None:
        """A call or a catch before the decision; the seat is asked again."""
        if allowed and self._beside < SIDE_ACTS:
            self._beside += 1
            self._side_act(round, seat, action)
        else:
            self._wrong(round, seat)

    def _wrong(self, round: Round, seat: int) -> None:
        if not self._fault(seat):
            self._apply(round, seat, default_action(round), auto=True)

    def _too_late(self, round: Round, seat: int) -> None:
        if not self._fault(seat, late=True):
            self._apply(round, seat, default_action(round), auto=True)

    def _fault(self, seat: int, late: bool = False) -> bool:
        """Count a wrong or late answer; whether the game is lost by it."""
        outcome = self.played.seats[seat]
        outcome.late += late
        outcome.illegal += not late
        lost = outcome.illegal + outcome.late >= FAULTS
        if lost:
            self._lose(seat, "too many wrong or late answers")
        return lost

    def _apply(self, round: Round, seat: int, action: RecordedAction, auto: bool = False) -> None:
        told = self.match.apply(seat, action)
        if self._note is not None:
            self._note(self.match, seat, action, auto)
        self._after(round, told)

    def _after(self, round: Round, told: list[Happening]) -> None:
        self._scene.turn += 1
        self._beside = 0
        if self._hearing:
            self._tell(told)
            self._tell_turn(round)
        if round.forgot is not None or self._hearing:
            self._side_acts(round)

    # -- calls and catches

    def _side_acts(self, round: Round) -> None:
        """Who forgot may call, then the others may catch, the next seat first: as at a table within the grace (U5)."""
        first = round.turn if round.forgot is None else round.forgot
        order = [first, *_behind(round, first)]
        for seat in order:
            if round.over or seat not in round.order:
                continue
            player = self._players[seat]
            catches = [Catch(open_seat) for open_seat in catchable(round)] if round.forgot is not None else []
            catches = [catch for catch in catches if catch in legal_actions(round, seat)]
            if not catches and not player.hears:
                continue
            answers = self._guard(seat, player.react, catches)
            for action in (answers or [])[:SIDE_ACTS]:
                if is_beside(action):
                    self._side_act(round, seat, action)
                else:
                    self._fault(seat)

    def _side_act(self, round: Round, seat: int, action: RecordedAction) -> None:
        """A call or a catch. One that comes too late, or finds nothing to catch, costs nothing (U4)."""
        try:
            told = self.match.apply(seat, action)
        except Refused:
            return
        if self._note is not None:
            self._note(self.match, seat, action, False)
        if self._hearing:
            self._tell(told)
            self._tell_turn(round)

    # -- telling

    def _tell(self, told: Iterable[Happening]) -> None:
        scene = self._scene
        for happening in told:
            scene.seq += 1
            for seat in self._hearing:
                if seat not in scene.gone:
                    event = happening.for_seat(seat) if type(happening) is Split else happening
                    self._guard(seat, self._players[seat].hear, scene.seq, event)

    def _tell_turn(self, round: Round) -> None:
        if not round.over:
            called = tuple(sorted(round.called))
            turn: Event = ev.Turn(
                round.turn, self._scene.turn, round.phase, round.pending, catchable(round), called, self._ms
            )
            self._tell([turn])

    # -- misbehaving

    def _guard(self, seat: int, hook: Callable[..., Any], *arguments: Any) -> Any:
        """Call a hook of a player; one that raises, or does not come back, loses the game."""
        if seat in self._scene.gone:
            return None
        player, pulse = self._players[seat], self._pulse
        began = perf_counter()
        pulse[0] = began
        pulse[1] = seat
        pulse[2] = self._dog.limit if player.watched else player.most_s
        if player.watched:
            self._dog.began = began
        try:
            answer = hook(*arguments)
            self._dog.began = 0.0
            return answer
        except BaseException as error:  # noqa: BLE001
            self._dog.began = 0.0
            self._lose(seat, named(error, player.watched))
            return None

    def _lose(self, seat: int, why: str) -> None:
        """The seat leaves the match (L1) and has lost it; the others play on."""
        if seat in self._scene.gone:
            return
        self._scene.gone.add(seat)
        self.played.seats[seat].failed = clean(why, 200)
        round = self.match.round
        running = round is not None and not round.over
        if self.match.over:
            return
        told = self.match.apply(seat, LEAVE)
        if self._note is not None and running:
            self._note(self.match, seat, LEAVE, False)
        self._scene.turn += 1
        self._beside = 0
        if self._hearing:
            pile = len(round.draw_pile) if round is not None and running else None
            self._tell([ev.Left(self._scene.names[seat], seat, "gone", pile), *told])
            if round is not None and running:
                self._tell_turn(round)

    # -- counting

    def _count(self, winners: Sequence[int | None]) -> None:
        for seat, outcome in enumerate(self.played.seats):
            outcome.points = self.match.scores[seat]
            outcome.won = seat in winners


def _behind(round: Round, seat: int) -> list[int]:
    """The other seats in the direction of play."""
    seats = round.order if round.direction == 1 else round.order[::-1]
    if seat not in seats:
        return list(seats)
    place = seats.index(seat)
    return [*seats[place + 1 :], *seats[:place]]
