"""Turn numbers, una with its grace (U5), limits and default moves, lost seats, auto, pauses, votes, rounds."""

from __future__ import annotations

from typing import Any

import pytest

from una_protocol import events as ev
from una_protocol import messages as msg
from una_protocol.actions import DRAW, PASS, UNA, Catch, Play
from una_protocol.cards import COLOR, Card
from una_server.game.cardset import set_of

from .kit import Evening
from .test_seating import code


def arrange(evening: Evening, turn: str, top: str, hands: dict[str, list[str]]) -> None:
    """Put a running round into a position: fresh hands and top, the rest is left as it is."""
    table = evening.table
    match = table.match
    assert match is not None
    state = match.round
    assert state is not None
    for name, cards in hands.items():
        seat = evening.seat(name)
        state.hands[seat] = [Card(card) for card in cards]
        state.held[seat] = set_of(state.hands[seat])
        for key, view in evening.views.items():
            player = view.player(seat)
            assert player is not None
            player.cards = len(cards)
            if key == f"key-{name}":
                view.hand = list(state.hands[seat])
    state.discards[-1] = state.top = Card(top)
    state.pending = 0
    state.match(COLOR[state.top], True)
    state.open_turn(evening.seat(turn))
    for view in evening.views.values():
        view.top, view.color, view.pending, view.wish_served = state.top, state.color, 0, True
        view.drawn, view.direction = None, state.direction
        view.turn_seat, view.phase = state.turn, state.phase


def started(*names: str, **create: Any) -> Evening:
    evening = Evening(*names, **create)
    assert code(evening.ask(names[0], msg.Start)) == "ok"
    return evening


def test_the_seat_on_turn_is_asked_with_everything_it_may_do() -> None:
    evening = started("Ann", "Ben")
    seat = evening.table.view_for("key-Ann", 0).turn_seat
    name = "Ann" if seat == 0 else "Ben"
    asked = evening.turns[f"key-{name}"]
    assert (asked.turn, asked.seq) == (evening.table.turn, evening.table.seq)
    assert DRAW in asked.legal
    assert asked.ms is None
    assert code(evening.act(name, asked.legal[asked.default])) == "ok"


def test_an_old_turn_number_changes_nothing_and_costs_nothing_in_any_profile() -> None:
    for profile in ("una", "traditional"):
        evening = started("Ann", "Ben", profile=profile)
        name = "Ann" if evening.table.view_for("key-Ann", 0).turn_seat == 0 else "Ben"
        seq = evening.table.seq
        assert code(evening.act(name, DRAW, turn=evening.table.turn - 1)) == "stale_turn"
        assert code(evening.act(name, Play(Card("R1")), turn=evening.table.turn + 1)) == "stale_turn"
        assert evening.table.seq == seq


def test_the_same_move_twice_draws_once() -> None:
    evening = started("Ann", "Ben", "Cy")
    arrange(evening, "Ann", "R5", {"Ann": ["G1", "G2"], "Ben": ["R1", "R2"], "Cy": ["R3", "R4"]})
    turn = evening.table.turn
    assert code(evening.act("Ann", DRAW, turn)) == "ok"
    assert code(evening.act("Ann", DRAW, turn)) == "stale_turn"


def test_a_wrong_card_costs_its_penalty_and_the_choices_get_a_new_number() -> None:
    evening = started("Ann", "Ben", profile="traditional")
    arrange(evening, "Ann", "R5", {"Ann": ["R1", "G2", "B9"], "Ben": ["R1", "R2"]})
    turn = evening.table.turn
    assert code(evening.act("Ann", Play(Card("G2")))) == "ok"
    assert evening.table.turn == turn + 1
    assert evening.happened(ev.Drew)[-1].why == "illegal"
    assert len(evening.views["key-Ann"].hand or []) == 5


# -- una and catching ---------------------------------------------------------------------------------------------


def una_forgotten(**create: Any) -> Evening:
    evening = started("Ann", "Ben", "Cy", **create)
    arrange(evening, "Ann", "R5", {"Ann": ["R1", "G2"], "Ben": ["R2", "R3", "R4"], "Cy": ["G5", "G6"]})
    assert code(evening.act("Ann", Play(Card("R1")))) == "ok"
    assert evening.views["key-Cy"].catchable == [0]
    return evening


