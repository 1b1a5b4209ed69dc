"""The arena's numbers: intervals and ratings."""

from __future__ import annotations

from random import Random

import pytest

from una_server.arena.statistics import rate, ratings, wilson


def test_wilson_as_in_the_books() -> None:
    share, low, high = wilson(0.5, 100)
    assert share == 0.5
    assert (low, high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))
    assert wilson(1.0, 10).high == pytest.approx(1.0)
    assert wilson(1.0, 10).low == pytest.approx(0.7225, abs=1e-4)
    assert wilson(0.0, 0) == (0.0, 0.0, 1.0)


def test_games_of_one_deal_that_say_the_same_count_once() -> None:
    won = [2.0 if number % 2 else 0.0 for number in range(100)]  # whoever has the cards wins both games of a deal
    spread = rate(won, [2.0] * 100)
    assert spread.high - spread.low == pytest.approx(wilson(0.5, 99).high - wilson(0.5, 99).low, rel=0.02)


def test_deals_that_cancel_luck_make_the_interval_narrow() -> None:
    chance = Random(1)
    won = [1.0 + (chance.random() < 0.1) for _ in range(200)]
    _, low, high = rate(won, [2.0] * 200)
    plain = wilson(sum(won) / 400, 400)
    assert high - low < (plain.high - plain.low) / 2


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    chance = Random(3)
    held = 0
    for _ in range(300):
        won = [float(sum(chance.random() < 0.3 for _ in range(2))) for _ in range(60)]
        _, low, high = rate(won, [2.0] * 60)
        held += low <= 0.3 <= high
    assert 0.92 <= held / 300 <= 0.98


def test_ratings_know_the_odds() -> None:
    first, second = ratings({(0, 1): [1000.0, 100.0]}, 2)
    assert first - second == pytest.approx(400, abs=5)
    assert first + second == pytest.approx(3000)
    four = ratings({(0, 0, 1, 1): [600.0, 200.0, 0.0], (0, 1, 2, 2): [300.0, 100.0, 200.0]}, 3)
    assert four[0] - four[1] == pytest.approx(190.8, abs=5)
    assert four[1] == pytest.approx(four[2], abs=5)


def test_who_never_wins_is_still_rated() -> None:
    best, worst = ratings({(0, 1): [50.0, 0.0]}, 2)
    assert 500 < best - worst < 1000
