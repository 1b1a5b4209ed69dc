"""The list of servers: those found on this network, and the favourites."""

from __future__ import annotations

from typing import NamedTuple

from ...i18n import _, ngettext
from ..layout import Line, Size, fit_marked, fit_text, marked, remote
from ..model import Model, ServerRow
from ..theme import Caps


class Columns(NamedTuple):
    """Cells of each column; on narrow screens the tables are not counted."""

    name: int
    address: int
    players: int
    tables: int
    state: int


def columns(width: int) -> Columns:
    """What there is room for."""
    address, players, tables, state = (18, 9, 0, 11) if width < 80 else (24, 9, 8, 12)
    return Columns(width - 3 - address - players - tables - state - 3, address, players, tables, state)


def body(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """The servers, the one that is marked always among them; why nothing may be found; details of the marked one."""
    rows, wide = model.world.servers, columns(size.width)
    titles = (_("Server"), _("Address"), _("Players"), _("Tables"), _("Version"))
    lines: list[Line] = [[("class:dim", "   " + _in_columns(titles, wide, caps))]]
    room = max(2, size.height - 7)
    at = min(model.server, max(0, len(rows) - 1))
    first = max(0, min(at - room // 2, len(rows) - room))
    lines += [
        marked(_row(rows[index], index == at, wide, caps), f"server-{index}")
        for index in range(first, min(len(rows), first + room))
    ]
    if first + room < len(rows):
        more = len(rows) - first - room
        lines.append([("class:dim", "   " + ngettext("{n} more", "{n} more", more).format(n=more))])
    found = sum(not row.silent for row in rows)
    looking = ngettext("looking around … {n} found", "looking around … {n} found", found).format(n=found)
    lines += [[("", "")], [("class:dim", "   " + caps.text(looking))]]
    if not rows:
        lines += [[("class:dim", "   " + caps.text(text))] for text in _nothing()]
    lines += [[("", "")] for _line in range(size.height - len(lines) - 3)]
    return [*lines, [("class:rule", caps.signs.rule * size.width)], *_details(rows[at] if rows else None, caps)]


def _in_columns(texts: tuple[str, str, str, str, str], wide: Columns, caps: Caps) -> str:
    name, address, players, tables, state = texts
    more = caps.signs.more
    numbers = fit_text(players, wide.players, ">", more) + fit_text(tables if wide.tables else "", wide.tables, ">", "")
    head = f"{fit_text(name, wide.name, more=more)} {fit_text(address, wide.address, more=more)}"
    return f"{head}{numbers}  {fit_text(state, wide.state, more=more)}"


def _row(row: ServerRow, at: bool, wide: Columns, caps: Caps) -> Line:
    sign = caps.signs.here if at else " "
    mark = ("*" if caps.ascii else "★") if row.favourite else " "
    locked = f" ({_('password')})" if row.password else ""
    title = fit_marked(remote(row.name) or _("favourite"), locked, wide.name, caps.signs.more)
    numbers = ("-", "-") if row.silent else (str(row.players), str(row.tables))
    text = _in_columns((title, remote(row.address), *numbers, state(row)), wide, caps)
    style = "class:row.selected" if at else "class:dim" if row.faded or row.silent else ""
    if row.fits == "yes" or at:
        return [(style, f" {sign}{mark}{text}")]
    return [(style, f" {sign}{mark}{text[: -wide.state]}"), ("class:bad", text[-wide.state :])]


def state(row: ServerRow) -> str:
    """Whether we can play there, in a word or two."""
    if row.fits != "yes":
        return _("too old") if row.fits == "too_old" else _("too new")
    if row.silent:
        return _("not seen")
    return _("silent") if row.faded else _("fits")


def _details(row: ServerRow | None, caps: Caps) -> list[Line]:
    if row is None:
        return [[("class:dim", " " + _("Others find a server here as soon as it runs: una-server run"))], [("", "")]]
    line = f" una join {remote(row.address)}"
    told = {
        "too_old": _("This server is too old for this client: it needs an update."),
        "too_new": _("This server is too new for this client: update una."),
    }.get(row.fits, "")
    if not told:
        told = _("Nothing has been heard from there yet; Enter tries all the same.") if row.silent else ""
    if not told and row.faded:
        told = _("Nothing has been heard from there for a while.")
    told = told or _("It runs {version}.").format(version=remote(row.version) or "una-server")
    return [[("class:name", line)], [("class:dim", " " + caps.text(told))]]


def _nothing() -> list[str]:
    return [
        _("A server may be on another network, or a firewall keeps it from being heard."),
        _("By its address it can always be reached: a"),
    ]
