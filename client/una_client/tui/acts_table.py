"""What the keys of the lobby, the waiting room and the forms do. See `actions`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from una_protocol import messages as m

from ..i18n import _
from . import forms, menus
from .layout import remote
from .model import Confirm, Form, GoTo, Input, Keep, Menu, Model, MoreTables, ReadRules, Step
from .reasons import marked_server

PAGE: Final = 10
FORM_PAGE: Final = 8


def _table(model: Model) -> str:
    return model.view.table if model.view is not None else ""


def _row(model: Model, row: int) -> Step:
    """Mark a table; at the end of what is known, the next page is asked for."""
    last = max(0, len(model.world.lobby) - 1)
    more = (MoreTables(),) if row >= last and model.world.more_tables else ()
    return replace(model, row=max(0, min(last, row))), more


def row_up(model: Model, key: str, now: float) -> Step:
    """One table up."""
    return _row(model, model.row - 1)


def row_down(model: Model, key: str, now: float) -> Step:
    """One table down."""
    return _row(model, model.row + 1)


def row_page_up(model: Model, key: str, now: float) -> Step:
    """A page of tables up."""
    return _row(model, model.row - PAGE)


def row_page_down(model: Model, key: str, now: float) -> Step:
    """A page of tables down."""
    return _row(model, model.row + PAGE)


def row_first(model: Model, key: str, now: float) -> Step:
    """The first table."""
    return _row(model, 0)


def row_last(model: Model, key: str, now: float) -> Step:
    """The last table that is known."""
    return _row(model, len(model.world.lobby) - 1)


def _enter(model: Model, watch: bool) -> Step:
    table = model.world.lobby[min(model.row, len(model.world.lobby) - 1)]
    if table.password:
        return replace(model, input=Input("password", table.id, watch), typed=""), ()
    return model, (m.Watch(0, table.id) if watch else m.Join(0, table.id),)


def join(model: Model, key: str, now: float) -> Step:
    """Sit down at the marked table."""
    return _enter(model, watch=False)


def watch(model: Model, key: str, now: float) -> Step:
    """Watch the marked table."""
    return _enter(model, watch=True)


def new_table(model: Model, key: str, now: float) -> Step:
    """Ask for the name of a new table."""
    return replace(model, input=Input("name"), typed=""), ()


def edit_rules(model: Model, key: str, now: float) -> Step:
    """Ask for other rules of this table."""
    return (
        replace(model, dialog=forms.rules(model.view, model.world.catalogue)) if model.view is not None else model
    ), ()


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
    field = form.fields[form.at]
    if not field.choices:
        return replace(model, dialog=None, form=form, input=Input("field", field.name), typed=field.text), ()
    changed = replace(field, at=(field.at + step) % len(field.choices))
    return replace(model, dialog=forms.with_field(form, changed, model.world.catalogue)), ()


def field_typed(model: Model, name: str, text: str) -> Step:
    """A text of the form was typed; a file of house rules is read at once."""
    form = model.form
    model = replace(model, input=None, typed="", form=None, dialog=form)
    if form is None:
        return model, ()
    field = next(field for field in form.fields if field.name == name)
    model = replace(model, dialog=forms.with_field(form, replace(field, text=text), model.world.catalogue))
    return model, ((ReadRules(text),) if name == "file" and text else ())


def form_page_up(model: Model, key: str, now: float) -> Step:
    """Some settings up."""
    return _field(model, -FORM_PAGE)


def form_page_down(model: Model, key: str, now: float) -> Step:
    """Some settings down."""
    return _field(model, FORM_PAGE)


def _field(model: Model, step: int) -> Step:
    form = model.dialog
    if not isinstance(form, Form):
        return model, ()
    return replace(model, dialog=replace(form, at=max(0, min(form.at + step, len(form.fields) - 1)))), ()


def form_done(model: Model, key: str, now: float) -> Step:
    """Send what the form says."""
    if not isinstance(model.dialog, Form):
        return model, ()
    catalogue = model.world.catalogue
    request = forms.request(model.dialog, _table(model), catalogue)
    return replace(model, dialog=None), ((request,) if request is not None else ())


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


def levels(model: Model) -> tuple[str, ...]:
    """The levels of house bots that the server has."""
    catalogue = model.world.catalogue
    return catalogue.levels if catalogue is not None and catalogue.levels else forms.LEVELS


def add_bot(model: Model, key: str, now: float) -> Step:
    """Seat a bot of the level chosen."""
    return model, (m.BotSeat(0, _table(model), add=model.level),)


def bot_level(model: Model, key: str, now: float) -> Step:
    """Another level for the next bot."""
    choices = levels(model)
    at = choices.index(model.level) + 1 if model.level in choices else 0
    level = choices[at % len(choices)]
    return replace(model, level=level, note=_("The next bot plays: {level}.").format(level=remote(level))), ()


def remove_bot(model: Model, key: str, now: float) -> Step:
    """Remove the bot that sits last."""
    bots = [player.seat for player in model.view.players if player.bot] if model.view is not None else []
    return model, (m.BotSeat(0, _table(model), remove=bots[-1]),) if bots else ()


# -- the menu ---------------------------------------------------------------------------------------------------


def menu(model: Model, key: str, now: float) -> Step:
    """What else can be done at this table."""
    items = menus.items(model)
    if not items:
        return replace(model, note=_("There is nothing more to do here.")), ()
    return replace(model, dialog=Menu(items)), ()


def menu_pick(model: Model, key: str, now: float) -> Step:
    """Do what is marked."""
    return _choose(model, model.dialog.at) if isinstance(model.dialog, Menu) else (model, ())


def menu_number(model: Model, key: str, now: float) -> Step:
    """Do the entry of this number."""
    return _choose(model, int(key) - 1)


def _choose(model: Model, index: int) -> Step:
    if not isinstance(model.dialog, Menu) or index >= len(model.dialog.items):
        return model, ()
    item = model.dialog.items[index]
    if item.ask:
        return replace(model, dialog=Confirm(item.label, item.ask, item.then)), ()
    return replace(model, dialog=None), item.then


# -- the servers ------------------------------------------------------------------------------------------------


def _server(model: Model, row: int) -> Step:
    return replace(model, server=max(0, min(len(model.world.servers) - 1, row))), ()


def server_up(model: Model, key: str, now: float) -> Step:
    """One server up."""
    return _server(model, model.server - 1)


def server_down(model: Model, key: str, now: float) -> Step:
    """One server down."""
    return _server(model, model.server + 1)


def connect(model: Model, key: str, now: float) -> Step:
    """Go to the marked server."""
    row = marked_server(model)
    return model, ((GoTo(row.address),) if row is not None else ())


def keep_server(model: Model, key: str, now: float) -> Step:
    """Make the marked server a favourite, or no longer."""
    row = marked_server(model)
    return model, ((Keep(row.address),) if row is not None else ())


def address(model: Model, key: str, now: float) -> Step:
    """Ask for an address."""
    return replace(model, input=Input("address"), typed=""), ()
