"""What keys do: one pure function per action of the key table, (model, key, now) -> (model, what to send).

They are called only where the key table's `why_not` had nothing to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Play, Wish
from una_protocol.cards import COLORS, Card, Color

from ..i18n import _, ngettext
from . import cards, forms, hand, reasons
from .model import (
    AskChallenge,
    AskWhich,
    Confirm,
    Form,
    Help,
    Input,
    Intent,
    Model,
    PickColor,
    PickSeat,
    Quit,
    Redraw,
    RetryNow,
    Where,
)

Step = tuple[Model, tuple[Intent, ...]]
Act = Callable[[Model, str, float], Step]

SCROLL = 5
AGAIN_S = 2.0
"""A second Ctrl-C within this time quits without asking."""


def act(model: Model, do: Action) -> Step:
    """Send an action that answers the decision shown; the answer to an older one costs nothing (stale_turn)."""
    view = model.view
    if view is None:
        return model, ()
    turn = model.world.turn.turn if model.world.turn is not None else view.turn
    number = None if isinstance(do, Catch) or do == UNA else turn
    world = model.world if number is None else replace(model.world, sent=do)
    return replace(model, world=world, dialog=None, armed=False), (m.Act(0, view.table, do, turn=number),)


def _table(model: Model) -> str:
    return model.view.table if model.view is not None else ""


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


def color_key(model: Model, key: str, now: float) -> Step:
    """The colour of this number or letter."""
    if key.isdigit():
        return _pick_color(model, COLORS_SHOWN[int(key) - 1])
    for color in COLORS_SHOWN:
        if cards.color_word(color).startswith(key):
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
    return model, ()


def seat_key(model: Model, key: str, now: float) -> Step:
    """The partner of this number."""
    dialog = model.dialog
    if isinstance(dialog, PickSeat) and int(key) <= len(dialog.seats):
        return lay(model, Play(dialog.card, swap_with=dialog.seats[int(key) - 1]))
    return model, ()


def close(model: Model, key: str, now: float) -> Step:
    """Close the dialog; nothing was sent, and the card is still in the hand."""
    return replace(model, dialog=None), ()


# -- tables -----------------------------------------------------------------------------------------------------


def row_up(model: Model, key: str, now: float) -> Step:
    """One table up."""
    return replace(model, row=max(0, model.row - 1)), ()


def row_down(model: Model, key: str, now: float) -> Step:
    """One table down."""
    return replace(model, row=max(0, min(len(model.world.lobby) - 1, model.row + 1))), ()


def _enter(model: Model, watch: bool) -> Step:
    table = model.world.lobby[min(model.row, len(model.world.lobby) - 1)]
    if table.password:
        return replace(model, input=Input("password", table.id, watch)), ()
    return model, (m.Watch(0, table.id) if watch else m.Join(0, table.id),)


def join(model: Model, key: str, now: float) -> Step:
    """Sit down at the marked table."""
    return _enter(model, watch=False)


def watch(model: Model, key: str, now: float) -> Step:
    """Watch the marked table."""
    return _enter(model, watch=True)


def new_table(model: Model, key: str, now: float) -> Step:
    """Ask for the name of a new table."""
    return replace(model, input=Input("name")), ()


def edit_rules(model: Model, key: str, now: float) -> Step:
    """Ask for other rules of this table."""
    return (replace(model, dialog=forms.rules(model.view)) if model.view is not None else model), ()


def form_less(model: Model, key: str, now: float) -> Step:
    """The choice before."""
    return _turn_field(model, -1)


def form_more(model: Model, key: str, now: float) -> Step:
    """The next choice."""
    return _turn_field(model, 1)


def _turn_field(model: Model, step: int) -> Step:
    form = model.dialog
    if not isinstance(form, Form):
        return model, ()
    fields = list(form.fields)
    field = fields[form.at]
    fields[form.at] = replace(field, at=(field.at + step) % len(field.choices))
    return replace(model, dialog=replace(form, fields=tuple(fields))), ()


def form_done(model: Model, key: str, now: float) -> Step:
    """Send what the form says."""
    if not isinstance(model.dialog, Form):
        return model, ()
    return replace(model, dialog=None), (forms.request(model.dialog, _table(model)),)


def sit(model: Model, key: str, now: float) -> Step:
    """Sit down at the table that is watched."""
    return model, (m.Join(0, _table(model)),)


def ready(model: Model, key: str, now: float) -> Step:
    """Say that we are ready."""
    return model, (m.SetReady(0, _table(model)),)


def start(model: Model, key: str, now: float) -> Step:
    """Begin the match."""
    return model, (m.Start(0, _table(model)),)


def rematch(model: Model, key: str, now: float) -> Step:
    """Ask for another match."""
    return model, (m.Rematch(0, _table(model)),)


def add_bot(model: Model, key: str, now: float) -> Step:
    """Seat a bot."""
    return model, (m.BotSeat(0, _table(model), add=forms.BOT_LEVEL),)


def remove_bot(model: Model, key: str, now: float) -> Step:
    """Remove the bot that sits last."""
    bots = [player.seat for player in model.view.players if player.bot] if model.view is not None else []
    return model, (m.BotSeat(0, _table(model), remove=bots[-1]),) if bots else ()


# -- everywhere -------------------------------------------------------------------------------------------------


def chat(model: Model, key: str, now: float) -> Step:
    """Go to the chat line; a slash begins a command."""
    draft = "/" if key == "/" and not model.draft else model.draft
    return replace(model, input=Input("chat"), draft=draft), ()


def leave_input(model: Model, key: str, now: float) -> Step:
    """Leave the input line; what was typed into the chat is kept."""
    return replace(model, input=None), ()


def scroll_up(model: Model, key: str, now: float) -> Step:
    """Older lines of the log."""
    step = SCROLL if key == "pageup" else 1
    seen = model.seen if model.scroll else len(model.world.log)
    return replace(model, scroll=min(model.scroll + step, max(0, len(model.world.log) - 1)), seen=seen), ()


def scroll_down(model: Model, key: str, now: float) -> Step:
    """Newer lines of the log."""
    step = SCROLL if key == "pagedown" else 1
    return replace(model, scroll=max(0, model.scroll - step)), ()


def show_help(model: Model, key: str, now: float) -> Step:
    """Show the keys of this place, or close them."""
    if isinstance(model.dialog, Help):
        return replace(model, dialog=None), ()
    place = Where.LOST if model.world.lost is not None else model.place
    return replace(model, dialog=Help(place), input=None), ()


def redraw(model: Model, key: str, now: float) -> Step:
    """Draw the screen anew."""
    return model, (Redraw(),)


def retry(model: Model, key: str, now: float) -> Step:
    """Try to connect at once."""
    return model, (RetryNow(),)


def leave(model: Model, key: str, now: float) -> Step:
    """Leave the table, or from the lobby the program; a running game asks once."""
    view = model.view
    if view is None or model.world.lost is not None:
        return model, (Quit(),)
    then = (m.Leave(0, view.table),)
    if view.you is None or view.stage != "playing":
        return model, then
    ask = Confirm(_("Leave the game?"), _("Your hand goes under the draw pile; you cannot come back."), then)
    return replace(model, dialog=ask), ()


def cancel(model: Model, key: str, now: float) -> Step:
    """Close the dialog, leave the chat, else ask whether to quit; a second time within 2 s quits."""
    if now - model.last_cancel < AGAIN_S:
        return model, (Quit(),)
    model = replace(model, last_cancel=now)
    if model.input is not None:
        return replace(model, input=None, draft=""), ()
    if model.dialog is not None:
        return replace(model, dialog=None), ()
    return replace(model, dialog=Confirm(_("Quit una?"), quit_means(model), (Quit(),))), ()


def quit_means(model: Model) -> str:
    """What quitting does to our seat."""
    if model.view is not None and model.view.you is not None and model.view.stage == "playing":
        return _("Your seat is kept for a while; Ctrl-C again quits too.")
    return _("Ctrl-C again quits too.")


def yes(model: Model, key: str, now: float) -> Step:
    """Do what was asked about."""
    if not isinstance(model.dialog, Confirm):
        return model, ()
    then = model.dialog.then
    acts = [intent for intent in then if isinstance(intent, m.Act)]
    world = replace(model.world, sent=acts[0].do) if acts else model.world
    return replace(model, dialog=None, world=world), then


ACTIONS: Final[dict[str, Act]] = {
    "select-left": select_left, "select-right": select_right, "select-first": select_first,
    "select-last": select_last, "select-number": select_number, "next-playable": select_next_playable,
    "previous-playable": select_previous_playable, "sort": sort, "play": play, "draw": draw, "keep": keep, "una": una,
    "challenge": challenge, "accept": draw, "which-challenge": which_challenge, "which-catch": which_catch,
    "color-key": color_key, "pick": pick, "pick-previous": pick_previous, "pick-next": pick_next,
    "seat-key": seat_key, "close": close, "row-up": row_up, "row-down": row_down, "join": join, "watch": watch,
    "new-table": new_table, "edit-rules": edit_rules, "form-less": form_less, "form-more": form_more,
    "form-done": form_done, "sit": sit, "ready": ready, "start": start, "rematch": rematch, "add-bot": add_bot,
    "remove-bot": remove_bot, "chat": chat, "leave-input": leave_input, "scroll-up": scroll_up,
    "scroll-down": scroll_down, "help": show_help, "redraw": redraw, "retry": retry, "leave": leave,
    "cancel": cancel, "yes": yes,
}  # fmt: skip
"""Action names of the key table -> what they do."""
