"""Boxes over the body: pickers, the challenge, questions, forms, help, the lost connection."""

from __future__ import annotations

from una_protocol.cards import WILD_DRAW_FOUR, Color
from una_protocol.view import View

from ...i18n import _, ngettext
from .. import cards, hand, keys
from ..acts_play import COLORS_SHOWN
from ..layout import Line, Size, box, cut_text, fit, fit_text, text_width, width_of, wrap
from ..model import AskChallenge, AskWhich, Confirm, Form, Help, Model, PickColor, PickSeat
from ..prompt import catch_hint, suggested, to_ascii
from ..reasons import name_of
from ..theme import Caps


def render(model: Model, size: Size, caps: Caps) -> list[Line] | None:
    """The dialog that is open, framed; None where there is none."""
    dialog, view = model.dialog, model.view
    match dialog:
        case Help():
            return _help(dialog, size, caps)
        case Form():
            return _framed(_("New table {name}").format(name=dialog.name) if dialog.kind == "create" else _("Rules"),
                           _form(dialog, caps), _("Enter: done   Esc: cancel"), size, caps)  # fmt: skip
        case Confirm(question=question, consequence=consequence):
            lines = [[("", f" {to_ascii(part, caps)} ")] for part in wrap(consequence, min(62, size.width - 8))]
            return _framed(question, lines, _("y: yes   n: no"), size, caps)
    if view is None:
        return None
    match dialog:
        case PickColor():
            what = cards.label(dialog.card, caps) if dialog.card is not None else caps.text(_("the first card"))
            return _framed(_("Colour for {card}").format(card=what), _colors(model, view, dialog.at, caps),
                           _("Esc: keep the card") if dialog.card is not None else "", size, caps)  # fmt: skip
        case PickSeat():
            return _framed(_("Swap hands with"), _seats(model, view, dialog, caps), _("Esc: keep the card"), size, caps)
        case AskChallenge():
            return _framed(_challenge_title(model, caps), _challenge(model, view, caps, size.width),
                           _("keys are ignored for the first 0.3 s"), size, caps)  # fmt: skip
        case AskWhich():
            lines = [[("", " 1  " + _("challenge the +4"))], [("", f" 2  {catch_hint(model)}")]]
            return _framed(_("Two things are possible"), lines, _("Esc: neither"), size, caps)
    return None


def _framed(title: str, lines: list[Line], foot: str, size: Size, caps: Caps) -> list[Line]:
    """The lines in a double frame, as wide as they need, with `foot` in the lower edge."""
    title, foot = to_ascii(title, caps), to_ascii(foot, caps)
    inner = max([width_of(line) for line in lines] + [text_width(title) + 4, text_width(foot) + 4, 30])
    inner = min(inner, size.width - 4)
    airy = size.height >= len(lines) + 4
    blank: list[Line] = [[("", "")]] if airy else []
    border = caps.signs.selected
    rows = [*blank, *lines, *blank][: max(1, size.height - 2)]
    framed = box(title, rows, Size(inner + 2, len(rows) + 2), border, "class:dialog")
    if foot:
        foot = f"{border.horizontal} {cut_text(foot, inner - 4)} "
        edge = foot + border.horizontal * (inner - text_width(foot))
        framed[-1] = [("class:dialog", border.bottom_left + edge + border.bottom_right)]
    return framed


def _colors(model: Model, view: View, at: int, caps: Caps) -> list[Line]:
    counts = hand.color_counts(view)
    best = suggested(model)
    lines: list[Line] = []
    for index, color in enumerate(COLORS_SHOWN):
        lines.append(_color_row(index, color, counts[color], index == at, color == best, caps))
    return lines


