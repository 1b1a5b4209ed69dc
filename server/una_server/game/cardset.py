"""Sets of cards as integers: one bit a card, so that "which of these may be laid" is one `&`.

A set knows no numbers: a hand with two `R7` has the bit of `R7` once. The bits follow the order of `COLOR`'s keys
(red, green, blue, yellow, each 0–9, skip, reverse, draw two; then wild and wild draw four), which therefore is the
order of every list made from a set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from una_protocol.cards import COLOR, COLORS, FACE, FACES, WILD, WILD_DRAW_FOUR, Card, Color

BIT: Final[dict[Card, int]] = {card: 1 << place for place, card in enumerate(COLOR)}


def set_of(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    bits = 0
    for card in cards:
        bits |= BIT[card]
    return bits


def cards_of(bits: int) -> list[Card]:
    """The cards of a set, in order."""
    return [card for card, bit in BIT.items() if bits & bit]


WILD_BIT: Final = BIT[WILD]
FOUR_BIT: Final = BIT[WILD_DRAW_FOUR]
WILDS: Final = WILD_BIT | FOUR_BIT
ALL: Final = set_of(COLOR)
OF_COLOR: Final[dict[Color | None, int]] = {
    color: set_of(card for card in COLOR if COLOR[card] == color) for color in COLORS
} | {None: 0}
"""Colour -> its cards; no colour in force, no cards."""
OF_FACE: Final[dict[str, int]] = {face: set_of(card for card in COLOR if FACE[card] == face) for face in FACES}
"""Face of coloured cards -> its cards."""
