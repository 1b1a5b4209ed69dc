"""The files of rule scenarios: from TOML text to a checked `Scenario`; what is wrong with a file is one sentence.

The form is described in the scenarios' README; `scenario.py` plays what is read here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from una_protocol.actions import CHALLENGE, DRAW, LEAVE, PASS, UNA, Catch, Play, RecordedAction, Wish
from una_protocol.cards import COLOR, COLORS, Card, Color, parse_card, parse_color

from .options import MAX_PLAYERS, MIN_PLAYERS, BadOption, Options, make_options

NOBODY: Final = -1
"""The seat of a name that is not at the table: the engine refuses it as `unknown_player`."""

ERRORS: Final = (
    *("unknown_player", "round_over", "not_your_turn", "color_required", "not_in_hand", "color_not_allowed"),
    *("una_not_now", "draw_four_not_allowed", "illegal_card", "target_required", "must_play", "cannot_draw"),
    *("cannot_pass", "nothing_to_catch", "cannot_catch", "cannot_challenge"),
)
PLAYER_EXPECTATIONS: Final = ("hand", "count", "round_points", "scores")
EXPECTATIONS: Final = (
    *("turn", "phase", "direction", "pending", "top", "color", "draw_pile", "legal", "can", "catchable", "winner"),
    *("match_over", "match_winners"),
    *PLAYER_EXPECTATIONS,
)


class BadScenario(Exception):
    """The file cannot be played; its text is one plain sentence."""


class Step(NamedTuple):
    """One thing somebody does, and what is expected then. Step 0 does nothing: the start."""

    number: int
    text: str
    seat: int
    action: RecordedAction
    error: str | None
    expect: Mapping[str, Any]

    @property
    def name(self) -> str:
        """How failures name the step."""
        return f"step {self.number} ({self.text})" if self.number else "start"


class Scenario(NamedTuple):
    """A file, read. `deck` is set where it deals; otherwise the position stands in the fields after it."""

    title: str
    options: Options
    players: tuple[str, ...]
    dealer: int
    scores: list[int]
    reshuffles: list[list[Card]]
    deck: list[Card] | None
    turn: int
    direction: int
    top: Card | None
    color: Color | None
    wish_served: bool
    hands: list[list[Card]]
    draw_pile: list[Card]
    discard: list[Card]
    steps: list[Step]


_TOP_KEYS: Final = ("title", "points", "profile", "options", "start", "step")
_START_KEYS: Final = (
    *("players", "turn", "direction", "dealer", "top", "color", "wish_served", "hands", "draw_pile", "discard"),
    *("reshuffles", "scores", "deck", "expect"),
)
_STEP_KEYS: Final = ("do", "error", "expect")


def read_scenario(text: str) -> Scenario:
    """The scenario in a file's text; BadScenario if it is none."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadScenario(f"This is no TOML file: {error}.") from None
    _known(data, _TOP_KEYS, "the file")
    try:
        options = make_options(data.get("profile", "una"), _table(data, "options", "the file"))
    except BadOption as error:
        raise BadScenario(str(error)) from None
    start = _table(data, "start", "the file")
    _known(start, _START_KEYS, "[start]")
    players = _players(start)
    return _Reader(players, start).scenario(data, options)


def _players(start: Mapping[str, Any]) -> tuple[str, ...]:
    players = start.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
        raise BadScenario("[start] needs players, a list of names.")
    if len(set(players)) < len(players) or not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise BadScenario(f"[start] needs {MIN_PLAYERS} to {MAX_PLAYERS} players of different names.")
    return tuple(players)


