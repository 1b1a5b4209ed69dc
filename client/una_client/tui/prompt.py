"""The rows of the prompt and of the input line: what is expected now, the clock beside it, what is typed."""

from __future__ import annotations

import math
from typing import Final

from ..i18n import _, mark
from . import cards, hand
from .expects import sentence
from .layout import Line, fit, remote, spread, text_width
from .model import Model
from .theme import Caps

SHORT_S = 5
"""From here on the clock is urgent."""


def prompt_line(model: Model, width: int, caps: Caps, now: float) -> Line:
    """The row of the prompt, exactly `width` cells."""
    style, text = sentence(model, caps, now)
    text = remote(text)  # the last gate: whatever a sentence was made of, nothing but text gets through
    return spread([(style, " " + to_ascii(text, caps))], clock(model, width, caps, now), width)


def seconds_left(model: Model, now: float) -> float | None:
    """Seconds until something happens by itself; None where nothing does."""
    if model.world.lost is not None:
        return None
    if model.world.frozen is not None:
        return model.world.frozen
    return None if model.world.deadline is None else max(0.0, model.world.deadline - now)


def clock(model: Model, width: int, caps: Caps, now: float) -> Line:
    """A bar and the seconds left; empty where there is no limit. An alarm has its own, shorter bar."""
    grace = grace_left(model, now)
    if grace is not None:
        return _bar(grace, model.world.grace[1] if model.world.grace else 1.0, 6, "class:timer.short", caps)
    left = seconds_left(model, now)
    if left is None:
        return []
    style = "class:timer.short" if math.ceil(left) <= SHORT_S else "class:timer"
    cells = 14 if width >= 100 else 8 if width >= 80 else 0
    return _bar(left, model.world.limit, cells, style, caps)


def grace_left(model: Model, now: float) -> float | None:
    """Seconds left to call, or to catch, before it counts; None where nobody forgot just now."""
    view, grace = model.view, model.world.grace
    if view is None or grace is None or not view.catchable or now >= grace[0] or model.world.lost is not None:
        return None
    return grace[0] - now


def _bar(left: float, whole: float | None, cells: int, style: str, caps: Caps) -> Line:
    text = _("{n} s").format(n=math.ceil(left))
    if not cells or not whole:
        return [(style, f"  {text} ")]
    full = max(0, min(cells, round(cells * left / whole)))
    return [("", "  "), (style, caps.signs.bar * full + caps.signs.no_bar * (cells - full)), (style, f" {text} ")]


def to_ascii(text: str, caps: Caps) -> str:
    """Our own sentence, with the cards in it named by letters where the terminal needs that."""
    if not caps.ascii:
        return text
    for color, sign in Caps().signs.colors.items():
        text = text.replace(sign, cards.color_sign(color, caps))
    return caps.text(text.replace("Ø", "S").replace("⇄", "<>"))


_PREFIXES: Final = {
    "name": mark(" name: "),
    "password": mark(" password: "),
    "server-password": mark(" password: "),
    "address": mark(" address: "),
    "nick": mark(" your name: "),
    "field": mark(" value: "),
}


def input_prefix(model: Model) -> str:
    """What stands before the text in the input line."""
    if model.input is not None and model.input.kind != "chat":
        return _(_PREFIXES[model.input.kind])
    return _(" chat: ") if model.input is not None else _(" [t] chat: ")


def input_line(model: Model, width: int, caps: Caps) -> Line:
    """The input row while nobody types: what was typed and kept, or how una stands."""
    if model.input is None and model.my_turn and len(model.cards) == 2 and not model.draft:
        turn = model.world.turn
        if turn is not None and turn.can_una:
            box = "x" if model.armed else " "
            text = _(" una [{mark}] u sets it; it is sent with the card you play").format(mark=box)
            return fit([("class:una", caps.text(text))], width)
    if model.world.at_servers and model.input is None:
        return fit([("class:dim", caps.text(_(" a types an address: host, host:port or host:port/table")))], width)
    draft = "*" * text_width(model.line) if model.input is not None and model.input.secret else model.line
    return fit([("class:dim", caps.text(input_prefix(model))), ("class:chat", remote(draft))], width)


def suggested(model: Model) -> str:
    """The colour that the picker suggests."""
    return hand.best_color(model.view) if model.view is not None else "red"
