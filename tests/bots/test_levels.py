"""The house bots: each level beats the one below, and `hard` uses only what its seat may know.

The strengths are played with fixed seeds, so they hold or fail, and never now and then.
"""

from __future__ import annotations

import threading
from random import Random

import pytest

from una_protocol import events as ev
from una_protocol.actions import CHALLENGE, DRAW, Action
from una_protocol.bot import BotView
from una_protocol.cards import Card
from una_server.arena.command import make_run
from una_server.arena.crew import play
from una_server.arena.report import Tally
from una_server.arena.sight import RoundView, Scene, Setting
from una_server.bots.guess import Guesser
from una_server.bots.hard import HardPlay, choose_hard
from una_server.bots.memory import Memory
from una_server.bots.thought import Thought, decide
from una_server.bots.workers import Thinkers
from una_server.bots.worth import worth
from una_server.game import Match, Round, Split, legal_actions, make_options, turn_actions


def share(one: str, other: str, profile: str, seats: int, games: int, simulations: int | None = None) -> float:
    """The lower end of the interval of the share that the first one wins."""
    run = make_run(
        (one, other), games=games, seats=seats, profile=profile, options=(), seed=4, matches=False, move_ms=60_000,
        simulations=simulations, record=None, memory=2048,
    )  # fmt: skip
    tally = Tally(run)
    for result in play(run, 1, lambda _: None):
        tally.add(result)
    return float(tally.data()["pairs"][0]["share"]["low"])


@pytest.mark.parametrize("profile", ["una", "official"])
@pytest.mark.parametrize("seats", [2, 4])
def test_normal_beats_easy_and_easy_beats_random(profile: str, seats: int) -> None:
    assert share("normal", "easy", profile, seats, 1200) > 0.5
    assert share("easy", "random", profile, seats, 100) > 0.8


@pytest.mark.parametrize("profile", ["una", "official"])
def test_hard_beats_normal(profile: str) -> None:
    assert share("hard", "normal", profile, 2, 160, 60) > 0.5


# -- what hard knows --------------------------------------------------------------------------------------------


def played(profile: str, players: int, seed: int, moves: int) -> tuple[Scene, Round, list[Memory]]:
    """A round after so many moves, and what each seat remembers of it."""
    setting = Setting(profile, make_options(profile))
    match, _ = Match.start(setting.options, range(players), seed.to_bytes(32, "big"), 0)
    scene = Scene(setting, match, [f"p{seat}" for seat in range(players)])
    memories = [Memory() for _ in range(players)]
    chance = Random(seed)
    told = match.deal()
    round = match.round
    assert round is not None
    while True:
        for happening in told:
            for seat, memory in enumerate(memories):
                memory.hear(happening.for_seat(seat) if isinstance(happening, Split) else happening)
        if round.over or moves <= 0:
            return scene, round, memories
        moves -= 1
        actions = turn_actions(round)
        told = match.apply(round.turn, chance.choice([action for action in actions if action != DRAW] or actions))


def view_of(scene: Scene, round: Round) -> BotView:
    return RoundView(scene, round, round.turn, turn_actions(round), None)


def shuffle_hidden(round: Round, seat: int, chance: Random) -> None:
    """Deal anew all cards that the seat cannot see."""
    others = [other for other in round.order if other != seat]
    hidden = [card for other in others for card in round.hands[other]] + round.draw_pile
    chance.shuffle(hidden)
    for other in others:
        number = len(round.hands[other])
        round.hands[other] = []
        round.held[other] = round.doubled[other] = 0
        cards, hidden = hidden[:number], hidden[number:]
        round.gain(other, cards)
    round.draw_pile = hidden


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("profile", ["una", "official"])
def test_hidden_cards_make_no_difference(players: int, profile: str) -> None:
    compared = 0
    for seed in range(12):
        scene, round, memories = played(profile, players, seed, 4 + seed)
        if round.over:
            continue
        memory = memories[round.turn]
        first = HardPlay(Random(1), 30, memory).move(view_of(scene, round))
        for again in range(3):
            shuffle_hidden(round, round.turn, Random(again))
            assert HardPlay(Random(1), 30, memory).move(view_of(scene, round)) == first
            compared += 1
    assert compared > 15


