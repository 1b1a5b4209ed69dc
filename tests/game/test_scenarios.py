"""The rule scenarios hold, say plainly when they do not, and cover the rules."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from una_server.game import OPTION_SPECS, PROFILES
from una_server.game.scenario import run_scenario

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.toml"))

RULES = {
    *("C2", "C3", "G2", "G3", "F1", "F2", "T1", "T2", "T3", "T4", "T5", "T6", "D1", "D2", "D3", "D4", "D5", "W1"),
    *("U1", "U2", "U3", "U4", "U6", "P1", "E1", "E2", "E3", "E4", "H1", "H2", "L1"),
}
"""What scenarios can show. C1, G1, G4, E5 and P2 have unit tests; G5 and U5 are the table's business."""

POSITION = """
title = "A position"
profile = "una"
[start]
players = ["ann", "ben"]
turn = "ann"
top = "R5"
hands = { ann = ["R6", "G7"], ben = ["B1", "B2"] }
draw_pile = ["Y1"]
"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario_holds(file: Path) -> None:
    assert run_scenario(file.read_text(encoding="utf-8"), file.name) == []


def test_scenarios_cover_the_rules() -> None:
    covered = {point for file in FILES for point in tomllib.loads(file.read_text(encoding="utf-8")).get("points", [])}
    assert covered == RULES


def test_scenarios_cover_every_value_of_the_options_that_change_play() -> None:
    seen: dict[str, set[object]] = {name: set() for name in OPTION_SPECS}
    for file in FILES:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        for name in OPTION_SPECS:
            seen[name].add(data.get("options", {}).get(name, getattr(PROFILES[data["profile"]], name)))
    for name, spec in OPTION_SPECS.items():
        if spec.kind != "number":
            assert seen[name] == set(spec.values), name


@pytest.mark.parametrize(
    ("more", "failure"),
    [
        ('expect = { turn = "ben" }', "start: turn: expected ben, found ann"),
        ('expect = { legal = ["G7"] }', "start: legal: expected [G7], found [R6]"),
        ("expect = { count = { ben = 3 } }", "start: count.ben: expected 3, found 2"),
        ('expect = { winner = "" }', "start: winner: expected \"\", found nothing"),
        ("expect = { match_over = true }", "start: match_over: expected true, found false"),
        ("expect = { round_points = { ann = 3 } }", "start: round_points.ann: expected 3, found nothing"),
        ('[[step]]\ndo = "ann play G7"', "step 1 (ann play G7): error: expected none, found illegal_card"),
        ('[[step]]\ndo = "ann play R6"\nerror = "illegal_card"',
         "step 1 (ann play R6): error: expected illegal_card, found none"),
        ('[[step]]\ndo = "ann draw"\nexpect = { hand = { ann = [] } }',
         "step 1 (ann draw): hand.ann: expected [], found [G7, R6, Y1]"),
    ],
)  # fmt: skip
def test_a_failure_says_step_what_expected_and_found(more: str, failure: str) -> None:
    assert run_scenario(POSITION + more, "x.toml") == [failure]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("profile = ", "This is no TOML file"),
        ("profile = " + "[" * 5000, "This is no TOML file"),
        ("", "[start] needs players"),
        ('[start]\nplayers = ["ann"]', "2 to 10 players"),
        ('[start]\nplayers = ["ann", "ann"]', "different names"),
        ('[start]\nplayers = ["ann", "ben"]', "[start] needs top"),
        (POSITION.replace('"una"', '"ludo"'), "which is no profile"),
        (POSITION.replace("R5", "R55"), "is no card"),
        (POSITION.replace("R5", "R5\"\ncolor = \"red"), "only where the top is a wild"),
        (POSITION.replace('turn = "ann"', 'turn = "zoe"'), "turn must name one of the players"),
        (POSITION.replace('ben = ["B1", "B2"]', "ben = []"), "at least one card"),
        (POSITION.replace('ben = ["B1", "B2"]', "ben = 3"), "a list of cards is needed"),
        (POSITION.replace("draw_pile", "drawpile"), "There is no 'drawpile' in [start]"),
        (POSITION + "direction = 2", "direction is 2"),
        (POSITION + 'options = 3', "There is no 'options' in [start]"),
        ("options = { hand_size = 0 }\n" + POSITION, "Option hand_size cannot be 0"),
        (POSITION + "scores = { ann = true }", "cannot be a score"),
        (POSITION + "expect = { trun = 3 }", "There is no 'trun' in expect of [start]"),
        (POSITION + "expect = { legal = 3 }", "legal must be a list"),
        (POSITION + "expect = { hand = { zoe = [] } }", "There is no 'zoe' in hand of [start]"),
        (POSITION + "[[step]]\ndoo = 3", "step 1 needs do"),
        (POSITION + '[[step]]\ndo = "ann jump"', "is no action"),
        (POSITION + '[[step]]\ndo = "ann"', "is no action"),
        (POSITION + '[[step]]\ndo = ""', "is no action"),
        (POSITION + '[[step]]\ndo = "ann play"', "a card is missing"),
        (POSITION + '[[step]]\ndo = "ann play R6 purple"', "is no colour"),
        (POSITION + '[[step]]\ndo = "ann play W red blue"', "one word too many"),
        (POSITION + '[[step]]\ndo = "ann draw 2"', "one word too many"),
        (POSITION + '[[step]]\ndo = "ann catch"', "it needs a name"),
        (POSITION + '[[step]]\ndo = "ann draw"\nerror = "no"', "is no error code"),
        (POSITION + 'discard = ["R4"]\nreshuffles = [["R1"]]\n[[step]]\ndo = "ann draw"\n[[step]]\ndo = "ben draw"',
         "Entry 1 of reshuffles has other cards than are shuffled then: R4."),
        ('[start]\nplayers = ["ann", "ben"]\ndeck = ["R1"]', "dealing and turning up the first takes 15"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_one_sentence(text: str, sentence: str) -> None:
    (failure,) = run_scenario(text, "x.toml")
    assert failure.startswith("x.toml: ")
    assert sentence in failure
    assert failure.endswith(".")
