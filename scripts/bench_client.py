"""How quick the client is, on a real terminal against a server of its own: keys, output, idling, the start.

    python scripts/bench_client.py [--quick]

Measured: a key until the screen has changed (moving along the hand, and laying or drawing a card); what an
opponent's move costs in bytes of output; how much of a core the play screen takes while nothing happens; `una --help`.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from types import TracebackType
from typing import Final, Self

KEY_MS, HELP_MS, IDLE_PERCENT, MOVE_BYTES = 20.0, 200.0, 1.0, 4096
"""What must not be passed."""
UNA: Final = [sys.executable, "-m", "una_client"]


class Pty:
    """A program in a terminal of 80 by 24."""

    def __init__(self, *arguments: str, home: str) -> None:
        self.master, slave = os.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": home, "UNA_NAME": "Bench"}
        self.process = subprocess.Popen(
            [*UNA, *arguments], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        os.close(slave)
        self.seen = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.wait(10)
        os.close(self.master)

    def read(self, timeout: float) -> bytes:
        """What comes within the time; empty where nothing does. Questions for the cursor's place are answered."""
        if not select.select([self.master], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return b""
        if b"\x1b[6n" in data:
            os.write(self.master, b"\x1b[1;1R")
        self.seen += data
        return data

    def burst(self, quiet: float, timeout: float = 10.0) -> int:
        """The bytes of what comes next, up to a pause."""
        got = len(self.read(timeout))
        while more := self.read(quiet):
            got += len(more)
        return got

    def wait_for(self, text: str, timeout: float = 20.0) -> None:
        """Until the text has been written, then until it is quiet."""
        end = time.monotonic() + timeout
        while text.encode() not in self.seen:
            self.read(0.1)
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"the client did not show: {text}")
        self.burst(0.3, 0.3)

    def press(self, key: bytes) -> float | None:
        """Milliseconds until the screen changes after the key; None where it does not within a second."""
        while self.read(0.05):
            pass
        began = time.perf_counter()
        os.write(self.master, key)
        return (time.perf_counter() - began) * 1000 if self.read(1.0) else None

    def cpu_s(self) -> float:
        """Seconds of a core that the process has used."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keys(home: str, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds for moving along the hand, and for keys that act in the round."""
    with Pty("play", "--seed", "3", "--bots", "2", home=home) as pty:
        pty.wait_for("Your hand (")
        moves = [ms for n in range(count) if (ms := pty.press(b"\x1b[C" if n % 2 else b"\x1b[D")) is not None]
        acts: list[float] = []
        for _time in range(count):
            pty.burst(0.1, 2.0)
            ms = pty.press(b"\t")  # to a card that fits, or the reason why there is none
            for key in (b"\r", b"1", b"d"):
                ms = pty.press(key)
                if ms is not None:
                    acts.append(ms)
            if b"MATCH" in pty.seen or b"wins the match" in pty.seen:
                break
        return moves, acts


def opponents(home: str, seconds: float) -> list[int]:
    """The bytes written for each move of bots that think a while; a bot plays for us as well."""
    with Pty("play", "--auto", "--seed", "5", "--bots", "3", home=home) as pty:
        pty.wait_for("Your hand (")
        bursts: list[int] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end and pty.process.poll() is None:
            if size := pty.burst(0.15, 3.0):
                bursts.append(size)
        return bursts


def idle(home: str, seconds: float) -> float:
    """Percent of a core while it is our turn and nothing happens."""
    with Pty("play", "--seed", "3", home=home) as pty:
        pty.wait_for("Your hand (")
        time.sleep(2.5)
        pty.burst(0.2, 0.2)
        before = pty.cpu_s()
        time.sleep(seconds)
        return (pty.cpu_s() - before) / seconds * 100


def help_ms(count: int) -> list[float]:
    """Milliseconds that `una --help` takes."""
    took = []
    for _time in range(count):
        began = time.perf_counter()
        subprocess.run([*UNA, "--help"], stdout=subprocess.DEVNULL, check=True)
        took.append((time.perf_counter() - began) * 1000)
    return took


def main() -> int:
    """Measure and print; the exit status is 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer measurements")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as home:
        moves, acts = keys(home, 15 if quick else 40)
        bursts = opponents(home, 8 if quick else 30)
        percent = idle(home, 3 if quick else 10)
    helps = help_ms(3 if quick else 7)
    rows = [
        ("key to changed screen, moving, median ms", statistics.median(moves), KEY_MS),
        ("key to changed screen, acting, median ms", statistics.median(acts), KEY_MS),
        ("opponent's move, most bytes", float(max(bursts)), float(MOVE_BYTES)),
        ("opponent's move, median bytes", float(statistics.median(bursts)), float(MOVE_BYTES)),
        ("idle, percent of a core", percent, IDLE_PERCENT),
        ("una --help, median ms", statistics.median(helps), HELP_MS),
    ]
    for name, value, limit in rows:
        print(f"{'ok  ' if value < limit else 'OVER'} {name}: {value:.1f} (limit {limit:g})")
    print(f"({len(moves)} + {len(acts)} keys, {len(bursts)} moves; slowest key {max(moves + acts):.1f} ms)")
    return 0 if all(value < limit for _name, value, limit in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
