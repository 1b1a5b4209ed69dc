"""The journal of a real process: it goes on after a signal, reads its config again, and tells its message."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from una_server.store.file import reading

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


class Guest:
    """A connection with blocking calls."""

    def __init__(self, port: int, **hello: Any) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.settimeout(10)
        self.id = 1
        self.say(t="hello", id=1, proto=[1], **hello)
        self.welcome = self.hear()
        self.id = max(self.id, self.welcome["last_id"])

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *error: object) -> None:
        self.sock.close()

    def say(self, **message: Any) -> None:
        body = msgpack.packb(message)
        self.sock.sendall(len(body).to_bytes(4, "big") + body)

    def hear(self) -> Any:
        header = self.sock.recv(4, socket.MSG_WAITALL)
        if len(header) < 4:
            raise EOFError
        return msgpack.unpackb(self.sock.recv(int.from_bytes(header, "big"), socket.MSG_WAITALL))

    def until(self, kind: str, **fields: Any) -> Any:
        while True:
            message = self.hear()
            if message["t"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    def ask(self, kind: str, **fields: Any) -> Any:
        self.id += 1
        self.say(t=kind, id=self.id, **fields)
        while True:
            message = self.hear()
            if message.get("re") == self.id:
                return message


def test_a_table_outlives_a_server_that_is_told_to_stop(start_server: Callable[..., Any], tmp_path: Path) -> None:
    data, rounds = tmp_path / "una.db", tmp_path / "rounds"
    options = ("--data", str(data), "--record", str(rounds), "--seed", "7", "--keep", "30")
    first = start_server(*options)
    with Guest(first.port, name="Ann", bot=True) as ann:
        table = ann.ask("create", name="Kitchen", bots=["normal"], una_grace_ms=0, think_ms=0)["table"]
        ann.ask("start", table=table)
        turn = ann.until("turn")
        token = ann.welcome["session"]
        first.process.send_signal(signal.SIGTERM)
        assert ann.until("bye")["code"] == "shutting_down"
    assert first.process.wait(6) == 0
    second = start_server(*options)
    resume = {"session": token, "tables": {table: turn["seq"]}}
    with Guest(second.port, name="Ann", bot=True, resume=resume) as ann:
        assert ann.welcome["resumed"]
        assert ann.welcome["seats"] == [{"table": table, "seat": 0}]
        again = ann.until("turn")
        assert (again["turn"], again["legal"]) == (turn["turn"], turn["legal"])
        ann.ask("auto", table=table, on=True)
        while ann.until("ev")["e"]["k"] != "match_over":
            pass
    [file] = rounds.iterdir()
    text = file.read_text(encoding="utf-8")
    with reading(data) as sql:  # while the server runs
        assert sql.execute("SELECT lines FROM record").fetchall() == [(text,)]
    assert "Traceback" not in (second.folder / "log").read_text()


def test_sighup_reads_limits_motd_and_log_level_again(start_server: Callable[..., Any], tmp_path: Path) -> None:
    config = tmp_path / "una.toml"
    config.write_text('motd = "Tea at five."\n[limits]\nrate = 60\n')
    server = start_server("--config", str(config), "--limit", "burst=90")

    def reload(text: str, sentence: str) -> None:
        config.write_text(text)
        server.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 10
        while sentence not in (server.folder / "log").read_text():
            assert time.monotonic() < end
            time.sleep(0.02)

    with Guest(server.port, name="Ann") as ann:
        assert ann.welcome["motd"] == "Tea at five."
        assert ann.welcome["limits"] == {"frame": 65536, "rate": 60, "burst": 90}
        reload('motd = "Cake at six."\nlog_level = "debug"\n[limits]\nrate = 70\n', "the config was read again")
        assert ann.ask("ping")["t"] == "ok"
    with Guest(server.port, name="Ben") as ben:
        assert ben.welcome["motd"] == "Cake at six."
        assert ben.welcome["limits"] == {"frame": 65536, "rate": 70, "burst": 90}
        reload("motd = 3\n", "the config stays as it was")
        assert ben.ask("ping")["t"] == "ok"
    with Guest(server.port, name="Cem") as cem:
        assert cem.welcome["motd"] == "Cake at six."


def test_a_server_ends_with_its_terminal(tmp_path: Path) -> None:
    from tests.e2e.terminal import Terminal  # not on Windows

    line = [sys.executable, "-m", "una_server", "run", "--port", "0", "--no-discovery", "--data", str(tmp_path / "db")]
    with Terminal(line) as terminal:
        port = int(terminal.wait_for(re.compile(r"is open on .* port (\d+)"))[1])
        with Guest(port, name="Ann") as ann:
            os.kill(terminal.process.pid, signal.SIGHUP)
            terminal.wait_for("the config was read again")
            assert ann.ask("ping")["t"] == "ok"
            os.close(terminal.master)  # the system tells whoever was started there
            assert terminal.process.wait(10) == 0
