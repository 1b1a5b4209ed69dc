"""The mirror: folds what comes, finds gaps, and knows what we owe and how long we have."""

from __future__ import annotations

import pytest

from tests.client.kit import a_turn, a_view, an_ev, cards
from una_client.mirror import Mirror, Note
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Catch, Draw, Play
from una_protocol.cards import Card


@pytest.fixture
def mirror() -> Mirror:
    made = Mirror("Ann")
    made.handle(a_view(), now=100.0)
    return made


def test_a_state_makes_its_table_the_current_one(mirror: Mirror) -> None:
    assert mirror.current == "k3f"
    assert mirror.view == a_view()


def test_an_event_is_folded_and_logged_with_its_time_and_who_was_who(mirror: Mirror) -> None:
    handled = mirror.handle(an_ev(11, ev.Played(0, Card("B9"), "blue")), now=101.0, clock="12:41")
    assert mirror.view is not None
    assert mirror.view.top == "B9"
    assert mirror.view.hand == cards("R3 G2 Y7 W")
    (entry,) = handled.entries
    assert (entry.clock, entry.who.names[1], entry.who.you, entry.table) == ("12:41", "Bo", 0, "k3f")
    assert list(mirror.log) == [entry]


def test_an_event_that_the_state_already_holds_is_dropped(mirror: Mirror) -> None:
    handled = mirror.handle(an_ev(10, ev.Drew(1, 1, "turn", 59)), now=101.0)
    assert handled == ([], [])


def test_a_gap_asks_for_the_state_once_and_the_state_heals_it(mirror: Mirror) -> None:
    first = mirror.handle(an_ev(12, ev.Passed(1)), now=101.0)
    second = mirror.handle(an_ev(13, ev.Passed(2)), now=101.0)
    assert first.requests == [m.GetState(0, "k3f")]
    assert second == ([], [])
    mirror.handle(a_view(seq=13), now=102.0)
    assert mirror.handle(an_ev(14, ev.Passed(1)), now=102.0).entries


def test_an_unknown_kind_of_event_keeps_the_count(mirror: Mirror) -> None:
    mirror.handle(m.Ev("k3f", 11, ev.UnknownEvent("sang")), now=101.0)  # type: ignore[arg-type]
    assert mirror.handle(an_ev(12, ev.Passed(0)), now=101.0).requests == []


def test_events_of_other_tables_are_dropped(mirror: Mirror) -> None:
    assert mirror.handle(m.Ev("other", 1, ev.Passed(0)), now=101.0) == ([], [])


def test_the_pending_turn_stays_until_the_turn_moves_on(mirror: Mirror) -> None:
    mirror.handle(a_turn(ms=20_000), now=101.0)
    assert mirror.turn is not None
    mirror.handle(an_ev(11, ev.Turn(0, 41, "turn", called=(1,))), now=102.0)
    assert mirror.turn is not None, "only who called una has changed"
    mirror.handle(an_ev(12, ev.Turn(1, 42, "turn")), now=103.0)
    assert mirror.turn is None


def test_a_state_in_between_keeps_the_pending_turn_of_the_same_number(mirror: Mirror) -> None:
    mirror.handle(a_turn(), now=101.0)
    mirror.handle(a_view(seq=11), now=102.0)
    assert mirror.turn is not None
    mirror.handle(a_view(seq=12, turn=43), now=102.0)
    assert mirror.turn is None


@pytest.mark.parametrize(
    "end",
    [ev.RoundOver(1, ((), (), ()), (0, 9, 0), (0, 9, 0), True), ev.MatchOver((1,), (0, 9, 0))],
)
def test_the_end_of_a_round_ends_the_decision(mirror: Mirror, end: ev.Event) -> None:
    mirror.handle(a_turn(), now=101.0)
    mirror.handle(an_ev(11, end), now=102.0)
    assert mirror.turn is None


def test_deadlines_are_in_the_callers_time(mirror: Mirror) -> None:
    mirror.handle(an_ev(11, ev.Turn(1, 42, "turn", ms=20_000)), now=101.0)
    assert mirror.table is not None
    assert mirror.table.seconds_left(105.0) == 16.0
    assert mirror.table.seconds_left(500.0) == 0.0
    mirror.handle(an_ev(12, ev.Turn(0, 43, "turn")), now=106.0)
    assert mirror.table.seconds_left(107.0) is None


def test_the_clock_stands_while_paused(mirror: Mirror) -> None:
    mirror.handle(an_ev(11, ev.Turn(1, 42, "turn", ms=20_000)), now=100.0)
    mirror.handle(an_ev(12, ev.Paused(1, want=True, on=True)), now=105.0)
    assert mirror.table is not None
    assert mirror.table.seconds_left(300.0) == 15.0
    mirror.handle(an_ev(13, ev.Paused(1, want=False, on=False)), now=400.0)
    assert mirror.table.seconds_left(401.0) == 14.0


def test_a_sent_move_is_shown_until_the_turn_that_follows(mirror: Mirror) -> None:
    mirror.sent(7, m.Act(7, "k3f", Draw(), turn=41))
    assert mirror.table is not None
    mirror.handle(m.Ok(7, seq=12), now=101.0)
    assert mirror.table.sent is not None
    mirror.handle(an_ev(11, ev.Turn(1, 42, "turn")), now=101.0)
    assert mirror.table.sent is None


def test_a_refused_move_is_no_longer_sent_and_stands_in_the_log(mirror: Mirror) -> None:
    mirror.handle(a_turn(), now=101.0)
    mirror.sent(7, m.Act(7, "k3f", Play(Card("R3")), turn=41))
    handled = mirror.handle(m.Err("illegal_card", "no", "no", re=7), now=101.0)
    assert mirror.table is not None
    assert mirror.table.sent is None
    assert mirror.turn is not None
    assert handled.entries[0].table == "k3f"


def test_a_catch_is_done_with_its_ok(mirror: Mirror) -> None:
    mirror.sent(8, m.Act(8, "k3f", Catch(1)))
    mirror.handle(m.Ok(8, seq=10), now=101.0)
    assert mirror.table is not None
    assert mirror.table.sent is None


def test_leaving_is_noticed_and_coming_back_too(mirror: Mirror) -> None:
    mirror.handle(an_ev(11, ev.Left("Ann", 0, "kicked")), now=101.0)
    assert mirror.table is not None
    assert mirror.table.gone == "kicked"
    mirror.handle(a_view(), now=102.0)
    assert mirror.table.gone is None


def test_a_watcher_knows_itself_by_name() -> None:
    mirror = Mirror("Eve")
    mirror.handle(a_view(you=None, hand=None, watchers=["Eve"]), now=100.0)
    mirror.handle(an_ev(11, ev.Left("Eve")), now=101.0)
    assert mirror.table is not None
    assert mirror.table.gone == "left"


def test_chat_lobby_and_notes(mirror: Mirror) -> None:
    handled = mirror.handle(m.Said("hi", "Bo", "k3f"), now=101.0, clock="12:42")
    assert handled.entries[0].clock == "12:42"
    mirror.handle(m.LobbyNow([m.TableRow("k3f", "Kitchen", "una", 4, 3, "playing")]), now=101.0)
    assert mirror.lobby is not None
    assert mirror.lobby[0].name == "Kitchen"
    assert mirror.note("Connected again.").what == Note("Connected again.")


def test_after_a_lost_session_nothing_is_ours(mirror: Mirror) -> None:
    mirror.handle(a_turn(), now=101.0)
    mirror.disconnected()
    assert mirror.turn is None
    assert mirror.view is not None
    mirror.forget()
    assert mirror.view is None
