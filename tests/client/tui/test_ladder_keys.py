"""The ladder of an arena in the full screen: by key from the list of tables, row by row and page by page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.client.tui import scenes
from tests.client.tui.scenes import NOW
from una_client.tui import keys
from una_client.tui.model import Ladder, Model, ReadLadder, Where
from una_client.tui.update import press, see


def at(model: Model) -> int:
    """The marked row."""
    assert isinstance(model.dialog, Ladder)
    return model.dialog.at


def test_it_opens_where_there_is_one() -> None:
    without = scenes.lobby()
    model, intents = press(without, "l", NOW)
    assert (model.dialog, intents) == (None, ())
    assert model.note == "The server has no arena, and keeps no ladder."
    assert "ladder" not in {entry.label for entry in keys.working(without)}

    closed = replace(scenes.ladder(), dialog=None)
    assert "ladder" in {entry.label for entry in keys.working(closed)}
    model, intents = press(closed, "l", NOW)
    assert (model.dialog, intents) == (Ladder(), (ReadLadder(),))
    assert model.places[0] is Where.LADDER
    assert press(model, "r", NOW) == (model, (ReadLadder(),))


@pytest.mark.parametrize("key", ["escape", "q", "l", "enter"])
def test_it_closes(key: str) -> None:
    assert press(scenes.ladder(), key, NOW) == (replace(scenes.ladder(), dialog=None), ())


def test_rows() -> None:
    model = scenes.ladder(50)
    for key, row in (
        ("up", 0), ("down", 1), ("j", 2), ("pagedown", 12), ("pageup", 2), ("k", 1), ("end", 49), ("down", 49),
        ("home", 0),
    ):  # fmt: skip
        model, intents = press(model, key, NOW)
        assert (at(model), intents) == (row, ()), key


def test_at_its_end_the_next_page_is_asked_for() -> None:
    model = scenes.ladder(50, at=40, more=True)
    model, intents = press(model, "down", NOW)
    assert intents == ()
    model, intents = press(model, "pagedown", NOW)
    assert (at(model), intents) == (49, (ReadLadder(more=True),))


def test_a_ladder_that_got_shorter_and_one_that_is_gone() -> None:
    model = scenes.ladder(50, at=49)
    shorter = see(model, scenes.ladder(3).world, NOW)
    assert at(press(shorter, "up", NOW)[0]) == 2
    assert see(model, scenes.lobby().world, NOW).dialog is None
