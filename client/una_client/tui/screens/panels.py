"""Parts that several screens share: the log, the players, the table's centre."""

from __future__ import annotations

from typing import Final

from una_protocol.view import Player, View

from ...i18n import _, ngettext
from .. import cards
from ..layout import Line, Size, beside, fit, fit_text, page, remote, text_width, width_of, wrap
from ..model import Model
from ..prompt import to_ascii
from ..theme import UNICODE, Caps

_LOG_STYLE = {"event": "class:log", "chat": "class:log.chat", "turn": "class:log.turn", "error": "class:bad"}


_HARD_BLANK: Final = "\u00a0"


def _kept_together(text: str) -> str:
    """The text with cards that no line break divides."""
    for sign in UNICODE.colors.values():
        text = text.replace(f"{sign} ", sign + _HARD_BLANK)
    return text


def log_rows(model: Model, width: int, height: int, up: int, caps: Caps) -> list[Line]:
    """The lines of the log that end `up` entries before the newest, as many as fit."""
    log = model.world.log
    rows: list[Line] = []
    for entry in reversed(log[: len(log) - up]):
        if len(rows) >= height:
            break
        text = to_ascii(_kept_together(f"{entry.clock} {remote(entry.text)}".strip()), caps)
        parts = (part.replace(_HARD_BLANK, " ") for part in wrap(text, width - 1))
        rows = [[(_LOG_STYLE[entry.kind], " " + part)] for part in parts] + rows
    return rows[-height:] if height > 0 else []


def log_lines(model: Model, width: int, height: int, caps: Caps) -> list[Line]:
    """The newest lines of the log that fit, or older ones after scrolling, with a mark of what is new below."""
    if not model.scroll:
        return log_rows(model, width, height, 0, caps)
    room = height - 1
    rows = log_rows(model, width, room, model.scroll, caps)
    if height > 0:
        rows += [[("", "")] for _row in range(room - len(rows))]
        new = max(0, len(model.world.log) - model.seen)
        text = ngettext("{n} new", "{n} new", new).format(n=new) if new else _("{n} below").format(n=model.scroll)
        rows.append([("class:hint.key", f" {caps.signs.more_below} {text}")])
    return rows


# -- the players ------------------------------------------------------------------------------------------------


def in_order(view: View) -> list[Player]:
    """The players in the order of the screen: the viewer first, then by seat."""
    players = list(view.players)
    start = next((i for i, player in enumerate(players) if player.seat == view.you), 0)
    return players[start:] + players[:start]


def player_notes(view: View, player: Player, *, short: bool = False) -> tuple[str, str]:
    """(style, text) of what is special about a player now."""
    if player.status == "left":
        return "class:dim", _("left")
    if player.seat in view.catchable:
        return "class:bad", _("forgot!") if short else _("! forgot una")
    if player.una:
        return "class:una", _("una!")
    if player.seat == view.you and player.cards == 2 and view.my_turn and view.options.get("una_penalty", 2):
        return "class:una", _("una!?") if short else _("una is due next")
    if player.status == "lost":
        return "class:bad", _("lost") if short else _("connection lost")
    if player.status == "away":
        return "class:dim", _("bot") if short else _("away, a bot plays")
    return "", ""


def player_line(view: View, player: Player, width: int, caps: Caps, *, words: bool, note: bool) -> Line:
    """A player in one line: whose turn, name, number of cards, score; with `note` what is special too."""
    turn = player.seat == view.turn_seat and view.stage == "playing"
    name = _("You") if player.seat == view.you else remote(player.name)
    count = ngettext("{n} card", "{n} cards", player.cards).format(n=player.cards) if words else str(player.cards)
    right = f"{fit_text(count, 9, '>')}{player.score:>5}" if words else f"{count:>3}{player.score:>6}"
    style, text = player_notes(view, player, short=True) if note else ("", "")
    room = width - 4 - text_width(right) - (text_width(text) + 1 + words if text else 0)
    line: Line = [("class:prompt.turn" if turn else "", f" {caps.signs.here if turn else ' '} ")]
    line.append(("class:name" if turn else "", fit_text(name, max(1, room), more=caps.signs.more)))
    if text:
        line += [("", " "), (style, text)]
    right = f" {right}" if text and words else right
    return [*line, ("", right + " ")]


