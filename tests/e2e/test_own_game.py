"""A game of one's own: `una play` brings its server along, and takes it away again."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal

UNA = [sys.executable, "-P", "-m", "una_client"]


def auto_match(*options: str) -> subprocess.CompletedProcess[str]:
    """A match that nobody has to play."""
    line = [*UNA, "play", "--auto", "--plain", "--lang", "en", "--name", "Ann", *options]
    return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("profile", ["una", "classic", "traditional", "official"])
def test_a_match_without_a_person_names_its_winner(profile: str) -> None:
    done = auto_match("--profile", profile, "--target", "40", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "won the match" in done.stdout or "win the match" in done.stdout


def test_the_same_seed_gives_the_same_match() -> None:
    first, again, other = (auto_match("--seed", seed).stdout for seed in ("7", "7", "8"))
    assert first == again
    assert first != other


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
def test_its_server_ends_with_it_however_it_ends(tmp_path: Path) -> None:
    with Terminal([*UNA, "play", "--plain", "--lang", "en"], env={"UNA_CONFIG": str(tmp_path / "none")}) as terminal:
        terminal.wait_for("our turn")
        (server,) = children(terminal.process.pid)
        assert runs(server)
        terminal.process.kill()
        terminal.process.wait()
        end = time.monotonic() + 10
        while runs(server):
            assert time.monotonic() < end, "the server of a killed client still runs"
            time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes that a process has started, in any of its threads."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in lists for child in path.read_text().split()]


def runs(pid: int) -> bool:
    """Whether a process is there, and not only its entry."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_full_screen_is_left_as_it_was_found(tmp_path: Path) -> None:
    env = {"UNA_CONFIG": str(tmp_path / "none")}
    with Terminal([*UNA, "play", "--lang", "en"], env=env) as terminal:
        terminal.wait_for("Your hand")
        terminal.press("q")
        terminal.wait_for("y = yes")
        terminal.press("n")
        terminal.wait_for(lambda screen: "y = yes" not in screen.text)
        terminal.resize((100, 30))
        terminal.wait_for(lambda screen: "? help" in screen.lines[-1])
        terminal.press("Ctrl-C")
        terminal.wait_for("y = yes")
        terminal.press("y")
        assert terminal.wait_end() == 0
        assert terminal.raw.rfind(b"\x1b[?1049l") > terminal.raw.rfind(b"\x1b[?1049h") > -1
        assert terminal.raw.rfind(b"\x1b[?25h") > terminal.raw.rfind(b"\x1b[?25l")
