"""The sentence of the prompt line: what is expected of the user now. One function for each place."""

from __future__ import annotations

import math

from una_protocol.actions import Play
from una_protocol.view import View

from ..i18n import _, mark, ngettext
from . import cards
from .layout import remote
from .model import (
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
    Where,
)
from .reasons import name_of
from .theme import Caps
from .turn_words import my_turn
from .world import SPIN_AFTER_S

TURN, ALARM, CALM = "class:prompt.turn", "class:prompt.alarm", "class:prompt"


def sentence(model: Model, caps: Caps, now: float) -> tuple[str, str]:
    """(style, text) of the prompt."""
    if model.note and now < model.note_until:
        return "class:note", f"! {model.note}"
    if model.world.lost is not None:
        return ALARM, _lost(model, now)
    if model.input is not None:
        return _input(model)
    asked = _dialog(model)
    if asked is not None:
        return TURN, f"▶ {asked}"
    if model.world.connecting is not None:
        where, since = model.world.connecting
        return CALM, spinner(caps, since, now) + _("Connecting to {where} … Esc gives up.").format(where=remote(where))
    if model.place is Where.PLAY:
        return _play(model, caps, now)
    if model.world.closed:
        return CALM, _("The table is closed; q goes back to the list of tables.")
    return CALM, _OTHERS[model.place](model)


def spinner(caps: Caps, since: float | None, now: float) -> str:
    """A sign that turns, once waiting is worth a word; nothing before."""
    if since is None or now < since + SPIN_AFTER_S:
        return ""
    signs = "|/-\\" if caps.ascii else "◐◓◑◒"
    return signs[int((now - since) * 4) % len(signs)] + " "


def _lost(model: Model, now: float) -> str:
    lost = model.world.lost
    if lost is None or lost.next_at is None or lost.next_at <= now:
        return _("✗ Connection lost — connecting again …")
    return _("✗ Connection lost — trying again in {n} s. Enter tries at once.").format(n=math.ceil(lost.next_at - now))


_INPUTS = {
    "password": mark("The password of the table?"),
    "server-password": mark("The password of the server?"),
    "address": mark("The address of a server? Like 192.168.1.20 or lan-pc:5000."),
    "nick": mark("Another name for you?"),
}
_FIELDS = {
    "password": mark("A password for the table? Empty: none."),
    "file": mark("The path of a TOML file with house rules?"),
}


def _input(model: Model) -> tuple[str, str]:
    if model.input is not None and model.input.kind == "name":
        return TURN, _("▶ Name of the new table? Enter goes on, Esc cancels.")
    if model.input is not None and model.input.kind in _INPUTS:
        return TURN, "▶ " + _(_INPUTS[model.input.kind])
    if model.input is not None and model.input.kind == "field":
        return TURN, "▶ " + _(_FIELDS.get(model.input.about, _FIELDS["password"]))
    if model.my_turn:
        return TURN, _("▶ YOUR TURN — Esc, then play.")
    return CALM, _("Enter sends, Esc leaves the line and keeps what you typed.")


def _dialog(model: Model) -> str | None:
    match model.dialog:
        case PickColor(card=None):
            return _("The first card is a wild: choose the colour to begin with.")
        case PickColor(card=card) if card is not None:
            name = cards.label(card, Caps())
            return _("Choose a colour for {card} — nothing is sent until you pick.").format(card=name)
        case PickSeat(card=card):
            return _("{card}: with whom do you swap hands?").format(card=cards.label(card, Caps()))
        case AskChallenge() if model.world.four is not None:
            return _("{name} played ★ +4 on you. Challenge or accept?").format(
                name=name_of(model, model.world.four.seat)
            )
        case AskChallenge():
            return _("★ +4 is on you. Challenge or accept?")
        case AskWhich():
            return _("Challenge the +4, or catch who forgot una?")
        case AskVote():
            return _vote(model)
        case Menu():
            return _("What shall be done? Enter does what is marked.")
        case Ladder():
            return _("The ladder: the best first.") if model.world.ladder else _("Nobody stands in the ladder yet.")
        case Help() | History() if not model.my_turn:
            return None
        case Help() | History():
            return _("YOUR TURN — Esc, then play.")
        case Confirm(question=question):
            return _("{question} y = yes, n = no").format(question=question)
        case Form():
            return _("Set it up with the arrows, then Enter.")
    return None


def _play(model: Model, caps: Caps, now: float) -> tuple[str, str]:
    view = model.view
    if view is None:
        return CALM, ""
    if view.paused:
        return ALARM, _paused(view, model)
    if model.world.sent is not None:
        return CALM, spinner(caps, model.world.sent_at, now) + _sent(model)
    if model.world.turn is None:
        return (ALARM, f"! {_vote(model)}") if model.may_vote else _others_turn(model)
    if model.catchable and not view.pending:
        name = name_of(model, model.catchable[0])
        return ALARM, _("! YOUR TURN; {name} forgot una: c catches first.").format(name=name)
    return TURN, f"▶ {my_turn(model)}"