def players_panel(view: View, size: Size, caps: Caps) -> list[Line]:
    """All players; one to three lines for each, as there is room."""
    players = in_order(view)
    each = max(1, min(3, size.height // max(1, len(players))))
    lines: list[Line] = []
    for player in players:
        lines.append(player_line(view, player, size.width, caps, words=size.width >= 26 and each > 1, note=each == 1))
        if each == 1:
            continue
        style, text = player_notes(view, player)
        backs = ("|" if caps.ascii else "▌") * min(player.cards, size.width - 8) if each == 3 else ""
        lines.append([("class:dim", "     " + backs + ("  " if backs and text else "")), (style, text)])
        if each == 3:
            lines.append([("", "")])
    return [fit(line, size.width) for line in lines]


# -- the table --------------------------------------------------------------------------------------------------


def pending_text(view: View) -> str:
    """What is pending, and on whom."""
    if not view.pending:
        return _("no penalty")
    if view.turn_seat == view.you and view.you is not None:
        return _("+{n} on you").format(n=view.pending)
    name = remote(view.name_of(view.turn_seat)) if view.turn_seat is not None else ""
    return _("+{n} on {name}").format(n=view.pending, name=name)


def table_panel(model: Model, view: View, size: Size, caps: Caps, now: float) -> list[Line]:
    """The two piles, the colour in force in words, what is pending, the direction, what was laid before."""
    large = size.height >= 13 and size.width >= 24
    draw, fresh = cards.back(caps, large=large), model.world.fresh.laid(now)
    top = (cards.big if large else cards.small)(view.top, caps, selected=fresh) if view.top is not None else draw
    width = cards.BIG_WIDTH if large else cards.SMALL_WIDTH
    gap: list[Line] = [[("", " " * (3 if large else 1))] for _row in draw]
    edge: list[Line] = [[("", "  " if large else " ")] for _row in draw]
    pile, _blank, discards = _("draw discard").partition(" ")  # names of piles; as a deed `draw` is another word
    head = fit_text(pile, width + (3 if large else 1), more=caps.signs.more)
    new: Line = [("class:fresh", f" {caps.signs.fresh}" + (_("new") if large else ""))] if fresh else []
    lines: list[Line] = [[("class:dim", f"{'  ' if large else ' '}{head}{discards}"), *new]]
    lines += beside(edge, draw, gap, top)
    left = ngettext("{n} left", "{n} left", view.draw_pile).format(n=view.draw_pile)
    lines.append([("class:dim", f"{'  ' if large else ' '}{left}")])
    if large:
        lines.append([("", "")])
    color = f"class:card.{view.color}" if view.color is not None else ""
    lines.append([("", " " + _("colour") + " "), (color, f" {cards.color_label(view.color, caps)} ")])
    lines.append([("class:bad" if view.pending else "", " " + pending_text(view))])
    around = _("clockwise") if view.direction == 1 else _("counter-clockwise")
    lines.append([("class:dim", f" {around}")])
    if large and model.world.before:
        labels = ", ".join(cards.label(card, caps) for card in model.world.before)
        lines += [[("", "")], [("class:dim", " " + _("before: {cards}").format(cards=labels))]]
    return page(lines, size)


def table_line(model: Model, view: View, width: int, caps: Caps, now: float) -> Line:
    """The table in one line, for small screens."""
    fresh = model.world.fresh.laid(now)
    line: Line = [("class:fresh" if fresh else "", caps.signs.fresh if fresh else " "), ("", _("top") + " ")]
    line.append(cards.piece(view.top, caps) if view.top is not None else ("", "-"))
    line += [("", "  " + _("colour") + " "), ("class:name", cards.color_label(view.color, caps))]
    line.append(("class:bad" if view.pending else "", "  " + pending_text(view)))
    pile = _("pile {n}").format(n=view.draw_pile)
    arrow = caps.signs.down if view.direction == 1 else caps.signs.up
    rest = f"  {pile}  {arrow}"
    return fit([*line, ("class:dim", rest)] if width_of(line) + text_width(rest) <= width else line, width)


def players_grid(view: View, width: int, caps: Caps) -> list[Line]:
    """All players in two columns, for small screens."""
    players = in_order(view)
    half = (len(players) + 1) // 2
    column = width // 2
    rows: list[Line] = []
    for index in range(half):
        row = player_line(view, players[index], column, caps, words=False, note=True)
        if index + half < len(players):
            row = fit(row, column)
            row += player_line(view, players[index + half], width - column, caps, words=False, note=True)
        rows.append(row)
    return rows
