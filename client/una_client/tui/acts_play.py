"""What the keys of a round do: select, play, draw, una, challenge, and the pickers. See `actions`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Play, Wish
from una_protocol.cards import COLORS, Card, Color

from ..i18n import _, ngettext
from . import cards, hand, reasons
from .model import AskChallenge, AskWhich, Confirm, Form, Help, Menu, Model, PickColor, PickSeat, Step


def act(model: Model, do: Action) -> Step:
    """Send an action that answers the decision shown; the answer to an older one costs nothing (stale_turn)."""
    view = model.view
    if view is None:
        return model, ()
    turn = model.world.turn.turn if model.world.turn is not None else view.turn
    number = None if isinstance(do, Catch) or do == UNA else turn
    world = model.world if number is None else replace(model.world, sent=do)
    return replace(model, world=world, dialog=None, armed=False), (m.Act(0, view.table, do, turn=number),)


# -- the hand ---------------------------------------------------------------------------------------------------


def _select(model: Model, index: int) -> Step:
    return replace(model, selected=max(0, min(index, len(model.cards) - 1))), ()


def select_left(model: Model, key: str, now: float) -> Step:
    """One card to the left."""
    return _select(model, min(model.selected, len(model.cards) - 1) - 1)


def select_right(model: Model, key: str, now: float) -> Step:
    """One card to the right."""
    return _select(model, model.selected + 1)


def select_first(model: Model, key: str, now: float) -> Step:
    """The first card."""
    return _select(model, 0)


def select_last(model: Model, key: str, now: float) -> Step:
    """The last card."""
    return _select(model, len(model.cards) - 1)


def select_number(model: Model, key: str, now: float) -> Step:
    """The card of this number; 0 is the tenth."""
    index = 9 if key == "0" else int(key) - 1
    if index >= len(model.cards):
        count = len(model.cards)
        note = ngettext("You have {n} card.", "You have {n} cards.", count).format(n=count)
        return replace(model, note=note), ()
    return _select(model, index)


def _next_playable(model: Model, step: int) -> Step:
    held = model.cards
    for distance in range(1, len(held) + 1):
        index = (model.selected + step * distance) % len(held)
        if model.plays(held[index]):
            return _select(model, index)
    return model, ()


def select_next_playable(model: Model, key: str, now: float) -> Step:
    """The next card that may be laid."""
    return _next_playable(model, 1)


def select_previous_playable(model: Model, key: str, now: float) -> Step:
    """The card before that may be laid."""
    return _next_playable(model, -1)


def sort(model: Model, key: str, now: float) -> Step:
    """Sort by rank instead of colour, or back; the same card stays selected."""
    card = model.card
    model = replace(model, sort="rank" if model.sort == "color" else "color")
    return (model if card is None else replace(model, selected=model.cards.index(card))), ()


# -- the turn ---------------------------------------------------------------------------------------------------


def play(model: Model, key: str, now: float) -> Step:
    """Lay the selected card; ask first for a colour, a partner, or whether to pay the penalty."""
    if any(isinstance(action, Wish) for action in model.legal):
        return _ask_color(model, None)
    card = model.card
    if card is None:
        return model, ()
    ways = model.plays(card)
    if not ways:
        return _ask_penalty(model, card)
    if any(way.color is not None for way in ways):
        return _ask_color(model, card)
    seats = tuple(way.swap_with for way in ways if way.swap_with is not None)
    if seats:
        return replace(model, dialog=PickSeat(card, seats)), ()
    return lay(model, ways[0])


def lay(model: Model, way: Play) -> Step:
    """Send a play, with the call of una where it was armed."""
    return act(model, Play(way.card, way.color, way.swap_with, model.armed and len(model.cards) == 2))


def _ask_color(model: Model, card: Card | None) -> Step:
    suggested = COLORS_SHOWN.index(hand.best_color(model.view)) if model.view is not None else 0
    return replace(model, dialog=PickColor(card, suggested)), ()


def _ask_penalty(model: Model, card: Card) -> Step:
    count = int(model.view.options.get("illegal_card_penalty", 0)) if model.view is not None else 0
    name = cards.label(card, reasons.CAPS)
    question = _("{card} does not fit. Play it anyway?").format(card=name)
    cost = ngettext(
        "It comes back to your hand, and you draw {n} card.",
        "It comes back to your hand, and you draw {n} cards.",
        count,
    ).format(n=count)
    __, intents = lay(model, Play(card, "red" if card.startswith("W") else None))
    return replace(model, dialog=Confirm(question, cost, intents)), ()


def draw(model: Model, key: str, now: float) -> Step:
    """Draw a card, or take the pending ones."""
    return act(model, DRAW)


def keep(model: Model, key: str, now: float) -> Step:
    """Keep the drawn card."""
    return act(model, PASS)


def una(model: Model, key: str, now: float) -> Step:
    """Call una at once with one card; with two, arm or disarm the call that goes out with the card."""
    if len(model.cards) == 1:
        return act(model, UNA)
    return replace(model, armed=not model.armed), ()


def challenge(model: Model, key: str, now: float) -> Step:
    """Challenge the draw four, or catch who forgot una; ask where both are possible."""
    if model.may_challenge and model.catchable and not isinstance(model.dialog, AskChallenge):
        return replace(model, dialog=AskWhich(model.catchable[0])), ()
    return act(model, CHALLENGE) if model.may_challenge else act(model, Catch(model.catchable[0]))


def which_challenge(model: Model, key: str, now: float) -> Step:
    """Of the two, challenge."""
    return act(model, CHALLENGE)


def which_catch(model: Model, key: str, now: float) -> Step:
    """Of the two, catch."""
    return act(model, Catch(model.dialog.seat)) if isinstance(model.dialog, AskWhich) else (model, ())


def answer(model: Model, key: str, now: float) -> Step:
    """Answer the draw four by a card: close the question and go to the first card that does."""
    model = replace(model, dialog=None)
    index = next((i for i, card in enumerate(model.cards) if model.plays(card)), model.selected)
    return replace(model, selected=index), ()


def _vote(model: Model, guilty: bool) -> Step:
    view = model.view
    if view is None or view.accusation is None:
        return model, ()
    return replace(model, dialog=None), (m.Vote(0, view.table, view.accusation.seat, guilty=guilty),)


def vote_guilty(model: Model, key: str, now: float) -> Step:
    """The accused has advised."""
    return _vote(model, True)


def vote_free(model: Model, key: str, now: float) -> Step:
    """The accused has not advised."""
    return _vote(model, False)


# -- the pickers ------------------------------------------------------------------------------------------------

COLORS_SHOWN: Final[tuple[Color, ...]] = ("red", "yellow", "green", "blue")
"""The colours in the order of the picker, which is that of the hand."""


def _pick_color(model: Model, color: Color) -> Step:
    dialog = model.dialog
    if not isinstance(dialog, PickColor):
        return model, ()
    if dialog.card is None:
        return act(model, Wish(color))
    return lay(model, Play(dialog.card, color))


def color_letters() -> dict[Color, str]:
    """The letter of each colour in the user's language: its first one that no other colour has (gelb: e, grün: g)."""
    letters: dict[Color, str] = {}
    for color in reversed(COLORS_SHOWN):
        word = cards.color_word(color).casefold()
        letters[color] = next((char for char in word if char not in letters.values()), "")
    return letters


