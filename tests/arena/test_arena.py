"""The arena: fair, reproducible, and not to be brought down by what plays in it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from una_server.arena.command import make_run
from una_server.arena.plan import Plan
from una_server.arena.report import Tally, table
from una_server.arena.run import Run, play
from una_server.cli import cli
from una_server.game.record import replay

ZOO = Path(__file__).with_name("zoo.py")
ROOT = ZOO.parents[2]


def run_of(*names: str, **wanted: Any) -> Run:
    settings: dict[str, Any] = {
        "games": 20, "seats": 2, "profile": "una", "options": (), "seed": 7, "matches": False, "move_ms": 5000,
        "simulations": 30, "record": None,
    }  # fmt: skip
    return make_run(names, **{**settings, **wanted})


def result_of(run: Run, jobs: int = 1) -> dict[str, Any]:
    tally = Tally(run)
    for result in play(run, jobs, lambda _: None):
        tally.add(result)
    data = tally.data()
    for one in data["competitors"]:
        del one["ms_per_move"]
    return data


def zoo(name: str) -> str:
    return f"{ZOO}:{name}"


def program(tmp_path: Path, text: str) -> str:
    file = tmp_path / "program.py"
    file.write_text(text)
    return f"exec:{sys.executable} -I {file}"


# -- which games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("competitors", "seats"), [(2, 2), (3, 4), (2, 4), (5, 3), (4, 4), (3, 10), (10, 10), (4, 2)])
def test_everybody_sits_everywhere_equally_often(competitors: int, seats: int) -> None:
    plan = Plan(competitors, seats, 50, 1)
    at: Counter[tuple[int, int]] = Counter()
    games = 0
    for number in range(plan.deals):
        seatings = plan.deal(number).seatings
        games += len(seatings)
        for place in range(seats):  # each entry of the line-up sits at each seat once
            assert sorted(seating[place] for seating in seatings) == sorted(seatings[0])
        at.update((one, place) for seating in seatings for place, one in enumerate(seating))
    assert games >= 50
    assert len(set(at.values())) == 1
    assert len(at) == competitors * seats


def test_a_deal_has_the_same_cards_and_dealer_in_all_its_games(tmp_path: Path) -> None:
    result_of(run_of("normal", "easy", "random", seats=3, games=6, record=str(tmp_path)))
    headers = [json.loads(file.read_text().partition("\n")[0]) for file in sorted(tmp_path.iterdir())]
    assert len(headers) == 6
    for deal in (headers[:3], headers[3:]):
        assert deal[0]["deck"] == deal[1]["deck"] == deal[2]["deck"]
        assert len({header["dealer"] for header in deal}) == 1
    assert headers[0]["deck"] != headers[3]["deck"]


# -- reproducible -----------------------------------------------------------------------------------------------


def test_the_same_results_for_any_number_of_jobs() -> None:
    run = run_of("normal", "hard", zoo("First"), seats=4, games=24)
    one = result_of(run)
    assert result_of(run, jobs=2) == one
    assert result_of(run._replace(plan=run.plan._replace(seed=8))) != one


def test_records_hold(tmp_path: Path) -> None:
    run = run_of("normal", zoo("Raising"), "easy", seats=3, games=3, profile="official", matches=True,
                 record=str(tmp_path))  # fmt: skip
    data = result_of(run)
    files = list(tmp_path.iterdir())
    assert len(files) == data["rounds"] > 3
    for file in files:
        assert replay(file.read_text().splitlines()).end is not None


# -- bots -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["First", "Waiting", "Comparing"])
@pytest.mark.parametrize("profile", ["una", "official"])
def test_a_bot_is_a_class(bot: str, profile: str) -> None:
    data = result_of(run_of(zoo(bot), "easy", "normal", seats=4, games=12, profile=profile))
    mine = data["competitors"][0]
    assert (mine["illegal"], mine["timeouts"], mine["failed"]) == (0, 0, 0), mine["why"]
    assert mine["wins"]


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("Raising", "ZeroDivisionError: oh"),
        ("Leaving", "SystemExit: 0"),
        ("Unmade", "OSError: no model file"),
        ("Nothing", "too many wrong or late answers"),
        ("Cheating", "too many wrong or late answers"),
        ("Calling", "too many wrong or late answers"),
        ("Spoiling", "KeyError: 'card'"),
    ],
)
@pytest.mark.parametrize("seats", [2, 4])
def test_misbehaving_classes_lose_and_the_run_goes_on(bot: str, why: str, seats: int) -> None:
    data = result_of(run_of("easy", zoo(bot), seats=seats, games=4, profile="traditional"))
    bad = data["competitors"][1]
    assert bad["wins"] == 0
    assert bad["failed"] == bad["seats"]
    assert bad["why"] == why
    assert data["competitors"][0]["wins"] == data["games"]


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs timer signals")
@pytest.mark.parametrize("bot", ["Endless", "Swallowing"])
def test_a_bot_that_never_comes_back_loses(bot: str) -> None:
    bad = result_of(run_of("easy", zoo(bot), games=2, move_ms=20))["competitors"][1]
    assert bad["wins"] == 0
    assert bad["failed"] == 2
    assert bad["timeouts"] == 6


def test_a_bot_that_kills_its_process_loses() -> None:
    data = result_of(run_of("easy", zoo("Killing"), games=80), jobs=2)
    bad = data["competitors"][1]
    assert data["games"] == bad["failed"] == 80
    assert bad["why"] == "the process died"
    assert data["competitors"][0]["failed"] == 0


def test_a_program_plays_over_json_lines() -> None:
    bot = f"exec:{sys.executable} {ROOT / 'scripts' / 'bots' / 'jsonlines.py'}"
    mine = result_of(run_of(bot, "easy", games=10))["competitors"][0]
    assert (mine["illegal"], mine["timeouts"], mine["failed"]) == (0, 0, 0), mine["why"]
    assert mine["wins"]


GOOD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "turn":
        print('{"do": {"k": "una"}}\\n{"t": "ready"}')
        print(json.dumps({"do": message["legal"][0]}), flush=True)
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Dead: the program has ended"),
        ("import sys; sys.stdin.readline(); print('hello', flush=True); sys.stdin.read()", "too many wrong"),
        ("while True: print('x' * 1000, end='')", "Dead: the program"),
        ("import time\nfor line in __import__('sys').stdin: time.sleep(60)", "too many wrong or late"),
    ],
)
def test_misbehaving_programs_lose(
    tmp_path: Path, text: str, why: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("una_server.arena.child._STARTING_S", 0.3)
    data = result_of(run_of(program(tmp_path, text), "easy", games=2, move_ms=100))
    bad = data["competitors"][0]
    assert bad["wins"] == 0
    assert bad["failed"] == 2
    assert bad["why"].startswith(why)


def test_calls_before_the_answer_do_not_shift_the_answers(tmp_path: Path) -> None:
    mine = result_of(run_of(program(tmp_path, GOOD), "easy", games=4))["competitors"][0]
    assert (mine["illegal"], mine["timeouts"], mine["failed"]) == (0, 0, 0), mine["why"]


def test_a_program_that_is_not_there_any_more_loses(tmp_path: Path) -> None:
    file = tmp_path / "program"
    file.write_text(f"#!{sys.executable}\n")
    file.chmod(0o700)
    run = run_of(f"exec:{file}", "easy", games=2)
    file.unlink()
    assert result_of(run)["competitors"][0]["failed"] == 2


# -- the command ------------------------------------------------------------------------------------------------


def test_the_command_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    line = ["arena", "normal", "easy", "--games", "400", "--option", "una_penalty=4", "--json", str(file)]
    done = CliRunner().invoke(cli, line)
    assert done.exit_code == 0, done.output
    data = json.loads(file.read_text())
    assert done.output.rstrip("\n") == table(data)
    assert "normal is better" in done.output
    assert data["games"] == 400
    assert data["options"]["una_penalty"] == 4
    rates = [one["win_rate"]["share"] for one in data["competitors"]]
    assert sum(rates) == pytest.approx(1)
    assert data["pairs"][0]["share"]["low"] > 0.5
    assert data["competitors"][0]["rating"] > 1500 > data["competitors"][1]["rating"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["normal"], "at least two competitors"),
        (["normal", "great"], "'great' is no competitor"),
        (["normal", "no_such_module:Bot"], "no module no_such_module"),
        (["normal", f"{ZOO}:Nobody"], "no subclass"),
        (["normal", "no.py:Nobody"], "There is no file no.py"),
        (["normal", "exec:"], "needs a command"),
        (["exec:/no/such/program --fast", "easy"], "exec:/no/such/program --fast cannot be started: no such file"),
        (["normal", "exec:/"], "exec:/ cannot be started: permission denied."),
        (["normal", "exec:'bot"], "exec:'bot cannot be started: no closing quotation."),
        (["normal", "easy", "--profile", "mine"], "profile"),
        (["normal", "easy", "--option", "jump_in=7"], "true or false"),
        (["normal", "easy", "--option", "jump_in"], "NAME=VALUE"),
        (["normal", "easy", "--seats", "11"], "from 2 to 10"),
        (["normal", "easy", "--games", "0"], "at least 1"),
        (["normal", "easy", "--jobs", "0"], "1 to 64"),
        (["normal", "easy", "--games", "2", "--json", "/no/such/folder/x"], "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str) -> None:
    done = CliRunner().invoke(cli, ["arena", *words])
    assert done.exit_code == 2
    assert sentence in done.output
    assert done.output.count("\n") == 1
