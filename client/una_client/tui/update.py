"""How the model changes: by a key (`press`), by news from the network (`see`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from una_protocol import messages as m
from una_protocol.cards import Card

from . import forms, keys, reasons
from .actions import ACTIONS
from .model import (
    GUARD_S,
    NOTE_S,
    AskChallenge,
    AskVote,
    AskWhich,
    Confirm,
    Dialog,
    Form,
    Help,
    History,
    Input,
    Ladder,
    Menu,
    Model,
    PickColor,
    PickSeat,
    Step,
    Where,
    World,
)

DOUBLE_CLICK_S: Final = 0.5


def press(model: Model, key: str, now: float) -> Step:
    """What a key does now. One that does nothing leaves the reason in `note`."""
    opened = model.dialog.opened if isinstance(model.dialog, AskChallenge | AskVote) else -GUARD_S
    if model.input is None and now < opened + GUARD_S and key != "c-c":
        return model, ()
    model = replace(model, note="")
    entry = keys.find(model, key)
    if entry is None:
        return model, ()
    reason = entry.why_not(model)
    if reason is not None:
        return tell(model, reason, now), ()
    changed, intents = ACTIONS[entry.action](model, key, now)
    if changed.note:
        changed = tell(changed, changed.note, now)
    return _ask(changed, now), intents


def tell(model: Model, note: str, now: float) -> Model:
    """Show a sentence in the prompt line for a while: why a key did nothing, why the server refused something."""
    return replace(model, note=note, note_until=now + NOTE_S)


def ask_for(model: Model, input: Input, note: str, now: float) -> Model:
    """Ask for what the server wants to know (a password, another name), unless something is being typed."""
    model = tell(model, note, now) if note else model
    return model if model.input is not None else replace(model, input=input, typed="", dialog=None)


def take_rules(model: Model, profile: str, options: dict[str, Any]) -> Model:
    """House rules were read from a file: into the form with them."""
    if not isinstance(model.dialog, Form):
        return model
    return replace(model, dialog=forms.with_rules(model.dialog, profile, options, model.world.catalogue))


def click(model: Model, what: str, now: float) -> Step:
    """A click on a card or a row (`card 3`): it is selected; the second click within a moment is Enter."""
    kind, _, index = what.partition("-")
    again = model.clicked[0] == what and now - model.clicked[1] < DOUBLE_CLICK_S
    model = replace(model, clicked=("", now) if again else (what, now))
    fits = {"card": (Where.PLAY,), "row": (Where.LOBBY,), "server": (Where.SERVERS,)}
    if model.input is not None or model.dialog is not None or model.places[0] not in fits.get(kind, ()):
        return model, ()
    field = {"card": "selected", "row": "row", "server": "server"}[kind]
    model = replace(model, **{field: int(index)})  # type: ignore[arg-type]
    return press(model, "enter", now) if again else (model, ())


def see(model: Model, world: World, now: float) -> Model:
    """Take in a new world: keep the selected card selected, drop questions that no longer arise, ask new ones."""
    old, card = model.world, model.card
    model = replace(model, world=world)
    model = _keep_place(model, old)
    model = _keep_selection(model, card, old)
    model = _keep_server(model, old)
    asked = model.input is not None and model.input.kind in ("server-password", "nick")
    if world.trouble and world.trouble != old.trouble and not asked:  # where we are asked anew, the note tells why
        model = replace(model, note="")  # why we are here is worth more than the last refusal there
    if _decision(world) != _decision(old) or world.sent != old.sent:
        model = replace(model, armed=model.armed and len(model.cards) == 2 and not _left_turn(world))
        if world.turn is not None and _decision(world) != _decision(old):
            model = replace(model, note="")
    if not _still_asked(model, model.dialog):
        model = replace(model, dialog=None)
    elif isinstance(model.dialog, Help) and not _still_asked(model, model.dialog.under):
        model = replace(model, dialog=replace(model.dialog, under=None))
    return _ask(model, now)


def worth_hearing(old: World, world: World) -> bool:
    """Whether something happened that those want to hear who want to hear all: chat, una called or forgotten."""
    new = world.log[len(old.log) :] if world.log[: len(old.log)] == old.log else world.log[-1:]
    if any(line.kind == "chat" for line in new):
        return True
    if old.view is None or world.view is None or old.view.table != world.view.table:
        return False
    called = {player.seat for player in world.view.players if player.una}
    had = {player.seat for player in old.view.players if player.una}
    return bool(called - had or set(world.view.catchable) - set(old.view.catchable))


def _keep_server(model: Model, old: World) -> Model:
    """Stay on the same server when others appear above it."""
    rows = model.world.servers
    if rows is old.servers or not old.servers or not rows:
        return model
    marked = old.servers[min(model.server, len(old.servers) - 1)].address
    return replace(model, server=next((i for i, row in enumerate(rows) if row.address == marked), 0))


def _decision(world: World) -> tuple[str, int] | None:
    return (world.turn.table, world.turn.turn) if world.turn is not None else None


def _left_turn(world: World) -> bool:
    return world.view is None or not world.view.my_turn


def _keep_place(model: Model, old: World) -> Model:
    had = old.view.table if old.view is not None else None
    has = model.view.table if model.view is not None else None
    if had != has:
        keep = model.dialog if isinstance(model.dialog, Confirm | Help | History) else None
        keep = replace(keep, under=None) if isinstance(keep, Help) else keep
        return replace(model, dialog=keep, form=None, scroll=0, selected=0, armed=False)
    grown = len(model.world.log) - len(old.log)
    if model.scroll and grown > 0:
        return replace(model, scroll=min(model.scroll + grown, max(0, len(model.world.log) - 1)))
    return model


def _keep_selection(model: Model, card: Card | None, old: World) -> Model:
    """Stay on the same card; go to the drawn card; at the beginning of a turn, to one that may be laid."""
    cards = model.cards
    if not cards:
        return replace(model, selected=0)
    index = min(model.selected, len(cards) - 1)
    if card is not None and cards[index] != card and card in cards:
        index = cards.index(card)
    model = replace(model, selected=index)
    if model.world.turn is None or _decision(model.world) == _decision(old):
        return model
    drawn = model.view.drawn if model.view is not None else None
    if drawn is not None and drawn in cards:
        return replace(model, selected=cards.index(drawn))
    if not model.plays(cards[index]):
        index = next((i for i, held in enumerate(cards) if model.plays(held)), index)
    return replace(model, selected=index)


def _still_asked(model: Model, dialog: Dialog | None) -> bool:
    if isinstance(dialog, PickColor):
        if dialog.card is None:
            return model.my_turn and reasons.play(model) is None
        return bool(model.plays(dialog.card))
    if isinstance(dialog, PickSeat):
        return bool(model.plays(dialog.card))
    if isinstance(dialog, AskChallenge):
        return model.may_challenge
    if isinstance(dialog, AskVote):
        return model.may_vote
    if isinstance(dialog, AskWhich):
        return model.may_challenge and dialog.seat in model.catchable
    if isinstance(dialog, Form):
        return dialog.kind == "create" or model.place in (Where.WAITING, Where.SCORE)
    if isinstance(dialog, Menu):
        return model.view is not None
    if isinstance(dialog, Ladder):
        return model.world.ladder is not None
    if isinstance(dialog, Confirm):
        acts = [intent for intent in dialog.then if isinstance(intent, m.Act)]
        return all(model.world.turn is not None and act.turn == model.world.turn.turn for act in acts)
    return True


def _ask(model: Model, now: float) -> Model:
    """Open what opens by itself, but never over the chat or another question."""
    turn = model.world.turn
    if model.input is not None or model.dialog is not None or model.world.lost is not None:
        return model
    if turn is not None and model.world.sent is None and model.answered != turn.turn:
        if model.may_challenge:
            return replace(model, dialog=AskChallenge(now), answered=turn.turn)
        if turn.phase == "wish":
            return replace(ACTIONS["play"](model, "p", now)[0], answered=turn.turn)
    accusation = model.view.accusation if model.view is not None else None
    if accusation is None:
        return replace(model, voted=None) if model.voted is not None else model
    which = (accusation.by, accusation.seat)
    if model.may_vote and model.voted != which:
        return replace(model, dialog=AskVote(accusation.seat, now), voted=which)
    return model
