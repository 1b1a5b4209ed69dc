"""Judges what a bot sends in a situation: told what was sent to it and what came back, it finds the fault. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import structs

from ..actions import Action, Catch, Play, Una
from ..messages import Act

MOST_BESIDE: Final = 5
"""So many calls and catches may come for one turn; more is a flood."""


class Fault(Exception):
    """What the bot did wrong; one sentence."""


class Judge:
    """One run of a situation. `before`: the turn numbers of earlier ones, whose late answers do not count."""

    def __init__(self, before: frozenset[int] = frozenset()) -> None:
        self._before = before
        self._turns: dict[int, dict[str, Any]] = {}
        self._asked: dict[int, int] = {}
        self._answered: dict[int, int] = {}
        self._expected: int | None = None
        self._also: frozenset[int] = frozenset()
        self._catchable: set[int] = set()
        self._public: set[int] = set()
        self._beside = 0
        self._you: int | None = None
        self._last: Action | None = None
        self._refused: dict[int, Action] = {}

    @property
    def numbers(self) -> frozenset[int]:
        """The turns that the bot was asked."""
        return self._before | self._turns.keys()

    def sent(self, message: dict[str, Any]) -> None:
        """This was sent to the bot."""
        if message.get("t") == "turn":
            number = message["turn"]
            self._turns[number] = message
            self._asked[number] = self._asked.get(number, 0) + 1
            self._beside = 0
        elif message.get("t") == "err" and self._last is not None and self._expected is not None:
            self._asked[self._expected] += 1  # the turn may be answered once more, by something else
            self._refused[self._expected] = self._last
        elif message.get("t") == "state":
            self._catchable |= set(message.get("catchable", []))
            self._you = message.get("you")
        elif message.get("t") == "ev" and message["e"].get("k") == "turn":
            self._public.add(message["e"]["turn"])
            self._catchable |= set(message["e"].get("catchable", []))

    def expect(self, number: int, also: list[int]) -> None:
        """Now this turn must be answered; those of `also` may be."""
        self._expected, self._also = number, frozenset(also)

    @property
    def satisfied(self) -> bool:
        """Whether the turn that was expected is answered as often as it was asked for at last."""
        return self._expected is None or self._answered.get(self._expected, 0) > 0

    def ask_anew(self, number: int) -> None:
        """The answer was lost: it must come again."""
        self._answered[number] = 0

    def took(self, act: Act) -> None:
        """The bot sent this. Raises Fault."""
        if isinstance(act.do, Una | Catch):
            self._aside(act.do)
        elif act.turn is None:
            raise Fault("It answers without the number of the turn.")
        elif act.turn in self._before:
            return
        elif act.turn not in self._turns:
            if act.turn not in self._public:
                raise Fault(f"It answers turn {act.turn}, which was never asked.")
        else:
            self._answer(act.turn, act.do)

    def _aside(self, do: Una | Catch) -> None:
        self._beside += 1
        if isinstance(do, Catch) and do.seat == self._you:
            raise Fault("It catches itself.")
        if isinstance(do, Catch) and do.seat not in self._catchable:
            raise Fault(f"It catches seat {do.seat}, which cannot be caught.")
        if self._beside > MOST_BESIDE:
            raise Fault("It calls or catches over and over.")

    def _answer(self, number: int, do: Action) -> None:
        if do == self._refused.get(number):
            raise Fault(f"It answers turn {number} with what was refused, again.")
        self._answered[number] = self._answered.get(number, 0) + 1
        self._last = do
        twice = 1 < self._answered[number] <= self._asked[number]  # it was asked twice, too
        if number != self._expected and number not in self._also and not twice:
            if self._answered[number] > self._asked[number]:
                raise Fault(f"It answers turn {number} again, which it has answered before.")
            raise Fault(f"It answers the old turn {number} when turn {self._expected} is asked.")
        if self._answered[number] > self._asked[number] + len(self._also):
            raise Fault(f"It answers turn {number} over and over.")
        turn = self._turns[number]
        if isinstance(do, Play) and do.una:
            if not turn.get("can_una"):
                raise Fault("It calls una with a card where can_una is not set.")
            do = structs.replace(do, una=False)
        legal = msgspec.convert(turn["legal"], list[Action])
        if do not in legal:
            raise Fault(f"It answers turn {number} with {_short(do)}, which is not among the choices.")


def _short(do: Action) -> str:
    fields = msgspec.to_builtins(do)
    return " ".join(str(value) for value in fields.values())
