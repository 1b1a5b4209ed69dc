"""What lies over the body and is read: a form, the help, all messages. Each gives its title, its lines and its foot."""

from __future__ import annotations

from ...i18n import _
from ...ladder_text import table
from .. import cards, keys
from ..acts_play import COLORS_SHOWN
from ..layout import Line, Size, fit, fit_text, remote, text_width
from ..model import Form, Help, History, Ladder, Model
from ..theme import Caps
from .panels import log_rows

Paper = tuple[str, list[Line], str]


def form_paper(form: Form, size: Size, caps: Caps) -> Paper:
    """A form: as many of its lines as there is room for, the marked one among them."""
    label = min(22, max(text_width(field.label) for field in form.fields) + 2)
    wide = min(24, size.width - label - 12)
    room = max(1, size.height - 2 - (2 if size.height >= len(form.fields) + 4 else 0))
    first = max(0, min(form.at - room // 2, len(form.fields) - room))
    lines: list[Line] = []
    for index, field in list(enumerate(form.fields))[first : first + room]:
        marked = index == form.at
        left, right = ("< ", " >") if marked and field.choices else ("  ", "  ")
        value = f"{left}{fit_text(remote(field.shown), wide - 4, more=caps.signs.more).rstrip() or '-'}{right}"
        sign = caps.signs.here if marked else " "
        lines.append([("class:name" if marked else "", f" {sign} {fit_text(field.label, label, more=caps.signs.more)}"),
                      ("class:row.selected" if marked else "", fit_text(value, wide)), ("", " ")])  # fmt: skip
    title = _("New table {name}").format(name=remote(form.name)) if form.kind == "create" else _("Rules")
    if room < len(form.fields):
        title = _("{title}: {at} of {all}").format(title=title, at=form.at + 1, all=len(form.fields))
    return title, lines, _("Enter: done   Esc: cancel")


def history_paper(model: Model, dialog: History, size: Size, caps: Caps) -> Paper:
    """All messages, the newest at the bottom unless one has scrolled up."""
    inner, room = size.width - 6, size.height - 2
    rows = log_rows(model, inner, room, dialog.up, caps)
    lines = [fit(line, inner) for line in rows]
    lines += [[("", " " * inner)] for _row in range(room - len(lines))]
    foot = caps.text(_("↑↓ scroll   x: save   Esc: close"))
    return _("Messages"), lines, foot


def ladder_paper(model: Model, dialog: Ladder, size: Size, caps: Caps) -> Paper:
    """The ladder, as many of its rows as there is room for, the marked one among them."""
    rows = model.world.ladder or ()
    foot = caps.text(_("↑↓ move   r: look again   Esc: close"))
    if not rows:
        return _("Ladder of the arena"), [[("", " " + _("Nobody stands in the ladder yet.") + " ")]], foot
    head, *texts = table(rows, width=size.width - 9)
    inner = max(text_width(text) for text in (head, *texts)) + 4
    room = max(1, size.height - 3 - (2 if size.height >= len(texts) + 5 else 0))
    at = min(dialog.at, len(texts) - 1)
    first = max(0, min(at - room // 2, len(texts) - room))
    lines: list[Line] = [[("class:dim", fit_text(f"   {head}", inner))]]
    for index, text in list(enumerate(texts))[first : first + room]:
        sign = caps.signs.here if index == at else " "
        lines.append([("class:row.selected" if index == at else "", fit_text(f" {sign} {text}", inner))])
    count = f"{len(rows)}+" if model.world.more_ladder else str(len(rows))
    title = _("{title}: {at} of {all}").format(title=_("Ladder of the arena"), at=at + 1, all=count)
    return title, lines, foot


def help_paper(dialog: Help, size: Size, caps: Caps) -> Paper:
    """The keys of a place, and what the signs mean."""
    columns = 2 if size.width >= 78 else 1
    inner = min(size.width - 4, 86)
    entries = keys.help_entries(dialog.place)
    keys_width = max(text_width(caps.text(names)) for names, _text in entries)
    rows = -(-len(entries) // columns)
    lines: list[Line] = []
    for row in range(rows):
        line: Line = []
        for names, text in entries[row::rows]:
            room = inner // columns - keys_width - 2
            line.append(("class:hint.key", " " + fit_text(caps.text(names), keys_width)))
            line.append(("", " " + fit_text(text, room, more=caps.signs.more)))
        lines.append(line)
    lines = [fit(line, inner) for line in [*lines, [("", "")], *_legend(caps)]]
    room = size.height - 2
    if len(lines) <= room:
        return _("Keys"), lines, _("Esc or ? closes")
    first = min(dialog.at, len(lines) - room)
    return _("Keys"), lines[first : first + room], caps.text(_("↑↓ more   Esc or ? closes"))


def _legend(caps: Caps) -> list[Line]:
    colors: Line = [("", " ")]
    for color in COLORS_SHOWN:
        colors += [(f"class:card.{color}", f" {caps.signs.colors[color]} {cards.two_letters(color)} "),
                   ("", f" {cards.color_word(color)}  ")]  # fmt: skip
    colors += [("class:card.wild", f" {caps.signs.colors['wild']} "), ("", " " + _("wild"))]
    faces = caps.signs.faces
    signs = _("{skip} skip   {reverse} reverse   +2 +4 draw   dotted: not now   double: selected").format(
        skip=faces["S"], reverse=faces["R"]
    )
    return [colors, [("class:dim", " " + signs)], [("class:dim", " " + _("Commands in the chat line: /help"))]]
