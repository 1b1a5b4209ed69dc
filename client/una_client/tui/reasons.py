"""Why a key does not work now: one function per kind of action, None where it works. The key table names them."""

from __future__ import annotations

import signal

from una_protocol.actions import Draw, Pass, Play, Wish
from una_protocol.cards import COLOR, Card

from ..i18n import _
from ..reasons import why_not_una
from . import cards, hand
from .layout import remote
from .model import AskWhich, Confirm, Form, Menu, Model, ServerRow
from .theme import Caps

CAPS = Caps()
"""Sentences name cards by signs; `Caps.text` and the prompt put them into ASCII where needed."""


def never(model: Model) -> str | None:
    """Works always."""
    return None


def name_of(model: Model, seat: int) -> str:
    """The name at a seat of the table, safe to draw."""
    return remote(model.view.name_of(seat)) if model.view is not None else ""


def waiting_for(model: Model) -> str | None:
    """Why we cannot act at all: somebody else's turn, a pause, an action on its way; None where we can."""
    view = model.view
    if view is None:
        return _("You are not at a table.")
    if model.world.lost is not None:
        return _("The connection is lost.")
    if view.paused:
        return _("The table is paused.")
    if model.world.sent is not None:
        return _("Sent; waiting for the server.")
    if model.world.turn is None:
        if view.turn_seat is None or view.turn_seat == view.you:
            return _("Not now.")
        return _("Not your turn: waiting for {name}.").format(name=name_of(model, view.turn_seat))
    return None


def top_label(model: Model) -> str:
    """What must be matched: the top, or the colour alone where the top is a wild."""
    view = model.view
    if view is None or view.top is None:
        return _("the top card")
    if COLOR.get(view.top) is None:
        return cards.color_label(view.color, CAPS)
    return cards.label(view.top, CAPS)


def play_card(model: Model, card: Card) -> str | None:
    """Why the card may not be laid; the penalty of a profile is no reason, it is asked about."""
    view = model.view
    if view is None:
        return _("You are not at a table.")
    if model.plays(card):
        return None
    blocked = waiting_for(model)
    if blocked is not None:
        return blocked
    if view.phase != "wish" and view.options.get("illegal_card_penalty"):
        return None
    return hand.why_not(view, model.legal, card, cards.label(card, CAPS), top_label(model))


def play(model: Model) -> str | None:
    """Why the selected card may not be laid."""
    card = model.card
    if card is None:
        return _("You have no cards.")
    if any(isinstance(action, Wish) for action in model.legal):
        return None
    return play_card(model, card)


def has_hand(model: Model) -> str | None:
    """Why there is nothing to select."""
    return None if model.cards else _("You have no cards.")


def has_playable(model: Model) -> str | None:
    """Why there is no playable card to go to."""
    fitting = [index for index, card in enumerate(model.cards) if model.plays(card)]
    if not fitting:
        return waiting_for(model) or _("No card fits.")
    here = min(model.selected, len(model.cards) - 1)
    return _("No other card fits.") if fitting == [here] else None


def draw(model: Model) -> str | None:
    """Why we cannot draw."""
    if any(isinstance(action, Draw) for action in model.legal):
        return None
    blocked = waiting_for(model)
    if blocked is not None:
        return blocked
    if model.view is not None and model.view.phase == "drawn":
        return _("You have drawn already: p plays the drawn card, n keeps it.")
    return _("You hold a card that fits and must play it.")


def keep(model: Model) -> str | None:
    """Why there is no card to keep."""
    if any(isinstance(action, Pass) for action in model.legal):
        return None
    return waiting_for(model) or _("There is no drawn card to keep.")


def una(model: Model) -> str | None:
    """Why una cannot be called."""
    if model.view is None:
        return _("You are not at a table.")
    return online(model) or why_not_una(model.view, model.world.turn)


def challenge(model: Model) -> str | None:
    """Why there is nothing to challenge and nobody to catch."""
    if model.may_challenge or model.catchable:
        return None if model.world.lost is None else _("The connection is lost.")
    return _("Nothing to challenge, and nobody forgot una.")


def challenge_only(model: Model) -> str | None:
    """Why the draw four cannot be challenged."""
    return None if model.may_challenge else _("There is nothing to challenge.")


def accept(model: Model) -> str | None:
    """Why there is no draw four to accept."""
    return None if model.may_challenge else _("There is nothing to accept.")


def start(model: Model) -> str | None:
    """Why the match cannot be started."""
    view = model.view
    if view is None:
        return _("You are not at a table.")
    if view.host != view.you or view.you is None:
        return _("Only the host may start.")
    return None if len(view.players) >= 2 else _("At least two must sit at the table; b adds a bot.")


