"""The real client on a real terminal, against a server of a few lines: news while one types, sizes, drops, crashes."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

import termios

import trio
import trio.from_thread

from tests.client import kit
from tests.client.tui.test_pty import given_back
from tests.conftest import RunningServer
from tests.e2e.terminal import Terminal
from una_protocol import events as ev
from una_protocol import messages as m

EVENTS = 200


def client(port: int, folder: Path, size: tuple[int, int] = (80, 24), *options: str) -> Terminal:
    """`una join` of the table, in a terminal."""
    line = [sys.executable, "-m", "una_client", "join", f"127.0.0.1:{port}/k3f", "--name", "Ann", "--lang", "en"]
    terminal = Terminal([*line, *options], size=size, env={"HOME": str(folder), "UNA_DEBUG": "1"})
    terminal.before = termios.tcgetattr(terminal.master)  # type: ignore[attr-defined]
    return terminal


async def seated(peer: kit.Peer) -> None:
    """Let Ann sit down at a table where it is her turn."""
    await peer.welcome(keepalive_s=3600)
    join = await peer.take()
    assert isinstance(join, m.Join)
    await peer.send(m.Ok(join.id, table="k3f", seat=0), kit.a_view(), kit.a_turn())


async def test_news_come_while_a_line_is_half_typed(tmp_path: Path) -> None:
    typed = trio.Event()

    async def script(peer: kit.Peer) -> None:
        await seated(peer)
        await typed.wait()
        for n in range(EVENTS):
            what = ev.Drew(1, 1, "turn", 60 - n % 50) if n % 2 else ev.Passed(1)
            await peer.send(kit.an_ev(11 + n, what), m.Said(f"line {n}", "Bo", "k3f"))
            if n % 20 == 0:
                await trio.sleep(0.02)
        while await peer.take() is not None:
            pass

    def look(port: int) -> None:
        with client(port, tmp_path) as ann:
            ann.wait_for("Your hand (")
            ann.press("t")
            ann.type("half a lin")
            ann.wait_for("chat: half a lin")
            trio.from_thread.run_sync(typed.set)
            ann.wait_for(f"line {EVENTS - 1}")
            ann.settle()
            assert ann.lines[22] == " chat: half a lin"
            assert ann.cursor == (len(" chat: half a lin"), 22)
            ann.type("e")
            ann.wait_for("chat: half a line")
            assert "[" not in ann.lines[22]
            ann.press("Ctrl-C", "Ctrl-C")
            assert ann.wait_end() == 0
            assert given_back(ann)

    await with_server(look, script)


async def with_server(look: Callable[[int], None], *scripts: Callable[[kit.Peer], Awaitable[None]]) -> None:
    """Run the look in a thread, beside the server."""
    with trio.fail_after(40):
        async with kit.serving(*scripts) as port:
            await trio.to_thread.run_sync(look, port)


async def still(peer: kit.Peer) -> None:
    """A table where nothing happens."""
    await seated(peer)
    while await peer.take() is not None:
        pass


def fills(size: tuple[int, int]) -> Callable[[Terminal], bool]:
    """Whether the hints stand in the last line of a window of that size."""
    return lambda seen: seen.lines[size[1] - 1].endswith("? help")


async def test_after_resizing_the_picture_is_that_of_a_fresh_start(tmp_path: Path) -> None:
    def look(port: int) -> None:
        with client(port, tmp_path / "a", (120, 40)) as ann:
            ann.wait_for("Your hand (")
            for size in ((60, 18), (40, 10), (120, 40)):
                ann.resize(size)
                ann.wait_for(fills(size))
                ann.settle()
            with client(port, tmp_path / "b", (120, 40)) as fresh:
                fresh.wait_for("Your hand (")
                fresh.settle(0.3)
                assert ann.lines[1:] == fresh.lines[1:]  # in the first stands how quick the connection is
                fresh.press("Ctrl-C", "Ctrl-C")
                assert fresh.wait_end() == 0
            ann.press("Ctrl-C", "Ctrl-C")
            assert ann.wait_end() == 0

    await with_server(look, still, still)


async def test_a_password_is_asked_for(tmp_path: Path) -> None:
    async def refuse(peer: kit.Peer) -> None:
        hello = await peer.take()
        await peer.send(m.Err("wrong_password", "no", "no", re=hello.id))
        await trio.sleep(0.2)

    async def welcome(peer: kit.Peer) -> None:
        hello = await peer.welcome(keepalive_s=3600)
        assert hello.password == "secret"
        join = await peer.take()
        await peer.send(m.Ok(join.id, table="k3f", seat=0), kit.a_view(), kit.a_turn())
        while await peer.take() is not None:
            pass

    def look(port: int) -> None:
        with client(port, tmp_path) as ann:
            ann.wait_for("The password of the server?")
            ann.type("secret")
            ann.wait_for("password: ******")
            assert b"secret" not in ann.raw
            ann.press("Enter")
            ann.wait_for("Your hand (")
            ann.press("Ctrl-C", "Ctrl-C")
            assert ann.wait_end() == 0

    await with_server(look, refuse, welcome)


async def test_another_major_and_a_full_server_are_sentences_with_a_way_on(tmp_path: Path) -> None:
    async def old(peer: kit.Peer) -> None:
        hello = await peer.take()
        await peer.send(m.Err("proto_unsupported", "no", "no", re=hello.id, supported=[7]))
        await trio.sleep(0.2)

    async def full(peer: kit.Peer) -> None:
        await peer.take()
        await peer.send(m.Bye("full", "full", True))
        await trio.sleep(0.2)

    def look(port: int) -> None:
        with client(port, tmp_path) as ann:
            ann.wait_for("speaks una protocol 7, this client speaks 1")
            ann.press("a")
            ann.type(f"127.0.0.1:{port}/k3f")
            ann.press("Enter")
            ann.wait_for("The server is full")
            ann.press("q")
            assert ann.wait_end() == 0
            assert given_back(ann)

    await with_server(look, old, full)


def test_a_server_that_drops_leaves_a_terminal_that_can_be_given_back(server: RunningServer, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "una_client", "join", server.address, "--name", "Ann", "--lang", "en"]
    with Terminal(line, env={"HOME": str(tmp_path), "UNA_DEBUG": "1"}) as ann:
        ann.before = termios.tcgetattr(ann.master)  # type: ignore[attr-defined]
        ann.wait_for("No tables yet")
        server.process.kill()
        ann.wait_for("Reconnecting")
        ann.press("q")
        ann.wait_for("a address")
        ann.press("q")
        assert ann.wait_end() == 0
        assert given_back(ann)


CRASH = """
import sys
from una_client.tui import window
from una_client.tui.layout import Size
draw = window.render
def render(model, *rest):
    if model.dialog is not None:
        raise ZeroDivisionError("a crash inside")
    return draw(model, *rest)
window.render = render
sys.argv = ["una", *sys.argv[1:]]
from una_client.__main__ import main
main()
"""


def test_a_crash_inside_gives_the_terminal_back(server: RunningServer, tmp_path: Path) -> None:
    line = [sys.executable, "-c", CRASH, "join", server.address, "--name", "Ann", "--lang", "en"]
    with Terminal(line, env={"HOME": str(tmp_path), "UNA_DEBUG": ""}) as ann:
        ann.before = termios.tcgetattr(ann.master)  # type: ignore[attr-defined]
        ann.wait_for("No tables yet")
        ann.press("?")
        assert ann.wait_end() == 1
        assert given_back(ann)
        assert "The screen failed: a crash inside." in ann.text
        assert "Traceback" not in ann.text