class _Reader:
    """Reads the parts of one file, whose players are known."""

    def __init__(self, players: tuple[str, ...], start: Mapping[str, Any]) -> None:
        self.players = players
        self.start = start

    def scenario(self, data: Mapping[str, Any], options: Options) -> Scenario:
        start = self.start
        deck = self.cards("deck") if "deck" in start else None
        least = len(self.players) * options.hand_size + 1
        if deck is not None and len(deck) < least:
            raise BadScenario(f"The deck has {len(deck)} cards; dealing and turning up the first takes {least}.")
        top = None if deck is not None else self.card("top")
        hands = self.by_player("hands", []) if deck is None else []
        hands = [_cards(hand, f"the hand of {self.players[seat]}") for seat, hand in enumerate(hands)]
        if deck is None and not all(hands):
            raise BadScenario("In a position every player needs a hand of at least one card.")
        return Scenario(
            title=str(data.get("title", "")),
            options=options,
            players=self.players,
            dealer=self.seat("dealer", self.players[-1]),
            scores=[_number(score, "a score") for score in self.by_player("scores", 0)],
            reshuffles=[_cards(pile, "reshuffles") for pile in _list(start, "reshuffles", "[start]")],
            deck=deck,
            turn=self.seat("turn", None if deck is None else self.players[0]),
            direction=self.one_of("direction", 1, (1, -1)),
            top=top,
            color=self.color(top),
            wish_served=self.one_of("wish_served", True, (True, False)),
            hands=hands,
            draw_pile=self.cards("draw_pile"),
            discard=self.cards("discard"),
            steps=self.steps(data),
        )

    def card(self, key: str) -> Card:
        if key not in self.start:
            raise BadScenario(f"[start] needs {key}, or a deck to deal from.")
        return _cards([self.start[key]], key)[0]

    def cards(self, key: str) -> list[Card]:
        return _cards(_list(self.start, key, "[start]"), key)

    def one_of(self, key: str, default: Any, allowed: tuple[Any, ...]) -> Any:
        value = self.start.get(key, default)
        if not any(value is one or (type(value) is type(one) and value == one) for one in allowed):
            raise BadScenario(f"In [start], {key} is {value!r}; it can be {' or '.join(map(str, allowed)).lower()}.")
        return value

    def color(self, top: Card | None) -> Color | None:
        if "color" not in self.start:
            return COLOR[top] if top else None
        if top is None or COLOR[top] is not None:
            raise BadScenario("In [start], color stands only where the top is a wild card.")
        return self.one_of("color", None, COLORS)  # type: ignore[no-any-return]

    def seat(self, key: str, default: str | None) -> int:
        name = self.start.get(key, default)
        if name not in self.players:
            raise BadScenario(f"In [start], {key} must name one of the players.")
        return self.players.index(name)

    def by_player(self, key: str, default: Any) -> list[Any]:
        table = _table(self.start, key, "[start]")
        _known(table, self.players, f"{key} of [start]")
        return [table.get(name, default) for name in self.players]

    # -- steps --------------------------------------------------------------------------------------------------

    def steps(self, data: Mapping[str, Any]) -> list[Step]:
        steps = [Step(0, "", NOBODY, DRAW, None, self.expectations(self.start, "[start]"))]
        for number, step in enumerate(_list(data, "step", "the file"), 1):
            where = f"step {number}"
            if not isinstance(step, dict) or not isinstance(step.get("do"), str):
                raise BadScenario(f'{where} needs do = "NAME ACTION ...".')
            _known(step, _STEP_KEYS, where)
            error = step.get("error")
            if error is not None and error not in ERRORS:
                raise BadScenario(f"In {where}, {error!r} is no error code.")
            seat, action = self.action(step["do"], where)
            steps.append(Step(number, step["do"], seat, action, error, self.expectations(step, where)))
        return steps

    def expectations(self, table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        expect = _table(table, "expect", where)
        _known(expect, EXPECTATIONS, f"expect of {where}")
        for key in PLAYER_EXPECTATIONS:
            _known(_table(expect, key, f"expect of {where}"), self.players, f"{key} of {where}")
        for key in ("legal", "can", "catchable", "match_winners"):
            _list(expect, key, f"expect of {where}")
        return expect

    def action(self, text: str, where: str) -> tuple[int, RecordedAction]:
        """`NAME ACTION …`, as a seat and an action."""
        name, verb, *words = [*text.split(), "", ""][: max(2, len(text.split()))]
        parser = _PARSERS.get(verb)
        if parser is None:
            raise BadScenario(f"In {where}, {text!r} is no action; the actions are {', '.join(_PARSERS)}.")
        try:
            return self._numbered(name), parser(self, words)
        except ValueError as error:
            raise BadScenario(f"In {where}, {text!r} cannot be read: {error}.") from None

    def _numbered(self, name: str) -> int:
        return self.players.index(name) if name in self.players else NOBODY

    def parse_play(self, words: list[str]) -> Play:
        """`CARD [COLOUR] [with NAME] [una]`."""
        if not words:
            raise ValueError("a card is missing")
        card = parse_card(words[0])
        color, other, una = None, None, False
        rest = words[1:]
        while rest:
            word = rest.pop(0)
            if word == "with" and rest and other is None:
                other = self._numbered(rest.pop(0))
            elif word == "una" and not una:
                una = True
            elif color is None:
                color = parse_color(word)
            else:
                raise ValueError(f"{word!r} is one word too many")
        return Play(card, color, other, una)

    def parse_wish(self, words: list[str]) -> Wish:
        """`COLOUR`."""
        return Wish(parse_color(_one(words, "a colour")))

    def parse_catch(self, words: list[str]) -> Catch:
        """`NAME`."""
        return Catch(self._numbered(_one(words, "a name")))


def _just(action: RecordedAction) -> Callable[[_Reader, list[str]], RecordedAction]:
    def parse(reader: _Reader, words: list[str]) -> RecordedAction:
        if words:
            raise ValueError(f"{words[0]!r} is one word too many")
        return action

    return parse


_PARSERS: Final[dict[str, Callable[[_Reader, list[str]], RecordedAction]]] = {
    "play": _Reader.parse_play,
    "draw": _just(DRAW),
    "pass": _just(PASS),
    "wish": _Reader.parse_wish,
    "una": _just(UNA),
    "catch": _Reader.parse_catch,
    "challenge": _just(CHALLENGE),
    "leave": _just(LEAVE),
}
"""Verb -> how the words after it are read."""


# -- pieces of TOML ---------------------------------------------------------------------------------------------


def _known(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise BadScenario(f"There is no {key!r} in {where}; there can be {', '.join(keys)}.")


def _table(parent: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = parent.get(key, {})
    if not isinstance(value, dict):
        raise BadScenario(f"In {where}, {key} must be a table.")
    return value


def _list(parent: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = parent.get(key, [])
    if not isinstance(value, list):
        raise BadScenario(f"In {where}, {key} must be a list.")
    return value


def _cards(values: Any, where: str) -> list[Card]:
    if not isinstance(values, list):
        raise BadScenario(f"In {where}, a list of cards is needed.")
    try:
        return [parse_card(value if isinstance(value, str) else repr(value)) for value in values]
    except ValueError as error:
        raise BadScenario(f"In {where}, {error}.") from None


def _number(value: Any, what: str) -> int:
    if type(value) is not int:
        raise BadScenario(f"{value!r} cannot be {what}.")
    return value


def _one(words: list[str], what: str) -> str:
    if len(words) != 1:
        raise ValueError(f"it needs {what}, and nothing more")
    return words[0]
