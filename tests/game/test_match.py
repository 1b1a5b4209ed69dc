"""Matches: who deals, what rounds are worth, when it is over, and leaving between rounds."""

from __future__ import annotations

from random import Random

import pytest

from una_protocol.actions import DRAW, LEAVE, PASS, Action, Penalty, Play, Wish
from una_protocol.cards import DECK, FACE, Card
from una_protocol.events import Dealer, Dealt, Drew, MatchOver, RoundOver, Top
from una_server.game import (
    PROFILES,
    BadOption,
    Happening,
    Match,
    Options,
    Refused,
    Round,
    Split,
    default_action,
    make_options,
    turn_actions,
)  # fmt: skip

SEED = bytes(range(32))


def dealt(options: Options, seats: tuple[int, ...] = (0, 1, 2), seed: bytes = SEED) -> Match:
    match, _ = Match.start(options, seats, seed)
    match.deal()
    return match


def play_round(match: Match, random: Random) -> list[Happening]:
    """To the end of the round, laying a card where one fits; what the last action told."""
    state = match.round
    assert state is not None
    while not state.over:
        actions = [action for action in turn_actions(state) if isinstance(action, Play)] or turn_actions(state)
        told = match.apply(state.turn, random.choice(actions))
    return told


def refused(match: Match, seat: int, action: object) -> str:
    before = match.fingerprint()
    with pytest.raises(Refused) as caught:
        match.apply(seat, action)  # type: ignore[arg-type]
    assert match.fingerprint() == before
    return caught.value.code


# -- who deals --------------------------------------------------------------------------------------------------


def test_the_deck_has_108_cards() -> None:  # C1
    assert len(DECK) == 108
    assert DECK.count(Card("R0")) == 1
    assert DECK.count(Card("G9")) == DECK.count(Card("BS")) == DECK.count(Card("Y+2")) == 2
    assert DECK.count(Card("W")) == DECK.count(Card("W+4")) == 4


def test_drawing_for_the_dealer() -> None:  # G3
    ties = 0
    for number in range(200):
        match, (told,) = Match.start(PROFILES["official"], (2, 5, 7), bytes([number]) * 32)
        assert isinstance(told, Dealer)
        drawn, drawing = list(told.draws), [2, 5, 7]
        while True:
            cards, drawn = drawn[: len(drawing)], drawn[len(drawing) :]
            assert [seat for seat, _ in cards] == drawing
            worth = {seat: int(FACE[card]) if FACE[card].isdigit() else 0 for seat, card in cards}
            drawing = [seat for seat in drawing if worth[seat] == max(worth.values())]
            if len(drawing) == 1:
                break
            ties += 1
        assert not drawn
        assert told.seat == match.dealer == drawing[0]
    assert ties


def test_a_random_dealer_comes_from_the_seed() -> None:
    dealers = {Match.start(PROFILES["una"], (2, 5, 7), bytes([number]) * 32)[0].dealer for number in range(30)}
    assert dealers == {2, 5, 7}
    assert Match.start(PROFILES["una"], (2, 5), SEED)[1] == Match.start(PROFILES["una"], (2, 5), SEED)[1]


def test_the_next_seat_deals_and_the_one_after_starts() -> None:  # G3, E5
    options = make_options("classic", {"first_card": "plain"})
    match, told = Match.start(options, (4, 0, 2), SEED, dealer=0)
    assert told == [Dealer(0)]
    random = Random(1)
    for number, dealer, starter in ((1, 0, 2), (2, 2, 4), (3, 4, 0), (4, 0, 2)):
        match.scores = [0] * 5
        first = match.deal()[0]
        assert isinstance(first, Split)
        assert isinstance(first.public, Dealt)
        assert (first.public.round, first.public.dealer, match.dealer) == (number, dealer, dealer)
        assert match.round is not None
        assert match.round.turn == starter
        assert match.round.direction == 1
        play_round(match, random)
    assert match.next_dealer() == 2


