"""The end of a round, or of the match: hands, points, totals, and the rounds so far."""

from __future__ import annotations

from una_protocol.cards import POINTS
from una_protocol.events import RoundOver
from una_protocol.view import Player, View

from ...i18n import _, ngettext
from .. import cards, hand
from ..layout import Line, Size, cut, fit, fit_text, page, remote, width_of, wrap
from ..model import Model
from ..theme import Caps
from .panels import log_lines

NAME = 16


def body(model: Model, size: Size, caps: Caps, now: float) -> list[Line]:
    """Headline, one line per player, the rounds, the log below."""
    view = model.view
    if view is None or view.result is None:
        return []
    result = view.result
    lines: list[Line] = [[("class:title", f"  {headline}")] for headline in headlines(view, result)]
    if size.height > len(view.players) + 8:
        lines.append([("", "")])
    right = 16 if size.width < 80 else 28
    hands = size.width - 5 - NAME - right
    lines.append([("class:dim", f"    {fit_text(_('Player'), NAME)} {fit_text(_('Cards left in hand'), hands)}"
                                f"{fit_text(_('Points'), 7, '>')}{fit_text(_('Total'), 7, '>')}")])  # fmt: skip
    players = sorted(view.players, key=lambda p: _rank(view, result, p))
    most = max([player.score for player in players] + [1])
    for place, player in enumerate(players, 1):
        lines.append(_player(view, result, player, place, hands, most, size.width, caps))
    if size.height > len(lines) + 6:
        lines += [[("", "")], *_sums(view, result, size.width, caps)]
    rounds = _rounds(model, view, size.width, caps)
    if rounds and size.height - len(lines) > len(rounds) + 1:
        lines += [[("", "")], *rounds]
    marks = _highlights(model, view, caps)
    if marks and size.height - len(lines) > len(marks) + 6:
        lines += [[("", "")], *marks]
    left = size.height - len(lines) - 1
    if left > 0:
        rule: Line = [("class:rule", caps.signs.rule * size.width)]
        lines += [rule, *log_lines(model, size.width - 2, left, caps)]
    return page(lines, size)


def _sums(view: View, result: RoundOver, width: int, caps: Caps) -> list[Line]:
    """What each hand was worth, and what cards count."""
    worth = [
        _("{name} {n}").format(name=_who(view, seat), n=sum(POINTS.get(card, 0) for card in held))
        for seat, held in enumerate(result.hands)
        if held
    ]
    bonus = view.options.get("going_out_bonus", 0)
    if worth and bonus and result.winner is not None and view.options.get("scoring", "winner") == "winner":
        worth.append(_("for going out {n}").format(n=bonus))
    faces = caps.signs.faces
    told = _("Numbers count what they show, {skip} {reverse} +2: 20, wild cards: 50.").format(
        skip=faces["S"], reverse=faces["R"]
    )
    texts = [" + ".join(worth), told] if worth else [told]
    return [[("class:dim", "  " + part)] for text in texts for part in wrap(text, width - 4, "")]


def headlines(view: View, result: RoundOver) -> list[str]:
    """Who won the round, and the match where it is over."""
    lines: list[str] = []
    if result.winner is None:
        lines.append(_("Nobody can move any more: the round ends without a winner."))
    else:
        points = _of(result.points, result.winner)
        text = (
            ngettext("You go out and score {n} point.", "You go out and score {n} points.", points)
            if result.winner == view.you
            else ngettext("{name} goes out and scores {n} point.", "{name} goes out and scores {n} points.", points)
        )
        lines.append(text.format(name=remote(view.name_of(result.winner)), n=points))
    if view.winners is not None:
        names = ", ".join(remote(view.name_of(seat)) for seat in view.winners)
        if view.you is not None and view.you in view.winners:
            lines.append(_("YOU WIN THE MATCH!"))
        else:
            lines.append(_("{names} wins the match.").format(names=names) if names else _("Nobody wins the match."))
    return lines


def _of(values: tuple[int, ...], seat: int) -> int:
    return values[seat] if seat < len(values) else 0


