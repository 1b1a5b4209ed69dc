"""What the keys of the lobby, the waiting room and the forms do. See `actions`."""

from __future__ import annotations

from dataclasses import replace

from una_protocol import messages as m

from . import forms
from .model import Form, Input, Model, Step


def _table(model: Model) -> str:
    return model.view.table if model.view is not None else ""


def row_up(model: Model, key: str, now: float) -> Step:
    """One table up."""
    return replace(model, row=max(0, model.row - 1)), ()


def row_down(model: Model, key: str, now: float) -> Step:
    """One table down."""
    return replace(model, row=max(0, min(len(model.world.lobby) - 1, model.row + 1))), ()


def _enter(model: Model, watch: bool) -> Step:
    table = model.world.lobby[min(model.row, len(model.world.lobby) - 1)]
    if table.password:
        return replace(model, input=Input("password", table.id, watch), draft=""), ()
    return model, (m.Watch(0, table.id) if watch else m.Join(0, table.id),)


def join(model: Model, key: str, now: float) -> Step:
    """Sit down at the marked table."""
    return _enter(model, watch=False)


def watch(model: Model, key: str, now: float) -> Step:
    """Watch the marked table."""
    return _enter(model, watch=True)


def new_table(model: Model, key: str, now: float) -> Step:
    """Ask for the name of a new table."""
    return replace(model, input=Input("name"), draft=""), ()


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
