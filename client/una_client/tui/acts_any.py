"""What the keys do that work everywhere: chat, log, help, leaving. See `actions`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from una_protocol import messages as m

from ..i18n import _
from . import forms
from .model import Confirm, Help, Input, Model, Quit, Redraw, RetryNow, Say, Step, Suspend, Where

SCROLL: Final = 5
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
    """Leave the input line; what was typed into the chat is kept, but not a password."""
    chat = model.input is not None and model.input.kind == "chat"
    return replace(model, input=None, draft=model.draft if chat else ""), ()


def send(model: Model, key: str, now: float) -> Step:
    """Do what the input line says: chat, a command, the name of a new table, a password."""
    line, text = model.input, model.draft.strip()
    cards = model.cards if text.startswith("/") else ()
    model = replace(model, input=None, draft="")
    if line is None or not text:
        return model, ()
    if line.kind == "chat":
        return model, (Say(text, cards),)
    if line.kind == "name":
        return replace(model, dialog=forms.create(text[:TABLE_NAME_LENGTH])), ()
    if line.watch:
        return model, (m.Watch(0, line.about, password=text),)
    return model, (m.Join(0, line.about, password=text),)


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
    if view is None or model.world.lost is not None:
        return model, (Quit(),)
    then = (m.Leave(0, view.table),)
    if view.you is None or view.stage not in ("playing", "between"):
        return model, then
    means = _("Your hand goes under the draw pile; you cannot come back.")
    if view.stage == "between":
        means = _("The match goes on without you; you cannot come back.")
    ask = Confirm(_("Leave the game?"), means, then)
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
