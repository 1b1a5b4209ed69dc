"""What the keys do that work everywhere: chat, log, help, leaving. See `actions`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from una_protocol import messages as m

from ..i18n import _
from . import acts_table, forms
from .acts_play import close
from .model import (
    DIALOG_PLACE,
    Again,
    Back,
    Confirm,
    GoTo,
    Help,
    History,
    Input,
    Model,
    Quit,
    Redraw,
    Rescan,
    RetryNow,
    SaveLog,
    Say,
    Step,
    Suspend,
    Where,
)

SCROLL: Final = 5
PAGE: Final = 10
HELP_ROWS: Final = 20
"""No help is longer than this; how far it really scrolls depends on the size of the screen."""
TABLE_NAME_LENGTH: Final = 32
AGAIN_S: Final = 2.0
"""A second Ctrl-C within this time quits without asking."""


def chat(model: Model, key: str, now: float) -> Step:
    """Go to the chat line; a slash begins a command."""
    draft = "/" if key == "/" and not model.draft else model.draft
    return replace(model, input=Input("chat"), draft=draft), ()


def leave_input(model: Model, key: str, now: float) -> Step:
    """Leave the input line; what was typed into the chat is kept, what was typed elsewhere is not."""
    return replace(model, input=None, typed="", dialog=model.form or model.dialog, form=None), ()


def send(model: Model, key: str, now: float) -> Step:
    """Do what the input line says: chat, a command, a name, a password, an address."""
    line, text = model.input, model.line.strip()
    cards = model.cards if text.startswith("/") else ()
    if line is None:
        return model, ()
    if line.kind == "field":
        return acts_table.field_typed(model, line.about, text)
    chat = line.kind == "chat"
    model = replace(model, input=None, draft="" if chat else model.draft, typed="")
    if not text:
        return model, ()
    match line.kind:
        case "name":
            form = forms.create(text[:TABLE_NAME_LENGTH], model.world.catalogue)
            return replace(model, dialog=form), ()
        case "address":
            return model, (GoTo(text),)
        case "server-password":
            return model, (Again(password=text),)
        case "nick":
            return model, (Again(name=text),)
        case "password":
            enter = m.Watch if line.watch else m.Join
            return model, (enter(0, line.about, password=text),)
    return model, (Say(text, cards),)


def back(model: Model, key: str, now: float) -> Step:
    """Back to the list of servers."""
    return model, (Back(),)


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
        return close(model, key, now)
    under = model.form or model.dialog
    place = Where.LOST if model.world.lost is not None else model.place
    if under is not None:
        place = DIALOG_PLACE[type(under)]
    return replace(model, dialog=Help(place, under=under), form=None, input=None, typed=""), ()


def help_up(model: Model, key: str, now: float) -> Step:
    """Earlier rows of the help."""
    return _scroll_help(model, -1)


def help_down(model: Model, key: str, now: float) -> Step:
    """Later rows of the help."""
    return _scroll_help(model, 1)


def _scroll_help(model: Model, step: int) -> Step:
    if not isinstance(model.dialog, Help):
        return model, ()
    return replace(model, dialog=replace(model.dialog, at=max(0, min(HELP_ROWS, model.dialog.at + step)))), ()


def history(model: Model, key: str, now: float) -> Step:
    """All messages."""
    return replace(model, dialog=History()), ()


def _up(model: Model, up: int) -> Step:
    last = max(0, len(model.world.log) - 1)
    return (replace(model, dialog=History(max(0, min(up, last)))) if isinstance(model.dialog, History) else model), ()


def history_up(model: Model, key: str, now: float) -> Step:
    """Older messages."""
    up = model.dialog.up if isinstance(model.dialog, History) else 0
    return _up(model, up + (PAGE if key == "pageup" else 1))


def history_down(model: Model, key: str, now: float) -> Step:
    """Newer messages."""
    up = model.dialog.up if isinstance(model.dialog, History) else 0
    return _up(model, up - (PAGE if key == "pagedown" else 1))


def history_first(model: Model, key: str, now: float) -> Step:
    """The oldest message."""
    return _up(model, len(model.world.log))


def history_last(model: Model, key: str, now: float) -> Step:
    """The newest message."""
    return _up(model, 0)


def save_log(model: Model, key: str, now: float) -> Step:
    """Write the messages to a file."""
    return model, (SaveLog(),)


def mouse(model: Model, key: str, now: float) -> Step:
    """Use the mouse, or leave it to the terminal."""
    note = _("The mouse is the terminal's again.") if model.mouse else _("A click selects, a double click plays.")
    return replace(model, mouse=not model.mouse, note=note), ()


def rescan(model: Model, key: str, now: float) -> Step:
    """Look again."""
    return model, (Rescan(),)


def redraw(model: Model, key: str, now: float) -> Step:
    """Draw the screen anew."""
    return model, (Redraw(),)


def suspend(model: Model, key: str, now: float) -> Step:
    """Stop until the shell continues us."""
    return model, (Suspend(),)


def retry(model: Model, key: str, now: float) -> Step:
    """Try to connect at once."""
    return model, (RetryNow(),)


def leave(model: Model, key: str, now: float) -> Step:
    """Leave the table, or from the lobby the program; a running game asks once."""
    view = model.view
    if model.world.lost is not None and model.world.home:
        return model, (Back(),)
    if view is None or model.world.lost is not None:
        return model, (Quit(),)
    then = (m.Leave(0, view.table),)
    running = view.you is not None and view.stage in ("playing", "between")
    others = any(not p.bot and p.seat != view.you and p.status != "left" for p in view.players)
    if model.world.own and others:
        means = _("The server ends with you, and with it the game of the others.")
    elif not running:
        return model, then
    elif model.world.own:
        means = _("The game ends with it.")
    elif view.stage == "between":
        means = _("The match goes on without you; you cannot come back.")
    else:
        means = _("Your hand goes under the draw pile; you cannot come back.")
    return replace(model, dialog=Confirm(_("Leave the game?"), means, then)), ()


def cancel(model: Model, key: str, now: float) -> Step:
    """Close the dialog, leave the chat, else ask whether to quit; a second time within 2 s quits."""
    if now - model.last_cancel < AGAIN_S:
        return model, (Quit(),)
    model = replace(model, last_cancel=now)
    if model.input is not None:
        if model.input.kind == "chat":
            return replace(model, input=None, draft=""), ()
        return leave_input(model, key, now)
    if model.dialog is not None:
        return close(model, key, now)
    return replace(model, dialog=Confirm(_("Quit una?"), quit_means(model), (Quit(),))), ()


def quit_means(model: Model) -> str:
    """What quitting does to our seat."""
    if model.view is not None and model.view.you is not None and model.view.stage in ("playing", "between"):
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