def test_a_catch_in_the_grace_is_kept_and_counts_when_it_ends() -> None:
    evening = una_forgotten()
    assert code(evening.ask("Ben", msg.Act, do=Catch(0))) == "kept"
    assert code(evening.act("Ben", Play(Card("R2")))) == "kept", "the next player's action waits for that moment"
    evening.later(1.4)
    assert not evening.happened(ev.Caught)
    evening.later(0.2)
    assert evening.happened(ev.Caught) == [ev.Caught(0, 1)]
    assert [type(e) for e in evening.events if isinstance(e, ev.Caught | ev.Played)][-2:] == [ev.Caught, ev.Played]
    assert code(evening.answers["key-Ben", evening.ids["Ben"] - 1]) == "ok"
    assert code(evening.answers["key-Ben", evening.ids["Ben"]]) == "ok"


def test_una_called_within_the_grace_beats_the_kept_catch_without_cool_down() -> None:
    evening = una_forgotten()
    evening.ask("Ben", msg.Act, do=Catch(0))
    evening.act("Ben", Play(Card("R2")))
    evening.later(0.7)
    assert code(evening.ask("Ann", msg.Act, do=UNA)) == "ok"
    assert code(evening.answers["key-Ben", evening.ids["Ben"] - 1]) == "nothing_to_catch"
    assert code(evening.answers["key-Ben", evening.ids["Ben"]]) == "ok"
    assert not evening.happened(ev.Caught)
    assert not evening.table.cooling


def test_without_a_kept_catch_nothing_waits_and_the_window_closes() -> None:
    evening = una_forgotten()
    assert code(evening.act("Ben", Play(Card("R2")))) == "ok"
    answer = evening.ask("Cy", msg.Act, do=Catch(0))
    assert code(answer) == "nothing_to_catch"
    answer = evening.ask("Cy", msg.Act, do=Catch(0))
    assert isinstance(answer, msg.Err)
    assert (answer.code, answer.retry) == ("too_fast", "later")
    assert 0 < (answer.after_ms or 0) <= 3001


def test_only_those_who_may_catch_do_and_after_the_grace_at_once() -> None:
    evening = una_forgotten()
    assert code(evening.ask("Cy", msg.Act, do=Catch(0))) == "cannot_catch"
    evening.later(1.6)
    assert code(evening.ask("Ben", msg.Act, do=Catch(0))) == "ok"
    assert evening.views["key-Ann"].catchable == []


def test_no_grace_where_only_bots_play() -> None:
    evening = Evening("Ann", "Ben", "Cy", programs=("Ann", "Ben", "Cy"))
    evening.ask("Ann", msg.Start)
    arrange(evening, "Ann", "R5", {"Ann": ["R1", "G2"], "Ben": ["R2", "R3"], "Cy": ["G5", "G6"]})
    evening.act("Ann", Play(Card("R1")))
    assert code(evening.ask("Ben", msg.Act, do=Catch(0))) == "ok"


def test_a_house_bot_that_noticed_catches_no_sooner_than_the_grace_allows() -> None:
    for seed in range(20):
        evening = started("Ann", bots=("normal", "normal"), una_grace_ms=1500)
        evening.table.moods.seed(seed)
        names = {seat.number: seat.name for seat in evening.table.seats.values()}
        arrange(evening, "Ann", "R5", {"Ann": ["R1", "G2"]})
        assert set(names) == {0, 1, 2}
        evening.act("Ann", Play(Card("R1")))
        evening.later(1.4)
        assert not evening.happened(ev.Caught)
        evening.later(0.2)
        if evening.happened(ev.Caught):
            return
    pytest.fail("no house bot ever notices")


# -- time ---------------------------------------------------------------------------------------------------------


def test_the_default_move_when_the_limit_runs_out_and_a_bot_after_three() -> None:
    evening = started("Ann", "Ben", turn_s=10)
    for _ in range(40):
        evening.later(10)
        if evening.happened(ev.Away):
            break
    away = evening.happened(ev.Away)[0].seat
    before = evening.events[: evening.events.index(ev.Away(away))]
    assert sum(e == ev.Timeout(away) for e in before) == 3
    name = "Ann" if away == 0 else "Ben"
    assert evening.views[f"key-{name}"].players[away].status == "away"
    evening.ask(name, msg.SetReady)
    assert evening.happened(ev.Back)[-1] == ev.Back(away), "one message takes the seat back"


