"""What is told, in which order, and to whom."""

from __future__ import annotations

from una_protocol.actions import CHALLENGE, DRAW, LEAVE, PASS, UNA, Catch, Play, RecordedAction, Wish
from una_protocol.cards import COLOR, Card
from una_protocol.events import (
    Caught,
    Challenged,
    Drew,
    Event,
    MatchOver,
    Passed,
    Played,
    Reshuffled,
    Reversed,
    RoundOver,
    Shown,
    Skipped,
    UnaCalled,
    Wished,
)  # fmt: skip
from una_server.game import Happening, Match, SeededShuffler, Split, make_options
from una_server.game.round import Round
from una_server.game.rules import rules_for

Hands = tuple[tuple[Card, ...], ...]


def cards(text: str) -> list[Card]:
    return [Card(card) for card in text.split()]


def at(
    hands: list[str], top: str, pile: str, *, profile: str = "official", discards: str = "", **options: object
) -> Match:
    """A match in the position; seat 0 is on turn."""
    made = make_options(profile, options)
    match = Match(made, range(len(hands)), bytes(32), len(hands) - 1)
    match.number = 1
    state = Round(
        rules_for(made), match.seats, [cards(hand) for hand in hands], cards(pile)[::-1], cards(f"{discards} {top}"),
        SeededShuffler(bytes(32), 1), len(hands) - 1,
    )  # fmt: skip
    state.match(COLOR[Card(top)], wish_served=True)
    state.open_turn(0)
    match.round = state
    return match


def told(match: Match, seat: int, action: RecordedAction) -> list[Happening]:
    return match.apply(seat, action)


def drew(seat: int, why: str, left: int, text: str) -> Split:
    own = tuple(cards(text))
    return Split(Drew(seat, len(own), why, left), {seat: Drew(seat, len(own), why, left, own)})  # type: ignore[arg-type]


R1, RS, RR, R7, R0, W, W4 = map(Card, ("R1", "RS", "RR", "R7", "R0", "W", "W+4"))


def test_a_card_and_its_effects() -> None:
    match = at(["R1 RS RR R+2 W B1 B2", "G1 R2", "Y1 R3"], "R5", "Y2 Y3 Y4 Y6")
    assert told(match, 0, Play(R1)) == [Played(0, R1, "red")]
    match = at(["R1 RS B1", "G1 R2", "Y1 R3"], "R5", "Y2")
    assert told(match, 0, Play(RS)) == [Played(0, RS, "red"), Skipped(1)]
    match = at(["R1 RR B1", "G1 R2", "Y1 R3"], "R5", "Y2")
    assert told(match, 0, Play(RR)) == [Played(0, RR, "red"), Reversed(-1)]
    match = at(["R1 RR B1", "G1 R2"], "R5", "Y2")
    assert told(match, 0, Play(RR)) == [Played(0, RR, "red"), Skipped(1)]
    match = at(["R1 W B1", "G1 R2"], "R5", "Y2")
    assert told(match, 0, Play(W, "green")) == [Played(0, W, "green")]
    match = at(["R+2 B1 B2", "G+2 R2 R3", "B5 B6"], "R5", "Y2 Y3 Y4 Y6", stack_draw_two="two")
    assert told(match, 0, Play(Card("R+2"))) == [Played(0, Card("R+2"), "red", 2)]
    assert told(match, 1, Play(Card("G+2"))) == [Played(1, Card("G+2"), "green", 4)]
    assert told(match, 2, DRAW) == [drew(2, "pending", 0, "Y2 Y3 Y4 Y6")]


def test_drawing_passing_and_refilling() -> None:
    match = at(["B1 B2", "G1 R2"], "R5", "R9", discards="Y1 Y2 Y3")
    assert told(match, 0, DRAW) == [drew(0, "turn", 0, "R9")]
    assert told(match, 0, PASS) == [Passed(0)]
    refilled, split = told(match, 1, DRAW)
    assert refilled == Reshuffled(3)
    assert isinstance(split, Split)
    assert split.public == Drew(1, 1, "turn", 2)
    match = at(["R+2 B1 B2", "G1 R2"], "R5", "R9", discards="Y1")
    told(match, 0, Play(Card("R+2")))
    refilled, split = told(match, 1, DRAW)
    assert refilled == Reshuffled(2)  # the pile is told before the cards that were drawn across it
    assert isinstance(split, Split)
    assert split.public == Drew(1, 2, "pending", 1)


def test_una_and_catching() -> None:
    match = at(["R1 B2", "G1 R2", "Y1 Y2"], "R5", "Y3 Y4")
    assert told(match, 0, UNA) == [UnaCalled(0)]
    assert told(match, 0, Play(R1, una=True)) == [Played(0, R1, "red")]  # it was called already
    match = at(["R1 B2", "G1 R2", "Y1 Y2"], "R5", "Y3 Y4")
    assert told(match, 0, Play(R1, una=True)) == [Played(0, R1, "red", una=True)]
    match = at(["R1 B2", "G1 R2", "Y1 Y2"], "R5", "Y3 Y4")
    told(match, 0, Play(R1))
    assert told(match, 2, Catch(0)) == [Caught(0, 2), drew(0, "una", 0, "Y3 Y4")]


