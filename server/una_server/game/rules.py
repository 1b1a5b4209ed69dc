"""Options compiled into what the engine looks up while a round is played.

`rules_for` makes one `Rules` for each set of options, so that a move costs lookups and no decisions about options.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from una_protocol.cards import COLOR, COLORS, FACE, Card, Color

from .cardset import ALL, BIT, FOUR_BIT, OF_COLOR, OF_FACE, WILDS, set_of
from .options import Options

COLORED_FITS: Final[dict[Card, int]] = {
    card: OF_COLOR[color] | OF_FACE[FACE[card]] | WILDS for card, color in COLOR.items() if color
}
"""Top, if it is coloured -> what fits (T1)."""

_WISHED_FITS: Final[dict[Color | None, int]] = {None: ALL} | {color: OF_COLOR[color] | WILDS for color in COLORS}
"""Wish in force on a wild -> what fits; no wish (a wild turned up first): anything."""

_NUMBERS: Final = frozenset("0123456789")


def matching(top: Card, color: Color | None, wish_served: bool) -> int:
    """The set of cards that fit (T1); while a wish is unserved, only those of its colour do (W1)."""
    if COLOR[top]:
        return COLORED_FITS[top]
    return _WISHED_FITS[color] if wish_served else OF_COLOR[color]


class Rules:
    """One set of options, ready to play by.

    `wished` maps the colour of a new wish to the set of cards that fit it (W1), `answers` maps (top, colour in force)
    to the set that answers pending cards (D1–D3), `guards` to the set of held cards that forbid a draw four (D4, D5).
    """

    __slots__ = (
        "acts_close",
        "answers",
        "bluff",
        "draw_until_playable",
        "guards",
        "options",
        "plain",
        "play_drawn",
        "strict",
        "swapping",
        "una",
        "voluntary_draw",
        "wish_served",
        "wished",
    )

    def __init__(self, options: Options) -> None:
        self.options = options
        self.una: bool = options.una_penalty > 0
        self.acts_close: bool = options.una_window == "acts"
        self.strict: bool = options.draw_four == "strict"
        self.bluff: bool = options.draw_four == "bluff"
        self.wish_served: bool = not options.serve_wish
        """Whether a new wish needs no serving."""
        self.voluntary_draw = options.voluntary_draw
        self.play_drawn = options.play_drawn
        self.draw_until_playable = options.draw_until_playable
        changing = OF_FACE["0"] | OF_FACE["7"] if options.seven_zero else 0
        self.plain: int = set_of(card for card, face in FACE.items() if face in _NUMBERS or face == "W") & ~changing
        """The cards that do nothing but lie there."""
        self.swapping: int = OF_FACE["7"] if options.seven_zero else 0
        """The cards that need a seat to swap hands with (H2)."""
        self.wished: dict[Color, int] = {
            color: _WISHED_FITS[color] if self.wish_served else OF_COLOR[color] for color in COLORS
        }
        self.answers: dict[tuple[Card, Color | None], int] = {}
        self.guards: dict[tuple[Card, Color | None], int] = {}
        for top, own in COLOR.items():
            for color in (own,) if own else (None, *COLORS):
                self._compile(top, color)

    def _compile(self, top: Card, color: Color | None) -> None:
        self.answers[top, color] = self._answers(top, color)
        number = FACE[top] in _NUMBERS and self.options.draw_four_guard == "color_or_number"
        self.guards[top, color] = OF_COLOR[color] | (OF_FACE[FACE[top]] if number else 0)

    def _answers(self, top: Card, color: Color | None) -> int:
        """D3: what may be laid on pending cards."""
        if BIT[top] == FOUR_BIT:
            on_four = {"none": 0, "four": FOUR_BIT, "any": FOUR_BIT | (OF_FACE["+2"] & OF_COLOR[color])}
            return on_four[self.options.stack_draw_four]
        if FACE[top] == "+2":
            on_two = {"none": 0, "two": OF_FACE["+2"], "any": OF_FACE["+2"] | FOUR_BIT}
            return on_two[self.options.stack_draw_two]
        return 0


@lru_cache(maxsize=256)
def rules_for(options: Options) -> Rules:
    """The compiled rules of these options."""
    return Rules(options)
