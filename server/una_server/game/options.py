"""The options of the rules: their values, the profiles, and what is refused (rules, "Options and profiles").

`OPTION_SPECS` is the one table of options: validation, `describe` and the rules in words are made from it. This module
knows nothing of a running game; `rules.py` compiles options into what the engine looks up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeGuard, cast

import msgspec
from msgspec import Struct

from una_protocol.cards import DECK, FACE, Card

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 10
CARDS_LEFT: Final = 10
"""So many cards must be left after dealing."""


class Options(Struct, frozen=True, kw_only=True):
    """All options of one game, each with its value in force. The defaults are the profile `una` (S0)."""

    hand_size: int = 7
    first_dealer: Literal["draw", "random"] = "random"
    first_card: Literal["plain", "effect", "number"] = "plain"
    two_player_reverse: Literal["removed", "skip", "turn"] = "removed"
    voluntary_draw: bool = True
    play_drawn: bool = True
    force_play: bool = False
    draw_until_playable: bool = False
    stack_draw_two: Literal["none", "two", "any"] = "any"
    stack_draw_four: Literal["none", "four", "any"] = "four"
    draw_four: Literal["free", "strict", "bluff"] = "free"
    draw_four_guard: Literal["color", "color_or_number"] = "color"
    failed_challenge_extra: int = 2
    serve_wish: bool = True
    una_penalty: int = 2
    una_catcher: Literal["next", "anyone"] = "next"
    una_window: Literal["acts", "discards"] = "acts"
    illegal_card_penalty: int = 0
    advice_penalty: int = 0
    last_card_draws: bool = False
    scoring: Literal["winner", "losers"] = "winner"
    going_out_bonus: int = 50
    target_score: int = 0
    jump_in: bool = False
    seven_zero: bool = False


class OptionSpec(NamedTuple):
    """One option: `kind` is `choice`, `number` or `bool`; a number lies between `low` and `high`; `source` is where
    the option comes from: S0, S1, S3 (the rule texts), `official`, or `house` for a common house rule.
    """

    kind: Literal["choice", "number", "bool"]
    source: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def accepts(self, value: object) -> bool:
        """Whether the value is one of those allowed. True and False are not numbers here."""
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "number":
            return type(value) is int and self.low <= value <= self.high
        return isinstance(value, str) and value in self.choices

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "number":
            return f"a whole number from {self.low} to {self.high}"
        return "one of " + ", ".join(self.choices)

    @property
    def values(self) -> tuple[object, ...]:
        """Every value allowed, from the first to the last."""
        if self.kind == "bool":
            return (False, True)
        return tuple(range(self.low, self.high + 1)) if self.kind == "number" else self.choices


def _choice(source: str, *choices: str) -> OptionSpec:
    return OptionSpec("choice", source, choices=choices)


def _number(source: str, low: int, high: int) -> OptionSpec:
    return OptionSpec("number", source, low=low, high=high)


def _yes_no(source: str) -> OptionSpec:
    return OptionSpec("bool", source)


OPTION_SPECS: Final[dict[str, OptionSpec]] = {
    "hand_size": _number("S0, S1, S3", 1, 20),
    "first_dealer": _choice("S3", "draw", "random"),
    "first_card": _choice("S0, S1, S3", "plain", "effect", "number"),
    "two_player_reverse": _choice("S0, S1, official", "removed", "skip", "turn"),
    "voluntary_draw": _yes_no("S0, S1, S3"),
    "play_drawn": _yes_no("S0, S1, S3"),
    "force_play": _yes_no("house"),
    "draw_until_playable": _yes_no("house"),
    "stack_draw_two": _choice("S0, S3", "none", "two", "any"),
    "stack_draw_four": _choice("S0", "none", "four", "any"),
    "draw_four": _choice("S1, official", "free", "strict", "bluff"),
    "draw_four_guard": _choice("S1, official", "color", "color_or_number"),
    "failed_challenge_extra": _number("official", 0, 20),
    "serve_wish": _yes_no("S0"),
    "una_penalty": _number("S0, S1, S3", 0, 20),
    "una_catcher": _choice("S0, S1, S3", "next", "anyone"),
    "una_window": _choice("S0, S1, S3", "acts", "discards"),
    "illegal_card_penalty": _number("S3", 0, 20),
    "advice_penalty": _number("S3", 0, 20),
    "last_card_draws": _yes_no("official"),
    "scoring": _choice("S0, S1, S3", "winner", "losers"),
    "going_out_bonus": _number("S0", 0, 10_000),
    "target_score": _number("S1, S3", 0, 10_000),
    "jump_in": _yes_no("house"),
    "seven_zero": _yes_no("house"),
}
"""Every option, in the order of the rules."""

_CLASSIC: Final = Options(
    two_player_reverse="skip",
    voluntary_draw=False,
    stack_draw_two="none",
    stack_draw_four="none",
    draw_four="strict",
    draw_four_guard="color_or_number",
    serve_wish=False,
    una_catcher="anyone",
    going_out_bonus=0,
    target_score=500,
)
_TRADITIONAL: Final = Options(
    first_dealer="draw",
    first_card="effect",
    two_player_reverse="skip",
    stack_draw_two="two",
    stack_draw_four="none",
    serve_wish=False,
    una_catcher="anyone",
    una_window="discards",
    illegal_card_penalty=2,
    advice_penalty=2,
    going_out_bonus=0,
    target_score=500,
)
_OFFICIAL: Final = Options(
    first_dealer="draw",
    first_card="effect",
    two_player_reverse="skip",
    stack_draw_two="none",
    stack_draw_four="none",
    draw_four="bluff",
    serve_wish=False,
    una_catcher="anyone",
    last_card_draws=True,
    going_out_bonus=0,
    target_score=500,
)

PROFILES: Final[dict[str, Options]] = {
    "una": Options(),
    "classic": _CLASSIC,
    "traditional": _TRADITIONAL,
    "official": _OFFICIAL,
}
"""The named sets of options: S0, S1, S3, and the published official rules."""

LOSERS_TARGET: Final = {"traditional": 100}
"""Where counting the losers' hands brings a target of its own, unless one is named (S3, method 2)."""


