"""The fold: each kind of event, in the order it may come, and what a view then holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from una_protocol import events as ev
from una_protocol.actions import DRAW, Action
from una_protocol.bot import Bot, BotView
from una_protocol.cards import Card, Color
from una_protocol.codec import EVENT_OF
from una_protocol.view import Accusation, Player, View, fold

Events = list[ev.Event]


def table(you: int | None = 0) -> View:
    """An empty table as one viewer sees it."""
    return View("k3f", 0, "Test", "una", {"serve_wish": True}, 4, you=you)


def after(view: View, *events: ev.Event) -> View:
    """The view after some more events."""
    for event in events:
        fold(view, view.seq + 1, event)
    return view


def cards(*texts: str) -> tuple[Card, ...]:
    return tuple(map(Card, texts))


SEATED: Events = [ev.Joined("Ann", 0), ev.Host(0), ev.Joined("Ben", 1), ev.Joined("bot-Cy", 2, bot=True, level="easy")]
DEALT: Events = [
    *SEATED,
    ev.Dealer(2),
    ev.Dealt(1, 2, (3, 3, 3), 98, cards("R7", "W", "B+2")),
    ev.Top(Card("R5"), 98, "red"),
    ev.Turn(0, 1, "turn", ms=20000),
]


def dealt(you: int | None = 0) -> View:
    """A round has begun; seat 0 is on turn."""
    return after(table(you), *DEALT)


def test_people_come_and_go() -> None:
    view = after(table(), *SEATED, ev.Joined("Wim"), ev.Ready(1))
    assert (view.host, view.watchers, view.seq) == (0, ["Wim"], 6)
    assert view.players == [
        Player(0, "Ann"),
        Player(1, "Ben", ready=True),
        Player(2, "bot-Cy", bot=True, level="easy"),
    ]
    after(view, ev.Lost(1), ev.Away(0))
    assert [(p.status, p.ready) for p in view.players] == [("away", False), ("lost", False), ("here", False)]
    after(view, ev.Back(0), ev.Back(1), ev.Left("Wim"), ev.Left("Ben", 1), ev.Left("nobody"))
    assert view.watchers == []
    assert [p.name for p in view.players if p.status == "here"] == ["Ann", "bot-Cy"]
    assert view.name_of(0) == "Ann"
    assert view.name_of(1) == "seat 2"


def test_options_are_replaced_as_a_whole() -> None:
    view = after(table(), ev.OptionsSet("official", {"hand_size": 5}, 3, 30, 0, "wait", 5, False, True))
    assert (view.profile, view.options, view.seats, view.turn_s) == ("official", {"hand_size": 5}, 3, 30)
    assert (view.una_grace_ms, view.away, view.between_s, view.public, view.password) == (0, "wait", 5, False, True)


def test_a_pause_is_asked_for_and_ended() -> None:
    view = after(dealt(), ev.Paused(0, want=True, on=False))
    assert (view.paused, view.asked) == (False, [0])
    after(view, ev.Paused(1, want=True, on=True))
    assert (view.paused, view.asked) == (True, [])
    after(view, ev.Paused(0, want=False, on=True), ev.Paused(0, want=True, on=True))
    assert (view.paused, view.asked) == (True, [])
    after(view, ev.Paused(0, want=False, on=False))
    assert (view.paused, view.asked) == (False, [])


def test_a_vote() -> None:
    view = after(dealt(), ev.Accused(1, 0, ms=20000), ev.Voted(2))
    assert view.accusation == Accusation(1, 0, [2])
    done = after(view, ev.Accused(1, 0, open=False, guilty=True), ev.Drew(1, 2, "advice", 96), ev.Voted(0))
    assert done.accusation is None
    assert done.players[1].cards == 5


def test_a_round_begins() -> None:
    view = dealt()
    assert (view.stage, view.phase, view.round, view.dealer, view.draw_pile) == ("playing", "turn", 1, 2, 98)
    assert (view.top, view.color, view.hand, view.turn_seat, view.ms) == ("R5", "red", ["R7", "W", "B+2"], 0, 20000)
    assert [p.cards for p in view.players] == [3, 3, 3]
    assert view.my_turn
    assert not dealt(1).my_turn


def test_a_first_card_that_goes_back() -> None:
    view = after(table(), *SEATED, ev.Dealer(0, ((0, Card("R7")),)), ev.Dealt(1, 0, (1, 1, 1), 105))
    after(view, ev.Top(Card("W+4"), 105, back=True))
    assert (view.top, view.color) == (None, None)
    after(view, ev.Top(Card("W"), 104), ev.Turn(1, 1, "wish"), ev.Wished(1, "blue"), ev.Turn(1, 2, "turn"))
    assert (view.top, view.color, view.phase, view.wish_served) == ("W", "blue", "turn", False)
    assert view.hand is None


@pytest.mark.parametrize(("card", "color", "served"), [("R7", "red", True), ("W", "blue", False)])
def test_a_card_is_laid(card: str, color: Color, served: bool) -> None:
    view = after(dealt(), ev.Played(0, Card(card), color), ev.Turn(1, 2, "turn"))
    assert (view.top, view.color, view.wish_served, view.turn_seat) == (card, color, served, 1)
    assert Card(card) not in (view.hand or [])
    assert [p.cards for p in view.players] == [2, 3, 3]


def test_a_jump_in_takes_the_turn() -> None:
    view = after(dealt(), ev.Played(2, Card("R5"), "red", jump=True), ev.Reversed(-1), ev.Skipped(1))
    assert (view.turn_seat, view.direction) == (2, -1)


def test_hands_change_owners() -> None:
    swap = ev.Played(0, Card("R7"), "red", swap_with=1, counts=(3, 2, 3), hand=cards("G1", "G2", "G3"))
    view = after(dealt(), swap)
    assert view.hand == ["G1", "G2", "G3"]
    assert [p.cards for p in view.players] == [3, 2, 3]


def test_drawing_and_keeping() -> None:
    view = after(dealt(), ev.Drew(0, 1, "turn", 97, cards("R1")), ev.Turn(0, 2, "drawn"))
    assert (view.hand, view.drawn, view.draw_pile) == (["R7", "W", "B+2", "R1"], "R1", 97)
    after(view, ev.Passed(0), ev.Turn(1, 3, "turn"), ev.Drew(1, 1, "turn", 96), ev.Timeout(1), ev.Turn(1, 4, "drawn"))
    assert (view.drawn, view.draw_pile, view.players[1].cards) == (None, 96, 4)


def test_pending_cards_are_taken() -> None:
    view = after(dealt(), ev.Played(0, Card("B+2"), "blue", pending=2), ev.Turn(1, 2, "penalty", pending=2))
    assert view.pending == 2
    after(view, ev.Reshuffled(40), ev.Drew(1, 2, "pending", 38))
    assert (view.pending, view.draw_pile, view.players[1].cards) == (0, 38, 5)


def test_a_challenge() -> None:
    view = after(dealt(1), ev.Played(0, Card("W+4"), "red", pending=4), ev.Turn(1, 2, "penalty", pending=4))
    after(view, ev.Challenged(1, 0, guilty=True), ev.Shown(0, 1, cards("R7", "B+2")), ev.Drew(0, 4, "challenge", 94))
    assert (view.pending, view.players[0].cards) == (0, 6)


def test_una_and_a_catch() -> None:
    view = after(dealt(), ev.UnaCalled(0), ev.Turn(1, 2, "turn", called=(0,), catchable=(2,)))
    assert view.players[0].una
    assert view.catchable == [2]
    after(view, ev.Caught(2, 0), ev.Drew(2, 2, "una", 96), ev.Turn(1, 3, "turn"))
    assert (view.players[2].cards, view.catchable, view.players[0].una) == (5, [], False)


def test_leaving_a_running_round() -> None:
    view = after(dealt(), ev.Paused(1, want=True, on=False), ev.Left("Ben", 1, "kicked", 101))
    assert view.players[1] == Player(1, "Ben", status="left")
    assert (view.draw_pile, view.asked) == (101, [])
    assert [p.name for p in after(view, ev.Dealer(0)).players] == ["Ann", "bot-Cy"]


def test_the_end_of_a_round_and_of_a_match() -> None:
    over = ev.RoundOver(0, ((), cards("R1"), ()), (51, 0, 0), (51, 0, 0), match_over=True, between_ms=15000)
    view = after(dealt(), ev.Ready(1), over)
    assert (view.stage, view.phase, view.turn_seat, view.ms) == ("between", "over", None, 15000)
    assert [(p.score, p.ready) for p in view.players] == [(51, False), (0, False), (0, False)]
    assert view.result
    assert view.result.between_ms is None
    after(view, ev.MatchOver((0,), (51, 0, 0)))
    assert (view.stage, view.winners) == ("over", [0])
    after(view, ev.Dealer(0))
    assert [view.winners, view.result] == [None, None]
    assert (view.players[0].score, view.round) == (0, 0)


def test_a_watcher_has_no_hand() -> None:
    view = after(table(None), *SEATED, ev.Dealer(2), ev.Dealt(1, 2, (3, 3, 3), 98), ev.Drew(0, 1, "turn", 97))
    assert (view.hand, view.drawn, view.my_turn) == (None, None, False)


def test_an_unknown_kind_counts_and_changes_nothing_else() -> None:
    view, same = dealt(), dealt()
    fold(view, view.seq + 1, ev.UnknownEvent("danced"))  # type: ignore[arg-type]
    same.seq += 1
    assert view == same


@pytest.mark.parametrize("kind", EVENT_OF)
def test_every_kind_is_folded_somewhere_above(kind: str) -> None:
    source = Path(__file__).read_text("utf-8")
    assert f"ev.{EVENT_OF[kind].__name__}(" in source


def test_a_bot_sees_its_seat() -> None:
    class Last(Bot):
        def choose(self, view: BotView) -> Action:
            return view.legal[view.default]

    view = BotView(dealt(), (DRAW,), 0)
    assert Last().choose(view) == DRAW
    assert Last().watch(view.table, ev.Skipped(0)) is None
    assert (view.seat, view.hand, view.top, view.color, view.phase) == (0, ["R7", "W", "B+2"], "R5", "red", "turn")
    assert (view.pending, view.drawn, len(view.players)) == (0, None, 3)
    assert view.next_player
    assert view.next_player.seat == 1
    after(view.table, ev.Reversed(-1))
    assert view.next_player.seat == 2
    assert BotView(table(None), (), 0).seat == -1
    assert BotView(table(None), (), 0).next_player is None
    with pytest.raises(NotImplementedError):
        Bot().choose(view)
