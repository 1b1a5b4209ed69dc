"""The own hand: big boxes, small boxes or chips, whatever fits; the selected card is always to be seen."""

from __future__ import annotations

from typing import NamedTuple

from una_protocol.actions import Play
from una_protocol.cards import Card

from ...i18n import _, ngettext
from .. import cards
from ..layout import Line, Size, cut_text, marked, text_width
from ..model import Model
from ..theme import Caps

MARGIN = 2


class HandRows(NamedTuple):
    """The rows, and which cards they show, first and last (from 1); None when all are shown."""

    lines: list[Line]
    shown: tuple[int, int] | None


def hand_rows(model: Model, size: Size, caps: Caps, now: float = 0.0) -> HandRows:
    """The hand within `size`."""
    count = len(model.cards)
    for width, height, large in (
        (cards.BIG_WIDTH + 1, cards.BIG_HEIGHT + 2, True),
        (cards.SMALL_WIDTH + 1, cards.SMALL_HEIGHT + 2, False),
    ):
        across = (size.width - MARGIN) // width
        rows = size.height // height
        if count and rows and across and count <= across * rows:
            chunks = [range(i, min(i + across, count)) for i in range(0, count, across)]
            lines = [line for chunk in chunks for line in _boxes(model, chunk, caps, large, now)]
            return HandRows(lines, None)
    return _chips(model, size, caps, now)


def _state(model: Model, card: Card) -> cards.State:
    return "legal" if model.plays(card) else "illegal"


def _boxes(model: Model, chunk: range, caps: Caps, large: bool, now: float) -> list[Line]:
    """One row of boxes: the selected one stands a row higher; numbers below."""
    make = cards.big if large else cards.small
    width, height = (cards.BIG_WIDTH, cards.BIG_HEIGHT) if large else (cards.SMALL_WIDTH, cards.SMALL_HEIGHT)
    rows: list[Line] = [[("", " " * MARGIN)] for _row in range(height + 2)]
    for index in chunk:
        card = model.cards[index]
        state, selected = _state(model, card), index == min(model.selected, len(model.cards) - 1)
        face = make(card, caps, state, selected=selected)
        blank: Line = [("", " " * width)]
        tall = [*face, blank] if selected else [blank, *face]
        sign = sign_of(model, index, caps, now)
        number = _marked(cards.number(index + 1, state, width), sign) if sign else cards.number(index + 1, state, width)
        style = "class:card.selected" if selected else "class:card.legal" if state == "legal" else "class:dim"
        tall.append([("class:fresh" if sign == caps.signs.fresh else style, number)])
        for row, line in zip(rows, tall, strict=True):
            row += [*marked(line, f"card-{index}"), ("", " ")]
    return rows


def sign_of(model: Model, index: int, caps: Caps, now: float) -> str:
    """What is special about a card: it is on its way to the server, selected, or was drawn just now."""
    card = model.cards[index]
    selected = index == min(model.selected, len(model.cards) - 1)
    if isinstance(model.world.sent, Play) and model.world.sent.card == card and selected:
        return caps.signs.sent
    if selected:
        return caps.signs.selected_mark
    return caps.signs.fresh if card in model.world.fresh.drew(now) else ""


def _marked(number: str, sign: str) -> str:
    """The number with the sign directly before it."""
    text = number.strip()
    start = max(0, number.index(text) - 1)
    return number[:start] + sign + number[start + 1 :]


def _chips(model: Model, size: Size, caps: Caps, now: float) -> HandRows:
    held = model.cards
    width = cards.chip_width(len(held), caps)
    across = max(1, (size.width - 1) // width)
    at = min(model.selected, len(held) - 1) // across
    total = -(-len(held) // across)
    first = max(0, min(at - size.height // 2, total - size.height))
    lines: list[Line] = []
    for row in range(first, min(total, first + size.height)):
        line: Line = [("", " ")]
        for index in range(row * across, min(len(held), (row + 1) * across)):
            selected = index == min(model.selected, len(held) - 1)
            piece = cards.chip(held[index], index + 1, len(held), _state(model, held[index]), caps, selected=selected)
            sign = sign_of(model, index, caps, now)
            if sign not in ("", caps.signs.selected_mark):
                piece = [("class:fresh", sign + piece[0][1][1:]), *piece[1:]]
            line += marked(piece, f"card-{index}")
        lines.append(line)
    if total <= size.height:
        return HandRows(lines, None)
    return HandRows(lines, (first * across + 1, min(len(held), (first + size.height) * across)))


def label_line(model: Model, shown: tuple[int, int] | None, width: int, caps: Caps) -> Line:
    """What stands above the hand."""
    count = len(model.cards)
    text = ngettext("Your hand ({n} card)", "Your hand ({n} cards)", count).format(n=count)
    if shown is not None:
        text += "  " + caps.text(_("{first} to {last} are shown").format(first=shown[0], last=shown[1]))
    explain = _explain(model)
    if text_width(text) + text_width(explain) + 6 <= width:
        text += "   " + explain
    return [("class:dim", cut_text("  " + text, width, caps.signs.more))]


def _explain(model: Model) -> str:
    if not model.my_turn or model.view is None:
        return ""
    if not any(model.plays(card) for card in model.cards):
        return _("no card may be played now")
    if model.view.pending:
        return _("only cards that answer +{n} are numbered [n]").format(n=model.view.pending)
    return _("cards that fit are numbered [n]")
