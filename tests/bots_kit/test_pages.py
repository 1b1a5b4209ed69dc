"""The protocol's pages: an example of everything, agreement with `describe` and the schema, code that runs."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from tests.bots_kit.examples import node
from tests.conftest import ROOT, RunningServer
from una_protocol import catalogue
from una_protocol import messages as m
from una_protocol.codec import ANSWER_OF, EVENT_OF, REQUEST_OF, decode_answer, decode_request
from una_protocol.conformance import SITUATIONS

PAGE = (ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
GUIDE = (ROOT / "protocol" / "WRITING-A-CLIENT.md").read_text("utf-8")
SCHEMA = json.loads((ROOT / "protocol" / "schema.json").read_text("utf-8"))
_, _, REFERENCE = PAGE.partition("# Reference\n")
SECTIONS = {
    "Requests": ("messages", "requests"), "Answers": ("messages", "answers"), "Values": ("messages", "values"),
    "Actions": ("actions", "actions"), "Events of the table": ("events", "table"),
    "Events of a round": ("events", "round"),
}  # fmt: skip
VECTORS = [
    row for name in ("requests", "answers", "events")
    for row in json.loads((ROOT / "protocol" / "vectors" / f"{name}.json").read_text("utf-8"))
]  # fmt: skip


def kinds(section: str) -> dict[str, str]:
    """Each kind that a section of the reference tells of, and what it says."""
    text = re.search(rf"^## {section}\n(.*?)(?=^## )", REFERENCE, re.MULTILINE | re.DOTALL)
    assert text
    parts = re.split(r"^### `(\w+)`.*\n", text[1], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("section", SECTIONS)
def test_page_describe_and_schema_agree(section: str) -> None:
    part, group = SECTIONS[section]
    described = catalogue.describe(part)
    assert described is not None
    told = kinds(section)
    assert [kind["name"] for kind in described[group]] == list(told)
    schemas = {name: body for name, body in SCHEMA["$defs"].items() if "properties" in body}
    for kind in described[group]:
        cells = [re.split(r"(?<!\\) ?\| ?", line) for line in told[kind["name"]].splitlines() if line.startswith("| `")]
        rows = [(name.strip("`"), absent) for _, name, _, absent, *_ in cells]
        assert [name for name, _ in rows] == [field["name"] for field in kind["fields"]]
        required = {name for name, absent in rows if absent == "required"}
        assert required == {field["name"] for field in kind["fields"] if field["required"]}
        fits = [
            body for body in schemas.values()
            if set(body["properties"]) - {"t", "k"} == {name for name, _ in rows}
            and set(body.get("required", [])) - {"t", "k"} == required
        ]  # fmt: skip
        assert fits, f"the schema has nothing like {kind['name']}"


@pytest.mark.parametrize("section", [section for section in SECTIONS if section != "Values"])
def test_everything_has_an_example_that_can_be_sent(section: str) -> None:
    for name, text in kinds(section).items():
        [raw] = [json.loads(block) for block in re.findall(r"^```json\n(.*?)\n```$", text, re.MULTILINE)]
        decode = decode_request if section in ("Requests", "Actions") else decode_answer
        message = decode(msgpack.packb(raw))
        assert message is not None
        known = msgspec.to_builtins(message)
        for part in ("do", "e"):
            if isinstance(raw.get(part), dict):
                assert raw[part].keys() <= known[part].keys()
        tag = raw["do"]["k"] if section == "Actions" else raw["e"]["k"] if section.startswith("Events") else raw["t"]
        assert tag == name
    assert set(kinds("Requests")) == set(REQUEST_OF)
    assert set(kinds("Answers")) == set(ANSWER_OF)
    assert set(kinds("Events of the table")) | set(kinds("Events of a round")) == set(EVENT_OF)


def test_the_codes_are_those_of_describe() -> None:
    described = catalogue.describe("errors")
    assert described is not None
    for title, key in (("Error codes", "errors"), ("Codes of `bye`", "byes")):
        text = re.search(rf"^## {title}\n(.*?)(?=^## )", REFERENCE, re.MULTILINE | re.DOTALL)
        assert text
        codes = re.findall(r"^\| `(\w+)` \|", text[1], re.MULTILINE)
        assert codes == [row["code"] for row in described[key]]


def test_the_bytes_for_nc_are_a_hello(server: RunningServer) -> None:
    import socket

    (octal,) = re.findall(r"printf '(.*?)' \|", PAGE)
    bytes_ = octal.encode().decode("unicode_escape").encode("latin-1")
    assert decode_request(bytes_[4:]) == m.Hello(1, [1], "Botty")
    with socket.create_connection(("127.0.0.1", server.port)) as conn:
        conn.sendall(bytes_)
        answer = conn.recv(65536)
    assert struct.unpack(">I", answer[:4])[0] == len(answer) - 4
    assert answer.startswith(b"t\xa7welcome\xa2re\x01\xa5proto\x01\xa5minor", 6)
    shown = "".join(re.findall(r"^0000\w{4}: ((?:\w{4} ?)+) ", PAGE, re.MULTILINE)).replace(" ", "")
    assert bytes.fromhex(shown)[4:] == answer[4 : len(shown) // 2]


def test_the_bot_on_lines_is_one(server: RunningServer, tmp_path: Path) -> None:
    (code,) = re.findall(r"^```text\n(import json.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "lines.py").write_text(code)
    line = [sys.executable, "-P", "-m", "una_client", "bot", "run", "--exec", f"{sys.executable} {tmp_path}/lines.py"]
    line += [server.address, "--create", "--bots", "2", "--matches", "1"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "default move" not in done.stdout


def test_the_steps_of_a_situation_are_told() -> None:
    told = set(re.findall(r'^\| `\{"(\w+)": ', PAGE, re.MULTILINE))
    assert told == {next(iter(step)) for situation in SITUATIONS for step in situation.steps}


# -- the guide


def code(language: str) -> str:
    """The one block of a language in the guide."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    return str(block)


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        name, _, anchor = target.partition("#")
        text = (ROOT / "protocol" / name).read_text("utf-8") if anchor else ""
        assert (ROOT / "protocol" / name).exists()
        assert not anchor or anchor in [
            re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", text, re.M)
        ]
    assert not re.search(r"/work|shared/|https?:", GUIDE)


