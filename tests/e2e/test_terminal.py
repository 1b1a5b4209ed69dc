"""The terminal driver itself, tried on a program that is not ours."""

from __future__ import annotations

import re
import sys

import pytest

from tests.e2e.terminal import Terminal

ASKS_AND_ECHOES = """
import os, sys
size = os.get_terminal_size()
print(f"{size.columns}x{size.lines}", sys.stdin.isatty())
print("\\x1b[5;3Hhere \\x1b[31m●\\x1b[0m")
while (line := input("> ")) != "end":
    print("you said", line)
sys.exit(3)
"""


def program(text: str) -> list[str]:
    """A command that runs a Python text."""
    return [sys.executable, "-c", text]


def test_a_program_is_seen_typed_to_and_ends() -> None:
    with Terminal(program(ASKS_AND_ECHOES), size=(60, 18)) as terminal:
        terminal.wait_for("60x18 True")
        terminal.wait_for("here ●")
        assert terminal.lines[4] == "  here ●"
        terminal.type("hello")
        terminal.press("Enter")
        assert terminal.wait_for(re.compile(r"you said (\w+)"))[1] == "hello"
        terminal.type("end\r")
        assert terminal.wait_end() == 3


def test_ctrl_c_reaches_the_program() -> None:
    text = "import time\ntry:\n    print('up', flush=True); time.sleep(60)\nexcept KeyboardInterrupt:\n    print('bye')"
    with Terminal(program(text)) as terminal:
        terminal.wait_for("up")
        terminal.press("Ctrl-C")
        terminal.wait_for("bye")
        assert terminal.wait_end() == 0


def test_what_does_not_come_fails_with_the_screen() -> None:
    with Terminal(program("print('only this'); input()")) as terminal:
        terminal.wait_for("only this")
        with pytest.raises(AssertionError, match="not on the screen"):
            terminal.wait_for("something else", timeout=0.1)
    with (
        pytest.raises(AssertionError, match=r"ended \(0\)") as error,
        Terminal(program("print('only this')")) as terminal,
    ):
        terminal.wait_for("something else")
    assert "|only this" in "\n".join(error.value.__notes__)


def test_a_closed_window_ends_the_program() -> None:
    with Terminal(program("import time; print('up', flush=True); time.sleep(60)")) as terminal:
        terminal.wait_for("up")
    assert terminal.process.returncode is not None
