"""Records: what is played can be played again, and nothing in a record can be changed unnoticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from una_protocol.actions import LEAVE, Penalty, Play, RecordedAction
from una_server.game import PROFILES, Match, Options, Round, legal_actions, make_options
from una_server.game.record import Recorder, RecordError, replay

Line = dict[str, Any]


def choose(state: Round, random: Random) -> tuple[int, RecordedAction]:
    """Something that may be done: mostly by the seat on turn, and mostly laying a card."""
    seat = state.turn if random.random() < 0.7 else random.choice(state.order)
    actions = legal_actions(state, seat) or legal_actions(state, seat := state.turn)
    plays = [action for action in actions if isinstance(action, Play)]
    return seat, random.choice(plays if plays and random.random() < 0.8 else actions)


def play(
    options: Options, seats: tuple[int, ...], seed: int, *, moves: int = 2_000, leaver: int | None = None
) -> list[str]:
    """The record of one round played at random."""
    match, _ = Match.start(options, seats, seed.to_bytes(32, "big"))
    match.deal()
    state, random = match.round, Random(seed)
    assert state is not None
    recorder = Recorder(match)
    names = [{"name": f"p{seat}", "kind": "bot"} for seat in state.order]
    lines = recorder.start(
        match,
        id="x7",
        table="Kitchen",
        started="2026-11-29T18:00:00Z",
        server="una-lan 0.1.0",
        profile="una",
        players=names,
    )  # fmt: skip
    for move in range(moves):
        if state.over:
            break
        seat, action = choose(state, random)
        if move == 20:
            action = LEAVE if seat == leaver else Penalty(1)
        match.apply(seat, action)
        lines += recorder.action(match, seat, action, auto=move == 3, ms=move * 10)
    return lines


HOUSE = make_options("official", {"jump_in": True, "seven_zero": True, "illegal_card_penalty": 1, "hand_size": 4})


def full_record() -> list[str]:
    """A finished round with refilled piles."""
    for seed in range(100):
        lines = play(HOUSE, (0, 2, 5), seed)
        if any('"pile"' in line for line in lines[1:]) and '"end"' in lines[-1] and len(lines) < 400:
            return lines
    raise AssertionError


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_recorded_replays(profile: str, seed: int) -> None:
    options = make_options(profile, {"hand_size": 3, "first_card": "effect"})
    lines = play(options, (1, 4, 7, 2), seed)
    found = replay(lines)
    assert found.options == options
    assert found.actions == sum('"do"' in line for line in lines)
    assert found.end is not None
    assert [player.name for player in found.header.players] == ["p1", "p4", "p7", "p2"]


def test_house_rules_replay_and_name_seats_by_their_place() -> None:
    lines = full_record()
    assert replay([*lines, ""]).end is not None
    acts = [json.loads(line) for line in lines if '"do"' in line]
    assert {act["seat"] for act in acts} == {0, 1, 2}
    assert all(act["do"].get("with", 0) < 3 and act["do"].get("seat", 0) < 3 for act in acts)
    assert acts[3]["auto"] is True
    assert "auto" not in acts[4]


def test_an_unfinished_round_has_no_end() -> None:
    assert replay(play(HOUSE, (0, 1), 1, moves=5)).end is None


def test_leaving_is_recorded() -> None:
    lines = play(make_options("una", {"hand_size": 9}), (3, 4, 5), 3, leaver=4)
    for seed in range(4, 40):
        if any('"leave"' in line for line in lines):
            break
        lines = play(make_options("una", {"hand_size": 9}), (3, 4, 5), seed, leaver=4)
    assert any('"leave"' in line for line in lines)
    assert replay(lines).end is not None


def test_a_first_card_put_back_is_a_pile_after_the_header() -> None:
    for seed in range(400):
        lines = play(PROFILES["official"], (0, 1, 2), seed, moves=3)
        if '"pile"' in lines[1]:
            break
    assert '"pile"' in lines[1]
    replay(lines)
    with pytest.raises(RecordError) as caught:
        replay([lines[0], *lines[2:]])
    assert caught.value.line_no == 1


def changed(lines: list[str], index: int, change: Callable[[Line], None]) -> list[str]:
    value = json.loads(lines[index])
    change(value)
    return [*lines[:index], json.dumps(value), *lines[index + 1 :]]


def swap_cards(cards: list[str]) -> None:
    other = next(place for place, card in enumerate(cards) if card != cards[0])
    cards[0], cards[other] = cards[other], cards[0]


def test_changed_lines_are_found() -> None:
    lines = full_record()
    pile = next(index for index, line in enumerate(lines) if '"pile"' in line)
    tampered: list[tuple[list[str], int | None]] = [
        # the header
        (changed(lines, 0, lambda line: line.update(una_record=2)), 1),
        (changed(lines, 0, lambda line: line.pop("una_record")), 1),
        (changed(lines, 0, lambda line: line.pop("deck")), 1),
        (changed(lines, 0, lambda line: line.update(profile="ludo")), 1),
        (changed(lines, 0, lambda line: line["options"].update(hand_size=0)), 1),
        (changed(lines, 0, lambda line: line["options"].pop("jump_in")), 1),
        (changed(lines, 0, lambda line: line.update(dealer=3)), 1),
        (changed(lines, 0, lambda line: line.update(scores=[0])), 1),
        (changed(lines, 0, lambda line: line["deck"].append("R7")), 1),
        (changed(lines, 0, lambda line: line["deck"].__setitem__(0, "R77")), 1),
        (changed(lines, 0, lambda line: line.update(scores=[5, 0, 0])), len(lines)),
        (changed(lines, 0, lambda line: swap_cards(line["deck"])), None),
        # piles
        (changed(lines, pile, lambda line: line["pile"].pop()), pile + 1),
        (changed(lines, pile, lambda line: line["pile"].reverse()), None),
        ([*lines[:pile], *lines[pile + 1 :]], pile + 1),
        ([*lines[:3], lines[pile], *lines[3:]], 4),
        # actions
        (changed(lines, 1, lambda line: line.update(seat=7)), 2),
        (changed(lines, 1, lambda line: line["do"].update(k="jump")), 2),
        (changed(lines, 1, lambda line: line.update(do={"k": "challenge"})), 2),
        (changed(lines, 1, lambda line: line.update(do={"k": "play", "card": "R77"})), 2),
        ([lines[0], "{", *lines[1:]], 2),
        ([lines[0], "[]", *lines[1:]], 2),
        # the end
        (changed(lines, -1, lambda line: line["end"].update(winner=None)), len(lines)),
        (changed(lines, -1, lambda line: line["end"]["points"].update({"0": 999})), len(lines)),
        (changed(lines, -1, lambda line: line["end"]["scores"].append(1)), len(lines)),
        (changed(lines, -1, lambda line: line["end"]["hands"].reverse()), len(lines)),
        (changed(lines, -1, lambda line: line["end"].update(match_over=True)), len(lines)),
        (changed(lines, -1, lambda line: line["end"].update(match_winners=[0])), len(lines)),
        (lines[:-1], len(lines) - 1),
        ([*lines, lines[1]], len(lines) + 1),
        ([*lines[:2], lines[-1]], 3),
        ([lines[0], lines[-1]], 2),
        ([], 1),
        (lines[1:], 1),
    ]
    for number, (record, line_no) in enumerate(tampered):
        with pytest.raises(RecordError) as caught:
            replay(record)
        assert line_no in (None, caught.value.line_no), (number, str(caught.value))
        assert caught.value.sentence.endswith(".")
        assert str(caught.value) == f"line {caught.value.line_no}: {caught.value.sentence}"


def test_unknown_keys_are_ignored() -> None:
    lines = full_record()
    for index in (0, 1, len(lines) - 1):
        replay(changed(lines, index, lambda line: line.update(later="more")))


def test_a_line_nested_too_deeply_is_no_json() -> None:
    with pytest.raises(RecordError, match="no JSON"):
        replay(["[" * 200_000])
