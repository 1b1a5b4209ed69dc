"""A whole match in each profile: a server, a person at the real screen, a foreign bot, and a house bot."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, RunningServer
from tests.e2e import referee
from tests.e2e.person import Person
from tests.e2e.terminal import Terminal
from tests.e2e.wire import Wire

MINIMAL = ROOT / "scripts" / "bots" / "minimal.py"


def open_table(port: int, profile: str, target: int) -> tuple[Wire, str]:
    """A quick table with a house bot, opened by a guest who will leave before it begins."""
    guest = Wire(port, "Guest")
    answer = guest.ask(
        t="create", name="Kitchen", profile=profile, options={"target_score": target}, seats=4, bots=["easy"],
        una_grace_ms=0, think_ms=0, between_s=60,
    )  # fmt: skip
    return guest, answer["table"]


def seen_as_it_is(folder: Path) -> Callable[[Person], None]:
    """A look that compares the screen with the record: the hand, the colour in force, and whose turn it is."""

    def look(person: Person) -> None:
        end = time.monotonic() + 10
        while True:
            found = referee.now(folder)
            if found is not None and not found.round.over and person.my_decision() and matches(person, found):
                return
            assert time.monotonic() < end, f"the screen does not show what is true: {found and found.hand('Ann')}"
            if not person.terminal.read(0.02) and not person.my_decision():
                return  # the moment has passed: a look too late

    return look


def matches(person: Person, position: referee.Position) -> bool:
    """Whether the screen shows the position as Ann may know it."""
    if position.names[position.round.turn] != "Ann":
        return False
    color = position.round.color
    told = color is None or color.upper() in person.terminal.text
    return person.hand() == position.hand("Ann") and (told or person.asked())


@pytest.mark.parametrize(
    ("profile", "target", "seed"), [("una", 0, 4), ("classic", 60, 4), ("traditional", 40, 2), ("official", 60, 1)]
)
def test_a_match(
    start_server: Callable[..., RunningServer], tmp_path: Path, profile: str, target: int, seed: int
) -> None:
    folder = tmp_path / "rounds"
    server = start_server("--record", str(folder), "--seed", str(seed))
    guest, table = open_table(server.port, profile, target)
    una = [sys.executable, "-P", "-m", "una_client", "--lang", "en", "--name", "Ann", "--no-bell"]
    bot = subprocess.Popen(
        [sys.executable, "-P", str(MINIMAL), server.address, table],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    env = {"UNA_CONFIG": str(tmp_path / "config.toml"), "XDG_STATE_HOME": str(tmp_path), "COLORTERM": ""}
    try:
        with Terminal([*una, "join", f"{server.address}/{table}"], env=env) as terminal:
            person = Person(terminal, seen_as_it_is(folder))
            terminal.wait_for("waiting")
            with guest:
                while not {"Ann", "minimal"} <= {str(m["e"].get("name")) for m in guest.seen if m["t"] == "ev"}:
                    guest.read()
                guest.ask(t="leave", table=table)
            terminal.wait_for("s starts")
            terminal.press("s")
            terminal.wait_for("Your hand")
            person.play_to_the_end()
            assert person.looked > 5
            assert {"Enter", "d"} <= person.pressed.keys()
            last = referee.positions(folder)[-1]
            assert last.end is not None
            assert last.end["match_over"]
            check_score_screen(terminal, last)
            terminal.press("q")
            terminal.settle()
            if "y = yes" in terminal.text:
                terminal.press("y")
            terminal.wait_for("Tables")
            terminal.press("q")
            assert terminal.wait_end() == 0
    finally:
        bot.kill()
        bot.wait()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "una_server", "replay", *map(str, folder.glob("*.una.jsonl"))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def check_score_screen(terminal: Terminal, position: referee.Position) -> None:
    """The last screen names the winner, and everybody's points in this round and in all."""
    assert position.end is not None
    shown = ["You" if name == "Ann" else name for name in position.names]
    (winner,) = position.end["match_winners"]
    said = "YOU WIN THE MATCH" if shown[winner] == "You" else f"{shown[winner]} wins the match"
    terminal.wait_for(said)
    totals = re.findall(r"^ +\d+ (\S+) .*? (\d+)(?: +█+)?$", terminal.text, re.MULTILINE)
    assert {name: int(total) for name, total in totals} == dict(zip(shown, position.end["scores"], strict=True))
    assert terminal.find(re.compile(rf"^ +1 {re.escape(shown[winner])} ", re.MULTILINE))
