"""The environment for learning agents passes PettingZoo's own tests, and its numbers mean what they say."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from una_protocol.actions import Play, Wish
from una_protocol.bot import BotView
from una_server.arena.sight import RoundView, Scene, Setting
from una_server.encoding import ACTIONS, HIGHEST, SIZE, action_of, allowed, encode, number_of
from una_server.game import Match, legal_actions, make_options, turn_actions


def views(profile: str, players: int, options: dict[str, object], seed: int) -> Iterator[tuple[BotView, Match]]:
    """Plays a round at random; every decision is visited while it is open."""
    setting = Setting(profile, make_options(profile, options))
    match, _ = Match.start(setting.options, range(players), seed.to_bytes(32, "big"), 0)
    scene = Scene(setting, match, [f"p{seat}" for seat in range(players)])
    match.deal()
    round, chance = match.round, Random(seed)
    assert round is not None
    for _ in range(400):
        if round.over:
            break
        view = RoundView(scene, round, round.turn, turn_actions(round), None)
        yield view, match
        match.apply(round.turn, chance.choice(view.legal))


@pytest.mark.parametrize(("players", "profile"), [(2, "una"), (4, "official"), (10, "traditional")])
def test_every_action_has_a_number_of_its_own_and_every_view_its_size(players: int, profile: str) -> None:
    for view, match in views(profile, players, {"seven_zero": True}, 3):
        numbers = allowed(view)
        assert len(set(numbers)) == len(numbers)
        assert all(0 <= number < ACTIONS for number in numbers)
        actions = [action_of(number, view.seat) for number in numbers]
        assert actions[: len(view.legal)] == list(view.legal)
        assert set(actions) <= {*legal_actions(match.round, view.seat)}  # type: ignore[arg-type]
        encoded = encode(view)
        assert len(encoded) == SIZE
        assert all(0 <= number <= HIGHEST for number in encoded)
        assert sum(encoded[:54]) == len(view.hand)


def test_numbers_as_documented() -> None:
    assert number_of(Play("R0"), 0) == 0  # type: ignore[arg-type]
    assert number_of(Play("Y+2", una=True), 0) == 51 + 96  # type: ignore[arg-type]
    assert number_of(Play("W+4", "yellow"), 0) == 59  # type: ignore[arg-type]
    assert number_of(Play("G7", swap_with=1), 3) == 60 + 9 + 7  # type: ignore[arg-type]
    assert number_of(Wish("blue"), 0) == 197
    with pytest.raises(ValueError, match="200"):
        action_of(200, 0)


@pytest.mark.parametrize("settings", [{"players": 2}, {"players": 4, "profile": "official", "match": True}])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_passes_the_tests_of_pettingzoo(settings: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from una_server.pettingzoo import env

    api_test(env(**settings), num_cycles=300)
    seed_test(lambda: env(**settings), num_cycles=100)


def test_the_winner_gets_one_and_the_others_share_the_loss() -> None:
    pytest.importorskip("pettingzoo")
    from una_server.pettingzoo import env

    game = env(players=3)
    game.reset(seed=5)
    totals = dict.fromkeys(game.agents, 0.0)
    chance = Random(1)
    for agent in game.agent_iter():
        observation, reward, over, cut, _ = game.last()
        totals[agent] += reward
        mask = [number for number, may in enumerate(observation["action_mask"]) if may]
        game.step(None if over or cut else chance.choice(mask))
    assert sorted(totals.values()) == [-0.5, -0.5, 1.0]


def test_an_illegal_action_ends_the_episode() -> None:
    pytest.importorskip("pettingzoo")
    from una_server.pettingzoo import env

    game = env(players=2)
    game.reset(seed=5)
    agent = game.agent_selection
    mask = game.observe(agent)["action_mask"]
    game.step(next(number for number in range(ACTIONS) if not mask[number]))
    assert game.terminations[agent]
    assert game.rewards[agent] == -1
