"""What reaches the log is harmless to a terminal, tells what happened, and holds no secret; as text and as JSON."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from tests.conftest import RunningServer
from una_server.logs import JsonFormatter, PlainFormatter, note

NASTY = '\x1b]0;owned\x07 \u202e\n{"event": "forged"}'


def a_record(error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error is not None else None
    return logging.LogRecord("una", logging.ERROR, "", 0, "bad \x9b2J", (), info)


def raised(text: str) -> ValueError:
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


def test_control_characters_are_escaped_in_tracebacks_too() -> None:
    text = PlainFormatter("%(message)s").format(a_record(raised("\x1b]0;owned\x07 \u202e")))
    assert text.replace("\n", "").isprintable()
    assert text.isascii()
    assert "\\x1b]0;owned\\x07" in text


def test_json_is_one_line_and_decodes_to_something_harmless() -> None:
    line = JsonFormatter().format(a_record(raised("\x1b]0;owned\x07")))
    assert line.isascii()
    assert line.isprintable()
    found = json.loads(line)
    assert (found["level"], found["logger"], found["event"]) == ("error", "una", "message")
    assert found["fields"]["text"] == "bad \\x9b2J"
    trace = found["fields"]["traceback"]
    assert trace.isascii()
    assert trace.replace("\n", "").isprintable()


@pytest.mark.parametrize("form", [PlainFormatter("%(message)s"), JsonFormatter()])
def test_fields_are_escaped(form: logging.Formatter, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        note(logging.getLogger("una_server.x"), "connected", name=NASTY, guest="g1", bot=False, client=None, after=1.5)
    line = form.format(caplog.records[0])
    assert line.isascii()
    assert line.isprintable()
    if isinstance(form, JsonFormatter):
        found = json.loads(line)
        assert (found["event"], found["fields"]["guest"], found["fields"]["bot"]) == ("connected", "g1", False)
        assert found["fields"]["name"].isprintable()
        assert "client" not in found["fields"]
    else:
        assert line.startswith("connected name='\\x1b]0;owned")
        assert line.endswith("guest='g1' bot=False after=1.5")


def play(port: int) -> str:
    """A guest with a nasty program opens a table with bots and plays a match of one round; their token."""
    with socket.create_connection(("127.0.0.1", port), 10) as sock:

        def say(**message: Any) -> None:
            body = msgpack.packb(message)
            sock.sendall(len(body).to_bytes(4, "big") + body)

        def until(**fields: Any) -> Any:
            while True:
                size = int.from_bytes(sock.recv(4, socket.MSG_WAITALL), "big")
                message = msgpack.unpackb(sock.recv(size, socket.MSG_WAITALL))
                if fields.items() <= message.items():
                    return message

        say(t="hello", id=1, proto=[1], name="Änne", client=NASTY, bot=True)
        session = str(until(t="welcome")["session"])
        options = {"target_score": 0}
        say(t="create", id=2, name="Küche", bots=["easy", "easy"], think_ms=0, una_grace_ms=0, options=options)
        table = until(re=2)["table"]
        say(t="auto", id=3, table=table, on=True)
        say(t="say", id=4, table=table, text="psst")
        say(t="start", id=5, table=table)
        while until(t="ev")["e"]["k"] != "match_over":
            pass
        say(t="leave", id=6, table=table)
        until(re=6)
    return session


def log_of(server: RunningServer) -> str:
    """The log of a server that has ended."""
    assert server.process.stdin is not None
    server.process.stdin.close()
    server.process.wait(10)
    return (server.folder / "log").read_text(encoding="ascii")


def test_json_lines_tell_what_happened(start_server: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = start_server("--log-json", "--admin-token-file", str(tmp_path / "token"), "--password", "open sesame")
    with socket.create_connection(("127.0.0.1", server.port)) as sock:
        sock.sendall(b"\0\0\0\1\xc0")  # no map
        sock.recv(1000)
    with pytest.raises(AssertionError, match="refused"):
        refuse(server.port)
    log = log_of(server)
    lines = [json.loads(line) for line in log.splitlines()]
    assert all(set(line) == {"time", "level", "logger", "event", "fields"} for line in lines)
    assert [line["event"] for line in lines][:2] == ["start", "listening"]
    assert "sesame" not in log
    assert (tmp_path / "token").read_text().strip() not in log


def refuse(port: int) -> None:
    """A hello with a wrong password."""
    with socket.create_connection(("127.0.0.1", port), 10) as sock:
        body = msgpack.packb({"t": "hello", "id": 1, "proto": [1], "name": "Ann", "password": "sesame open"})
        sock.sendall(len(body).to_bytes(4, "big") + body)
        size = int.from_bytes(sock.recv(4, socket.MSG_WAITALL), "big")
        assert msgpack.unpackb(sock.recv(size, socket.MSG_WAITALL))["t"] == "welcome", "refused"


def test_a_match_in_the_log(start_server: Callable[..., RunningServer]) -> None:
    server = start_server("--log-json")
    session = play(server.port)
    log = log_of(server)
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    events = [line["event"] for line in lines]
    wanted = ["start", "listening", "connected", "table_opened", "match_over", "table_closed", "disconnected"]
    assert [event for event in events if event in wanted] == wanted
    fields = {line["event"]: line["fields"] for line in lines}
    assert fields["connected"]["address"] == "127.0.0.1"
    assert fields["connected"]["name"] == "'\\xc4nne'"
    assert fields["connected"]["client"].startswith("'\\x1b]0;owned")
    assert fields["disconnected"]["reason"] in ("ended", "broken")
    assert fields["table_opened"]["profile"] == "una"
    assert fields["match_over"]["table"] == fields["table_closed"]["table"]
    assert session not in log
    assert "psst" not in log
    assert "forged" not in events


def test_the_same_as_text(start_server: Callable[..., RunningServer]) -> None:
    server = start_server()
    session = play(server.port)
    log = log_of(server)
    assert " INFO una_server.door: connected guest='g1' name='\\xc4nne' bot=True client='\\x1b]0;owned" in log
    assert " INFO una_server.hall: table_opened table='" in log
    assert " disconnected guest='g1' name='\\xc4nne' reason='" in log
    assert session not in log