def color_key(model: Model, key: str, now: float) -> Step:
    """The colour of this number or letter."""
    if key.isdigit():
        return _pick_color(model, COLORS_SHOWN[int(key) - 1])
    for color, letter in color_letters().items():
        if letter == key:
            return _pick_color(model, color)
    return model, ()


def pick(model: Model, key: str, now: float) -> Step:
    """The colour or partner that is marked."""
    dialog = model.dialog
    if isinstance(dialog, PickColor):
        return _pick_color(model, COLORS_SHOWN[dialog.at])
    if isinstance(dialog, PickSeat):
        return lay(model, Play(dialog.card, swap_with=dialog.seats[dialog.at]))
    return model, ()


def pick_previous(model: Model, key: str, now: float) -> Step:
    """One up."""
    return _move(model, -1)


def pick_next(model: Model, key: str, now: float) -> Step:
    """One down."""
    return _move(model, 1)


def _move(model: Model, step: int) -> Step:
    dialog = model.dialog
    if isinstance(dialog, PickColor):
        return replace(model, dialog=replace(dialog, at=(dialog.at + step) % len(COLORS))), ()
    if isinstance(dialog, PickSeat):
        return replace(model, dialog=replace(dialog, at=(dialog.at + step) % len(dialog.seats))), ()
    if isinstance(dialog, Form):
        return replace(model, dialog=replace(dialog, at=(dialog.at + step) % len(dialog.fields))), ()
    if isinstance(dialog, Menu):
        return replace(model, dialog=replace(dialog, at=(dialog.at + step) % len(dialog.items))), ()
    return model, ()


def seat_key(model: Model, key: str, now: float) -> Step:
    """The partner of this number."""
    dialog = model.dialog
    if isinstance(dialog, PickSeat) and int(key) <= len(dialog.seats):
        return lay(model, Play(dialog.card, swap_with=dialog.seats[int(key) - 1]))
    return model, ()


def close(model: Model, key: str, now: float) -> Step:
    """Close the dialog; nothing was sent, and the card is still in the hand. The help leaves what was under it."""
    return replace(model, dialog=model.dialog.under if isinstance(model.dialog, Help) else None), ()
