"""A terminal without a window: run a program in a pty, read its screen through pyte, press keys.

It knows nothing of the game. Everything waits for what is seen on the screen, never for a length of time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import pyte

KEYS: Final = {
    "Enter": "\r", "Tab": "\t", "Shift-Tab": "\x1b[Z", "Esc": "\x1b", "Space": " ", "Backspace": "\x7f",
    "Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Home": "\x1b[H", "End": "\x1b[F",
    "PgUp": "\x1b[5~", "PgDn": "\x1b[6~", "F1": "\x1bOP",
    "Ctrl-C": "\x03", "Ctrl-D": "\x04", "Ctrl-L": "\x0c", "Ctrl-P": "\x10",
}  # fmt: skip
"""What a terminal sends for the keys that have no character; every other key is its own character."""

# The child makes the pty its controlling terminal (for Ctrl-C and hang-ups) and becomes the program.
_BECOME: Final = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)


class _Screen(pyte.Screen):
    """A screen that answers the program's questions (where is the cursor?), and ignores what pyte does not know."""

    answer: Callable[[str], None]

    def write_process_input(self, data: str) -> None:
        self.answer(data)

    def set_margins(self, *args: Any, **kwargs: Any) -> None:
        kwargs.pop("private", None)
        super().set_margins(*args, **kwargs)

    def select_graphic_rendition(self, *attrs: int, **kwargs: Any) -> None:
        if not kwargs.get("private"):  # xterm's key settings look like colours to pyte
            super().select_graphic_rendition(*attrs)


class Terminal:
    """A program in a terminal of `size` (columns, rows)."""

    def __init__(
        self,
        command: list[str],
        *,
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.master, slave = os.openpty()
        self.raw = bytearray()
        self._screen = _Screen(*size)
        self._screen.answer = self.type
        self._stream = pyte.ByteStream(self._screen)
        self._set_size(size)
        surroundings = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **(env or {})}
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _BECOME, *command],
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env=surroundings, cwd=cwd,
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"The screen at that time:\n{self.framed()}")
        self.close()

    # -- what is on the screen ---------------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, without the blanks at their ends."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines)

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the cursor, from 0."""
        return self._screen.cursor.x, self._screen.cursor.y

    def framed(self) -> str:
        """The screen in a frame, for people who look for a mistake."""
        edge = "+" + "-" * self._screen.columns + "+"
        return "\n".join([edge, *(f"|{line:<{self._screen.columns}}|" for line in self.lines), edge])

    def read(self, timeout: float = 0.0) -> bool:
        """Take in what the program has written within `timeout` seconds; False when nothing came."""
        if not select.select([self.master], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the program has ended
            data = b""
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def settle(self, quiet: float = 0.05, timeout: float = 5.0) -> None:
        """Read until nothing new has come for `quiet` seconds: the screen is whole."""
        end = time.monotonic() + timeout
        while self.read(quiet) and time.monotonic() < end:
            pass

    def wait_for(self, wanted: str | re.Pattern[str] | Callable[[Terminal], Any], timeout: float = 15.0) -> Any:
        """Read until the screen shows `wanted` (a text, a pattern, or whatever a function looks for); its match."""
        end = time.monotonic() + timeout
        while True:
            if found := self.find(wanted):
                return found
            if time.monotonic() > end:
                raise AssertionError(f"not on the screen within {timeout:g} s: {wanted}")
            if not self.read(0.05) and self.process.poll() is not None and not self.read(0.05):
                if found := self.find(wanted):
                    return found
                raise AssertionError(
                    f"the program ended ({self.process.returncode}) before the screen showed: {wanted}"
                )

    def find(self, wanted: str | re.Pattern[str] | Callable[[Terminal], Any]) -> Any:
        """What of `wanted` is on the screen now; something false where it is not."""
        if isinstance(wanted, str):
            return wanted in self.text
        if isinstance(wanted, re.Pattern):
            return wanted.search(self.text)
        return wanted(self)

    # -- what a person does ------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Type `text` as it stands; nothing if the program is gone."""
        with contextlib.suppress(OSError):
            os.write(self.master, text.encode())

    def press(self, *keys: str) -> None:
        """Press keys, by name (see KEYS) or as their own character."""
        for key in keys:
            self.type(KEYS.get(key, key))

    def resize(self, size: tuple[int, int]) -> None:
        """Make the window another size."""
        self._set_size(size)
        self._screen.resize(size[1], size[0])
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGWINCH)

    def wait_end(self, timeout: float = 10.0) -> int:
        """Read to the end of the program; its exit status."""
        end = time.monotonic() + timeout
        while self.process.poll() is None:
            self.read(0.05)
            if time.monotonic() > end:
                raise AssertionError(f"the program still runs after {timeout:g} s")
        self.settle()
        return self.process.returncode

    def close(self) -> None:
        """Close the window: a hang-up first, then the hard way."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGHUP)
            try:
                self.wait_end(3.0)
            except AssertionError:
                self.process.kill()
                self.process.wait()
        with contextlib.suppress(OSError):
            os.close(self.master)

    def _set_size(self, size: tuple[int, int]) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
