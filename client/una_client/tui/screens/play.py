"""A round as a player or a watcher sees it: players, table, log above; the own hand (or all backs) below."""

from __future__ import annotations

import math
from typing import NamedTuple

from una_protocol.view import Player, View

from ...i18n import _
from ..layout import Line, Size, beside, box, fit, fit_text, page, remote
from ..model import Model, Where
from ..prompt import seconds_left
from ..theme import Caps
from .hand_rows import hand_rows, label_line
from .panels import log_lines, players_grid, players_panel, table_line, table_panel

PANELS_AT = Size(80, 18)
"""From this size of the body on there are panels; below, lines."""
HAND_LEAST = 5


class Split(NamedTuple):
    """How the rows of the body are shared: panels, then the hand with its label."""

    panels: int
    hand: int


def split(height: int, players: int) -> Split:
    """Rows for the panels and for the hand without its label; ten players take a row from the hand."""
    panels = max(min(height - 7, 17), height - 17)
    panels = max(panels, min(players + 2, height - 1 - HAND_LEAST))
    return Split(panels, height - 1 - panels)


def panel_rows(view: View, size: Size) -> int:
    """How many rows stand above the hand's label; 0 where there are no panels."""
    if size.width < PANELS_AT.width or size.height < PANELS_AT.height:
        return 0
    return split(size.height, len(view.players)).panels


def body(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """The body of the screen."""
    view = model.view
    if view is None:
        return []
    if not panel_rows(view, size):
        return _small(model, view, size, caps, now)
    parts = split(size.height, len(view.players))
    lines = _panels(model, view, Size(size.width, parts.panels), caps, now)
    return lines + _below(model, view, Size(size.width, parts.hand), caps, now)


def _panels(model: Model, view: View, size: Size, caps: Caps, now: float) -> list[Line]:
    players, table = (40, 32) if size.width >= 110 else (30, 20)
    log = size.width - players - table
    height = size.height
    arrow = caps.signs.down if view.direction == 1 else caps.signs.up
    frame = caps.signs.panel
    return beside(
        box(
            _("Players  turn order {arrow}").format(arrow=arrow),
            players_panel(view, Size(players - 2, height - 2), caps),
            Size(players, height),
            frame,
        ),
        box(_("Table"), table_panel(model, view, Size(table - 2, height - 2), caps, now), Size(table, height), frame),
        box(_("Log & chat"), log_lines(model, log - 2, height - 2, caps), Size(log, height), frame),
    )


def _below(model: Model, view: View, size: Size, caps: Caps, now: float) -> list[Line]:
    if model.place is Where.WATCH:
        return [[("", "")], *_backs(model, view, size, caps, now)]
    rows = hand_rows(model, size, caps, now)
    return [label_line(model, rows.shown, size.width, caps), *page(rows.lines, size)]


def _small(model: Model, view: View, size: Size, caps: Caps, now: float) -> list[Line]:
    top = [table_line(model, view, size.width, caps, now), *players_grid(view, size.width, caps)]
    room = max(HAND_LEAST, size.height - len(top) - 1)
    if model.place is Where.WATCH:
        return [*top, *log_lines(model, size.width, size.height - len(top), caps)]
    rows = hand_rows(model, Size(size.width, room), caps, now)
    log = size.height - len(top) - 1 - len(rows.lines)
    middle = page(log_lines(model, size.width, log, caps), Size(size.width, log)) if log > 0 else []
    return [*top, *middle, label_line(model, rows.shown, size.width, caps), *rows.lines]


def _backs(model: Model, view: View, size: Size, caps: Caps, now: float) -> list[Line]:
    """For watchers: everybody's number of cards, as backs, in two columns; who is to move; what seat is free."""
    width = (size.width - 2) // 2
    pieces = [_back(model, view, player, width, caps, now) for player in view.players]
    half = (len(pieces) + 1) // 2
    lines: list[Line] = []
    for index in range(half if half <= size.height - 3 else 0):  # all of them, or none: the panel lists them too
        other = pieces[index + half] if index + half < len(pieces) else []
        lines.append([("", "  "), *fit(pieces[index], width), *fit(other, width)])
    lines += [[("", "")], [("class:dim", "  " + _("While a round runs, only watchers read what you write."))]]
    free = next((seat for seat in range(view.seats) if view.player(seat) is None), None)
    if free is not None:
        lines += [
            [("", "")],
            [("class:dim", "  " + _("Seat {n} is free: s sits down for the next match.").format(n=free + 1))],
        ]
    return lines


def _back(model: Model, view: View, player: Player, width: int, caps: Caps, now: float) -> Line:
    turn = player.seat == view.turn_seat
    name = fit_text(remote(player.name), 12, more=caps.signs.more)
    left = seconds_left(model, now)
    mark = ""
    if turn:
        mark = _("to move, {n} s").format(n=math.ceil(left)) if left is not None else _("to move")
    elif player.seat in view.catchable:
        mark = _("forgot!")
    room = max(4, width - 12 - 7 - len(mark))
    backs = fit_text(caps.signs.back * min(player.cards, room), min(room, 14), more=caps.signs.more)
    return [("class:name" if turn else "", f"{name} "), ("class:dim", backs), ("", f" {player.cards:>2} {mark}")]