def test_seats_that_left_do_not_deal() -> None:
    match, _ = Match.start(PROFILES["classic"], (0, 1, 2, 3), SEED, dealer=0)
    match.deal()
    match.apply(1, LEAVE)
    match.apply(0, LEAVE)
    assert match.next_dealer() == 2
    play_round(match, Random(2))
    match.apply(2, LEAVE)
    assert match.over
    assert match.winners == (3,)
    assert match.next_dealer() == 3


def test_a_dealer_that_leaves_before_the_deal_is_followed_by_the_next() -> None:
    match, _ = Match.start(PROFILES["classic"], (0, 1, 2), SEED, dealer=1)
    assert match.apply(1, LEAVE) == []
    match.deal()
    assert match.dealer == 2


def test_bad_seats_are_refused() -> None:
    with pytest.raises(BadOption):
        Match.start(PROFILES["una"], (0,), SEED)
    with pytest.raises(ValueError, match="different"):
        Match.start(PROFILES["una"], (0, 0), SEED)
    with pytest.raises(ValueError, match="dealer"):
        Match.start(PROFILES["una"], (0, 1), SEED, dealer=2)


# -- dealing ----------------------------------------------------------------------------------------------------


def test_dealing_tells_each_seat_its_own_hand() -> None:  # G2
    match, _ = Match.start(make_options("una", {"hand_size": 3}), (1, 4, 6), SEED, dealer=4)
    split, top = match.deal()
    state = match.round
    assert state is not None
    assert isinstance(split, Split)
    deck = list(state.shuffled[0])
    assert state.hands == [[], deck[1:9:3], [], [], deck[2:9:3], [], deck[0:9:3]]
    counts = (0, 3, 0, 0, 3, 0, 3)
    assert split.public == Dealt(1, 4, counts, 99)
    assert split.own == {seat: Dealt(1, 4, counts, 99, tuple(state.hands[seat])) for seat in (1, 4, 6)}
    assert split.for_seat(None) == split.for_seat(2) == split.public
    assert top == Top(deck[9], 98, state.color)
    assert state.turn == 6


def test_a_round_is_dealt_once() -> None:
    match = dealt(PROFILES["una"])
    with pytest.raises(ValueError, match="no round to deal"):
        match.deal()
    play_round(match, Random(3))
    assert match.over
    with pytest.raises(ValueError, match="no round to deal"):
        match.deal()


# -- points -----------------------------------------------------------------------------------------------------


def test_round_over_lists_are_by_seat() -> None:  # E2
    match = dealt(PROFILES["classic"], (1, 3, 4))
    *_, over = play_round(match, Random(4))
    state = match.round
    assert state is not None
    assert isinstance(over, RoundOver)
    assert over.winner == state.winner
    assert len(over.hands) == len(over.points) == len(over.scores) == 5
    assert over.hands[0] == over.hands[2] == over.hands[state.winner or 0] == ()
    assert list(over.scores) == match.scores
    assert sum(over.points) == over.points[state.winner or 0] > 0
    assert not over.match_over


@pytest.mark.parametrize("scoring", ["winner", "losers"])
def test_a_match_ends_at_the_target(scoring: str) -> None:  # E2, E3
    options = make_options("classic", {"scoring": scoring, "target_score": 150})
    match, _ = Match.start(options, (0, 1, 2), SEED)
    random = Random(5)
    while not match.over:
        match.deal()
        told = play_round(match, random)
    assert told[-1] == MatchOver(match.winners, tuple(match.scores))
    assert max(match.scores) >= 150
    best = max(match.scores) if scoring == "winner" else min(match.scores)
    assert {match.scores[seat] for seat in match.winners} == {best}
    assert refused(match, 0, DRAW) == "round_over"


def test_leaving_between_rounds() -> None:  # L1
    match = dealt(PROFILES["classic"])
    play_round(match, Random(6))
    assert refused(match, 0, DRAW) == "round_over"
    assert refused(match, 5, LEAVE) == "unknown_player"
    assert refused(match, 0, Play(Card("R7"), swap_with=9)) == "unknown_player"
    assert match.apply(1, LEAVE) == []
    assert refused(match, 1, LEAVE) == "unknown_player"
    match.deal()
    assert match.round is not None
    assert match.round.order == (0, 2)
    play_round(match, Random(7))
    scores = tuple(match.scores)
    assert match.apply(0, LEAVE) == [MatchOver((2,), scores)]
    assert match.over
    assert match.apply(2, LEAVE) == []


