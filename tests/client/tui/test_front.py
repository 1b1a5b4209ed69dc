"""The full screen against a real server: the way from the list of tables into a game, a lost connection, errors."""

from __future__ import annotations

import contextlib
import select
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.conftest import RunningServer
from tests.e2e.terminal import Terminal
from una_client.goal import Goal, UiOptions
from una_client.tui import app, window


class Proxy:
    """A way to the server that can be cut, and be blocked."""

    def __init__(self, port: int) -> None:
        self.target, self.blocked = port, False
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.stopped = threading.Event()
        self.thread.start()

    def cut(self) -> None:
        """Cut all connections."""
        for pair in list(self.pairs):
            for sock in pair:
                with contextlib.suppress(OSError):  # the other end may be faster
                    sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End."""
        self.stopped.set()
        self.thread.join()
        for sock in [self.listener, *(sock for pair in self.pairs for sock in pair)]:
            sock.close()

    def _run(self) -> None:
        while not self.stopped.is_set():
            ends = {sock: other for a, b in self.pairs for sock, other in ((a, b), (b, a))}
            ready, _write, _error = select.select([self.listener, *ends], [], [], 0.02)
            for sock in ready:
                if sock is self.listener:
                    self._accept()
                else:
                    self._pass_on(sock, ends[sock])

    def _accept(self) -> None:
        client, _address = self.listener.accept()
        if self.blocked:
            client.close()
            return
        self.pairs.append((client, socket.create_connection(("127.0.0.1", self.target))))

    def _pass_on(self, sock: socket.socket, other: socket.socket) -> None:
        try:
            data = sock.recv(65536)
            if data:
                other.sendall(data)
                return
        except OSError:
            pass
        self.pairs = [pair for pair in self.pairs if sock not in pair]
        sock.close()
        other.close()


@pytest.fixture
def proxy(server: RunningServer) -> Iterator[Proxy]:
    """A proxy before the server."""
    made = Proxy(server.port)
    yield made
    made.close()


def client(port: int, folder: Path, name: str = "Ann", *options: str) -> Terminal:
    """`una join` in a terminal."""
    line = [sys.executable, "-m", "una_client", "join", f"127.0.0.1:{port}", "--name", name, "--lang", "en", *options]
    return Terminal(line, env={"HOME": str(folder), "UNA_DEBUG": "1"})


def open_table(terminal: Terminal) -> None:
    """From the list of tables to a table of one's own with two bots."""
    terminal.wait_for("No tables yet")
    terminal.press("n")
    terminal.wait_for("Name of the new table")
    terminal.type("Den")
    terminal.press("Enter")
    terminal.wait_for("New table Den")
    terminal.press("Down", "Down", "Right", "Right", "Enter")
    terminal.wait_for("Seats  3 of 4")


def test_from_the_lobby_into_a_game_and_back(server: RunningServer, tmp_path: Path) -> None:
    with client(server.port, tmp_path) as ann:
        open_table(ann)
        ann.press("b")
        ann.wait_for("Seats  4 of 4")
        ann.press("b")
        ann.wait_for("All seats are taken")
        ann.press("x")
        ann.wait_for("Seats  3 of 4")
        with client(server.port, tmp_path, "Bob", "--ascii") as bob:
            bob.wait_for("> Den")
            bob.press("Enter")
            bob.wait_for("Seats  4 of 4")
            bob.press("Space")
            ann.wait_for("Bob is ready")
            ann.press("s")
            ann.wait_for("Your hand (")
            bob.wait_for("Your hand (")
            bob.press("t")
            bob.type("hello")
            bob.press("Enter")
            ann.wait_for("Bob says: hello")
            bob.press("q", "y")
            bob.wait_for("Choose a table")
            bob.press("w")
            bob.wait_for("WATCHING")
            bob.press("t")
            bob.type("/draw")
            bob.press("Enter")
            bob.wait_for("only watching")
            bob.press("q")
            bob.wait_for("Choose a table")
            bob.press("q")
            assert bob.wait_end() == 0
        ann.press("Ctrl-C", "Ctrl-C")
        assert ann.wait_end() == 0


def test_a_lost_connection_comes_back(proxy: Proxy, tmp_path: Path) -> None:
    with client(proxy.port, tmp_path) as ann:
        open_table(ann)
        ann.press("s")
        ann.wait_for("Your hand (")
        ann.press("t")
        ann.type("half")
        ann.wait_for("chat: half")
        proxy.blocked = True
        proxy.cut()
        ann.wait_for("Connection lost")
        assert "Your hand (" in ann.text  # what was known stays readable
        ann.press("Esc")
        ann.wait_for("Enter retry now")
        proxy.blocked = False
        ann.press("Enter")
        ann.wait_for(lambda seen: "Connection lost" not in seen.text and "? help" in seen.lines[23])
        assert "half" in ann.lines[22]
        ann.press("Ctrl-C", "Ctrl-C")
        assert ann.wait_end() == 0


def test_a_server_that_is_gone_is_a_sentence_and_a_list_of_servers(
    start_server: Callable[..., RunningServer], tmp_path: Path
) -> None:
    nobody = start_server()
    nobody.process.stdin.close()  # type: ignore[union-attr]
    nobody.process.wait(10)
    with client(nobody.port, tmp_path) as ann:
        ann.wait_for("Nothing listens at")
        ann.wait_for("a address")
        ann.press("q")
        assert ann.wait_end() == 0
        assert "Traceback" not in ann.text


def test_from_nothing_to_a_server_and_back(server: RunningServer, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "UNA_DEBUG": "1", "UNA_NAME": "Ann", "UNA_LANG": "en"}
    with Terminal([sys.executable, "-m", "una_client"], env=env) as ann:
        ann.wait_for("Servers on this network")
        ann.press("a")
        ann.wait_for("The address of a server?")
        ann.type(server.address)
        ann.press("Enter")
        ann.wait_for("No tables yet")
        ann.wait_for("Esc servers")
        ann.press("t")
        ann.type("anybody?")
        ann.press("Enter")
        ann.wait_for("Ann says: anybody?")
        ann.press("Esc")
        ann.wait_for("Servers on this network")
        ann.press("q")
        assert ann.wait_end() == 0


async def test_an_error_in_the_screen_is_one_sentence(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("no size")

    monkeypatch.setattr(window, "render", broken)
    monkeypatch.delenv("UNA_DEBUG", raising=False)
    goal = Goal(host="127.0.0.1", port=server.port, name="Ann")
    with create_pipe_input() as pipe:
        assert await app.run_tui(goal, UiOptions(), input=pipe, output=DummyOutput()) == 1
    assert capsys.readouterr().err == "The screen failed: no size. (UNA_DEBUG=1 shows more.)\n"