@pytest.mark.parametrize("profile", ["una", "classic", "traditional", "official"])
def test_guessed_rounds_fit_what_is_known(profile: str) -> None:
    for seed in range(25):
        scene, round, memories = played(profile, 3, seed, seed)
        if round.over:
            continue
        view = view_of(scene, round)
        for memory in (None, memories[round.turn]):
            guess = Guesser(view.table, memory, Random(seed)).deal()
            assert guess.turn == round.turn
            assert guess.hands[round.turn] == view.hand
            assert list(map(len, guess.hands)) == list(map(len, round.hands))
            assert len(guess.draw_pile) == len(round.draw_pile)
            cards = [card for hand in guess.hands for card in hand] + guess.draw_pile + guess.discards
            assert sorted(cards) == sorted(
                [card for hand in round.hands for card in hand] + round.draw_pile + round.discards
            )
            mine = set(turn_actions(guess)) - {CHALLENGE}
            assert mine == set(view.legal) - {CHALLENGE}
            assert guess.after == round.after


def test_memory_keeps_what_was_shown_and_lacked() -> None:
    memory = Memory()
    red, blue = Card("R5"), Card("B5")
    for event in (
        ev.Dealt(1, 0, (2, 3), 90, (red, blue)),
        ev.Top(Card("R1"), 89, "red"),
        ev.Drew(1, 1, "turn", 88),
        ev.Shown(1, 0, (Card("G1"), blue)),
        ev.Played(1, blue, "blue"),
    ):
        memory.hear(event)
    assert memory.known == {1: [Card("G1")]}
    assert memory.discards == [Card("R1"), blue]
    assert memory.color_before == "red"
    number, lacked = memory.lacking(1, 3)
    assert number == 2
    assert red in lacked
    assert Card("G1") in lacked
    assert blue not in lacked
    memory.hear(ev.Dealt(2, 1, (7, 7), 90, (red,)))
    assert memory.known == {}
    assert memory.discards == []


def test_worth_is_a_probability() -> None:
    _, round, _ = played("una", 4, 3, 9)
    values = [worth(round, seat) for seat in range(4)]
    assert sum(values) == pytest.approx(1)
    assert all(0 < value < 1 for value in values)


def test_every_choice_is_legal() -> None:
    for profile in ("una", "classic", "traditional", "official"):
        options = {"seven_zero": True, "jump_in": True, "stack_draw_four": "any", "draw_until_playable": True}
        setting = Setting(profile, make_options(profile, options))
        for seed in range(4):
            match, _ = Match.start(setting.options, range(3), seed.to_bytes(32, "big"), 0)
            scene = Scene(setting, match, ["a", "b", "c"])
            match.deal()
            round = match.round
            assert round is not None
            hard = HardPlay(Random(seed), 6)
            for _ in range(150):
                if round.over:
                    break
                action = hard.move(view_of(scene, round))
                assert action in legal_actions(round, round.turn)
                match.apply(round.turn, action)


# -- thinking elsewhere -----------------------------------------------------------------------------------------


def test_workers_think_the_same_and_answer_once() -> None:
    scene, round, memories = played("una", 2, 3, 5)
    view = view_of(scene, round)
    thought = Thought(3, view.table, view.legal, view.default, view.can_una, memories[round.turn], "9", 60)
    thinkers = Thinkers(1)
    answers: list[Action | None] = []
    done = threading.Event()

    def answer(action: Action | None) -> None:
        answers.append(action)
        done.set()

    try:
        thinkers.think(thought, answer)
        assert done.wait(30)
        assert answers == [decide(thought)]
        assert answers[0] == choose_hard(view, Random("9"), memories[round.turn], 60)
    finally:
        thinkers.close()
    thinkers.think(thought, answer)
    assert answers[1:] == [None]
