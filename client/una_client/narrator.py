"""The line mode's text: what a reader, a log or a screen reader is told, line by line. Pure.

Full sentences, colours as words, what matters most first; lines are only ever added. What belongs to one move (what
was played, who is skipped, who is next) comes in one line, whatever pieces the network brought it in.
"""

from __future__ import annotations

from typing import Final

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Challenge, Draw, Pass, Play
from una_protocol.text import clean
from una_protocol.view import Player, View

from .commands import hand_order
from .i18n import _, ngettext
from .mirror import LogEntry, TableMirror, Who
from .reasons import names_of
from .sentences import entry_text, score_text
from .words import (
    card_name,
    card_names,
    cards_count,
    color_name,
    in_order,
    points_count,
    seat_name,
    stage_name,
    status_name,
)

_OF_A_MOVE: Final = (
    ev.Played, ev.Drew, ev.Passed, ev.Skipped, ev.Reversed, ev.Wished, ev.UnaCalled, ev.Caught, ev.Challenged, ev.Shown,
    ev.Reshuffled, ev.Timeout, ev.Top,
)  # fmt: skip
"""Events gathered into the line that the next turn, or the end of the round, closes."""
_UNTOLD: Final = (ev.Voted, ev.Ready)


class Narrator:
    """Turns log entries into lines; remembers the line that is not finished, and whose turn was told last.

    `hints`: say what may be typed when it is not our turn.
    """

    def __init__(self, *, hints: bool = True) -> None:
        self.hints = hints
        self._open: set[int] = set()
        self._line: list[str] = []
        self._seat: int | None = None

    def tell(self, entry: LogEntry, view: View | None) -> list[str]:
        """The lines that the entry finishes; `view` is the table after it."""
        what = entry.what
        if isinstance(what, _OF_A_MOVE):
            self._line.append(entry_text(entry))
            if isinstance(what, ev.Played) and view is not None:
                self._few_cards_left(what, entry.who, view)
            return []
        if isinstance(what, ev.Turn):
            return self._turn_told(what, entry.who, view)
        if isinstance(what, _UNTOLD) and not (isinstance(what, ev.Ready) and view and view.stage == "waiting"):
            return []
        lines = self.flush()
        lines.append(entry_text(entry))
        if isinstance(what, ev.RoundOver):
            self._seat = None
            lines += _round_result(what, entry.who)
        elif isinstance(what, ev.MatchOver):
            lines.append(score_text(what.scores, entry.who, final=True))
        return lines

    def flush(self) -> list[str]:
        """Finish the line."""
        line, self._line = " ".join(self._line), []
        return [line] if line else []

    def _turn_told(self, turn: ev.Turn, who: Who, view: View | None) -> list[str]:
        if turn.seat not in (self._seat, who.you):
            self._line.append(_("Next: {name}.").format(name=seat_name(who.names, turn.seat)))
        self._seat = turn.seat
        lines = self.flush()
        anyone = view is not None and view.options.get("una_catcher") == "anyone"
        for seat in sorted(set(turn.catchable) - self._open) if self.hints and who.you is not None else ():
            if seat == who.you:
                lines.append(_("You did not say una: type una, before somebody catches you."))
            elif anyone or turn.seat == who.you:
                lines.append(_("{name} did not say una: type catch.").format(name=seat_name(who.names, seat)))
        self._open = set(turn.catchable)
        return lines

    def _few_cards_left(self, played: ev.Played, who: Who, view: View) -> None:
        player = view.player(played.seat)
        if player is not None and player.cards in (1, 2) and played.seat != who.you:
            self._line.append(
                _("{name} has {cards}.").format(name=seat_name(who.names, played.seat), cards=cards_count(player.cards))
            )


