"""The list of one server's tables."""

from __future__ import annotations

from una_protocol.messages import TableRow

from ...i18n import _, ngettext
from ..layout import Line, Size, fit_text, remote
from ..model import Model
from ..theme import Caps
from .panels import log_lines


def body(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """The tables, details of the marked one, and the lobby's chat."""
    rows = model.world.lobby
    name_width = max(16, min(30, size.width - 56))
    head = (
        f"   {fit_text(_('Table'), name_width)} {fit_text(_('Seats'), 7)}{fit_text(_('State'), 13)}"
        f"{fit_text(_('Rules'), 14)}{_('Watching')}"
    )
    lines: list[Line] = [[("class:dim", head)]]
    details = 4 if size.height >= 16 else 0
    room = max(3, size.height - 6 - details)
    row = min(model.row, max(0, len(rows) - 1))
    first = max(0, min(row - room // 2, len(rows) - room))
    last = min(len(rows), first + room)
    lines += [_row(rows[index], index == row, name_width, caps) for index in range(first, last)]
    if first + room < len(rows):
        more = len(rows) - first - room
        lines.append([("class:dim", "   " + ngettext("{n} more", "{n} more", more).format(n=more))])
    if not rows:
        lines.append([("class:dim", "   " + _("No tables yet."))])
    lines.append([("", " + "), ("class:hint.key", "n"), ("", " " + caps.text(_("new table …")))])
    rule: Line = [("class:rule", caps.signs.rule * size.width)]
    if rows and details:
        lines += [rule, *_details(model, rows[row])]
    left = size.height - len(lines) - 1
    if left > 0:
        lines += [rule, *log_lines(model, size.width - 2, left, caps)]
    return lines


def _row(table: TableRow, marked: bool, name_width: int, caps: Caps) -> Line:
    sign = caps.signs.here if marked else " "
    name = remote(table.name) + (f" ({_('password')})" if table.password else "")
    text = (
        f" {sign} {fit_text(name, name_width, more=caps.signs.more)} "
        f"{fit_text(f'{table.taken}/{table.seats}', 7)}{fit_text(state(table), 13)}"
        f"{fit_text(remote(table.profile), 14)}{table.watching}"
    )
    return [("class:row.selected" if marked else "", text)]


def state(table: TableRow) -> str:
    """The table's phase in a word or two."""
    if table.phase == "waiting":
        return _("open")
    return _("match over") if table.phase == "over" else _("round {n}").format(n=table.round)


def _details(model: Model, table: TableRow) -> list[Line]:
    host = remote(table.host) if table.host else _("nobody")
    changes = ", ".join(f"{remote(str(key))} {remote(str(value))}" for key, value in table.options.items())
    return [
        [
            ("class:title", f" {remote(table.name)}"),
            ("class:dim", f"  una join {remote(model.world.where)}/{remote(table.id)}"),
        ],
        [("", " " + _("host {name}").format(name=host))],
        [("", " " + _("rules {profile}").format(profile=remote(table.profile)) + (f": {changes}" if changes else ""))],
    ]
