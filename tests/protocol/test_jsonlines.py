"""Messages as lines of JSON: short forms are filled in, and everything else is refused with a sentence."""

from __future__ import annotations

import json

import pytest

from una_protocol import messages as m
from una_protocol.actions import DRAW, UNA, Play
from una_protocol.cards import Card
from una_protocol.jsonlines import LONGEST_LINE, BadLine, line_of, read_line


def test_a_message_is_one_line_with_the_names_of_the_wire() -> None:
    line = line_of(m.TurnNow("kitchen", 7, 40, "turn", (Play(Card("W"), "red"), DRAW), 1, True, 900))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "t": "turn", "table": "kitchen", "turn": 7, "seq": 40, "phase": "turn",
        "legal": [{"k": "play", "card": "W", "color": "red"}, {"k": "draw"}], "default": 1, "can_una": True, "ms": 900,
    }  # fmt: skip


def test_what_is_left_out_is_that_of_the_latest_turn() -> None:
    assert read_line(b'{"do": {"k": "draw"}}', "kitchen", 7) == m.Act(0, "kitchen", DRAW, 7)
    assert read_line('{"do": {"k": "draw"}, "turn": 6}', "kitchen", 7) == m.Act(0, "kitchen", DRAW, 6)
    assert read_line('{"t": "act", "do": {"k": "una"}}', "kitchen", 7) == m.Act(0, "kitchen", UNA)
    assert read_line('{"t": "say", "text": "hi", "table": "hall", "more": 1}', "kitchen", 7) == m.Say(0, "hi", "hall")
    assert read_line('{"t": "ready"}', "kitchen", None) == m.SetReady(0, "kitchen")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("hello", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        ("[1]", "one JSON object"),
        ("{}", '"do"'),
        ('{"t": 3}', '"do"'),
        ('{"t": "dance"}', '"do"'),
        ('{"do": {"k": "play", "card": "R17"}}', "no act"),
        ('{"do": {"k": "fly"}}', "no act"),
        ('{"do": 7}', "no act"),
        ("[" * 100_000, "bytes at most"),
        ("[" * (LONGEST_LINE - 1), "no JSON"),
    ],
)
def test_what_is_no_message_is_refused(line: str | bytes, sentence: str) -> None:
    with pytest.raises(BadLine, match=sentence):
        read_line(line, "kitchen", 1)
