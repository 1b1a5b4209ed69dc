"""The list of one server's tables."""

from __future__ import annotations

from typing import Any

from una_protocol.messages import TableRow

from ...i18n import _, ngettext
from ..asks import Value
from ..layout import Line, Size, fit_marked, fit_text, marked, remote, wrap
from ..model import Model
from ..option_words import option_name, value_name
from ..theme import Caps
from .panels import log_lines

TALL, LOW = 8, 4
"""Rows for the details of the marked table, where there is much room and where there is little."""


def body(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """The tables, details of the marked one, and the lobby's chat."""
    rows = model.world.lobby
    name_width = max(16, min(30, size.width - 54))
    head = (
        f"   {fit_text(_('Table'), name_width)} {fit_text(_('Seats'), 7)}{fit_text(_('State'), 12)}"
        f"{fit_text(_('Rules'), 12)}{_('Watchers')}"
    )
    lines: list[Line] = [[("class:dim", head)]]
    details = 0 if size.height < 12 else LOW if size.height < 24 else TALL
    room = max(3, size.height - 6 - details)
    row = min(model.row, max(0, len(rows) - 1))
    first = max(0, min(row - room // 2, len(rows) - room))
    last = min(len(rows), first + room)
    lines += [marked(_row(rows[index], index == row, name_width, caps), f"row-{index}") for index in range(first, last)]
    if first + room < len(rows) or model.world.more_tables:
        lines.append([("class:dim", "   " + _more(len(rows) - last, model.world.more_tables))])
    if not rows:
        lines.append([("class:dim", "   " + _("No tables yet."))])
    lines.append([("", " + "), ("class:hint.key", "n"), ("", " " + caps.text(_("new table …")))])
    rule: Line = [("class:rule", caps.signs.rule * size.width)]
    if rows and details:
        lines += [rule, *_details(model, rows[row], size.width, caps)[:details]]
    left = size.height - len(lines) - 1
    if left > 0:
        lines += [rule, *log_lines(model, size.width - 2, left, caps)]
    return lines


def _more(below: int, pages: bool) -> str:
    if pages and below <= 0:
        return _("more tables: move on")
    text = ngettext("{n} more", "{n} more", below).format(n=below)
    return _("{n} more, and further pages").format(n=below) if pages else text


def _row(table: TableRow, marked: bool, name_width: int, caps: Caps) -> Line:
    sign = caps.signs.here if marked else " "
    mark = f" ({_('password')})" if table.password else ""
    text = (
        f" {sign} {fit_marked(remote(table.name), mark, name_width, caps.signs.more)} "
        f"{fit_text(f'{table.taken}/{table.seats}', 7)}{fit_text(state(table), 12)}"
        f"{fit_text(remote(table.profile), 12)}{table.watching}"
    )
    return [("class:row.selected" if marked else "", text)]


def state(table: TableRow) -> str:
    """The table's phase in a word or two."""
    if table.phase == "waiting":
        return _("open")
    return _("match over") if table.phase == "over" else _("round {n}").format(n=table.round)


def _details(model: Model, table: TableRow, width: int, caps: Caps) -> list[Line]:
    """What is to know before one sits down: the address, the host, seats, and the rules that are not the profile's."""
    host = remote(table.host) if table.host else _("nobody")
    free = max(0, table.seats - table.taken)
    about = _("host {name}").format(name=host) + f" {caps.signs.dot} "
    about += ngettext("{n} seat is free", "{n} seats are free", free).format(n=free) if free else _("no seat is free")
    if table.password:
        about += f" {caps.signs.dot} " + _("a password is asked for")
    rules = _("rules {profile}").format(profile=remote(table.profile))
    if changes := _in_words(table.options):
        rules = _("{rules}, but {changes}").format(rules=rules, changes=changes)
    return [
        [
            ("class:title", f" {remote(table.name)}"),
            ("class:dim", f"  una join {remote(model.world.where)}/{remote(table.id)}"),
        ],
        [("", " " + about)],
        *[[("", " " + part)] for part in wrap(rules, width - 2)],
    ]


def _in_words(options: dict[str, Any]) -> str:
    plain: dict[str, Value] = {
        str(name): value for name, value in options.items() if isinstance(value, bool | int | str)
    }
    return ", ".join(f"{option_name(name)}: {value_name(name, value)}" for name, value in plain.items())
