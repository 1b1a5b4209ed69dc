"""Boxes over the body: pickers, the challenge, questions, menus, the lost connection. Forms and texts: `papers`."""

from __future__ import annotations

import math

from una_protocol.cards import WILD_DRAW_FOUR, Color
from una_protocol.view import View

from ...i18n import _, ngettext
from .. import cards, hand
from ..acts_play import COLORS_SHOWN, color_letters
from ..expects import catch_hint, spinner
from ..layout import Line, Size, box, cut_text, fit, fit_text, text_width, width_of, wrap
from ..model import (
    AskChallenge,
    AskVote,
    AskWhich,
    Confirm,
    Form,
    Help,
    History,
    Ladder,
    Menu,
    Model,
    PickColor,
    PickSeat,
    Retrying,
)
from ..prompt import suggested, to_ascii
from ..reasons import answer as why_no_answer
from ..reasons import name_of
from ..theme import Caps
from . import papers


def render(model: Model, size: Size, caps: Caps, now: float) -> list[Line] | None:
    """The dialog that is open, framed; None where there is none."""
    dialog, view = model.dialog, model.view
    match dialog:
        case Help():
            return framed(*papers.help_paper(dialog, size, caps), size, caps)
        case History():
            return framed(*papers.history_paper(model, dialog, size, caps), size, caps)
        case Ladder():
            return framed(*papers.ladder_paper(model, dialog, size, caps), size, caps)
        case Form():
            return framed(*papers.form_paper(dialog, size, caps), size, caps)
        case Menu():
            return framed(_("What else"), _menu(dialog, size, caps), _("Enter: do it   Esc: close"), size, caps)
        case Confirm(question=question, consequence=consequence):
            lines = [[("", f" {to_ascii(part, caps)} ")] for part in wrap(consequence, min(62, size.width - 8))]
            return framed(question, lines, _("y: yes   n: no"), size, caps)
        case None if model.world.lost is not None:
            return _lost(model, model.world.lost, size, caps, now)
    if view is None:
        return None
    match dialog:
        case PickColor():
            what = cards.label(dialog.card, caps) if dialog.card is not None else caps.text(_("the first card"))
            return framed(_("Colour for {card}").format(card=what), _colors(model, view, dialog.at, caps),
                           _("Esc: keep the card") if dialog.card is not None else "", size, caps)  # fmt: skip
        case PickSeat():
            return framed(_("Swap hands with"), _seats(model, view, dialog, caps), _("Esc: keep the card"), size, caps)
        case AskChallenge():
            return framed(_challenge_title(model, caps), _challenge(model, view, caps, size.width),
                           _("keys are ignored for the first 0.3 s"), size, caps)  # fmt: skip
        case AskVote():
            return framed(_("An accusation"), _vote(model, view, size, caps, now), _("Esc: later"), size, caps)
        case AskWhich():
            lines = [[("", " 1  " + _("challenge the +4"))], [("", f" 2  {catch_hint(model)}")]]
            return framed(_("Two things are possible"), lines, _("Esc: neither"), size, caps)
    return None