def test_two_left_of_three_are_dealt_a_deck_for_two() -> None:
    options = make_options("una", {"target_score": 1000})
    match = dealt(options)
    play_round(match, Random(8))
    match.apply(0, LEAVE)
    match.deal()
    assert match.round is not None
    assert len(match.round.shuffled[0]) == 100


# -- penalties and default moves --------------------------------------------------------------------------------


def test_a_verdict_makes_a_seat_draw() -> None:  # P2
    match = dealt(PROFILES["traditional"])
    state = match.round
    assert state is not None
    turn, phase, count = state.turn, state.phase, len(state.hands[1])
    (told,) = match.apply(1, Penalty(2))
    assert isinstance(told, Split)
    assert told.public == Drew(1, 2, "advice", len(state.draw_pile))
    assert told.own == {1: Drew(1, 2, "advice", len(state.draw_pile), tuple(state.hands[1][-2:]))}
    assert (state.turn, state.phase, len(state.hands[1])) == (turn, phase, count + 2)
    assert refused(match, 9, Penalty(2)) == "unknown_player"


def position(match: Match, hand: list[str], top: str) -> Round:
    """The round, with another hand for the seat on turn and another top."""
    old = match.round
    assert old is not None
    hands = [list(other) for other in old.hands]
    hands[0] = [Card(card) for card in hand]
    state = Round(old.rules, old.order, hands, old.draw_pile, [Card(top)], old.shuffler, old.dealer)
    state.match({"R": "red", "G": "green"}.get(top[0]), wish_served=True)  # type: ignore[arg-type]
    state.open_turn(0)
    match.round = state
    return state


def test_default_moves() -> None:
    match = dealt(PROFILES["una"])
    state = position(match, ["R1", "B2"], "R5")
    assert default_action(state) == DRAW
    match = dealt(PROFILES["classic"])
    assert default_action(position(match, ["B2", "R3", "R1"], "R5")) == Play(Card("R1"))
    state = position(match, ["B2", "W", "Y3", "Y4", "B9"], "R5")
    assert default_action(state) == Play(Card("W"), "blue")  # blue and yellow are held as often, blue comes first
    assert default_action(position(match, ["B2"], "R5")) == DRAW
    empty = position(match, ["B2"], "R5")
    empty.draw_pile.clear()
    assert default_action(empty) == PASS
    wishing = position(match, ["G1", "Y3", "Y4"], "W")
    wishing.phase = "wish"
    assert default_action(wishing) == Wish("yellow")


@pytest.mark.parametrize(("force", "move"), [(False, PASS), (True, Play(Card("R9")))])
def test_default_move_with_a_drawn_card(force: bool, move: Action) -> None:
    match = dealt(make_options("una", {"force_play": force}))
    state = position(match, ["B2"], "R5")
    state.draw_pile.append(Card("R9"))
    match.apply(0, DRAW)
    assert state.phase == "drawn"
    assert default_action(state) == move


def test_a_copy_is_independent() -> None:
    match = dealt(PROFILES["traditional"])
    before = match.fingerprint()
    copy = match.copy()
    assert copy.fingerprint() == before
    play_round(copy, Random(9))
    copy.apply(copy.seats[0], LEAVE)
    assert match.fingerprint() == before


def test_sevens_are_listed_with_each_seat() -> None:  # H2
    match = dealt(make_options("classic", {"seven_zero": True}))
    state = position(match, ["R7", "R0", "W"], "R5")
    plays = [Play(Card("R7"), swap_with=1), Play(Card("R7"), swap_with=2), Play(Card("R0"))]
    wilds = [Play(Card("W"), "red"), Play(Card("W"), "green"), Play(Card("W"), "blue"), Play(Card("W"), "yellow")]
    assert sorted(map(repr, turn_actions(state))) == sorted(map(repr, plays + wilds))
    assert turn_actions(position(match, ["R7"], "R5")) == (Play(Card("R7")),)
