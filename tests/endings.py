"""Signals that end a program, and a program that is ended by one while a bot of it thinks."""

from __future__ import annotations

import signal
import subprocess

import pytest

POSIX = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of other systems")
ENDINGS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def ended_while_pondering(line: list[str], number: signal.Signals) -> int:
    """Start it, and send the signal once its bot says `pondering`; its exit status, once nobody of it lives."""
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "pondering" not in process.stderr.readline():
            pass
        process.send_signal(number)
        _, said = process.communicate(timeout=20)  # to its end: as long as anybody lives, the pipe is open
    assert "Traceback" not in said
    return process.returncode
