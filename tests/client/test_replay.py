"""`una replay`: a record as a film, in line mode and in full screen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from una_client.goal import UiOptions
from una_client.replay.command import find_seat, load, run_replay
from una_client.replay.film import ALL, Film, read_film
from una_client.replay.lines import Teller
from una_client.replay.screen import Projector, picture, run_screen
from una_client.tui.layout import Size, plain, text_width
from una_client.tui.theme import Caps

SIZES = (Size(60, 18), Size(80, 24), Size(120, 40))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round of three house bots."""
    folder = tmp_path_factory.mktemp("records")
    line = [sys.executable, "-m", "una_server", "arena", "easy", "normal", "random", "--games", "1", "--seats", "3"]
    subprocess.run([*line, "--record", str(folder)], check=True, capture_output=True, timeout=30)
    return sorted(folder.glob("*.una.jsonl"))[0]


@pytest.fixture
def film(record: Path) -> Film:
    """The record as a film, from the real server program."""
    found = load(str(record))
    assert isinstance(found, Film)
    return found


def test_every_step_is_a_view_that_holds(film: Film) -> None:
    assert film.last > 10
    seen = 0
    while True:
        view = film.step.view
        assert [player.cards for player in view.players] == [len(hand) for hand in film.step.hands]
        for seat in film.names:
            mine = film.view(seat)
            assert (mine.you, mine.hand) == (seat, film.step.hands[seat])
            seen += film.turn(seat) is not None
        assert film.view(ALL).hand is None
        if not film.go(film.at + 1):
            break
    assert seen >= film.last - 1
    assert film.step.view.stage in ("over", "between")
    assert film.go(-5)
    assert film.at == 0


def test_a_seat_hears_only_what_it_saw(film: Film) -> None:
    film.seat = 0
    for at in range(film.last):
        for entry in film.entries(at):
            cards = getattr(entry.what, "cards", None) or getattr(entry.what, "hand", None)
            assert not cards or getattr(entry.what, "seat", 0) == 0


def test_lines(film: Film) -> None:
    lines: list[str] = []
    teller = Teller(film, lines.append)
    teller.begin()
    assert lines[0].startswith("Round 1 (arena), rules ")
    assert sum(line.startswith("The hand of") for line in lines) == 3
    for command, expected in [
        ("", "Step 1 of"), ("3", "Step 3 of"), ("back", "Step 2 of"), ("as easy", "The hand of easy"),
        ("hand", "The hand"), ("table", "Draw pile"),
        ("all", "The hand of normal"), ("as x", "Nobody of this name"), ("what", "Type Enter"),
        ("0", "Step 0 of"), ("back", "This is the first step."), ("play", "won the round"),
        ("", "The record ends here."),
    ]:  # fmt: skip
        lines.clear()
        assert teller.command(command, lambda: None)
        assert any(expected in line for line in lines), (command, lines)
        assert all(line[-1] in ".!?" for line in lines)
    assert not teller.command("quit", lambda: None)


def test_screen(film: Film) -> None:
    projector = Projector(film)
    for key in ("right", " ", "tab", "pagedown", "+", "2", "left", "a", "end", "home"):
        assert projector.key(key)
        projector.tick()
        for size in SIZES:
            for caps in (Caps(False, "none"), Caps(True, "256")):
                rows = plain(picture(projector, size, caps, 0.0))
                assert len(rows) == size.height
                assert {text_width(row) for row in rows} == {size.width}
                assert f"Step {film.at} of {film.last}" in rows[-4]
                assert not caps.ascii or [row for row in rows if not row.isascii()] == []
    assert not projector.key("q")


def test_keys_reach_the_film_and_the_end_ends(film: Film) -> None:
    with create_pipe_input() as pipe:
        pipe.send_text("ll\x1b[31m\x1b[Cq")
        run_screen(film, 50, UiOptions(), input=pipe, output=DummyOutput())
    assert film.at == 3


def test_whom_one_may_be(film: Film) -> None:
    assert [find_seat(film, name) for name in ("1", "3", "4", "0", "EASY", "norm", "", "zz")] == [
        0, 2, None, None, film_seat(film, "easy"), film_seat(film, "normal"), None, None,
    ]  # fmt: skip


def film_seat(film: Film, name: str) -> int:
    return next(seat for seat, called in film.names.items() if called == name)


def test_what_cannot_be_shown_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad").write_text("nonsense\n")
    for name, text in [("bad", "no JSON"), ("missing", "cannot be read")]:
        assert run_replay([str(tmp_path / name)], None, 1, UiOptions(), check=False, plain=True) != 0
        said = capsys.readouterr().err
        assert text in said
        assert said.count("\n") == 1
    for lines in ([], ["{}"], ['{"record":{}}'], ['{"record":{}}', "[]"]):
        with pytest.raises(ValueError, match=r"."):
            read_film(lines)


def test_the_command(record: Path) -> None:
    line = [sys.executable, "-P", "-W", "error", "-m", "una_client", "replay", str(record)]
    env = {key: value for key, value in os.environ.items() if not key.startswith("UNA_")} | {"LC_ALL": "C.UTF-8"}
    done = subprocess.run([*line, "--as", "easy"], input="", capture_output=True, text=True, check=True, env=env)
    assert done.stderr == ""
    assert "You" in done.stdout
    done = subprocess.run([*line, "--check"], capture_output=True, text=True, check=True, env=env)
    assert "holds" in done.stdout
    done = subprocess.run([*line, "--as", "Zed"], capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stdout) == (2, "")