def test_frames_in_python() -> None:
    names: dict[str, Any] = {}
    exec(compile(code("python"), "WRITING-A-CLIENT.md", "exec"), names)
    received, got = bytearray(), []
    for byte in b"".join(bytes.fromhex(row["frame"]) for row in VECTORS):
        received.append(byte)
        got += names["messages"](received)
    assert got == [row["json"] for row in VECTORS]
    assert all(names["frame"](row["json"]) == bytes.fromhex(row["frame"]) for row in VECTORS)


def test_frames_in_javascript() -> None:
    folder = Path(node().split()[1]).parent
    script = f"""import {{ decode, encode }} from "@msgpack/msgpack";
import {{ readFileSync }} from "node:fs";
import assert from "node:assert";
{code("javascript")}
const rows = JSON.parse(readFileSync(0));
for (const row of rows) {{
  const bytes = Buffer.from(row.frame, "hex");
  const got = [...messages(bytes.subarray(0, 3)), ...messages(bytes.subarray(3)), ...messages(frame(row.json))];
  assert.deepStrictEqual(got, [row.json, row.json]);
}}
console.log(rows.length);
"""
    (folder / "frames.js").write_text(script)
    done = subprocess.run(
        ["node", "frames.js"], input=json.dumps(VECTORS), capture_output=True, text=True, cwd=folder, check=False
    )
    assert (done.stdout, done.stderr) == (f"{len(VECTORS)}\n", "")


def test_frames_in_c(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    main = """
int main(void) {
    uint32_t length;
    uint8_t *body;
    while ((body = receive_body(0, &length))) {
        if (write(1, body, length) != (ssize_t)length) return 1;
        free(body);
    }
    return 0;
}
"""
    (tmp_path / "frames.c").write_text(code("c") + main)
    line = [compiler, "-Wall", "-Wextra", "-Werror", "-o", "frames", "frames.c"]
    subprocess.run(line, cwd=tmp_path, check=True)
    frames = [bytes.fromhex(row["frame"]) for row in VECTORS]
    done = subprocess.run([tmp_path / "frames"], input=b"".join(frames), capture_output=True, check=True)
    assert done.stdout == b"".join(frame[4:] for frame in frames)
