"""The server as a process: its options, its sentences, its end; and the commands that need no server."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio
from click.testing import CliRunner, Result

from tests.server.house import open_house
from una_server.cli import cli
from una_server.config import make_config
from una_server.host import Host

ROOT = Path(__file__).resolve().parents[2]


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def say(sock: socket.socket, **message: Any) -> None:
    body = msgpack.packb(message)
    sock.sendall(len(body).to_bytes(4, "big") + body)


def hear(sock: socket.socket) -> Any:
    size = int.from_bytes(sock.recv(4, socket.MSG_WAITALL), "big")
    return msgpack.unpackb(sock.recv(size, socket.MSG_WAITALL))


# -- what cannot be -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--port", "99999"], ["port", "0 to 65535"]),
        (["--host", "no.such.host.invalid"], ["no.such.host.invalid"]),
        (["--log-level", "loud"], ["log_level", "debug, error, info, warning"]),
        (["--limit", "rat=5"], ["rat", "did you mean rate?"]),
        (["--limit", "rate=fast"], ["rate", "whole number"]),
        (["--max-tables", "0"], ["tables", "from 1"]),
        (["--record", "/proc/nowhere"], ["/proc/nowhere", "cannot be written"]),
        (["--config", "missing.toml"], ["missing.toml", "no such file"]),
    ],
)
def test_bad_options_are_one_sentence(args: list[str], words: list[str]) -> None:
    result = run("run", "--no-data", *args)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    for word in words:
        assert word in result.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("porrt = 1", ["porrt", "did you mean port?"]),
        ("port = 'x'", ["port", "'x'", "whole number from 0 to 65535"]),
        ("port = true", ["port", "true"]),
        ("[limits]\nburts = 1", ["burts", "did you mean burst?"]),
        ("[limits]\nkeepalive_s = 0", ["keepalive_s", "1 to 3600"]),
        ("limits = 3", ["[limits]"]),
        ("= nonsense", ["no TOML"]),
        ("name = " + "[" * 5000, ["no TOML"]),
        ("log_level = 'loud'", ["log_level", "debug"]),
    ],
)
def test_bad_configs_are_one_sentence(text: str, words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "una.toml"
    file.write_text(text)
    result = run("run", "--no-data", "--config", str(file))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    for word in ["una.toml", *words]:
        assert word in result.stderr


def test_a_taken_port_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run("run", "--no-data", "--host", "127.0.0.1", "--port", port)
    assert result.exit_code == 2
    assert f"Port {port} is taken" in result.stderr


# -- a process ----------------------------------------------------------------------------------------------------


def test_config_record_and_seed(start_server: Callable[..., Any], tmp_path: Path) -> None:
    config, rounds = tmp_path / "una.toml", tmp_path / "rounds"
    config.write_text(f"name = 'Kitchen'\nrecord = '{rounds}'\n[limits]\nrate = 77\n")
    server = start_server("--config", str(config), "--seed", "7", "--limit", "burst=99")
    assert "una join 127.0.0.1" in (server.folder / "log").read_text()
    with socket.create_connection(("127.0.0.1", server.port)) as sock:
        sock.settimeout(10)
        say(sock, t="hello", id=1, proto=[1], name="Ann", bot=True)
        assert hear(sock)["limits"] == {"frame": 65536, "rate": 77, "burst": 99}
        say(sock, t="create", id=2, name="T", bots=["easy", "normal"], una_grace_ms=0, think_ms=0)
        table = hear(sock)["table"]
        say(sock, t="auto", id=3, table=table, on=True)
        say(sock, t="start", id=4, table=table)
        while True:
            message = hear(sock)
            if message["t"] == "ev" and message["e"]["k"] == "match_over":
                break
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and '"end"' not in "".join(f.read_text() for f in rounds.iterdir()):
        time.sleep(0.05)
    [record] = rounds.iterdir()
    assert record.name.endswith(f"-{table}-1.una.jsonl")
    result = run("replay", str(record))
    assert result.exit_code == 0, result.output
    assert "to its end" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_with_a_goodbye(start_server: Callable[..., Any], number: int) -> None:
    server = start_server()
    with socket.create_connection(("127.0.0.1", server.port)) as sock:
        sock.settimeout(10)
        say(sock, t="hello", id=1, proto=[1], name="Ann")
        assert hear(sock)["t"] == "welcome"
        server.process.send_signal(number)
        bye = hear(sock)
        assert (bye["t"], bye["code"], bye["reconnect"]) == ("bye", "shutting_down", True)
        assert 500 <= bye["after_ms"] <= 5000
        assert sock.recv(1) == b""
    assert server.process.wait(6) == 0
    assert "Traceback" not in (server.folder / "log").read_text()


async def test_a_guest_who_does_not_go_holds_nobody_up() -> None:
    async with open_house() as house:
        await house.guest("Ann")
        house.stop.set()
        with trio.fail_after(12):
            await house.stopped.wait()


def test_python_m_and_version() -> None:
    line = [sys.executable, "-m", "una_server", "--version"]
    found = subprocess.run(line, capture_output=True, text=True, check=True, timeout=20)
    assert found.stdout.startswith("una-server ")


# -- commands that need no server ----------------------------------------------------------------------------------


def test_help_has_examples() -> None:
    for command in ("run", "scenario", "replay", "rules", "describe"):
        result = run(command, "--help")
        assert result.exit_code == 0
        assert f"una-server {command}" in result.output


def test_describe_is_json() -> None:
    catalogue = json.loads(run("describe", "--json").output)
    assert {"messages", "options", "profiles"} <= set(catalogue)


def test_scenarios_hold_or_say_what_does_not(tmp_path: Path) -> None:
    good = sorted((ROOT / "tests/game/scenarios").glob("*.toml"))[:2]
    assert run("scenario", *map(str, good)).exit_code == 0
    bad = tmp_path / "bad.toml"
    bad.write_text("nonsense = 1\n")
    result = run("scenario", str(good[0]), str(bad))
    assert result.exit_code == 1
    assert "1 of 2" in result.output
    assert run("scenario", str(tmp_path / "missing")).exit_code == 2


def test_replay_names_the_first_line_that_differs(tmp_path: Path) -> None:
    file = tmp_path / "x.una.jsonl"
    file.write_text('{"una_record":99}\n')
    result = run("replay", str(file))
    assert result.exit_code == 1
    assert "line 1" in result.output
    assert run("replay", str(tmp_path / "missing")).exit_code == 2


def test_rules_in_words_and_house_rules_checked(tmp_path: Path) -> None:
    assert run("rules", "classic").exit_code == 0
    assert run("rules", "--lang", "de").exit_code == 0
    file = tmp_path / "house.toml"
    file.write_text('profile = "classic"\n[options]\nhand_size = 99\n')
    result = run("rules", str(file))
    assert result.exit_code == 2
    assert "hand_size" in result.stderr
    assert "1 to 20" in result.stderr
    assert run("rules", "nope").exit_code == 2


def test_no_more_connections_are_promised_than_there_are_files(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("una_server.host.raise_file_limit", lambda: 1024)
    host = Host(make_config(None, {"host": "127.0.0.1", "port": 0}, {"connections": 5000}))
    host.listen()
    host.close()
    assert 512 < host.port.limits.connections < 1024
    assert "1024 open files" in caplog.text


def test_a_server_without_bots(start_server: Callable[..., Any]) -> None:
    server = start_server("--no-bots")
    with socket.create_connection(("127.0.0.1", server.port)) as sock:
        say(sock, t="hello", id=1, proto=[1], name="Robby", bot=True)
        answer = hear(sock)
        assert (answer["t"], answer["code"]) == ("err", "no_bots")
        say(sock, t="hello", id=1, proto=[1], name="Ann")
        assert hear(sock)["t"] == "welcome"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("replay", "Missing argument 'FILE...'."),
        ("records show x", "Invalid value for 'ID': 'x' is not a valid integer."),
        ("frob", "No such command 'frob'."),
    ],
)
def test_what_is_typed_wrongly_is_one_sentence(line: str, sentence: str) -> None:
    command = [sys.executable, "-m", "una_server", *line.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="another system")
@pytest.mark.parametrize(
    ("where", "reason"), [(">/dev/full", "no space left on device"), (">&-", "it is closed")], ids=["full", "closed"]
)
@pytest.mark.parametrize("line", ["describe --json", "--version", "rules --help"])
def test_output_that_cannot_be_written_is_one_sentence(line: str, where: str, reason: str) -> None:
    command = ["sh", "-c", f"exec {sys.executable} -W error -m una_server {line} {where}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (1, f"The output cannot be written: {reason}.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="another system")
def test_a_server_whose_greeting_cannot_be_written_serves_all_the_same(tmp_path: Path) -> None:
    port_file = tmp_path / "port"
    line = "run --host 127.0.0.1 --port 0 --no-data --no-discovery --until-eof --port-file"
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = subprocess.Popen(
            [sys.executable, "-m", "una_server", *line.split(), str(port_file)],
            stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert process.stderr is not None
    told = iter(process.stderr.readline, "")
    assert any("the output could not be written: No space left on device" in text for text in told)
    socket.create_connection(("127.0.0.1", int(port_file.read_text())), 10).close()
    _out, rest = process.communicate(timeout=20)
    assert "Traceback" not in rest