def _paused(view: View, model: Model) -> str:
    if view.you is None or view.you in view.asked:
        return _("The table is paused.")
    return _("The table is paused. o, then Enter, asks to go on.")


def _vote(model: Model) -> str:
    asked = model.view.accusation if model.view is not None else None
    if asked is None:
        return ""
    by, name = name_of(model, asked.by), name_of(model, asked.seat)
    return _("{by} accuses {name} of advising: guilty or not?").format(by=by, name=name)


def _sent(model: Model) -> str:
    if isinstance(model.world.sent, Play):
        return _("{card} sent, waiting for the server …").format(card=cards.label(model.world.sent.card, Caps()))
    return _("Sent, waiting for the server …")


def catch_hint(model: Model) -> str:
    """Who can be caught, or an empty text."""
    if not model.catchable or model.view is None:
        return ""
    penalty = int(model.view.options.get("una_penalty", 2))
    return ngettext(
        "{name} forgot una — c catches ({n} card for {name}).",
        "{name} forgot una — c catches ({n} cards for {name}).",
        penalty,
    ).format(name=name_of(model, model.catchable[0]), n=penalty)


def _others_turn(model: Model) -> tuple[str, str]:
    view = model.view
    if view is None or view.turn_seat is None:
        return CALM, _("Please wait …")
    if catch := catch_hint(model):
        return ALARM, f"! {catch}"
    me = view.player(view.you) if view.you is not None else None
    if me is not None and len(model.cards) == 1 and not me.una and view.options.get("una_penalty", 2):
        return ALARM, _("! One card left and not called: u calls una now.")
    if me is not None and me.status == "away":
        return ALARM, _("A bot plays for you. o takes your seat back.")
    name, player = name_of(model, view.turn_seat), view.player(view.turn_seat)
    if view.turn_seat == view.you:
        return CALM, _("Please wait …")
    if player is not None and player.status == "lost":
        return CALM, _("Waiting for {name}, whose connection is lost.").format(name=name)
    return CALM, _("Waiting for {name}.").format(name=name)


def _lobby(model: Model) -> str:
    if not model.world.lobby:
        return _("No table is open yet: n opens one.")
    return _("Choose a table: Enter sits down, w watches, n opens one.")


def _waiting(model: Model) -> str:
    view = model.view
    if view is None:
        return ""
    if view.you is None:
        if view.stage == "over":
            return _("○ Watching. The match is over.")
        return _("○ Watching. The match has not begun; s sits down.")
    if view.stage == "over":
        return _("The match is over. r asks for another one, q leaves.")
    if view.host == view.you:
        if len(view.players) < 2:
            return _("You are the host: add a bot with b, or wait for others; then s starts.")
        return _("You are the host: s starts the match.")
    host = name_of(model, view.host) if view.host is not None else _("the host")
    me = view.player(view.you)
    if me is not None and not me.ready:
        return _("Press Space when you are ready; {host} starts the match.").format(host=host)
    return _("You are ready. Waiting for {host} to start the match.").format(host=host)


def _score(model: Model) -> str:
    view = model.view
    if view is None:
        return ""
    if view.you is None:
        return _("○ Watching. The match is over.") if view.stage == "over" else _("○ Watching. Next round soon.")
    if view.stage == "over":
        return _("The match is over. r asks for another one, q leaves.")
    people = [player for player in view.players if not player.bot and player.status == "here"]
    ready = sum(player.ready for player in people)
    me = view.player(view.you)
    if me is not None and me.ready:
        return _("You are ready ({n} of {all}). The next round begins soon.").format(n=ready, all=len(people))
    return _("Next round soon, or once all press Space ({n} of {all}).").format(n=ready, all=len(people))


def _watch(model: Model) -> str:
    view = model.view
    if view is None or view.turn_seat is None:
        return _("○ Watching.")
    return _("○ Watching. {name} is to move.").format(name=name_of(model, view.turn_seat))


def _servers(model: Model) -> str:
    if model.world.trouble:
        return "! " + model.world.trouble
    if not model.world.servers:
        return _("Looking for servers on this network … a takes an address.")
    return _("Choose a server: Enter goes there, a takes an address.")


_OTHERS = {
    Where.SERVERS: _servers,
    Where.LOBBY: _lobby,
    Where.WAITING: _waiting,
    Where.SCORE: _score,
    Where.WATCH: _watch,
}
