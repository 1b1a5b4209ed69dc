"""What is remembered of a round beyond the view, and when the picture changes by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.client.tui import scenes
from tests.client.tui.scenes import NOW
from una_client.tui.model import Model, Retrying
from una_client.tui.story import Story
from una_client.tui.timing import next_change
from una_client.tui.world import Four, Fresh, Highlights
from una_protocol import events as ev
from una_protocol.cards import Card
from una_protocol.view import fold


def test_a_round() -> None:
    table = scenes.view(una_grace_ms=750)
    story = Story()
    story.note(ev.Dealt(1, 0, (7, 7, 7, 7), 60), table, 0.0)
    happened: list[ev.Event] = [
        ev.Played(1, Card("W+4"), "red", 4),
        ev.Turn(2, 13, "penalty", 4),
        ev.Drew(2, 4, "pending", 50),
        ev.Drew(0, 2, "turn", 48, (Card("R1"), Card("G1"))),
        ev.Turn(0, 14, "turn", 0, (3,)),
        ev.Turn(0, 14, "turn", 0, (3,)),
        ev.Caught(3, 1),
        ev.Reshuffled(20),
    ]
    for seq, event in enumerate(happened, table.seq + 1):
        story.note(event, table, 10.0 + seq - table.seq)
        fold(table, seq, event)
    assert story.four == Four(1, "blue")
    assert story.before == ("B7",)
    assert story.fresh.drew(12.0) == ("R1", "G1")
    assert story.fresh.drew(20.0) == ()
    assert story.fresh.laid(11.5)
    assert story.grace == (pytest.approx(11.75), 0.75)
    story.note(ev.Turn(1, 15, "turn"), table, 12.0)
    assert story.grace is None
    story.note(ev.RoundOver(1, ((), (), (), ()), (0, 9, 0, 0), (0, 9, 0, 0), False), table, 61.0)
    assert story.highlights == Highlights((0, 11), (2, 4), ((3, 1),), 2, 1, 61.0)
    assert story.rounds == ((0, 9, 0, 0),)
    story.note(ev.Dealt(2, 0, (7, 7), 60), table, 70.0)
    assert (story.rounds, story.highlights, story.before) == (((0, 9, 0, 0),), Highlights(), ())
    story.note(ev.Dealer(1), table, 80.0)
    assert story.rounds == ()


def still() -> Model:
    """A picture that does not change."""
    model = scenes.my_turn()
    return replace(model, world=replace(model.world, deadline=None))


def test_nothing_changes_by_itself() -> None:
    assert next_change(still(), NOW) is None
    assert next_change(scenes.lobby(), NOW) is None


def test_changes_by_the_time() -> None:
    world = still().world
    lost = Retrying(1, NOW + 2.25, "", NOW + 60.5)
    waits = {
        "clock": replace(world, deadline=NOW + 4.25),
        "fresh": replace(world, fresh=Fresh(NOW - 1.25)),
        "grace": replace(scenes.alarm().world, deadline=None, grace=(NOW + 0.25, 0.75)),
        "sent": replace(world, sent_at=NOW - 0.05),
        "lost": replace(world, lost=lost),
        "vote": replace(world, vote_deadline=NOW + 8.25),
    }
    assert {name: next_change(Model(world), NOW) for name, world in waits.items()} == pytest.approx(
        dict.fromkeys(waits, 0.25)
    )
    assert next_change(replace(still(), note="x", note_until=NOW + 0.5), NOW) == pytest.approx(0.5)
    assert next_change(Model(replace(world, deadline=NOW + 9, frozen=9.0)), NOW) is None
