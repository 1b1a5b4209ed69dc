"""The page, the schema and the vectors agree with the definitions; the catalogue fits the wire; promises are kept."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgpack
import msgspec
import pytest

from una_protocol import catalogue, codec
from una_protocol import messages as m
from una_protocol.actions import DRAW, Play
from una_protocol.cards import Card
from una_protocol.codec import encode
from una_protocol.connection import Problem, ServerConnection
from una_protocol.events import MatchOver
from una_protocol.field_docs import DOCS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
ALL_TYPES = (
    *m.REQUESTS, *m.ANSWERS, *catalogue.VALUES, *catalogue.ACTIONS, *catalogue.TABLE_EVENTS, *catalogue.ROUND_EVENTS,
)  # fmt: skip


def vectors(name: str) -> list[dict[str, Any]]:
    """The rows of one file of vectors."""
    rows: list[dict[str, Any]] = json.loads((ROOT / "protocol" / "vectors" / f"{name}.json").read_text("utf-8"))
    return rows


def test_the_generated_files_are_fresh() -> None:
    for seed in ("1", "2"):
        line = [sys.executable, "scripts/generate_protocol.py", "--check"]
        done = subprocess.run(
            line, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["requests", "answers", "events"])
def test_good_vectors(name: str) -> None:
    decode = codec.decode_request if name == "requests" else codec.decode_answer
    for row in vectors(name):
        bytes_ = bytes.fromhex(row["frame"])
        message = decode(bytes_[4:])
        assert message is not None
        assert msgpack.unpackb(bytes_[4:]) == row["json"], row["name"]
        assert encode(message) == bytes_, row["name"]


def test_there_is_a_vector_of_everything() -> None:
    assert {row["json"]["t"] for row in vectors("requests")} == set(codec.REQUEST_OF)
    assert {row["json"]["t"] for row in vectors("answers")} == set(codec.ANSWER_OF)
    assert {row["json"]["e"]["k"] for row in vectors("events")} == set(codec.EVENT_OF)


@pytest.mark.parametrize("row", vectors("hostile"), ids=lambda row: row["name"])
def test_hostile_vectors(row: dict[str, Any]) -> None:
    server = ServerConnection()
    if row["code"] != "not_una":
        for _ in server.receive(encode(m.Hello(1, [1], "Ann"))):
            server.accept()
    [item] = server.receive(bytes.fromhex(row["frame"]))
    if row["code"] is None:
        assert msgspec.to_builtins(item) == row["json"]
        return
    assert isinstance(item, Problem)
    assert (item.code, item.close) == (row["code"], row["close"])
    if "at" in row:
        assert item.detail.endswith(f" at {row['at']}")


def test_the_schema_says_the_same_as_the_codec() -> None:
    schema = json.loads((ROOT / "protocol" / "schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = {
        way: jsonschema.Draft202012Validator(schema | {"anyOf": [{"$ref": f"#/$defs/{way}"}]})
        for way in ("request", "answer")
    }
    for name in ("requests", "answers", "events"):
        for row in vectors(name):
            check["request" if name == "requests" else "answer"].validate(row["json"])
    for row in vectors("hostile"):
        about_a_known_field = row.get("at", "$.x").startswith(("$.id", "$.do", "$.table"))
        if row["code"] == "bad_message" and about_a_known_field:
            raw = msgpack.unpackb(bytes.fromhex(row["frame"])[4:])
            assert not check["request"].is_valid(raw), row["name"]


def examples() -> Iterator[dict[str, Any]]:
    """Each message that the page shows."""
    for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        yield from map(json.loads, block.splitlines())


@pytest.mark.parametrize("raw", list(examples()), ids=lambda raw: raw["t"])
def test_an_example_of_the_page_is_a_message(raw: dict[str, Any]) -> None:
    from_client = raw["t"] in codec.REQUEST_OF and ("id" in raw or raw["t"] not in codec.ANSWER_OF)
    message = (codec.decode_request if from_client else codec.decode_answer)(msgpack.packb(raw))
    assert message is not None
    known = msgspec.to_builtins(message)
    assert raw.keys() - {"bot", "rematch"} <= known.keys(), "a field is misspelled, or holds its default"


class FakeServer(threading.Thread):
    """Says what a server would say to the bot of the page, from the other end of a socket."""

    def __init__(self, conn: socket.socket) -> None:
        super().__init__(daemon=True)
        self.conn = conn
        self.got: list[object] = []

    def run(self) -> None:
        connection = ServerConnection()
        while chunk := self.conn.recv(4096):
            for item in connection.receive(chunk):
                connection.accept()
                self.got.append(item)
                for answer in self.answers(item):
                    self.conn.sendall(encode(answer))

    def answers(self, item: object) -> Iterator[Any]:
        match item:
            case m.Hello():
                yield m.Welcome(1, 1, 0, "una/0", "s", False, [], 0, m.Limits(65536, 50, 100), 15, 60, [])
            case m.Create():
                yield m.Ok(item.id, table="k3f", seat=0)
            case m.Start():
                yield m.Ok(item.id)
                yield m.PingNow()
                yield m.TurnNow("k3f", 1, 4, "turn", (Play(Card("R7")), DRAW), 1)
            case m.Act():
                yield m.Ok(item.id, 5)
                yield m.Ev("k3f", 6, MatchOver((0,), (50, 0)))


def test_the_bot_of_the_page_plays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, *_ = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(socket, "create_connection", lambda address: theirs)
    server = FakeServer(ours)
    server.start()
    names: dict[str, Any] = {}
    with ours, theirs:
        exec(compile(code, "PROTOCOL.md", "exec"), names)
        names["stream"].close()
        theirs.shutdown(socket.SHUT_WR)
        server.join(5)
    assert [type(item) for item in server.got] == [m.Hello, m.Create, m.Start, m.Pong, m.Act]
    assert capsys.readouterr().out == "winners: [0]\n"


def test_the_page_does_not_speak_of_other_things() -> None:
    assert not re.search(r"/work|\.\./|shared/|design page|brief", PAGE)


# -- the catalogue ----------------------------------------------------------------------------------------------


def test_each_part_fits_the_wire() -> None:
    extra = {"options": {"hand_size": {"values": "1–20"}}}
    parts = catalogue.describe(None, extra)
    assert parts == {"parts": ["messages", "events", "actions", "errors", "limits", "options"]}
    for part in parts["parts"]:
        answer = m.Ok(1, catalogue=catalogue.describe(part, extra))
        assert codec.decode_answer(codec.encode_body(answer)) == answer
    assert catalogue.describe("options", extra) == extra["options"]
    assert catalogue.describe("nothing") is None


def test_every_field_and_type_is_explained() -> None:
    used = set()
    for type_ in ALL_TYPES:
        assert type_.__doc__, type_
        for row in catalogue.fields(type_):
            assert row["doc"], f"{type_.__name__}.{row['name']}: write it into field_docs.py"
            used |= {row["name"], f"{type_.__name__}.{row['name']}"}
    assert DOCS.keys() <= used


# -- the promises -----------------------------------------------------------------------------------------------


def generator() -> Any:
    """scripts/generate_protocol.py as a module."""
    path = ROOT / "scripts" / "generate_protocol.py"
    spec = importlib.util.spec_from_file_location("generate_protocol", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


def test_what_breaks_a_promise_is_named() -> None:
    script = generator()
    then = json.loads((ROOT / "protocol" / "frozen" / "1.0.json").read_text("utf-8"))
    assert list(script.compare(then, then, "1.0")) == []
    now = copy.deepcopy(then)
    requests = now["types"]["Requests"]
    del requests["ping"]
    del requests["say"]["text"]
    requests["act"]["turn"]["required"] = True
    requests["kick"]["seat"]["type"] = "str"
    requests["create"]["seats"]["default"] = 3
    requests["join"]["mood"] = {"type": "str", "required": True, "since": 1}
    requests["watch"]["mood"] = {"type": "str", "required": False, "since": 0}
    requests["leave"]["mood"] = {"type": "str", "required": False, "since": 1}  # this is how it is done
    requests["dance"] = {"id": {"type": "int", "required": True, "since": 1}}  # and this
    del now["errors"]["too_big"]
    now["byes"].remove("full")
    found = list(script.compare(then, now, "1.0"))
    assert len(found) == 9
    for words in (
        "`ping`",
        "`text`",
        "`turn`",
        "`seat`",
        "`seats`",
        "required;",
        "does not say",
        "`too_big`",
        "`full`",
    ):
        assert any(words in line for line in found), words
