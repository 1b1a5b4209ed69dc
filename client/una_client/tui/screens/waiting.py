"""The waiting room: who sits where, the rules in words, how others get in, chat."""

from __future__ import annotations

from una_protocol.view import Player, View

from ...i18n import _
from ..layout import Line, Size, beside, box, fit_text, page, remote, wrap
from ..model import Model
from ..theme import Caps
from .panels import log_lines
from .rules_text import rules_rows


def body(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """Seats and rules side by side, chat below."""
    view = model.view
    if view is None:
        return []
    rules = rules_rows(view)
    wide = size.width >= 80
    seats_width = size.width // 2
    rules_width = size.width - seats_width
    top = min(max(view.seats + 4, len(rules) + 2), size.height - 4)
    frame = caps.signs.panel
    title = _("Seats  {n} of {all}").format(n=len(view.players), all=view.seats)
    seats = _seats(model, view, seats_width - 2, top - 2, caps)
    shown = _rules(rules, rules_width - 2, caps, narrow=not wide)
    rules_title = _("Rules (e changes them)") if view.host == view.you and view.you is not None else _("Rules")
    lines = beside(
        box(title, seats, Size(seats_width, top), frame),
        box(rules_title, shown, Size(rules_width, top), frame),
    )
    chat = size.height - top
    inside = page(log_lines(model, size.width - 2, chat - 2, caps), Size(size.width - 2, chat - 2))
    return [*lines, *box(_("Log & chat"), inside, Size(size.width, chat), frame)]


def join_command(model: Model) -> str:
    """What others type to get to this table."""
    view = model.view
    table = remote(view.table) if view is not None else ""
    return f"una join {remote(model.world.where)}/{table}"


def _seats(model: Model, view: View, width: int, height: int, caps: Caps) -> list[Line]:
    if view.seats > height:
        return _seats_in_two(view, width, caps)
    lines: list[Line] = []
    for seat in range(view.seats):
        player = view.player(seat)
        if player is None:
            lines.append([("class:dim", f" {seat + 1:>2} {caps.signs.unready} " + _("free"))])
        else:
            lines.append(_seat(view, player, width, caps))
    more = [_("Others come by:"), join_command(model)]
    if view.watchers:
        more.insert(0, _("Watching: {names}").format(names=", ".join(map(remote, view.watchers))))
    room = height - len(lines)
    texts = [part for text in more for part in wrap(text, width - 2)]
    if room > len(texts):
        lines.append([("", "")])
    return lines + [[("class:dim", " " + caps.text(text))] for text in texts[-room:]] if room > 0 else lines


def _seats_in_two(view: View, width: int, caps: Caps) -> list[Line]:
    """All seats in two columns, where there are more of them than rows."""
    half = (view.seats + 1) // 2
    column = width // 2
    lines: list[Line] = []
    for row in range(half):
        line: Line = []
        for seat in (row, row + half):
            player = view.player(seat) if seat < view.seats else None
            ready = player is not None and (player.ready or player.bot)
            name = _("free") if player is None else remote(player.name)
            text = (
                f"{seat + 1:>2}{caps.signs.ready if ready else caps.signs.unready}{name}" if seat < view.seats else ""
            )
            style = "class:dim" if player is None else "class:name" if seat == view.you else ""
            line.append((style, " " + fit_text(text, column - 1, more=caps.signs.more)))
        lines.append(line)
    return lines


def _seat(view: View, player: Player, width: int, caps: Caps) -> Line:
    ready = player.ready or player.bot
    you = player.seat == view.you
    mark = caps.signs.ready if ready else caps.signs.unready
    name = _("You ({name})").format(name=remote(player.name)) if you else remote(player.name)
    words: list[str] = []
    if player.seat == view.host:
        words.append(_("host"))
    if player.bot:
        words.append(remote(player.level) if player.level else _("bot"))
    elif player.status == "lost":
        words.append(_("connection lost"))
    elif not player.ready and player.seat != view.host:
        words.append(_("not ready"))
    note = ", ".join(words)
    room = max(8, min(22, width - 6 - len(note) - 2))
    name = fit_text(name, room, more=caps.signs.more)
    return [("class:name" if you else "", f" {player.seat + 1:>2} {mark} {name} "), ("class:dim", note)]


def _rules(rules: list[tuple[str, str]], width: int, caps: Caps, *, narrow: bool) -> list[Line]:
    label = min(18 if not narrow else 14, max(len(name) for name, _value in rules) + 1)
    return [
        [("class:dim", " " + fit_text(name, label, more=caps.signs.more) + " "),
         ("", caps.text(fit_text(value, max(1, width - label - 2), more=caps.signs.more)))]
        for name, value in rules
    ]  # fmt: skip
