"""No viewer can tell two games apart that differ only in cards the viewer may not know: to the byte, to the moment.

The games run on the real lobby, table and engine, and what is compared are the frames as the hall sends them: events,
legal lists, errors, `state`, `describe`, what comes after `resume`, the results of timeouts. What a house bot chooses
depends on its cards, so those of the second game are told what to do; everything else is left to them.

The planted leaks test the test itself: each must be found.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ..secrecy.leaks import LEAKS
from ..secrecy.twins import Leak, Twins
from ..secrecy.worlds import NAMES

PROFILES = ("una", "classic", "traditional", "official")
OPTIONS: dict[str, list[Any]] = {
    "seven_zero": [True],
    "jump_in": [True],
    "hand_size": [2, 2, 3, 12, 16],
    "draw_until_playable": [True],
    "voluntary_draw": [False],
    "force_play": [True],
    "illegal_card_penalty": [2],
    "draw_four": ["strict", "bluff"],
    "stack_draw_four": ["any"],
    "first_card": ["effect", "number"],
    "last_card_draws": [True],
    "target_score": [0, 0, 100],
}
ENOUGH = 100


def a_game(seed: int) -> Twins:
    """Twins by a number: profile, options, seats and the viewer follow from it."""
    dice = random.Random(seed)
    seats = dice.randint(2, 6)
    # one of those who play, or (more often where few do) somebody who watches
    viewer = dice.choice([*NAMES[:seats], *NAMES[seats:]])
    options = {name: dice.choice(values) for name, values in OPTIONS.items() if dice.random() < 0.3}
    if dice.random() < 0.3:
        options |= {"hand_size": 2, "target_score": 0}  # soon over: seats change owners, and matches follow
    create = {
        "profile": dice.choice(PROFILES),
        "options": options,
        "seats": 6,
        "turn_s": dice.choice((0, 0, 5)),
        "una_grace_ms": dice.choice((0, 1500)),
        "away": dice.choice(("bot", "wait", "leave")),
        "think_ms": dice.choice((None, 300)),
    }
    return Twins(seed, viewer, create, NAMES[:seats])


@settings(max_examples=100)
@given(st.integers(0, 2**32))
@example(676165)  # a deal turns up two cards, and none of them goes back
def test_nobody_learns_what_they_may_not_know(seed: int) -> None:
    a_game(seed).run()


def test_the_rare_branches_are_reached_and_the_cards_do_differ() -> None:
    reached = Counter[str]()
    for seed in range(120):
        reached += a_game(seed).run()
    assert reached["steps with other cards"] > 0.95 * reached["steps in a round"]
    wanted = {
        "play": 1000, "draw": 500, "pass": 20, "challenge": 20, "swap": 20, "stacked": 5, "catch": 10, "una": 50,
        "reverse": 20, "leave": 5, "deal": 100, "resume": 50, "refused": 500, "ev reshuffled": 5, "ev timeout": 50,
        "ev caught": 10, "ev shown": 20, "ev accused": 5, "ev round_over": 20, "ev match_over": 5, "ev paused": 10,
        "drew illegal": 5, "drew una": 10, "drew pending": 100, "ev away": 10, "ev back": 20, "ev lost": 50,
    }  # fmt: skip
    missing = {name: (reached[name], least) for name, least in wanted.items() if reached[name] < least}
    assert not missing, f"reached, wanted: {missing}"


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str) -> None:
    with LEAKS[leak]():
        for seed in range(ENOUGH):
            try:
                a_game(seed).run()
            except Leak:
                return
    pytest.fail(f"{leak}: not found in {ENOUGH} games")