def _round_result(result: ev.RoundOver, who: Who) -> list[str]:
    lines = []
    for seat, hand in enumerate(result.hands):
        if hand and seat in who.names:
            pattern = _("You still held {cards}.") if seat == who.you else _("{name} still held {cards}.")
            lines.append(pattern.format(name=seat_name(who.names, seat), cards=card_names(in_order(hand))))
    if not result.match_over:
        lines.append(score_text(result.scores, who))
        if result.between_ms:
            lines.append(
                _("The next round begins in {n} s, or when all are ready. Type ready.").format(
                    n=result.between_ms // 1000
                )
            )
    return lines


# -- what is read out on request, or when we must decide


def turn_lines(table: TableMirror, now: float) -> list[str]:
    """What we must decide: the first line says what is expected, the last what may be typed."""
    view, turn = table.view, table.turn
    if turn is None:
        return []
    playable = {action.card for action in turn.legal if isinstance(action, Play)}
    count = sum(card in playable for card in view.hand or ())
    lines = [f"{_expected(view, turn)} {top_text(view)} {_hand_text(view, count)}"]
    cards = [
        _("{number} {card}.").format(number=number, card=card_name(card))
        for number, card in enumerate(hand_order(view), 1)
        if card in playable
    ]
    if cards:
        lines.append(" ".join(cards))
    lines.append(f"{_limit_text(table, now)}{_choices(turn)}")
    return lines


def _expected(view: View, turn: m.TurnNow) -> str:
    if turn.phase == "wish":
        return _("Your turn: wish a colour.")
    if turn.phase == "drawn":
        drawn = card_name(view.drawn) if view.drawn is not None else "?"
        return _("You drew {card} and may play it.").format(card=drawn)
    if view.pending:
        if not any(isinstance(action, Play) for action in turn.legal):
            return ngettext(
                "Your turn, and {n} card is pending: take it.", "Your turn, and {n} cards are pending: take them.",
                view.pending,
            ).format(n=view.pending)  # fmt: skip
        return ngettext(
            "Your turn, and {n} card is pending: take it, or answer.",
            "Your turn, and {n} cards are pending: take them, or answer.",
            view.pending,
        ).format(n=view.pending)
    return _("Your turn.")


def top_text(view: View) -> str:
    """The card to be matched, and the colour in force where the card does not show it."""
    if view.top is None:
        return _("There is no top card yet.")
    if view.color is None:
        return _("Top card: {card}; any colour fits.").format(card=card_name(view.top))
    if view.top.startswith("W"):
        return _("Top card: {card}, colour {color}.").format(card=card_name(view.top), color=color_name(view.color))
    return _("Top card: {card}.").format(card=card_name(view.top))


def _hand_text(view: View, playable: int) -> str:
    text = ngettext("You have {cards}, {n} playable.", "You have {cards}, {n} playable.", playable)
    return text.format(cards=cards_count(len(view.hand or ())), n=playable)


def _limit_text(table: TableMirror, now: float) -> str:
    seconds = table.seconds_left(now)
    if seconds is None:
        return ""
    return ngettext("{n} second.", "{n} seconds.", round(seconds)).format(n=round(seconds)) + " "


def _choices(turn: m.TurnNow) -> str:
    may = {type(action) for action in turn.legal}
    if turn.phase == "wish":
        return _("Type red, green, blue or yellow.")
    if turn.phase == "drawn":
        return _("Type play or pass.") if Pass in may else _("Type play.")
    if Challenge in may:
        return _("Type a number, challenge, or accept.") if Play in may else _("Type challenge or accept.")
    if turn.phase == "penalty":
        return _("Type a number, or take.") if Play in may else _("Type take.")
    if Play not in may:
        return _("Type draw.") if Draw in may else _("Type pass.")
    if turn.can_una:
        return _("Type a number and una (like: 1 una), draw, hand, table, help.")
    return _("Type a number, draw, hand, table, say TEXT, help.")


def hand_lines(view: View) -> list[str]:
    """The whole hand, numbered."""
    if view.you is None:
        return [_("You are only watching.")]
    cards = hand_order(view)
    if not cards:
        return [_("You have no cards.")]
    numbered = (_("{number} {card}.").format(number=n, card=card_name(card)) for n, card in enumerate(cards, 1))
    return [_("You have {cards}.").format(cards=cards_count(len(cards))), " ".join(numbered)]