def _menu(menu: Menu, size: Size, caps: Caps) -> list[Line]:
    room = size.height - 4
    first = max(0, min(menu.at - room // 2, len(menu.items) - room))
    lines: list[Line] = []
    for index, item in list(enumerate(menu.items))[first : first + room]:
        at = index == menu.at
        number = str(index + 1) if index < 9 else " "
        label = fit_text(item.label, min(44, size.width - 14), more=caps.signs.more)
        lines.append([("class:name" if at else "", f" {caps.signs.here if at else ' '} {number} "),
                      ("class:row.selected" if at else "", label), ("", " ")])  # fmt: skip
    return lines


def _lost(model: Model, lost: Retrying, size: Size, caps: Caps, now: float) -> list[Line]:
    """The connection is lost: how often it was tried, when again, what becomes of the seat."""
    left = 0 if lost.next_at is None else max(0, math.ceil(lost.next_at - now))
    texts = [
        _("Attempt {n}, next try in {s} s.").format(n=lost.attempt, s=left)
        if left
        else spinner(caps, -1.0, now) + _("Attempt {n}: connecting …").format(n=lost.attempt)
    ]
    view = model.view
    if view is not None and view.you is not None and lost.held_until is not None:
        held = max(0, math.ceil(lost.held_until - now))
        clock = _("{h} h {m} min").format(h=held // 3600, m=held // 60 % 60) if held >= 3600 else ""
        clock = clock or f"{held // 60}:{held % 60:02}"
        meanwhile = {
            "bot": _("Your seat is held for {time}; a bot plays for it meanwhile."),
            "wait": _("Your seat is held for {time}; the table waits for you."),
        }.get(view.away, _("Your seat is held for {time}."))
        texts.append(meanwhile.format(time=clock) if held else _("Your seat may be gone by now."))
    texts.append(_("Nothing that you typed is lost."))
    wide = min(56, size.width - 8)
    lines: list[Line] = [[("", f" {part} ")] for text in texts for part in wrap(caps.text(text), wide, "")]
    foot = _("Enter: retry now") if model.input is None else _("Esc, then Enter: retry now")
    return framed(_("Reconnecting"), lines, foot, size, caps)


def _vote(model: Model, view: View, size: Size, caps: Caps, now: float) -> list[Line]:
    asked = view.accusation
    if asked is None:
        return []
    by, name = name_of(model, asked.by), name_of(model, asked.seat)
    penalty = int(view.options.get("advice_penalty", 0))
    cost = ngettext("guilty: {name} draws {n} card", "guilty: {name} draws {n} cards", penalty)
    deadline = model.world.vote_deadline
    lines: list[Line] = [
        [("", " " + _("{by} says that {name} has advised another player.").format(by=by, name=name) + " ")],
        [("class:hint.key", f" {_('y')}  "), ("", cost.format(name=name, n=penalty) + " ")],
        [("class:hint.key", " n  "), ("", _("not guilty") + " ")],
    ]
    if deadline is not None:
        left = max(0, math.ceil(deadline - now))
        lines.append([("class:dim", " " + _("Who does not vote within {n} s has no say.").format(n=left) + " ")])
    return [fit(line, size.width - 6) if width_of(line) > size.width - 6 else line for line in lines]


def framed(title: str, lines: list[Line], foot: str, size: Size, caps: Caps) -> list[Line]:
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
    line: Line = [("class:name" if marked else "", f" {caps.signs.here if marked else ' '} {index + 1} "),
                  ("class:hint.key", f"{color_letters()[color]} ")]  # fmt: skip
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
    name = cut_text(name, 8 if width < 70 else 24, caps.signs.more)
    color = cards.color_label(four.before, caps) if four is not None and four.before is not None else ""
    key = max(text_width(_("challenge")), text_width(_("accept")), text_width(_("answer"))) + 1
    held = _("{name} held {color}: {name} takes {n}") if color else _("{name} was not allowed to: {name} takes {n}")
    not_held = _("{name} held no {color}: you take {n}") if color else _("{name} was allowed to: you take {n}")
    rows: list[tuple[str, str, str]] = [
        ("c", _("challenge"), held.format(name=name, color=color, n=n)),
        ("", "", not_held.format(name=name, color=color, n=more)),
        ("a", _("accept"), _("you take {n} and lose your turn").format(n=n)),
    ]
    if why_no_answer(model) is None:
        rows.append(("p", _("answer"), _("lay a card that passes it on")))
    rows.append(("h", _("hand"), _("look at your hand first")))
    lines: list[Line] = []
    if color:
        lines.append([("", " " + caps.text(_("The colour before the +4 was {color}.").format(color=color)))])
    lines += [[("class:hint.key", f" {k or ' '}  "), ("class:name", fit_text(word, key)), ("", f" {text} ")]
              for k, word, text in rows]  # fmt: skip
    if model.world.limit:
        text = _("Without an answer the +4 is accepted when the time is up.")
        lines += [[("class:dim", " " + part)] for part in wrap(text, width - 8, "")]
    return [fit(line, width - 6) if width_of(line) > width - 6 else line for line in lines]
