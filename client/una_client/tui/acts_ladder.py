"""What the keys of the arena's ladder do. See `actions`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from .model import Ladder, Model, ReadLadder, Step

PAGE: Final = 10


def ladder(model: Model, key: str, now: float) -> Step:
    """Show the ladder, and ask for it anew."""
    return replace(model, dialog=Ladder()), (ReadLadder(),)


def _move(model: Model, step: int) -> Step:
    """Mark another row; at the end of what is known, the next page is asked for."""
    if not isinstance(model.dialog, Ladder):
        return model, ()
    last = max(0, len(model.world.ladder or ()) - 1)
    at = max(0, min(last, model.dialog.at + step))
    more = (ReadLadder(more=True),) if at == last and model.world.more_ladder else ()
    return replace(model, dialog=Ladder(at)), more


def up(model: Model, key: str, now: float) -> Step:
    """One row up."""
    return _move(model, -1)


def down(model: Model, key: str, now: float) -> Step:
    """One row down."""
    return _move(model, 1)


def page_up(model: Model, key: str, now: float) -> Step:
    """A page up."""
    return _move(model, -PAGE)


def page_down(model: Model, key: str, now: float) -> Step:
    """A page down."""
    return _move(model, PAGE)


def first(model: Model, key: str, now: float) -> Step:
    """The best."""
    return _move(model, -len(model.world.ladder or ()))


def last(model: Model, key: str, now: float) -> Step:
    """The last row that is known."""
    return _move(model, len(model.world.ladder or ()))


def again(model: Model, key: str, now: float) -> Step:
    """Ask for the ladder anew."""
    return model, (ReadLadder(),)
