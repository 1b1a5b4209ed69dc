"""What is typed to play: cards, draws, wishes, calls and challenges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Wish
from una_protocol.cards import Card
from una_protocol.view import View

from .. import reasons
from ..i18n import _
from ..playing import find_color, find_seat, parse_play
from ..words import card_name, seat_name
from .intents import Intent, Parser, Refusal, Situation, act


def name_a_card() -> Refusal:
    """No card was named."""
    return Refusal(_("Name a card: its number, or like {example}.").format(example=card_name(Card("R7"))))


def play(words: list[str], situation: Situation) -> Intent:
    """Lay a card."""
    view = situation.view
    assert view is not None
    played = parse_play(words, view, situation.turn, situation.hand)
    if played is None:
        return name_a_card()
    return Refusal(played) if isinstance(played, str) else act(situation, played)


def simple(why: Callable[[View, m.TurnNow | None], str | None], action: Action) -> Parser:
    """An action without a choice, or why (`why`) it cannot be done now."""

    def parse_it(words: list[str], situation: Situation) -> Intent:
        assert situation.view is not None
        reason = why(situation.view, situation.turn)
        return act(situation, action, any_time=action is UNA) if reason is None else Refusal(reason)

    return parse_it


def accept(words: list[str], situation: Situation) -> Intent:
    """Take the pending cards of a draw four."""
    if situation.turn is not None and situation.turn.phase != "penalty":
        return Refusal(_("There is nothing to accept."))
    return draw(words, situation)


def wish(words: list[str], situation: Situation) -> Intent:
    """A colour for a wild card that was turned up first."""
    view, turn = situation.view, situation.turn
    assert view is not None
    color = find_color(words[0]) if words else None
    if color is None:
        return Refusal(_("Name a colour: red, green, blue or yellow."))
    if (blocked := reasons.why_no_move(view, turn)) is not None:
        return Refusal(blocked)
    if turn is None or turn.phase != "wish":
        return Refusal(_("There is no colour to wish now; a wild card is laid with its colour."))
    return act(situation, Wish(color))


def catch(words: list[str], situation: Situation) -> Intent:
    """Catch who forgot una; where it is clear who, without a name."""
    view = situation.view
    assert view is not None
    if view.you is None:
        return Refusal(_("You are only watching."))
    open_seats = [seat for seat in view.catchable if seat != view.you]
    if not words:
        if not open_seats:
            return Refusal(_("There is nobody to catch."))
        if len(open_seats) > 1:
            names = ", ".join(seat_name(situation.names, seat) for seat in open_seats)
            return Refusal(_("Catch whom? {names}").format(names=names))
        return act(situation, Catch(open_seats[0]), any_time=True)
    seat = find_seat(words, view)
    if isinstance(seat, str):
        return Refusal(seat)
    if seat not in open_seats:
        return Refusal(_("{name} cannot be caught.").format(name=seat_name(situation.names, seat)))
    return act(situation, Catch(seat), any_time=True)


draw: Final = simple(reasons.why_not_draw, DRAW)
keep: Final = simple(reasons.why_not_pass, PASS)
call_una: Final = simple(reasons.why_not_una, UNA)
challenge: Final = simple(reasons.why_not_challenge, CHALLENGE)