def test_the_clock_runs_on_after_drawing_and_the_rest_of_the_turn_is_played() -> None:
    evening = started("Ann", "Ben", turn_s=10)
    arrange(evening, "Ann", "R5", {"Ann": ["G1", "G2"], "Ben": ["B1", "B2"]})
    state = evening.table.round
    assert state is not None
    evening.table.limit_began = evening.now
    state.draw_pile[-1] = Card("R9")
    evening.later(6)
    evening.act("Ann", DRAW)
    assert evening.turns["key-Ann"].phase == "drawn"
    assert evening.turns["key-Ann"].ms == 4000
    evening.later(4)
    assert evening.happened(ev.Passed)[-1] == ev.Passed(0)


@pytest.mark.parametrize("away", ["bot", "wait", "leave"])
def test_a_lost_seat_waits_sixty_seconds_then_plays_by_default_then_by_the_away_rule(away: str) -> None:
    evening = started("Ann", "Ben", "Cy", away=away)
    name = {0: "Ann", 1: "Ben", 2: "Cy"}[evening.table.told[1]]
    evening.lose(name)
    seat = evening.seat(name)
    assert evening.views[f"key-{'Ann' if name != 'Ann' else 'Ben'}"].players[seat].status == "lost"
    evening.later(59)
    assert not evening.happened(ev.Timeout)
    evening.later(2)
    assert evening.happened(ev.Timeout) == [ev.Timeout(seat)]
    others = [other for other in ("Ann", "Ben", "Cy") if other != name]
    for _ in range(20):
        for other in others:
            if evening.table.round and evening.table.round.turn == evening.seat(other):
                asked = evening.turns[f"key-{other}"]
                evening.act(other, PASS if PASS in asked.legal else DRAW)
        evening.later(61)
    if away == "bot":
        assert ev.Away(seat) in evening.events
        evening.back(name)
        assert evening.events[-1] == ev.Back(seat) or ev.Back(seat) in evening.events
    elif away == "wait":
        assert not evening.happened(ev.Away)
        assert len(evening.happened(ev.Timeout)) > 3
    else:
        assert evening.happened(ev.Left)[-1].why == "gone"
        assert evening.table.seat_of(f"key-{name}") is None


def test_auto_lets_a_bot_play_until_its_owner_is_back() -> None:
    evening = started("Ann", "Ben")
    evening.ask("Ben", msg.Auto, on=True)
    evening.later(3)
    assert evening.table.told[1] == evening.seat("Ann"), "the bot has moved for Ben, if it was Ben's turn"
    evening.ask("Ben", msg.Auto, on=False)
    assert evening.happened(ev.Back) == [ev.Back(1)]


def test_nothing_waits_where_every_seat_is_a_bot() -> None:
    evening = Evening("Ann", bots=("normal", "normal"), options={"target_score": 100})
    evening.ask("Ann", msg.Auto, on=True)
    evening.ask("Ann", msg.Start)
    evening.later(0)
    assert evening.table.stage == "over"
    assert evening.happened(ev.MatchOver)
    assert evening.happened(ev.RoundOver)[0].between_ms in (0, None)


def test_lost_guests_lose_their_seat_where_no_match_runs() -> None:
    evening = Evening("Ann", "Ben")
    evening.lose("Ben")
    evening.later(59)
    assert evening.table.seat_of("key-Ben") == 1
    evening.later(2)
    assert evening.table.seat_of("key-Ben") is None
    assert evening.happened(ev.Left)[-1].why == "gone"


# -- rounds, ready, rematch ---------------------------------------------------------------------------------------


def end_round(evening: Evening) -> None:
    arrange(evening, "Ann", "R5", {"Ann": ["R1"], "Ben": ["R2", "R3"]})
    assert code(evening.act("Ann", Play(Card("R1")))) == "ok"


def test_the_next_round_comes_when_all_are_ready_or_after_a_while() -> None:
    evening = started("Ann", "Ben", profile="official", between_s=7)
    end_round(evening)
    assert evening.table.stage == "between"
    assert evening.happened(ev.RoundOver)[-1].between_ms == 7000
    evening.ask("Ann", msg.SetReady)
    assert evening.table.stage == "between"
    evening.ask("Ben", msg.SetReady)
    assert evening.table.stage == "playing"
    assert evening.views["key-Ann"].round == 2
    end_round(evening)
    evening.later(6.9)
    assert evening.table.stage == "between"
    evening.later(0.2)
    assert evening.table.stage == "playing"


