"""Cards as text: a chip, a small box, a big box; readable without colour in each of them."""

from __future__ import annotations

from typing import Literal

from una_protocol.cards import COLOR, FACE, Card, Color

from ..i18n import _
from ..words import color_name
from .layout import Border, Line, fit_text, remote, text_width
from .theme import Caps

State = Literal["legal", "illegal", "open"]
"""Whether the card may be laid now; `open` is a card that nobody is asked to lay (the top, another's hand)."""

SMALL_WIDTH, SMALL_HEIGHT = 6, 4
BIG_WIDTH, BIG_HEIGHT = 9, 6


def kind(card: Card) -> str:
    """The card's colour, or `wild`."""
    return COLOR.get(card) or "wild"


def face_of(card: Card) -> str:
    """The card's face; of a card that this version does not know, what there is to read of it."""
    return FACE.get(card) or remote(card)[:3] or "?"


def color_word(color: Color) -> str:
    """The colour in words."""
    return color_name(color)


def two_letters(color: str) -> str:
    """The two letters that name a colour without a doubt."""
    return _("wild").capitalize() if color == "wild" else color_word(color)[:2].capitalize()  # type: ignore[arg-type]


def face_sign(card: Card, caps: Caps) -> str:
    """The face as a sign of one or two cells."""
    face = face_of(card)
    return caps.signs.faces.get(face, face)


def color_sign(color: str, caps: Caps) -> str:
    """The sign of a colour; in ASCII its two letters."""
    if caps.ascii and color != "wild":
        return two_letters(color)
    return caps.signs.colors[color]


def label(card: Card, caps: Caps) -> str:
    """The card within a sentence: `■ 7`, in ASCII `Bl 7`."""
    return f"{color_sign(kind(card), caps)} {face_sign(card, caps)}"


def piece(card: Card, caps: Caps) -> tuple[str, str]:
    """The card within a line, in its colour."""
    return (f"class:card.{kind(card)}", label(card, caps))


def color_label(color: Color | None, caps: Caps) -> str:
    """The colour in force, as sign and word: `■ BLUE`; in ASCII the word alone."""
    if color is None:
        return _("any colour")
    word = color_word(color).upper()
    return word if caps.ascii else f"{color_sign(color, caps)} {word}"


def number(index: int, state: State, width: int) -> str:
    """The number below or before a card: `[3]` where it may be laid, `3` where not, centred to `width`."""
    text = f"[{index}]" if state == "legal" else f" {index} "
    return text.center(width)


def border_of(state: State, selected: bool, caps: Caps) -> Border:
    """Legal solid, illegal dotted, selected double."""
    if selected:
        return caps.signs.selected
    return caps.signs.illegal if state == "illegal" else caps.signs.legal


def _framed(inner: list[str], card: Card, state: State, selected: bool, caps: Caps) -> list[Line]:
    border = border_of(state, selected, caps)
    edge = "class:card.selected" if selected else f"class:card.{'illegal' if state == 'illegal' else 'legal'}"
    body = f"class:card.{kind(card)}" + (" class:card.selected" if selected and caps.depth == "none" else "")
    across = border.horizontal * text_width(inner[0])
    rows: list[Line] = [[(edge, border.top_left + across + border.top_right)]]
    rows += [[(edge, border.vertical), (body, text), (edge, border.vertical)] for text in inner]
    rows.append([(edge, border.bottom_left + across + border.bottom_right)])
    return rows


def small(card: Card, caps: Caps, state: State = "open", *, selected: bool = False) -> list[Line]:
    """A card of 6 by 4 cells."""
    face, color = face_sign(card, caps), kind(card)
    head = fit_text(f"{color_sign(color, caps)}{fit_text(face, 4 - len(color_sign(color, caps)), '>')}", 4)
    below = "" if caps.ascii and color != "wild" else two_letters(color)
    if caps.ascii:
        below = {"S": _("skip"), "R": _("turn"), "+2": _("draw")}.get(face_of(card), below)
    return _framed([head, fit_text(below, 4, more="")], card, state, selected, caps)


def big(card: Card, caps: Caps, state: State = "open", *, selected: bool = False) -> list[Line]:
    """A card of 9 by 6 cells."""
    face, color = face_sign(card, caps), kind(card)
    sign = color_sign(color, caps)
    word = _("wild").upper() if color == "wild" else color_word(color).upper()  # type: ignore[arg-type]
    middle = {"S": _("Skip"), "R": _("Turn"), "W": _("Wild")}.get(face_of(card), face)
    inner = [
        fit_text(f"{sign} {face}", 7),
        fit_text(word, 7, more="").strip().center(7),
        fit_text(middle, 7, more="").strip().center(7),
        fit_text(f"{face} {sign}", 7, ">"),
    ]
    return _framed(inner, card, state, selected, caps)


def back(caps: Caps, *, large: bool) -> list[Line]:
    """The back of a card."""
    width, height = (BIG_WIDTH, BIG_HEIGHT) if large else (SMALL_WIDTH, SMALL_HEIGHT)
    border = caps.signs.legal
    across = border.horizontal * (width - 2)
    middle: Line = [("class:card.legal", border.vertical + caps.signs.back * (width - 2) + border.vertical)]
    return [
        [("class:card.legal", border.top_left + across + border.top_right)],
        *[middle for _row in range(height - 2)],
        [("class:card.legal", border.bottom_left + across + border.bottom_right)],
    ]


def chip_width(count: int, caps: Caps) -> int:
    """The width of each chip in a hand of `count` cards."""
    return len(str(count)) + (8 if caps.ascii else 7)


def chip(card: Card, index: int, count: int, state: State, caps: Caps, *, selected: bool) -> Line:
    """A card in one line: ` [3]◆7  `, selected `>[3]◆7 <`."""
    wide = len(str(count))
    mark = f"[{index}]".rjust(wide + 2) if state == "legal" else f" {index} ".rjust(wide + 2)
    edge = "class:card.selected" if selected else f"class:card.{'illegal' if state == 'illegal' else 'legal'}"
    body = f"class:card.{kind(card)}" + (" class:card.selected" if selected and caps.depth == "none" else "")
    text = color_sign(kind(card), caps) + fit_text(face_sign(card, caps), 2)
    return [(edge, (">" if selected else " ") + mark), (body, text), (edge, "<" if selected else " ")]