class BadOption(Exception):
    """An option that cannot be: its name, why, and what is allowed instead."""

    def __init__(self, option: str, why: str, allowed: str) -> None:
        super().__init__(f"Option {option} {why}; allowed: {allowed}.")
        self.option = option
        self.why = why
        self.allowed = allowed


def is_profile(name: object) -> TypeGuard[str]:
    """Whether there is a profile of that name."""
    return isinstance(name, str) and name in PROFILES


def make_options(profile: str, overrides: Mapping[str, object] = {}) -> Options:
    """The profile's options with the overrides on top; BadOption for what the rules do not allow.

    Two combinations make no game and are refused: `force_play` without `play_drawn` (a card that must be laid, but may
    not), and `draw_until_playable` without `play_drawn` (drawing for a card that may not be laid then).
    """
    if not is_profile(profile):
        raise BadOption("profile", f"is {_shown(profile)}, which is no profile", "one of " + ", ".join(PROFILES))
    for name, value in overrides.items():
        _check(name, value)
    changes = dict(overrides)
    if changes.get("scoring") == "losers" and profile in LOSERS_TARGET:
        changes.setdefault("target_score", LOSERS_TARGET[profile])
    options: Options = msgspec.structs.replace(PROFILES[profile], **cast(dict[str, Any], changes))
    for name in ("force_play", "draw_until_playable"):
        if getattr(options, name) and not options.play_drawn:
            raise BadOption(name, "needs play_drawn", "false, or true together with play_drawn = true")
    return options


def _check(name: object, value: object) -> None:
    spec = OPTION_SPECS.get(name) if isinstance(name, str) else None
    if spec is None:
        raise BadOption(_shown(name), "is unknown", "one of " + ", ".join(OPTION_SPECS))
    if not spec.accepts(value):
        raise BadOption(str(name), f"cannot be {_shown(value)}", spec.allowed)


def _shown(value: object) -> str:
    """A value as a sentence can show it: in the notation of TOML, and not endless."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def overrides_of(profile: str, options: Options) -> dict[str, object]:
    """What differs from the profile: `make_options(profile, overrides_of(profile, o)) == o` for all options."""
    base = PROFILES[profile]
    differing = {name: getattr(options, name) for name in OPTION_SPECS if getattr(options, name) != getattr(base, name)}
    if differing.get("scoring") == "losers" and profile in LOSERS_TARGET:
        differing["target_score"] = options.target_score  # named, so that the profile's other target is not taken
    return differing


def deck_for(options: Options, players: int) -> tuple[Card, ...]:
    """The deck in force (C1): without the reverses where two players play and they are `removed` (S0)."""
    if players == 2 and options.two_player_reverse == "removed":
        return tuple(card for card in DECK if FACE[card] != "R")
    return DECK


def check_players(options: Options, players: int) -> None:
    """BadOption where so many players cannot be dealt to (G1, `hand_size`)."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise BadOption("players", f"cannot be {players}", f"a whole number from {MIN_PLAYERS} to {MAX_PLAYERS}")
    most = (len(deck_for(options, players)) - CARDS_LEFT) // players
    if options.hand_size > most:
        raise BadOption(
            "hand_size",
            f"cannot be {options.hand_size} with {players} players, as {CARDS_LEFT} cards must be left",
            f"a whole number from 1 to {most}",
        )
