"""The arena: fair, reproducible, and not to be brought down by what plays in it."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.endings import ENDINGS, KILL, POSIX, ended_while_pondering
from una_server.arena.command import BadRun, make_run, run_arena
from una_server.arena.crew import play
from una_server.arena.plan import Plan
from una_server.arena.report import Tally, table
from una_server.arena.run import Run
from una_server.cli import cli
from una_server.game.record import replay

ZOO = Path(__file__).with_name("zoo.py")
ROOT = ZOO.parents[2]


def run_of(*names: str, **wanted: Any) -> Run:
    settings: dict[str, Any] = {
        "games": 20, "seats": 2, "profile": "una", "options": (), "seed": 7, "matches": False, "move_ms": 5000,
        "simulations": 30, "record": None, "memory": 2048,
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


def test_a_bot_that_goes_through_a_set_does_so_alike_each_time() -> None:
    line = [sys.executable, "-m", "una_server", "arena", zoo("Hashing"), "easy", "--games", "40", "--json", "-"]
    wins = set()
    for _ in range(3):
        env = {key: value for key, value in os.environ.items() if key != "PYTHONHASHSEED"}
        done = subprocess.run(line, stdout=subprocess.PIPE, text=True, timeout=60, check=True, env=env)
        wins.add(json.loads(done.stdout)["competitors"][0]["wins"])
    assert len(wins) == 1


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
        ("LeavingEarly", "SystemExit: 4"),
        ("Unmade", "OSError: no model file"),
        ("Interrupting", "KeyboardInterrupt"),
        ("RaisingOdd", "Odd"),
        ("Colouring", "ValueError: [31m red"),
        ("Nothing", "too many wrong or late answers"),
        ("Equal", "too many wrong or late answers"),
        ("Cheating", "too many wrong or late answers"),
        ("Calling", "too many wrong or late answers"),
        ("Grasping", "too many wrong or late answers"),
        ("Babbling", "too many wrong or late answers"),
        ("Spoiling", "KeyError: 'card'"),
        ("Meddling", "the game broke: ValueError: list.remove(x): x not in list"),
        ("Killing", "the process died"),
        ("Closing", "the process died"),
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


timers = pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs timer signals")


@timers
@pytest.mark.parametrize("bot", ["Endless", "Swallowing"])
def test_a_bot_that_never_comes_back_loses(bot: str) -> None:
    bad = result_of(run_of("easy", zoo(bot), games=2, move_ms=20))["competitors"][1]
    assert bad["wins"] == 0
    assert bad["failed"] == 2
    assert bad["timeouts"] == 6


@timers
def test_a_bot_that_is_never_made_loses() -> None:
    run = run_of("easy", zoo("EndlessEarly"), games=2, move_ms=20)
    bad = result_of(run._replace(starting=0.1))["competitors"][1]
    assert (bad["failed"], bad["wins"], bad["why"]) == (2, 0, "it does not come back in time")


@pytest.mark.parametrize("bot", ["Stubborn", pytest.param("Deaf", marks=timers)])
def test_a_bot_that_cannot_be_interrupted_loses(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("una_server.arena.crew.PATIENCE_S", 0.3)
    data = result_of(run_of("easy", zoo(bot), games=2, move_ms=20))
    good, bad = data["competitors"]
    assert (bad["failed"], bad["wins"], bad["why"]) == (2, 0, "no answer, and no way to interrupt it")
    assert (good["failed"], good["wins"]) == (0, 2)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit it")
def test_a_bot_that_takes_all_memory_loses() -> None:
    data = result_of(run_of("easy", zoo("Hoarding"), games=8, memory=300))
    good, bad = data["competitors"]
    assert bad["failed"] > 3
    assert bad["why"] == "MemoryError"
    assert good["failed"] == 0


def test_in_a_game_that_breaks_the_others_play_on() -> None:
    data = result_of(run_of("easy", zoo("Killing"), "normal", seats=3, games=6))
    assert [one["failed"] for one in data["competitors"]] == [0, 6, 0]
    assert sum(one["wins"] for one in data["competitors"]) == data["games"] == 6
    assert data["rounds"] == 6


def test_a_card_that_equals_every_card_is_none() -> None:
    run = run_of("easy", zoo("Blurring"), games=4)
    assert result_of(run)["games"] == 4


def test_who_always_fails_is_not_asked_again() -> None:
    run = run_of("easy", zoo("Killing"), zoo("First"), seats=3, games=300)
    data = result_of(run)
    good, bad, other = data["competitors"]
    assert (bad["failed"], bad["unasked"], bad["why"]) == (300, 288, "the process died")
    assert good["unasked"] == other["unasked"] == other["failed"] == 0
    shown = table(Tally(run).data() | {"competitors": [bad | {"ms_per_move": 0}]})
    assert "zoo.py:Killing failed: the process died (in each of the first 12; it was not asked again)" in shown
    assert result_of(run, jobs=2) == data


@pytest.mark.parametrize("text", ["while True: pass", "import itertools\nsum(itertools.repeat(1))"])
def test_a_class_that_does_not_finish_loading_is_one_sentence(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("una_server.arena.crew.LOADING_S", 1.5)
    (tmp_path / "slow.py").write_text(text)
    with pytest.raises(BadRun, match=r"slow\.py:Bot does not finish loading within 1\.5 s\.$"):
        run_arena(run_of(f"{tmp_path / 'slow.py'}:Bot", "easy"), 2, None)
    assert multiprocessing.active_children() == []


@POSIX
@pytest.mark.parametrize("number", [*ENDINGS, KILL])
@pytest.mark.parametrize("bot", ["class", "program"])
def test_nothing_outlives_a_run_that_is_ended(bot: str, number: signal.Signals, tmp_path: Path) -> None:
    endless = "import sys\nprint('pondering', file=sys.stderr, flush=True)\nwhile True: pass"
    which = zoo("Pondering") if bot == "class" else program(tmp_path, endless)
    line = [sys.executable, "-m", "una_server", "arena", which, "easy", "--move-ms", "600000", "--jobs", "2"]
    assert ended_while_pondering(line, number) == (-number if number == KILL else 128 + number)


def test_a_thread_that_never_ends_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("una_server.arena.crew.PARTING_S", 0.3)
    data = result_of(run_of(zoo("Lingering"), "easy", games=2))
    assert data["competitors"][0]["failed"] == 0


def test_what_bots_print_is_not_the_result() -> None:
    line = [sys.executable, "-m", "una_server", "arena", zoo("Printing"), "easy", "--games", "2", "--json", "-"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(done.stdout)["games"] == 2
    assert set(done.stderr.splitlines()) == {"hello", "hello again", "hello, when it is loaded"}


def test_two_versions_of_a_bot_have_their_own_modules(tmp_path: Path) -> None:
    bots = []
    for place in (0, -1):
        folder = tmp_path / f"version{place}"
        folder.mkdir()
        (folder / "strategy.py").write_text(f"def best(legal): return legal[{place}]\n")
        (folder / "random.py").write_text(  # a name that something else has, too
            "from strategy import best\nfrom una_protocol.bot import Bot\n"
            "class Mine(Bot):\n    def choose(self, view): return best(view.legal)\n"
        )
        bots.append(f"{folder / 'random.py'}:Mine")
    data = result_of(run_of(*bots, "easy", seats=3, games=6))
    first, last, _ = data["competitors"]
    assert [one["why"] for one in data["competitors"]] == [None, None, None]
    assert first["wins"] > last["wins"] == 0


def test_a_folder_for_records_that_goes_away_is_one_sentence(tmp_path: Path) -> None:
    for bot in ("easy", zoo("First")):
        run = run_of("normal", bot, games=2, record=str(tmp_path / "rounds"))
        (tmp_path / "rounds").rmdir()
        with pytest.raises(BadRun, match="cannot be written: no such file or directory"):
            run_arena(run, 1, None)


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
        ("", "the program has ended"),
        ("import sys; sys.stdin.readline(); print('hello', flush=True); sys.stdin.read()", "too many wrong"),
        ("while True: print('x' * 1000, end='')", "the program"),
        ("while True: print()", "the program sends without end"),
        ("""while True: print('{"t": "ready"}')""", "the program sends without end"),
        ("import time\nfor line in __import__('sys').stdin: time.sleep(60)", "too many wrong or late"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "too many wrong or late"),
        ("import os, sys, time; sys.stdin.readline(); os.close(1); time.sleep(60)", "the program has ended"),
    ],
)
def test_misbehaving_programs_lose(tmp_path: Path, text: str, why: str) -> None:
    run = run_of(program(tmp_path, text), "easy", games=2, move_ms=100)
    data = result_of(run._replace(starting=1.0))
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
        (["normal", "no.py:Nobody"], "no.py."),
        (["normal", "exec:"], "needs a command"),
        (["exec:/no/such/program --fast", "easy"], "exec:/no/such/program --fast cannot be started: no such file"),
        (["normal", "exec:/"], "exec:/ cannot be started: permission denied."),
        (["normal", "exec:'bot"], "exec:'bot cannot be started: no closing quotation."),
        (["normal", "easy", "--profile", "mine"], "profile"),
        (["normal", "easy", "--option", "jump_in=7"], "true or false"),
        (["normal", "easy", "--option", "jump_in"], "NAME=VALUE"),
        (["normal", "easy", "--seats", "11"], "from 2 to 10"),
        (["normal", "easy", "--games", "0"], "--games must be 1 to 10000000."),
        (["normal", "easy", "--games", "1" + "0" * 20], "--games must be 1 to 10000000."),
        (["normal", "easy", "--memory", "3"], "--memory must be 64"),
        (["normal", "easy", "--option", "hand_size=²"], "hand_size"),
        (["normal", "easy", "--option", "hand_size=--5"], "hand_size"),
        (["normal", "HERE/exits.py:Bot"], "exits.py cannot be loaded: SystemExit: 3."),
        (["normal", "HERE/dies.py:Bot"], "dies.py:Bot ends the process that loads it"),
        (["normal", "HERE/stops.py:Bot"], "stops.py cannot be loaded: KeyboardInterrupt."),
        (["normal", "HERE/odd.py:Bot"], "odd.py cannot be loaded: BaseException: of two lines."),
        (["normal", "easy", "--jobs", "0"], "1 to 64"),
        (["normal", "easy", "--games", "2", "--json", "/no/such/folder/x"], "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    words = [word.replace("HERE", str(tmp_path)) for word in words]
    (tmp_path / "exits.py").write_text("raise SystemExit(3)")
    (tmp_path / "dies.py").write_text("import os; os._exit(3)")
    (tmp_path / "stops.py").write_text("raise KeyboardInterrupt")
    (tmp_path / "odd.py").write_text("raise BaseException('of two\\nlines')")
    done = CliRunner().invoke(cli, ["arena", *words])
    assert done.exit_code == 2
    assert sentence in done.output
    assert done.output.count("\n") == 1
