"""The own hand: its order on the screen, and why a card may not be laid now."""

from __future__ import annotations

from typing import Final, Literal

from una_protocol.actions import Action, Draw, Play
from una_protocol.cards import COLOR, COLORS, FACE, FACES, WILD_DRAW_FOUR, Card, Color
from una_protocol.view import View

from ..i18n import _

Order = Literal["color", "rank"]

_COLOR_RANK: Final[dict[Color | None, int]] = {"red": 0, "yellow": 1, "green": 2, "blue": 3, None: 4}
LAST: Final = 99
"""The rank of a card that this version does not know: a server can send anything."""
_FACE_RANK: Final = {face: rank for rank, face in enumerate((*FACES, "W", "W+4"))}


def ordered(cards: tuple[Card, ...], order: Order) -> tuple[Card, ...]:
    """The cards by colour, or by rank."""
    color = {card: _COLOR_RANK[COLOR[card]] if card in COLOR else LAST for card in set(cards)}
    face = {card: _FACE_RANK[FACE[card]] if card in FACE else LAST for card in set(cards)}
    if order == "color":
        return tuple(sorted(cards, key=lambda card: (color[card], face[card], card)))
    return tuple(sorted(cards, key=lambda card: (face[card], color[card], card)))


def color_counts(view: View) -> dict[Color, int]:
    """How many cards of each colour are in the own hand."""
    return {color: sum(COLOR.get(card) == color for card in view.hand or ()) for color in COLORS}


def best_color(view: View) -> Color:
    """The colour held most, the one to suggest for a wish."""
    counts = color_counts(view)
    return max(COLORS, key=lambda color: (counts[color], -COLORS.index(color)))


def why_not(view: View, legal: tuple[Action, ...], card: Card, name: str, top: str) -> str:
    """One sentence why `card` (called `name`; the top is called `top`) is not among the legal plays on our turn."""
    if view.phase == "wish":
        return _("First choose the colour that the game begins with.")
    if view.phase == "drawn":
        return _("Only the card you just drew may be played now; n keeps it.")
    if view.pending:
        if any(isinstance(action, Play) for action in legal):
            return _("{card} does not answer +{n}.").format(card=name, n=view.pending)
        return _("+{n} is on you: no card passes it on.").format(n=view.pending)
    if not view.wish_served and view.color is not None and COLOR.get(card) != view.color:
        return _("The wish comes first: only the wished colour may be played now.")
    if card == WILD_DRAW_FOUR:
        return _("{card} is allowed only when nothing else in your hand fits.").format(card=name)
    if not any(isinstance(action, Draw | Play) for action in legal):
        return _("No card may be played now.")
    return _("{card} does not match {top}.").format(card=name, top=top)
