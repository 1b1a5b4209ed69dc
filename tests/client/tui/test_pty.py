"""The real client on a real terminal: a game of our own, by keys; and every way out gives the terminal back."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

import termios

from tests.e2e.terminal import Terminal

PLAY = [sys.executable, "-m", "una_client", "play", "--seed", "3", "--name", "Ann", "--color", "256", "--lang", "en"]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Terminal]:
    """`una play`, with the own hand on the screen."""
    with Terminal(PLAY, env={"HOME": str(tmp_path), "UNA_DEBUG": "1"}) as terminal:
        terminal.before = termios.tcgetattr(terminal.master)  # type: ignore[attr-defined]
        terminal.wait_for("Your hand (")
        terminal.wait_for(re.compile("YOUR TURN|You drew"))
        yield terminal


def given_back(terminal: Terminal) -> bool:
    """Whether modes, cursor, and the screen behind are as before."""
    terminal.settle()
    raw = bytes(terminal.raw)
    modes = termios.tcgetattr(terminal.master) == terminal.before  # type: ignore[attr-defined]
    left = raw.rfind(b"\x1b[?1049l") > raw.rfind(b"\x1b[?1049h") >= 0
    cursor = raw.rfind(b"\x1b[?25h") > raw.rfind(b"\x1b[?25l")
    return modes and left and cursor


def test_a_card_is_played_by_keys(game: Terminal) -> None:
    count = int(re.search(r"Your hand \((\d+)", game.text)[1])  # type: ignore[index]
    assert "[t] chat:" in game.lines[22]
    assert game.lines[23].endswith("? help")
    game.press("Enter")
    game.wait_for("You played")
    game.wait_for(lambda seen: f"Your hand ({count - 1} card" in seen.text or "You drew" in seen.text)
    game.press("t")
    game.wait_for(lambda seen: seen.lines[22].startswith(" chat:"))
    game.type("hello dpq")
    game.press("Enter")
    game.wait_for("Ann says: hello dpq")
    game.press("?")
    game.wait_for("move along the hand")
    game.press("Esc")
    game.wait_for(lambda seen: "move along the hand" not in seen.text)
    game.press("q")
    game.wait_for("Leave the game?")
    game.press("y")
    assert game.wait_end() == 0
    assert given_back(game)


def test_resizing_draws_anew(game: Terminal) -> None:
    game.resize((120, 40))
    game.wait_for(lambda seen: len(seen.lines[2]) == 120 and seen.lines[39].endswith("? help"))
    game.resize((50, 12))
    game.wait_for("50x12")
    game.resize((80, 24))
    game.wait_for(lambda seen: len(seen.lines[2]) == 80 and seen.lines[23].endswith("? help"))
    game.press("Ctrl-C", "Ctrl-C")
    assert game.wait_end() == 0
    assert given_back(game)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals(game: Terminal, number: signal.Signals) -> None:
    os.kill(game.process.pid, number)
    assert game.wait_end() == 128 + number
    assert given_back(game)
    assert b"Traceback" not in game.raw
