"""The first run, the lessons and a hosted table, on a real terminal."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.e2e.terminal import Terminal

UNA = [sys.executable, "-P", "-m", "una_client"]


def fresh(tmp_path: Path, **more: str) -> dict[str, str]:
    """Somebody who has never started una."""
    folders = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path)}
    return {**folders, "UNA_CONFIG": "", "CI": "", "UNA_NAME": "", **more}


def test_the_first_run_asks_once_and_leads_into_a_game(tmp_path: Path) -> None:
    file = tmp_path / "config" / "una" / "config.toml"
    with Terminal(UNA, env=fresh(tmp_path)) as terminal:
        terminal.wait_for("Language / Sprache (en = English, de = Deutsch) [en]:")
        terminal.type("klingon\n")
        terminal.settle()
        terminal.type("deu\n")
        terminal.wait_for("Wie heißt du? [")
        terminal.type("a\u202eb\n")
        terminal.wait_for("Ein Name darf")
        terminal.type("Zoë\n")
        terminal.wait_for("Gleich gegen zwei Bots spielen?")
        assert "Enter" in terminal.text
        terminal.type("j\n")
        terminal.wait_for(re.compile("Deine Hand|DU BIST AM ZUG"))
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    assert data["player"] == {"name": "Zoë", "lang": "de"}
    assert file.read_text(encoding="utf-8").count("# ") > 10
    with Terminal([*UNA, "learn"], env=fresh(tmp_path)) as terminal:  # nothing is asked again
        terminal.wait_for("Lektion 1 Die Farbe")
        assert "Language" not in terminal.text


def test_the_keys_are_shown_until_they_are_read(tmp_path: Path) -> None:
    with Terminal([*UNA, "play"], env=fresh(tmp_path)) as terminal:
        terminal.wait_for("Language / Sprache")
        terminal.type("en\n")
        terminal.wait_for("What is your name?")
        terminal.type("Zoë\n")
        terminal.wait_for("Enter goes on.")
        assert "Three keys are enough" in terminal.text
        terminal.type("\n")
        terminal.wait_for("Your hand")


def test_nobody_is_asked_who_is_known(tmp_path: Path) -> None:
    for arguments, env in [(["--name", "Ann"], {}), ([], {"UNA_NAME": "Ann"}), ([], {"UNA_CONFIG": "/none/x.toml"})]:
        with Terminal([*UNA, *arguments], env=fresh(tmp_path, **env)) as terminal:
            terminal.wait_for("Servers on this network")
            assert "Language" not in terminal.text
            terminal.press("q")
            assert terminal.wait_end() == 0
    assert not (tmp_path / "config").exists()


def test_ctrl_c_at_the_first_question_leaves_nothing(tmp_path: Path) -> None:
    with Terminal([*UNA, "play"], env=fresh(tmp_path)) as terminal:
        terminal.wait_for("Language / Sprache")
        terminal.settle(0.3)  # until it reads
        terminal.press("\x03")
        assert terminal.wait_end() == 130
        assert "Traceback" not in terminal.text
    assert not (tmp_path / "config").exists()


def test_lessons_in_full_screen(tmp_path: Path) -> None:
    with Terminal([*UNA, "learn", "--name", "Ann", "--lang", "en"], size=(120, 40), env=fresh(tmp_path)) as terminal:
        terminal.wait_for("Lesson 1 The colour")
        terminal.wait_for("Tab goes to the card")
        terminal.wait_for("YOUR TURN")
        terminal.press("d")
        terminal.wait_for("That would do, but lay")
        terminal.press("Tab", "Enter")
        terminal.wait_for("Right: red on red.")
        terminal.wait_for("Lesson 2 The number")
        terminal.wait_for("YOUR TURN")
        terminal.press("q")
        terminal.wait_for("y: yes")
        terminal.press("y")
        assert terminal.wait_end() == 0
    with Terminal([*UNA, "learn", "--list"], env=fresh(tmp_path)) as terminal:
        terminal.wait_for("2 The number  (next)")


def test_a_hosted_table_is_joined(tmp_path: Path) -> None:
    host = [*UNA, "host", "--name", "Ann", "--plain", "--lang", "en", "--table", "Kitchen"]
    with Terminal(host, env=fresh(tmp_path)) as ann:
        found = ann.wait_for(re.compile(r"una join (\S+)"))
        port, table = re.search(r"(?::(\d+))?/(\w+)$", found[1]).groups()  # type: ignore[union-attr]
        with Terminal(
            [*UNA, "join", f"127.0.0.1:{port or 4820}/{table}", "--name", "Ben", "--plain"], env=fresh(tmp_path)
        ) as ben:
            ben.wait_for("You are in the waiting room: Kitchen")
            ann.wait_for("Ben sat down.")
            ann.type("start\n")
            ben.wait_for("Your hand:")
            ann.type("quit\nquit\n")
            assert ann.wait_end() == 0
            ben.wait_for("The server has ended, and the game with it.")


def test_an_input_that_is_closed_has_ended(tmp_path: Path) -> None:
    line = f"exec {shlex.join(UNA)} play --name Ann --lang en <&-"
    with Terminal(["sh", "-c", line], env=fresh(tmp_path)) as terminal:
        assert terminal.wait_end() == 0
        assert "Traceback" not in terminal.text


def test_wrong_keys_are_told_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\nfly = "z"\ndraw = "x"\nplay = "x"\nsort = "hyperspace"\n', encoding="utf-8")
    with Terminal(
        [*UNA, "play", "--name", "Ann", "--lang", "en"], env=fresh(tmp_path, UNA_CONFIG=str(file))
    ) as terminal:
        terminal.wait_for("Your hand (")
        terminal.press("?")
        terminal.wait_for("draw, or take +2 +4")
        assert re.search(r"\bx\b +draw, or take", terminal.text)
    said = bytes(terminal.raw).decode(errors="replace")
    assert f"{file}, line 2: There is no action fly" in said
    assert f"{file}, line 4: play: the key x is draw already." in said
    assert f"{file}, line 5: sort: there is no key hyperspace." in said


def test_lessons_say_that_they_need_room(tmp_path: Path) -> None:
    with Terminal([*UNA, "learn", "--name", "Ann", "--lang", "en"], size=(60, 18), env=fresh(tmp_path)) as terminal:
        assert terminal.wait_end() == 1
        assert "this one has 60 by 18" in " ".join(terminal.text.split())