def test_challenges() -> None:
    match = at(["W+4 R1 B2", "G1 G2", "Y1 Y2"], "R5", "Y3 Y4 Y6 Y7")
    told(match, 0, Play(W4, "green"))
    shown = Split(Shown(0, 1), {1: Shown(0, 1, tuple(cards("R1 B2")))})
    assert told(match, 1, CHALLENGE) == [Challenged(1, 0, True), shown, drew(0, "challenge", 0, "Y3 Y4 Y6 Y7")]
    match = at(["W+4 B1 B2", "G1 G2", "Y1 Y2"], "R5", "Y3 Y4 Y6 Y7 Y8 Y9 Y9")
    told(match, 0, Play(W4, "green"))
    shown = Split(Shown(0, 1), {1: Shown(0, 1, tuple(cards("B1 B2")))})
    lost = drew(1, "challenge", 1, "Y3 Y4 Y6 Y7 Y8 Y9")
    assert told(match, 1, CHALLENGE) == [Challenged(1, 0, False), shown, lost]


def test_a_wish_for_the_first_card() -> None:
    match = at(["R1 B2", "G1 R2"], "W", "Y3 Y4")
    assert match.round is not None
    match.round.phase = "wish"
    assert told(match, 0, Wish("blue")) == [Wished(0, "blue")]


def test_an_illegal_card() -> None:
    match = at(["R1 B2", "G1 R2"], "R5", "Y3 Y4", profile="traditional")
    assert told(match, 0, Play(Card("B2"))) == [drew(0, "illegal", 0, "Y3 Y4")]


def test_jumping_in() -> None:
    match = at(["R1 B2", "G1 R5 G2"], "R5", "Y3 Y4", jump_in=True)
    assert told(match, 1, Play(Card("R5"))) == [Played(1, Card("R5"), "red", jump=True)]


def test_hands_that_change_owners() -> None:
    match = at(["R7 B2 B3", "G1 G2 G3", "Y1"], "R5", "Y3", seven_zero=True)
    counts = (3, 2, 1)
    public = Played(0, R7, "red", swap_with=1, counts=counts)
    own: dict[int, Event] = {
        0: Played(0, R7, "red", swap_with=1, counts=counts, hand=tuple(cards("G1 G2 G3"))),
        1: Played(0, R7, "red", swap_with=1, counts=counts, hand=tuple(cards("B2 B3"))),
    }
    assert told(match, 0, Play(R7, swap_with=1)) == [Split(public, own)]
    match = at(["R0 B2 B3", "G1 G2 G3", "Y1"], "R5", "Y3", seven_zero=True)
    counts = (1, 2, 3)
    (split,) = told(match, 0, Play(R0))
    assert isinstance(split, Split)
    assert split.public == Played(0, R0, "red", counts=counts)
    hands = {seat: event.hand for seat, event in split.own.items() if isinstance(event, Played)}
    assert hands == {0: ("Y1",), 1: ("B2", "B3"), 2: ("G1", "G2", "G3")}


def test_going_out() -> None:
    match = at(["R+2", "G1 R2", "Y1"], "R5", "Y3 Y4 Y6", target_score=0)
    hands: Hands = ((), tuple(cards("G1 R2 Y3 Y4")), tuple(cards("Y1")))
    assert told(match, 0, Play(Card("R+2"))) == [
        Played(0, Card("R+2"), "red", 2),
        drew(1, "pending", 1, "Y3 Y4"),
        RoundOver(0, hands, (11, 0, 0), (11, 0, 0), True),
        MatchOver((0,), (11, 0, 0)),
    ]
    match = at(["R+2", "G1 R2"], "R5", "Y3 Y4", last_card_draws=False)
    hands = ((), tuple(cards("G1 R2")))
    assert told(match, 0, Play(Card("R+2"))) == [
        Played(0, Card("R+2"), "red"),  # nothing is pending any more
        RoundOver(0, hands, (3, 0), (3, 0), False),
    ]


def test_a_blocked_round() -> None:
    match = at(["B1", "G1"], "R5", "")
    assert told(match, 0, PASS) == [Passed(0)]
    assert told(match, 1, PASS) == [
        Passed(1),
        RoundOver(None, (tuple(cards("B1")), tuple(cards("G1"))), (0, 0), (0, 0), False),
    ]


def test_leaving_tells_only_what_follows() -> None:
    match = at(["B1", "G1", "Y1"], "R5", "")
    assert told(match, 0, LEAVE) == []
    assert told(match, 2, LEAVE) == [
        RoundOver(1, ((), tuple(cards("G1")), ()), (0, 0, 0), (0, 0, 0), True),
        MatchOver((1,), (0, 0, 0)),
    ]