def table_lines(table: TableMirror, now: float) -> list[str]:
    """The table as a whole: whose turn, the top, everybody's cards."""
    view = table.view
    lines = []
    if view.stage == "playing":
        if view.turn_seat is not None:
            pattern = _("It is your turn.") if view.turn_seat == view.you else _("It is {name}'s turn.")
            lines.append(pattern.format(name=seat_name(names_of(view), view.turn_seat)))
        lines.append(f"{top_text(view)} " + _("Draw pile: {cards}.").format(cards=cards_count(view.draw_pile)))
        if view.pending:
            lines.append(_("Pending: {cards}.").format(cards=cards_count(view.pending)))
        if view.direction == -1:
            lines.append(_("Play goes backwards."))
    else:
        lines.append(_("{name}: {phase}.").format(name=clean(view.name), phase=stage_name(view.stage)))
    lines += [_player_text(view, player) for player in view.players]
    if view.watchers:
        lines.append(_("Watching: {names}.").format(names=", ".join(map(clean, view.watchers))))
    if view.paused:
        lines.append(_("The table is paused."))
    return lines


def _player_text(view: View, player: Player) -> str:
    name = _("You") if player.seat == view.you else clean(player.name)
    facts = [cards_count(player.cards)] if view.stage == "playing" else []
    facts.append(points_count(player.score))
    if player.una:
        facts.append(_("said una"))
    if player.level is not None:
        facts.append(_("house bot"))
    elif player.bot:
        facts.append(_("bot"))
    if player.status != "here":
        facts.append(status_name(player.status))
    if player.ready and view.stage != "playing":
        facts.append(_("ready"))
    if player.seat == view.host:
        facts.append(_("host"))
    return _("{number}. {name}: {facts}.").format(number=player.seat + 1, name=name, facts=", ".join(facts))


def score_lines(view: View) -> list[str]:
    """Everybody's score, highest first."""
    players = sorted(view.players, key=lambda player: -player.score)
    return [
        _("{name}: {points}.").format(
            name=_("You") if player.seat == view.you else clean(player.name), points=points_count(player.score)
        )
        for player in players
    ]


def waiting_lines(view: View, where: str) -> list[str]:
    """The waiting room: who is there, how others come in, what to type."""
    lines = [
        _("You are in the waiting room: {name}, rules {profile}.").format(
            name=clean(view.name), profile=clean(view.profile)
        ),
        _("Others join with: una join {address}").format(address=f"{where}/{view.table}"),
    ]
    lines += [_player_text(view, player) for player in view.players]
    if view.you is not None and view.host == view.you:
        lines.append(_("Type bot to seat a house bot, start to begin, help for more."))
    elif view.you is not None:
        lines.append(_("Type ready when you are; the host starts."))
    else:
        lines.append(_("You are watching. Type sit to take a seat, leave to go."))
    return lines


def lobby_lines(rows: list[m.TableRow], server: str) -> list[str]:
    """The tables of the server, numbered."""
    if not rows:
        return [_("There is no table at {server} yet. Type new to open one.").format(server=server)]
    lines = [
        ngettext("{n} table at {server}.", "{n} tables at {server}.", len(rows)).format(n=len(rows), server=server)
    ]
    for number, row in enumerate(rows, 1):
        facts = [
            _("{taken} of {seats} seats taken").format(taken=row.taken, seats=row.seats),
            stage_name(row.phase),
            _("rules {profile}").format(profile=clean(row.profile)),
        ]
        if row.password:
            facts.append(_("password needed"))
        lines.append(
            _("{number}. {name}: {facts}.").format(number=number, name=clean(row.name), facts=", ".join(facts))
        )
    lines.append(_("Type join and a number, watch and a number, or new."))
    if any(row.password for row in rows):
        lines.append(_("Where a password is needed, type it too: join 1 password TEXT."))
    return lines