def _color_row(index: int, color: Color, count: int, marked: bool, best: bool, caps: Caps) -> Line:
    word = cards.color_word(color)
    line: Line = [("class:name" if marked else "", f" {caps.signs.here if marked else ' '} {index + 1} ")]
    line.append((f"class:card.{color}", f" {caps.signs.colors[color]} "))
    line.append(("class:row.selected" if marked else "", f" {fit_text(word, 8)}"))
    line.append(("class:dim", "  " + _("{n} in hand").format(n=count)))
    if best:
        line.append(("class:dim", f"   {caps.signs.suggested} " + _("suggested")))
    return [*line, ("", " ")]


def _seats(model: Model, view: View, dialog: PickSeat, caps: Caps) -> list[Line]:
    lines: list[Line] = []
    for index, seat in enumerate(dialog.seats):
        player = view.player(seat)
        count = player.cards if player is not None else 0
        marked = index == dialog.at
        text = ngettext("{n} card", "{n} cards", count).format(n=count)
        line: Line = [("class:name" if marked else "", f" {caps.signs.here if marked else ' '} {index + 1} ")]
        name = fit_text(name_of(model, seat), 17, more=caps.signs.more)
        line += [("class:row.selected" if marked else "", name), ("class:dim", f"  {text} ")]
        lines.append(line)
    return lines


def _challenge_title(model: Model, caps: Caps) -> str:
    name = cards.label(WILD_DRAW_FOUR, caps)
    if model.world.four is None:
        return name
    return _("{card} from {name}").format(card=name, name=name_of(model, model.world.four.seat))


def _challenge(model: Model, view: View, caps: Caps, width: int) -> list[Line]:
    four, n = model.world.four, view.pending
    more = n + int(view.options.get("failed_challenge_extra", 2))
    name = name_of(model, four.seat) if four is not None else _("the other player")
    color = cards.color_label(four.before, caps) if four is not None and four.before is not None else ""
    key = max(text_width(_("challenge")), text_width(_("accept"))) + 1
    held = _("{name} held {color}: {name} takes {n}") if color else _("{name} was not allowed to: {name} takes {n}")
    not_held = _("{name} held no {color}: you take {n}") if color else _("{name} was allowed to: you take {n}")
    rows: list[tuple[str, str, str]] = [
        ("c", _("challenge"), held.format(name=name, color=color, n=n)),
        ("", "", not_held.format(name=name, color=color, n=more)),
        ("a", _("accept"), _("you take {n} and lose your turn").format(n=n)),
        ("h", _("hand"), _("look at your hand first")),
    ]
    lines: list[Line] = []
    if color:
        lines.append([("", " " + caps.text(_("The colour before the +4 was {color}.").format(color=color)))])
    lines += [[("class:hint.key", f" {k or ' '}  "), ("class:name", fit_text(word, key)), ("", f" {text} ")]
              for k, word, text in rows]  # fmt: skip
    if model.world.limit:
        lines.append([("class:dim", " " + _("Without an answer the +4 is accepted when the time is up."))])
    return [fit(line, width - 6) if width_of(line) > width - 6 else line for line in lines]


def _form(form: Form, caps: Caps) -> list[Line]:
    label = max(text_width(field.label) for field in form.fields) + 2
    lines: list[Line] = []
    for index, field in enumerate(form.fields):
        marked = index == form.at
        value = f"< {field.shown} >" if marked else f"  {field.shown}  "
        sign = caps.signs.here if marked else " "
        lines.append([("class:name" if marked else "", f" {sign} {fit_text(field.label, label)}"),
                      ("class:row.selected" if marked else "", fit_text(value, 18)), ("", " ")])  # fmt: skip
    return lines


# -- help -------------------------------------------------------------------------------------------------------


def _help(dialog: Help, size: Size, caps: Caps) -> list[Line]:
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
        return _framed(_("Keys"), lines, _("Esc or ? closes"), size, caps)
    first = min(dialog.at, len(lines) - room)
    return _framed(_("Keys"), lines[first : first + room], caps.text(_("↑↓ more   Esc or ? closes")), size, caps)


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
