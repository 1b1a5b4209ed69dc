"""Cards and colours as values (rules C1–C3).

A card *is* its text (`R7`, `GS`, `Y+2`, `W`, `W+4`), the same on the wire, in records, scenarios and logs, so nothing
has to be converted on the way. `Card` is a type of its own for the type checker only; at run time it is a `str`.
"""

from __future__ import annotations

from typing import Final, Literal, NewType

Card = NewType("Card", str)
Color = Literal["red", "green", "blue", "yellow"]

COLORS: Final[tuple[Color, ...]] = ("red", "green", "blue", "yellow")
"""The four colours in the order of the notation's letters; ties between colours are broken in this order."""

COLOR_OF_LETTER: Final[dict[str, Color]] = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
FACES: Final[tuple[str, ...]] = (*"0123456789", "S", "R", "+2")
"""The faces of coloured cards: numbers, skip, reverse, draw two."""

WILD: Final = Card("W")
WILD_DRAW_FOUR: Final = Card("W+4")

COLOR: Final[dict[Card, Color | None]] = {
    Card(letter + face): color for letter, color in COLOR_OF_LETTER.items() for face in FACES
} | {WILD: None, WILD_DRAW_FOUR: None}
"""Card -> its own colour; None for the two wild cards. Its keys are all 54 cards there are."""

FACE: Final[dict[Card, str]] = {card: card[1:] if color else str(card) for card, color in COLOR.items()}
"""Card -> face: `0`–`9`, `S`, `R`, `+2`, `W`, `W+4`."""

POINTS: Final[dict[Card, int]] = {
    card: int(face) if face.isdigit() else 20 if COLOR[card] else 50 for card, face in FACE.items()
}
"""Card -> points (C3): numbers their value, skip, reverse and draw two 20, the wild cards 50."""

DECK: Final[tuple[Card, ...]] = tuple(
    card for card in COLOR for _ in range(4 if COLOR[card] is None else 1 if FACE[card] == "0" else 2)
)
"""The 108 cards (C1), unshuffled."""

_CARDS: Final[dict[str, Card]] = {str(card): card for card in COLOR}


def parse_card(text: str) -> Card:
    """The card that `text` names, e.g. `R7`, `GS`, `Y+2`, `W+4`; ValueError where there is no such card."""
    try:
        return _CARDS[text]
    except KeyError:
        raise ValueError(f"{text[:8]!r} is no card; cards are written like R7, GS, BR, Y+2, W or W+4") from None


def parse_color(text: str) -> Color:
    """The colour that `text` names: `red`, `green`, `blue` or `yellow`; ValueError for anything else."""
    for color in COLORS:
        if color == text:
            return color
    raise ValueError(f"{text[:8]!r} is no colour; colours are red, green, blue, yellow")


def points_of(hand: tuple[Card, ...] | list[Card]) -> int:
    """The points of a hand (C3)."""
    return sum(POINTS[card] for card in hand)
