"""What holds in every position of every game: random valid options, 2–10 players, legal and illegal actions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from una_protocol.actions import (
    CHALLENGE,
    DRAW,
    LEAVE,
    PASS,
    UNA,
    Catch,
    Leave,
    Penalty,
    Play,
    RecordedAction,
    Wish,
)  # fmt: skip
from una_protocol.cards import COLOR, COLORS
from una_protocol.events import Dealt, Drew, MatchOver, Played, RoundOver, Shown, Top
from una_server.game import (
    OPTION_SPECS,
    PROFILES,
    BadOption,
    Happening,
    Match,
    Options,
    Refused,
    Round,
    Split,
    can_una,
    catchable,
    check_players,
    deck_for,
    default_action,
    legal_actions,
    make_options,
    may_call,
    may_catch,
    turn_actions,
)  # fmt: skip
from una_server.game.cardset import set_of
from una_server.game.scenario_file import ERRORS

SETTINGS = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=600
)


def _values(name: str) -> st.SearchStrategy[Any]:
    spec = OPTION_SPECS[name]
    return st.sampled_from(spec.values if spec.high <= 20 else (0, 50, 100, 500))


@st.composite
def games(draw: st.DrawFn, most: int = 10) -> tuple[Options, tuple[int, ...], int]:
    """Valid options, seats with gaps in any order, and a seed."""
    profile = draw(st.sampled_from(list(PROFILES)))
    names = draw(st.lists(st.sampled_from(list(OPTION_SPECS)), unique=True, max_size=25))
    overrides = {name: draw(_values(name)) for name in names}
    if not overrides.get("play_drawn", True):
        overrides.pop("force_play", None)
        overrides.pop("draw_until_playable", None)
    count = draw(st.integers(2, most))
    seats = draw(st.permutations(range(10)))[:count]
    if isinstance(size := overrides.get("hand_size", 7), int):
        overrides["hand_size"] = min(size, 90 // count)
    options = make_options(profile, overrides)
    check_players(options, count)
    return options, tuple(seats), draw(st.integers(0, 2**32))


def start(options: Options, seats: tuple[int, ...], seed: int) -> Match:
    match, _ = Match.start(options, seats, seed.to_bytes(32, "big"))
    return match


def state_of(match: Match) -> Round:
    assert match.round is not None
    return match.round


def choose(match: Match, random: Random, *, laying: float = 0.7) -> tuple[int, RecordedAction]:
    """Something that may be done: mostly by the seat on turn, and mostly laying a card."""
    state = state_of(match)
    seat = state.turn if random.random() < 0.8 else random.choice(state.order)
    actions = legal_actions(state, seat) or legal_actions(state, seat := state.turn)
    plays = [action for action in actions if isinstance(action, Play)]
    return seat, random.choice(plays if plays and random.random() < laying else actions)


def any_action(state: Round, random: Random) -> RecordedAction:
    """Any action at all, sensible or not."""
    if random.random() < 0.4:
        simple: list[RecordedAction] = [DRAW, PASS, CHALLENGE, UNA]
        simple += [Wish(random.choice(COLORS)), Catch(random.randrange(10))]
        return random.choice(simple)
    held = [card for hand in state.hands for card in hand] if random.random() < 0.8 else list(COLOR)
    card = random.choice(held)
    color = random.choice([None, *COLORS]) if random.random() < 0.3 else None
    color = random.choice(COLORS) if COLOR[card] is None and random.random() < 0.9 else color
    other = random.randrange(10) if random.random() < 0.2 else None
    return Play(card, color, other, random.random() < 0.2)


def check_state(match: Match) -> None:
    """The invariants of a position."""
    state = state_of(match)
    hands = [card for hand in state.hands for card in hand]
    assert sorted([*hands, *state.draw_pile, *state.discards]) == sorted(deck_for(match.options, state.began))
    assert state.held == [set_of(hand) for hand in state.hands]
    assert state.doubled == [set_of(card for card in hand if hand.count(card) > 1) for hand in state.hands]
    assert state.top == state.discards[-1]
    actions = turn_actions(state)
    if state.over:
        assert actions == ()
        return
    assert state.turn in state.order
    assert actions
    assert len(set(actions)) == len(actions)
    assert default_action(state) in actions
    assert all(state.hands[seat] for seat in state.order)
    assert (state.phase == "penalty") == (state.pending > 0)
    assert (state.phase == "drawn") == (state.drawn is not None)
    for place, seat in enumerate(state.order):
        assert state.after[seat] == state.order[(place + state.direction) % len(state.order)]
        assert state.before[state.after[seat]] == seat


def check_events(told: list[Happening], state: Round) -> None:
    """Nothing hidden in what is public; private copies go to the right seats and differ in nothing else."""
    piles = []
    for happening in told:
        event = happening.public if isinstance(happening, Split) else happening
        if isinstance(event, Dealt | Played | Shown):
            assert event.hand is None
        if isinstance(event, Drew):
            assert event.cards is None
            assert isinstance(happening, Split)
            assert set(happening.own) == {event.seat}
        if isinstance(event, Shown):
            assert isinstance(happening, Split)
            assert set(happening.own) == {event.to}
        if hasattr(event, "draw_pile"):
            piles.append(event.draw_pile)
    assert not piles or piles[-1] == len(state.draw_pile)


class Mirrors:
    """What each seat knows of its own hand, from its own copies of the events."""

    def __init__(self) -> None:
        self.hands: dict[int, list[str]] = {}

    def follow(self, told: list[Happening], seats: tuple[int, ...]) -> None:
        for happening in told:
            for seat in seats:
                event = happening.for_seat(seat) if isinstance(happening, Split) else happening
                if isinstance(event, Dealt):
                    self.hands[seat] = list(event.hand or ())
                elif isinstance(event, Drew) and event.cards is not None:
                    assert event.n == len(event.cards)
                    self.hands[seat] += event.cards
                elif isinstance(event, Played):
                    if event.seat == seat:
                        self.hands[seat].remove(event.card)
                    if event.hand is not None:
                        self.hands[seat] = list(event.hand)


@SETTINGS
@given(games())
def test_every_position_of_a_game_holds(game: tuple[Options, tuple[int, ...], int]) -> None:
    options, seats, seed = game
    match, random, mirrors = start(options, seats, seed), Random(seed), Mirrors()
    told = match.deal()
    mirrors.follow(told, seats)
    for _ in range(150):
        state = state_of(match)
        check_state(match)
        check_events(told, state)
        for seat in state.order:
            assert mirrors.hands[seat] == state.hands[seat]
        if state.over:
            break
        seat, action = choose(match, random)
        if random.random() < 0.03:
            seat = random.choice(state.order)
            verdict: RecordedAction = Penalty(random.randrange(4))
            action = LEAVE if random.random() < 0.5 else verdict
        told = match.apply(seat, action)
        mirrors.follow(told, seats)
    else:
        return
    assert isinstance(told[-1], MatchOver if match.over else RoundOver)


@settings(SETTINGS, max_examples=40)
@given(games())
def test_what_is_legal_is_accepted_and_all_else_refused(game: tuple[Options, tuple[int, ...], int]) -> None:
    options, seats, seed = game
    match, random = start(options, seats, seed), Random(seed)
    match.deal()
    for _ in range(30):
        state = state_of(match)
        if state.over:
            break
        before = match.fingerprint()
        for seat in state.order:
            legal = legal_actions(state, seat)
            assert (UNA in legal) == may_call(state, seat)
            assert may_catch(state, seat) == tuple(a.seat for a in legal if isinstance(a, Catch))
            if seat == state.turn and can_una(state, seat):
                assert any(isinstance(action, Play) and action.una for action in legal)
            for action in legal:
                match.copy().apply(seat, action)
            for other in (any_action(state, random) for _ in range(12)):
                if other not in legal:
                    refused_or_penalty(match, seat, other)
        assert match.fingerprint() == before
        match.apply(*choose(match, random, laying=0.6))


def refused_or_penalty(match: Match, seat: int, action: RecordedAction) -> None:
    """Refused with a known code and nothing changed; or an illegal card that costs cards (P1)."""
    copy = match.copy()
    code = None
    try:
        told = copy.apply(seat, action)
    except Refused as refused:
        code = refused.code
    if code is not None:
        assert code in ERRORS
        assert copy.fingerprint() == match.fingerprint()
        return
    drew = told[-1]
    assert isinstance(drew, Split)
    assert isinstance(drew.public, Drew)
    assert drew.public.why == "illegal"
    assert match.options.illegal_card_penalty > 0
    assert (state_of(copy).turn, state_of(copy).phase) == (state_of(match).turn, state_of(match).phase)


@SETTINGS
@given(games(most=6))
def test_games_of_players_who_mostly_lay_cards_end(game: tuple[Options, tuple[int, ...], int]) -> None:
    options, seats, seed = game
    match, random = start(options, seats, seed), Random(seed)
    match.deal()
    state = state_of(match)
    for _ in range(20_000):
        if state.over:
            break
        actions = [action for action in turn_actions(state) if isinstance(action, Play)] or turn_actions(state)
        match.apply(state.turn, random.choice(actions))
    assert state.over


@settings(SETTINGS, max_examples=60)
@given(games())
def test_the_same_seed_is_the_same_game(game: tuple[Options, tuple[int, ...], int]) -> None:
    options, seats, seed = game
    games_: list[list[Happening]] = []
    for _ in range(2):
        match, random = start(options, seats, seed), Random(seed)
        told = match.deal()
        while not state_of(match).over and len(told) < 200:
            told += match.apply(*choose(match, random))
        games_.append(told)
    assert games_[0] == games_[1]


@SETTINGS
@given(games(), st.integers(0, 60))
def test_leaving_moves_the_turn_once_to_the_next_remaining_seat(
    game: tuple[Options, tuple[int, ...], int], moves: int
) -> None:
    options, seats, seed = game
    match, random = start(options, seats, seed), Random(seed)
    match.deal()
    for _ in range(moves):
        if not state_of(match).over:
            match.apply(*choose(match, random))
    before = state_of(match)
    if before.over:
        return
    for seat in before.order:
        copy = match.copy()
        told = copy.apply(seat, Leave())
        state = state_of(copy)
        assert seat not in state.order
        assert seat not in state.called
        check_state(copy)
        if len(state.order) == 1:
            assert copy.over
            assert copy.winners == state.order
            assert isinstance(told[-1], MatchOver)
            continue
        assert told == []
        place = before.order.index(seat)
        following = before.order[(place + before.direction) % len(before.order)]
        assert state.turn == (following if before.turn == seat else before.turn)
        assert state.direction == before.direction
        assert state.pending == before.pending
        assert set(catchable(state)) == set(catchable(before)) - {seat}


@settings(SETTINGS, max_examples=60)
@given(games(), st.randoms(use_true_random=False))
def test_everybody_may_leave_in_any_order(game: tuple[Options, tuple[int, ...], int], random: Random) -> None:
    options, seats, seed = game
    match = start(options, seats, seed)
    match.deal()
    leaving = list(seats)
    random.shuffle(leaving)
    for seat in leaving[:-1]:
        assert not match.over
        match.apply(seat, LEAVE)
    assert match.over
    assert match.winners == (leaving[-1],)
    assert state_of(match).winner == leaving[-1]


@given(st.sampled_from(list(OPTION_SPECS)), st.one_of(st.integers(), st.text(), st.booleans(), st.none(), st.floats()))
def test_any_value_is_taken_or_refused_by_name(name: str, value: object) -> None:
    if not OPTION_SPECS[name].accepts(value):
        with pytest.raises(BadOption) as caught:
            make_options("una", {name: value})
        assert caught.value.option == name
        assert caught.value.allowed == OPTION_SPECS[name].allowed
        return
    got = getattr(make_options("una", {name: value}), name)
    assert got == value
    assert type(got) is type(value)


def test_a_top_is_told_for_each_card_turned_up() -> None:
    for seed in range(300):
        match = start(make_options("official", {"first_card": "number"}), (0, 1), seed)
        tops = [event for event in match.deal() if isinstance(event, Top)]
        state = state_of(match)
        assert [top.card for top in tops if not top.back] == state.discards
        assert state.top[1:].isdigit()
        assert all(top.card == "W+4" for top in tops if top.back)