def _rank(view: View, result: RoundOver, player: Player) -> tuple[int, int, int]:
    low_wins = view.options.get("scoring") == "losers"
    return (player.status == "left", player.score if low_wins else -player.score, player.seat)


def _player(
    view: View, result: RoundOver, player: Player, place: int, hands: int, most: int, width: int, caps: Caps
) -> Line:
    held = result.hands[player.seat] if player.seat < len(result.hands) else ()
    points = _of(result.points, player.seat)
    name = _("You") if player.seat == view.you else remote(player.name)
    pieces: Line = []
    for card in hand.ordered(held, "color"):
        pieces += [cards.piece(card, caps), ("", "  ")]
    if not held:
        pieces = [("class:dim", caps.text("—") if player.status != "left" else _("left"))]
    if width_of(pieces) > hands - 1:  # say how many there are where not all can be shown
        count = ngettext("… {n} card", "… {n} cards", len(held)).format(n=len(held))
        pieces = [*cut(pieces, 0, hands - 3 - len(count)), ("", " "), ("class:dim", caps.text(count))]
    line: Line = [
        (
            "class:name" if player.seat == result.winner else "",
            f" {place:>2} {fit_text(name, NAME, more=caps.signs.more)} ",
        ),
        *fit(pieces, hands),
        ("class:good" if points else "", fit_text(f"+{points}" if points else "0", 7, ">")),
        ("class:name", fit_text(str(player.score), 7, ">")),
    ]  # fmt: skip
    if width >= 80:
        line.append(("class:dim", "  " + caps.signs.bar * round(10 * max(0, player.score) / most)))
    return line


def _rounds(model: Model, view: View, width: int, caps: Caps) -> list[Line]:
    rounds = model.world.rounds
    if len(rounds) < 2:
        return []
    room = max(1, (width - NAME - 4) // 6)
    first = max(0, len(rounds) - room)
    head = "".join(fit_text(str(index + 1), 6, ">") for index in range(first, len(rounds)))
    lines: list[Line] = [[("class:dim", f"    {fit_text(_('Round'), NAME)}{head}")]]
    for player in view.players:
        name = _("You") if player.seat == view.you else remote(player.name)
        row = "".join(fit_text(str(_of(points, player.seat)), 6, ">") for points in rounds[first:])
        lines.append([("", f"    {fit_text(name, NAME, more=caps.signs.more)}{row}")])
    return lines


def _highlights(model: Model, view: View, caps: Caps) -> list[Line]:
    """What was remarkable in the round."""
    told = model.world.highlights
    if not told.turns:
        return []
    rows: list[tuple[str, str]] = []
    if told.longest is not None:
        seat, n = told.longest
        rows.append((_("longest hand"), ngettext("{name}, {n} card", "{name}, {n} cards", n).format(
            name=_who(view, seat), n=n)))  # fmt: skip
    if told.penalty is not None:
        seat, n = told.penalty
        rows.append((_("biggest penalty"), _("{name}, +{n}").format(name=_who(view, seat), n=n)))
    if told.caught:
        pairs = (_("{name} by {by}").format(name=_who(view, seat), by=_who(view, by)) for seat, by in told.caught)
        rows.append((_("una caught"), ", ".join(pairs)))
    parts = [ngettext("{n} turn", "{n} turns", told.turns).format(n=told.turns)]
    if told.reshuffles:
        parts.append(ngettext("{n} reshuffle", "{n} reshuffles", told.reshuffles).format(n=told.reshuffles))
    if told.seconds is not None:
        parts.append(_("{m}:{s} minutes").format(m=int(told.seconds) // 60, s=f"{int(told.seconds) % 60:02}"))
    rows.append((_("the round"), f" {caps.signs.dot} ".join(parts)))
    lines: list[Line] = [[("class:title", "  " + _("Highlights"))]]
    return lines + [[("class:dim", f"    {fit_text(name, NAME)} "), ("", text)] for name, text in rows]


def _who(view: View, seat: int) -> str:
    return _("You") if seat == view.you else remote(view.name_of(seat))
