"""Why something cannot be done now, as a sentence; None where it can. Pure: a view and the pending turn in."""

from __future__ import annotations

from una_protocol.actions import Challenge, Draw, Pass, Play
from una_protocol.cards import COLOR, WILD_DRAW_FOUR, Card
from una_protocol.messages import TurnNow
from una_protocol.view import View

from .i18n import _, ngettext
from .words import card_name, color_name, seat_name


def names_of(view: View) -> dict[int, str]:
    """The raw names at the table by seat number."""
    return {player.seat: player.name for player in view.players}


def why_no_move(view: View, turn: TurnNow | None) -> str | None:
    """Why nothing at all may be done in the round now."""
    if view.you is None:
        return _("You are only watching.")
    if view.stage != "playing":
        return _("No round is running.")
    if view.paused:
        return _("The table is paused.")
    if turn is not None:
        return None
    if view.turn_seat is None or view.turn_seat == view.you:
        return _("Not now.")
    return _("Not your turn: it is {name}'s.").format(name=seat_name(names_of(view), view.turn_seat))


def can_jump_in(view: View, turn: TurnNow | None, card: Card) -> bool:
    """Whether the card may be laid out of turn (rules H1)."""
    return (
        bool(view.options.get("jump_in"))
        and turn is None
        and view.stage == "playing"
        and view.phase == "turn"
        and not view.paused
        and card == view.top
        and COLOR.get(card) is not None
        and card in (view.hand or ())
    )


def why_not(view: View, turn: TurnNow | None, card: Card) -> str | None:
    """Why the card may not be laid now; None where it may."""
    if can_jump_in(view, turn, card):
        return None
    blocked = why_no_move(view, turn)
    if blocked is not None or turn is None:
        return blocked
    if any(isinstance(action, Play) and action.card == card for action in turn.legal):
        return None
    if card not in (view.hand or ()):
        return _("You do not hold {card}.").format(card=card_name(card))
    return _why_it_does_not_fit(view, turn.phase, card)


def _why_it_does_not_fit(view: View, phase: str, card: Card) -> str:
    if phase == "wish":
        return _("Wish a colour first: wish red, green, blue or yellow.")
    if phase == "drawn":
        return _("You have drawn: only the drawn card may be laid now.")
    if phase == "penalty":
        return ngettext(
            "{n} card is pending: {card} does not answer it.", "{n} cards are pending: {card} does not answer them.",
            view.pending,
        ).format(n=view.pending, card=card_name(card))  # fmt: skip
    color = COLOR.get(card)
    unserved = view.options.get("serve_wish") and not view.wish_served and view.color is not None
    if unserved and color != view.color:
        return _("The wish must be served first: only {color} fits.").format(color=color_name(view.color))
    if card == WILD_DRAW_FOUR:
        return _("The wild draw four is not allowed while you hold a card that fits.")
    if view.top is None or COLOR.get(view.top) is None:
        return _("The {card} does not match the wished colour, {color}.").format(
            card=card_name(card), color=color_name(view.color)
        )
    return _("The {card} does not match the {top}.").format(card=card_name(card), top=card_name(view.top))


def why_not_draw(view: View, turn: TurnNow | None) -> str | None:
    """Why nothing may be drawn or taken now."""
    blocked = why_no_move(view, turn)
    if blocked is not None or turn is None:
        return blocked
    if any(isinstance(action, Draw) for action in turn.legal):
        return None
    if turn.phase == "drawn":
        return _("You have drawn already: play the drawn card, or pass.")
    if turn.phase == "wish":
        return _("Wish a colour first: wish red, green, blue or yellow.")
    if any(isinstance(action, Pass) for action in turn.legal):
        return _("There is nothing to draw: pass.")
    return _("One of your cards fits: you must play.")


def why_not_pass(view: View, turn: TurnNow | None) -> str | None:
    """Why passing is not possible now."""
    blocked = why_no_move(view, turn)
    if blocked is not None or turn is None:
        return blocked
    if any(isinstance(action, Pass) for action in turn.legal):
        return None
    if turn.phase == "drawn":
        return _("The drawn card fits: you must play it.")
    return _("You can pass only after drawing, or when there is nothing to draw.")


def why_not_challenge(view: View, turn: TurnNow | None) -> str | None:
    """Why there is nothing to challenge."""
    blocked = why_no_move(view, turn)
    if blocked is not None or turn is None:
        return blocked
    if any(isinstance(action, Challenge) for action in turn.legal):
        return None
    return _("There is nothing to challenge.")


def why_not_una(view: View, turn: TurnNow | None) -> str | None:
    """Why una cannot be called now."""
    if view.you is None or view.stage != "playing":
        return why_no_move(view, turn)
    if view.options.get("una_penalty") == 0:
        return _("This table plays without the una rule.")
    me = view.player(view.you)
    if me is not None and me.una:
        return _("You have said una already.")
    held = len(view.hand or ())
    if held == 1 or (turn is not None and turn.can_una):
        return None
    if held == 2:
        return why_no_move(view, turn) or _("Neither of your two cards may be laid now.")
    return _("Una is called with two cards before laying one, or with one card left.")
