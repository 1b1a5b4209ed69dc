"""The situations are what they say: messages of the protocol, positions that can be, every event in one of them."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest

from tests.conftest import ROOT
from una_client.mirror import Mirror
from una_protocol.codec import ANSWER_OF, EVENT_OF, decode_answer
from una_protocol.conformance import SITUATIONS, Fault, Judge, Situation
from una_protocol.errors import ERRORS
from una_protocol.messages import Act, TurnNow

FOLDER = ROOT / "protocol" / "conformance"
NEWER = ("unknown-message", "unknown-event", "unknown-fields", "unknown-error")
"""Situations with what no present server sends."""


def sent() -> list[dict[str, Any]]:
    """Each message of all situations."""
    return [step["send"] for situation in SITUATIONS for step in situation.steps if "send" in step]


def test_the_files_are_those_situations() -> None:
    names = [situation.name for situation in SITUATIONS]
    assert len(set(names)) == len(names)
    turns = [message["turn"] // 100 for message in sent() if message["t"] == "turn"]
    assert len(set(turns)) == len(names), "two situations have the same turn numbers"
    assert {path.stem for path in FOLDER.glob("*")} == set(names)
    for situation in SITUATIONS:
        assert json.loads((FOLDER / f"{situation.name}.json").read_text("utf-8")) == situation.as_data()


def test_every_event_and_message_of_a_table_is_in_one() -> None:
    assert set(EVENT_OF) <= {message["e"]["k"] for message in sent() if message["t"] == "ev"}
    assert {message["t"] for message in sent()} >= set(ANSWER_OF) - {"welcome", "ok", "bye", "lobby"}
    phases = {message["phase"] for message in sent() if message["t"] == "turn"}
    assert phases == {"wish", "turn", "drawn", "penalty"}
    kinds = {action["k"] for message in sent() if message["t"] == "turn" for action in message["legal"]}
    assert kinds == {"play", "draw", "pass", "wish", "challenge"}


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_a_situation_can_be(situation: Situation) -> None:
    """Its messages are of the protocol; cards that may be laid are held; each turn that is asked is answered."""
    schema = json.loads((ROOT / "protocol" / "schema.json").read_text("utf-8"))
    check = jsonschema.Draft202012Validator(schema | {"anyOf": [{"$ref": "#/$defs/answer"}]})
    mirror = Mirror("Ann")
    asked, due = set(), set()
    for step in situation.steps:
        if "answer" in step:
            due |= {step["answer"], *step.get("also", [])}
        raw = step.get("send")
        if raw is None:
            continue
        message = decode_answer(msgspec.msgpack.encode(raw))
        if situation.name not in NEWER:
            check.validate(raw)
            assert raw["t"] != "err" or raw["code"] in ERRORS
            assert message is not None
            assert_known(raw, msgspec.to_builtins(message))
        if message is not None:
            mirror.handle(message, 0)
        if isinstance(message, TurnNow):
            asked.add(message.turn)
            hand = mirror.tables[message.table].view.hand or []
            assert {action["card"] for action in raw["legal"] if action["k"] == "play"} <= set(hand)
            assert 0 <= message.default < len(message.legal)
    assert asked
    assert asked == due


def assert_known(raw: Any, known: Any) -> None:
    """No field is misspelled: each is there after decoding too, unless it held its default."""
    if isinstance(raw, dict):
        for key, value in raw.items():
            if key in known:
                assert_known(value, known[key])
            else:
                assert value in (None, False, 0, 1, "", [], "una", "waiting", "bot", "over") or key == "k", key
    elif isinstance(raw, list):
        for one, other in zip(raw, known, strict=True):
            assert_known(one, other)


def turn_of(situation: str) -> dict[str, Any]:
    """The first `turn` of a situation."""
    (found,) = (s for s in SITUATIONS if s.name == situation)
    return next(step["send"] for step in found.steps if step.get("send", {}).get("t") == "turn")


def test_the_judge() -> None:
    turn = turn_of("can-una")
    judge = Judge(frozenset({3}))
    judge.sent(turn)
    judge.expect(turn["turn"], [])
    assert not judge.satisfied

    def act(do: dict[str, Any], number: int | None = turn["turn"]) -> Act:
        return msgspec.convert({"id": 1, "table": "k3f", "do": do, "turn": number}, Act)

    judge.took(act({"k": "una"}, None))
    judge.took(act({"k": "draw"}, 3))  # late, for an earlier situation
    for do, number in (({"k": "draw"}, None), ({"k": "draw"}, 9), ({"k": "catch", "seat": 1}, None)):
        with pytest.raises(Fault):
            judge.took(act(do, number))
    assert not judge.satisfied
    judge.took(act({"k": "play", "card": "B9", "una": True}))
    assert judge.satisfied
    with pytest.raises(Fault, match="over and over"):
        judge.took(act({"k": "draw"}))
    for _ in range(3):
        judge.took(act({"k": "una"}, None))
    with pytest.raises(Fault, match="over and over"):
        judge.took(act({"k": "una"}, None))
