"""Lines in and out: standard input without Python's own buffer, standard output at once."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator
from typing import Final

import trio

_LONGEST_LINE: Final = 4096


def write_line(text: str) -> None:
    """A line on standard output, at once; what its encoding lacks becomes `?`."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()


async def stdin_lines() -> AsyncGenerator[str, None]:
    """The lines of standard input. Read below Python's own buffer: a thread that waits there would block the exit."""
    rest = b""
    while True:
        try:
            chunk = await trio.to_thread.run_sync(os.read, 0, _LONGEST_LINE, abandon_on_cancel=True)
        except OSError:
            chunk = b""
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\r")
        rest = rest[:_LONGEST_LINE]
    if rest:
        yield rest.decode("utf-8", "replace")
