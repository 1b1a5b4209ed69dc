"""Playing a rule scenario: a position or a deal, what the players do, and what must be true after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from una_protocol.actions import Challenge, Draw, Pass, Play, Wish
from una_protocol.cards import COLOR, Card
from una_protocol.events import RoundOver

from .happening import Happening
from .legal import catchable, may_call, turn_actions
from .match import Match
from .refused import Refused
from .round import Round
from .rules import rules_for
from .scenario_file import BadScenario, Scenario, Step, read_scenario
from .shuffle import SeededShuffler

_SEED: Final = bytes(32)


def run_scenario(text: str, name: str) -> list[str]:
    """What fails in the scenario, one line each; an empty list if all holds. `name` stands before what is wrong with
    the file itself.
    """
    try:
        return _Run(read_scenario(text)).failures()
    except BadScenario as error:
        return [f"{name}: {error}"]


class _Orders:
    """The shuffles of a scenario: the deck it deals, the orders it names, then any order."""

    def __init__(self, deck: Sequence[Card] | None, reshuffles: Sequence[Sequence[Card]]) -> None:
        self._named = [*([deck] if deck is not None else []), *reshuffles]
        self._deals = deck is not None
        self._others = SeededShuffler(_SEED, 1)

    def __call__(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
        if number >= len(self._named):
            return self._others(cards, number)
        order = self._named[number]
        if sorted(order) != sorted(cards) and not (self._deals and number == 0):
            place = number + (not self._deals)
            raise BadScenario(
                f"Entry {place} of reshuffles has other cards than are shuffled then: {' '.join(sorted(cards))}."
            )
        return order


class _Run:
    """One scenario being played."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.players = scenario.players
        seats = range(len(scenario.players))
        self.match = match = Match(scenario.options, seats, _SEED, scenario.dealer)
        match.scores = list(scenario.scores)
        self.points: Sequence[int] | None = None
        orders = _Orders(scenario.deck, scenario.reshuffles)
        if scenario.deck is not None:
            self._note(match.deal(orders))
        else:
            match.number = 1
            match.round = self._position(orders)

    def _position(self, orders: _Orders) -> Round:
        """The round in mid-play that the scenario starts from."""
        scenario = self.scenario
        assert scenario.top is not None
        discards = [*reversed(scenario.discard), scenario.top]
        state = Round(
            rules_for(scenario.options),
            self.match.seats,
            scenario.hands,
            scenario.draw_pile[::-1],
            discards,
            orders,
            scenario.dealer,
        )
        state.match(scenario.color, scenario.wish_served or COLOR[scenario.top] is not None or not scenario.color)
        if scenario.direction == -1:
            state.reverse()
        state.open_turn(scenario.turn)
        return state

    @property
    def state(self) -> Round:
        assert self.match.round is not None
        return self.match.round

    def failures(self) -> list[str]:
        """Play all steps; everything that is not as expected."""
        failures: list[str] = []
        for step in self.scenario.steps:
            if step.number and (problem := self._do(step)):
                failures.append(f"{step.name}: {problem}")
                if step.error is None:
                    break  # what follows was meant for another position
            failures += self._unmet(step)
        return failures

    def _do(self, step: Step) -> str | None:
        """Do a step; what is wrong with its acceptance or refusal."""
        before = self.match.fingerprint()
        try:
            self._note(self.match.apply(step.seat, step.action))
        except Refused as refused:
            if refused.code != step.error:
                return f"error: expected {step.error or 'none'}, found {refused.code}"
            return None if self.match.fingerprint() == before else "state: expected unchanged, found changed"
        return f"error: expected {step.error}, found none" if step.error else None

    def _note(self, told: list[Happening]) -> None:
        for event in told:
            if isinstance(event, RoundOver):
                self.points = event.points

    # -- expectations -------------------------------------------------------------------------------------------

    def _unmet(self, step: Step) -> list[str]:
        failures = []
        for what, expected in step.expect.items():
            if what in _BY_PLAYER:
                for name, value in expected.items():
                    found = _BY_PLAYER[what](self, self.players.index(name))
                    failures += self._differs(step, f"{what}.{name}", value, found)
            else:
                failures += self._differs(step, what, expected, _FOUND[what](self))
        return failures

    def _differs(self, step: Step, what: str, expected: Any, found: Any) -> list[str]:
        if isinstance(expected, list) and isinstance(found, list):
            expected, found = sorted(map(str, expected)), sorted(map(str, found))
        same = type(expected) is type(found) and expected == found
        return [] if same else [f"{step.name}: {what}: expected {_shown(expected)}, found {_shown(found)}"]

    def _names(self, seats: Sequence[int]) -> list[str]:
        return [self.players[seat] for seat in seats]

    def legal(self) -> list[str]:
        """The cards that may be laid, each face once."""
        return sorted({str(action.card) for action in turn_actions(self.state) if isinstance(action, Play)})

    def can(self) -> list[str]:
        """What the seat on turn may do."""
        kinds = {_VERBS[type(action)] for action in turn_actions(self.state)}
        return sorted(kinds | {"una"} if may_call(self.state, self.state.turn) else kinds)

    def catchable(self) -> list[str]:
        """The names that can be caught."""
        return self._names(catchable(self.state))

    def winner(self) -> str | None:
        """The winner's name, nobody's for a blocked round, None while it runs."""
        if not self.state.over:
            return None
        return "" if self.state.winner is None else self.players[self.state.winner]


_VERBS: Final[dict[type, str]] = {Play: "play", Draw: "draw", Pass: "pass", Wish: "wish", Challenge: "challenge"}

_FOUND: Final[dict[str, Callable[[_Run], Any]]] = {
    "turn": lambda run: run.players[run.state.turn],
    "phase": lambda run: run.state.phase,
    "direction": lambda run: run.state.direction,
    "pending": lambda run: run.state.pending,
    "top": lambda run: run.state.top,
    "color": lambda run: run.state.color or "",
    "draw_pile": lambda run: len(run.state.draw_pile),
    "legal": _Run.legal,
    "can": _Run.can,
    "catchable": _Run.catchable,
    "winner": _Run.winner,
    "match_over": lambda run: run.match.over,
    "match_winners": lambda run: run._names(run.match.winners),
}
"""Expectation -> what is found."""

_BY_PLAYER: Final[dict[str, Callable[[_Run, int], Any]]] = {
    "hand": lambda run, seat: list(run.state.hands[seat]),
    "count": lambda run, seat: len(run.state.hands[seat]),
    "round_points": lambda run, seat: run.points[seat] if run.points else None,
    "scores": lambda run, seat: run.match.scores[seat],
}
"""Expectation of one player -> what is found."""


def _shown(value: Any) -> str:
    """A value in the notation of the file."""
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return "nothing" if value is None else str(value) or '""'