def host(model: Model) -> str | None:
    """Why we cannot change the table."""
    view = model.view
    if view is None or view.host != view.you or view.you is None:
        return _("Only the host may change the table.")
    return None if view.stage != "playing" else _("Not while a round is running.")


def add_bot(model: Model) -> str | None:
    """Why no bot can be added."""
    view = model.view
    if (reason := host(model)) is not None or view is None:
        return reason
    return None if len(view.players) < view.seats else _("All seats are taken; e changes their number.")


def remove_bot(model: Model) -> str | None:
    """Why no bot can be removed."""
    view = model.view
    if (reason := host(model)) is not None or view is None:
        return reason
    return None if any(player.bot for player in view.players) else _("No bot sits at the table.")


def ready(model: Model) -> str | None:
    """Why it makes no sense to be ready."""
    view = model.view
    if view is None or view.you is None:
        return _("You are only watching.")
    me = view.player(view.you)
    if me is not None and me.ready:
        return _("You are ready already.")
    return _("The match is over; r asks for another one.") if view.stage == "over" else None


def rematch(model: Model) -> str | None:
    """Why no other match can be asked for."""
    view = model.view
    if view is None or view.you is None:
        return _("You are only watching.")
    return None if view.stage == "over" else _("The match is not over yet.")


def sit(model: Model) -> str | None:
    """Why we cannot sit down."""
    view = model.view
    if view is None or view.you is not None:
        return _("You sit already.")
    taken = sum(player.status != "left" for player in view.players)
    return online(model) or (None if taken < view.seats else _("All seats are taken."))


def a_table(model: Model) -> str | None:
    """Why there is no table to join."""
    if model.world.lost is not None:
        return _("The connection is lost.")
    if not model.world.lobby:
        return _("There is no table yet; n makes one.")
    return None


def a_ladder(model: Model) -> str | None:
    """Why there is no ladder to show."""
    known = model.world.ladder is not None
    return online(model) or (None if known else _("The server has no arena, and keeps no ladder."))


def a_ladder_row(model: Model) -> str | None:
    """Why there is no row of the ladder to go to."""
    return None if model.world.ladder else _("Nobody stands in the ladder yet.")


def online(model: Model) -> str | None:
    """Why nothing can be sent."""
    if model.world.closed:
        return _("The table is closed.")
    return None if model.world.lost is None else _("The connection is lost.")


def catch_only(model: Model) -> str | None:
    """Why the seat asked about cannot be caught any more."""
    dialog = model.dialog
    if isinstance(dialog, AskWhich) and dialog.seat in model.catchable:
        return None
    return _("Too late: nobody can be caught any more.")


def confirmable(model: Model) -> str | None:
    """Why there is no question."""
    return None if isinstance(model.dialog, Confirm) else _("There is no question.")


def a_form(model: Model) -> str | None:
    """Why there is no form."""
    return None if isinstance(model.dialog, Form) else _("There is no form.")


def scrollable(model: Model) -> str | None:
    """Why there is nothing to scroll."""
    return None if model.world.log else _("The log is empty.")


def suspend(model: Model) -> str | None:
    """Why we cannot stop and be continued."""
    return None if hasattr(signal, "SIGTSTP") else _("This system cannot stop a program and continue it.")


def marked_server(model: Model) -> ServerRow | None:
    """The server that is marked in the list."""
    rows = model.world.servers
    return rows[min(model.server, len(rows) - 1)] if rows else None


def a_server(model: Model) -> str | None:
    """Why there is no server to mark."""
    return None if model.world.servers else _("No server was found yet; a takes an address.")


def fitting_server(model: Model) -> str | None:
    """Why we cannot go to the marked server."""
    row = marked_server(model)
    if row is None:
        return a_server(model)
    if row.fits == "too_old":
        return _("This server is too old for this client: it needs an update.")
    return _("This server is too new for this client: update una.") if row.fits == "too_new" else None


def has_home(model: Model) -> str | None:
    """Why there is no list of servers to go back to."""
    return None if model.world.home else _("There is no list of servers here.")


def answer(model: Model) -> str | None:
    """Why no card answers the draw four."""
    if any(isinstance(action, Play) for action in model.legal):
        return None
    return _("No card of yours answers it.")


def a_vote(model: Model) -> str | None:
    """Why there is nothing to vote on."""
    return None if model.may_vote else _("There is nothing to vote on.")


def a_menu(model: Model) -> str | None:
    """Why there is no menu."""
    return None if isinstance(model.dialog, Menu) else _("There is no menu.")


def has_menu(model: Model) -> str | None:
    """Why there is nothing more to do at the table."""
    view = model.view
    return online(model) or (None if view is not None else _("You are not at a table."))