def test_ready_is_dropped_with_the_connection_and_lost_seats_are_not_waited_for() -> None:
    evening = started("Ann", "Ben", profile="official")
    end_round(evening)
    evening.ask("Ben", msg.SetReady)
    evening.lose("Ben")
    assert not evening.views["key-Ann"].players[1].ready
    evening.ask("Ann", msg.SetReady)
    assert evening.table.stage == "playing"


def test_rematch_by_the_host_or_a_majority() -> None:
    evening = started("Ann", "Ben", "Cy", profile="una")
    arrange(evening, "Ann", "R5", {"Ann": ["R1"]})
    evening.act("Ann", Play(Card("R1")))
    assert evening.table.stage == "over"
    assert code(evening.ask("Ben", msg.SetReady)) == "not_now"
    assert code(evening.ask("Ben", msg.Rematch)) == "ok"
    assert evening.table.stage == "over"
    evening.ask("Cy", msg.Rematch)
    assert evening.table.stage == "playing"
    assert all(p.score == 0 for p in evening.views["key-Ann"].players)
    assert code(evening.ask("Ann", msg.Rematch)) == "not_now"


def test_a_double_start_deals_once() -> None:
    evening = started("Ann", "Ben")
    assert code(evening.ask("Ann", msg.Start)) == "already_started"
    assert len(evening.happened(ev.Dealt)) == 1


# -- pause and votes ----------------------------------------------------------------------------------------------


def test_pausing_takes_most_people_and_stops_the_clocks() -> None:
    evening = started("Ann", "Ben", turn_s=10, bots=("easy",))
    name = {0: "Ann", 1: "Ben"}.get(evening.table.told[1], "Ann")
    evening.ask("Ann", msg.Pause, on=True)
    assert not evening.table.paused
    evening.ask("Ben", msg.Pause, on=True)
    assert evening.views[f"key-{name}"].paused
    answer = evening.act(name, DRAW)
    assert isinstance(answer, msg.Err)
    assert (answer.code, answer.retry) == ("paused", "later")
    evening.later(1000)
    assert not evening.happened(ev.Timeout)
    evening.ask("Ann", msg.Pause, on=False)
    evening.ask("Ben", msg.Pause, on=False)
    assert not evening.table.paused
    assert (evening.table.view_for("key-Ann", evening.now).ms or 10_000) > 9_000


def test_a_verdict_needs_more_votes_for_than_against() -> None:
    evening = started("Ann", "Ben", "Cy", "Dee", profile="traditional")
    cards = len(evening.views["key-Ben"].hand or [])
    assert code(evening.ask("Ann", msg.Accuse, seat=1)) == "ok"
    assert code(evening.ask("Cy", msg.Accuse, seat=1)) == "not_now"
    assert code(evening.ask("Ann", msg.Vote, seat=1, guilty=True)) == "not_now", "a party has no vote"
    assert code(evening.ask("Cy", msg.Vote, seat=1, guilty=True)) == "ok"
    assert code(evening.ask("Cy", msg.Vote, seat=1, guilty=True)) == "not_now"
    evening.ask("Dee", msg.Vote, seat=1, guilty=False)
    assert evening.happened(ev.Accused)[-1].guilty is False
    evening.table.turn += 1
    evening.ask("Ann", msg.Accuse, seat=1)
    evening.ask("Cy", msg.Vote, seat=1, guilty=True)
    evening.later(21)
    assert evening.happened(ev.Accused)[-1].guilty is True
    assert evening.happened(ev.Drew)[-1].why == "advice"
    assert len(evening.views["key-Ben"].hand or []) == cards + 2


def test_no_accusation_without_the_rule_and_none_of_oneself() -> None:
    evening = started("Ann", "Ben", profile="una")
    assert code(evening.ask("Ann", msg.Accuse, seat=1)) == "not_now"
    evening = started("Ann", "Ben", profile="traditional")
    assert code(evening.ask("Ann", msg.Accuse, seat=0)) == "not_now"
    assert code(evening.ask("Ann", msg.Accuse, seat=1)) == "ok", "with nobody to ask and a host who is a party"
    assert evening.happened(ev.Accused)[-1] == ev.Accused(1, 0, open=False, guilty=False)
