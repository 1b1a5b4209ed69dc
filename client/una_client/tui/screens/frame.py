"""The whole screen: title, the body of the place, a dialog over it, prompt, input line, hints. Same rows everywhere.

0 title · 1 rule · 2 … h-5 body · h-4 prompt · h-3 rule · h-2 input · h-1 hints
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...i18n import _
from .. import keys
from ..layout import Line, Piece, Size, cut_text, overlay, page, remote, spread, width_of
from ..model import Model, Where
from ..prompt import input_line, prompt_line
from ..theme import Caps
from . import dialogs, lobby, play, score, servers, waiting

SMALLEST: Final = Size(60, 18)
AROUND: Final = 6
"""Rows of the screen that are not the body."""

Body = Callable[[Model, Size, Caps, float], list[Line]]

_BODIES: Final[dict[Where, Body]] = {
    Where.SERVERS: servers.body,
    Where.LOBBY: lobby.body,
    Where.WAITING: waiting.body,
    Where.PLAY: play.body,
    Where.WATCH: play.body,
    Where.SCORE: score.body,
}


def render(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """The screen: `size.height` lines of `size.width` cells."""
    lines = _render(model, size, caps, now)
    if not caps.ascii:
        return lines
    return [[(style, text.translate(_SAME_WIDTH)) for style, text in line] for line in lines]


_SAME_WIDTH: Final = str.maketrans({"…": "~", "—": "-", "–": "-", "·": "-"})
"""What is left of our own typographic signs once the lines are made; names of people stay as they are."""


def _render(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    width, height = size
    if width < SMALLEST.width or height < SMALLEST.height:
        return _too_small(model, size, caps, now)
    inner = Size(width, height - AROUND)
    body = page(_BODIES[model.place](model, inner, caps, now), inner)
    box = dialogs.render(model, inner, caps, now)
    if model.world.lost is not None:  # what was known stays readable behind the overlay
        body = [[("class:dim", text) for _style, text in line] for line in body]
    if box is not None:
        left = max(0, (width - width_of(box[0])) // 2)
        body = overlay(body, box, left, _dialog_row(model, inner, len(box)))
    rule: Line = [("class:rule", caps.signs.rule * width)]
    lines = [title(model, width, caps), rule, *body, prompt_line(model, width, caps, now), rule]
    lines += [input_line(model, width, caps), keys.hints(model, width, caps)]
    return page(lines, size)


def _dialog_row(model: Model, inner: Size, height: int) -> int:
    """The row of the body where a dialog begins: in the middle, but not over the hand if that can be avoided."""
    row = max(0, (inner.height - height) // 2)
    panels = play.panel_rows(model.view, inner) if model.place is Where.PLAY and model.view is not None else 0
    return max(0, min(row, panels - height)) if panels else row


def _too_small(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """A screen that asks for more room, and still says what is expected."""
    text = _("Please make the window larger: {w}x{h} now, at least {w2}x{h2}.").format(
        w=size.width, h=size.height, w2=SMALLEST.width, h2=SMALLEST.height
    )
    last = [prompt_line(model, size.width, caps, now), input_line(model, size.width, caps)]
    last.append(keys.hints(model, size.width, caps))
    lines: list[Line] = [[("class:bad", cut_text(caps.text(text), size.width))]]
    lines += [[("", "")] for _row in range(size.height - len(lines) - len(last))]
    return page([*lines, *last][-max(1, size.height) :], size)


def title(model: Model, width: int, caps: Caps) -> Line:
    """What we look at, and as whom we are connected to where."""
    sign = caps.signs.lost if model.world.lost is not None else "*" if caps.ascii else "●"
    who = (
        f"{remote(model.world.me)}@{remote(model.world.where)} " if model.world.where else f"{remote(model.world.me)} "
    )
    right: Line = [("class:dim", who), ("class:bad" if model.world.lost else "class:good", sign), ("", " ")]
    left: Line = [("class:title", " una "), ("class:rule", "|" if caps.ascii else "│"), ("", " "), *_what(model, caps)]
    if model.world.delay is not None and model.world.lost is None:
        delay: Piece = ("class:dim", f"{max(1, round(1000 * model.world.delay))} ms ")
        if width_of([*left, delay, *right]) < width:  # it gives way to all else
            right.insert(1, delay)
    return spread(left, right, width)


def _what(model: Model, caps: Caps) -> Line:
    view = model.view
    if model.place is Where.SERVERS:
        return [("class:title", _("Servers on this network"))]
    if view is None:
        return [("class:title", _("Tables"))]
    parts: list[str] = []
    if model.place is Where.WAITING:
        parts.append(_("waiting") if view.stage == "waiting" else _("match over"))
    elif model.place is Where.SCORE:
        parts.append(_("match over") if view.stage == "over" else _("round {n} finished").format(n=view.round))
    else:
        parts.append(_("round {n}").format(n=view.round))
    if model.place is Where.WATCH:
        parts.append(_("WATCHING"))
    parts.append(remote(view.profile))
    if goal := view.options.get("target_score"):
        parts.append(_("goal {n}").format(n=goal))
    dot = f" {caps.signs.dot} "
    return [("class:title", remote(view.name)), ("", dot + dot.join(parts) + "  ")]
