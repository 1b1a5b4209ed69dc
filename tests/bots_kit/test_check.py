"""A check passes the good and names what is wrong with the bad."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots_kit import zoo
from tests.bots_kit.examples import CHECKED, node
from tests.endings import ENDINGS, KILL, POSIX, ended_while_pondering
from una_client.bot.check import check_class, chosen, faults, results_of_program
from una_client.bot.check_peers import LinesPeer
from una_client.bot.check_tcp import TcpPeer
from una_protocol.bot import Bot

HERE = Path(__file__).parent
PYTHON = shlex.join([sys.executable, "-P", "-W", "error"])
CHECK = [sys.executable, "-P", "-W", "error", "-m", "una_client", "bot", "check"]


def una(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [*CHECK, *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("arguments", CHECKED)
def test_the_examples_pass(arguments: str) -> None:
    done = una(arguments)
    assert done.stdout.endswith("situations passed.\n"), done.stdout + done.stderr
    assert done.stdout.startswith("All "), done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("bot", [zoo.Good, zoo.GoodAndSlow])
def test_a_good_class_passes(bot: type[Bot]) -> None:
    assert check_class(bot) == []


@pytest.mark.parametrize(
    ("bot", "situation", "words"),
    [
        (zoo.Cheat, "first-turn", "play R9, which is not among the choices"),
        (zoo.Blurter, "no-una", "calls una with a card where can_una is not set"),
        (zoo.Fixed, "unknown-event", "It raises NotImplementedError: UnknownEvent in line "),
        (zoo.Policeman, "own-call", "It catches itself."),
        (zoo.Lister, "gaps-between-seats", "It raises IndexError: list index out of range in line "),
        (zoo.Wordy, "first-turn", "answered with 'draw', which is no action"),
        (zoo.Sleeper, "first-turn", "It gives no answer within 0.3 s. The situations after this one"),
    ],
)
def test_the_fault_of_a_class_is_named(bot: type[Bot], situation: str, words: str) -> None:
    found = check_class(bot, limit=0.3 if bot is zoo.Sleeper else 5)
    assert any(line.startswith(f"{situation}: ") and words in line for line in found), found
    if bot in (zoo.Fixed, zoo.Sleeper):
        assert len(found) == 1


@pytest.mark.parametrize(
    ("fault", "situation", "words"),
    [
        ("none", "", ""),
        ("no json", "first-turn", "This line is no JSON. It wrote: I play"),
        ("no request", "first-turn", 'A line needs "do"'),
        ("old turn", "first-turn", "which it has answered before"),
        ("twice", "first-turn", "again, which it has answered before"),
        ("quits", "first-turn", "The program ended (exit status 3)."),
        ("chatters", "first-turn", "It sends more than 200 messages that nobody has asked for."),
        ("invents", "first-turn", "which was never asked"),
        ("illegal", "first-turn", "play R9, which is not among the choices"),
        ("bad card", "first-turn", "This is no act:"),
        ("dies of news", "unknown-message", "The program ended (exit status 1)."),
        ("dies of fields", "one-choice", "The program ended (exit status 1)."),
        ("insists", "refused", "with what was refused, again"),
        ("stays", "end", "does not end within 1 s after its input has ended"),
    ],
)
def test_the_fault_of_a_program_is_named(fault: str, situation: str, words: str) -> None:
    command = f"{PYTHON} {shlex.quote(str(HERE / 'lines_zoo.py'))} {shlex.quote(fault)}"
    names = ["first-turn", "one-choice", "refused", "unknown-message", "end"]
    found = faults(results_of_program(lambda: LinesPeer.open(command), chosen(names, "jsonl"), 1))
    if not situation:
        assert found == []
    else:
        assert any(line.startswith(f"{situation}: ") and words in line for line in found), found


@pytest.mark.parametrize("fault", ["mute", "keeps it"])
def test_a_program_that_never_answers_is_tried_once(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("una_client.bot.check.FIRST_S", 0.3)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    command = f"{PYTHON} {shlex.quote(str(HERE / 'lines_zoo.py'))} {shlex.quote(fault)}"
    [found] = faults(results_of_program(lambda: LinesPeer.open(command), chosen((), "jsonl"), 0.1))
    assert found.startswith("first-turn: It gives no answer to turn ")
    assert "Does it write out each line at once (flush)?" in found
    assert found.endswith("The situations after this one were not tried.")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (f"{PYTHON} -c 'raise SystemExit(3)'", "The program ended (exit status 3)."),
        (f"{PYTHON} /no/such/script.py", "The program ended (exit status 2)."),
    ],
)
@pytest.mark.parametrize("way", ["--exec", "--tcp"])
def test_a_program_that_ends_at_once_is_tried_once(way: str, command: str, words: str) -> None:
    done = una(way, command)
    assert done.returncode == 1
    assert words in done.stdout.splitlines()[0]
    assert done.stdout.endswith("0 of 1 situations passed.\n")


@pytest.mark.parametrize(
    ("fault", "situation", "words"),
    [
        ("none", "", ""),
        ("same id", "first-turn", "Its ids do not increase: 1 comes after 1."),
        ("wrong order", "first-turn", "It sends what the server refuses as "),
        ("no turn", "first-turn", "without the number of the turn"),
        ("no pong", "ping", "It does not send pong within 1 s."),
        ("chatters", "first-turn", "It sends more than 200 messages that nobody has asked for."),
        ("one read, one message", "pieces", "closed the connection"),
        ("hangs", "lost-connection", "It neither ends nor comes back within 1 s"),
    ],
)
def test_the_fault_of_a_client_is_named(fault: str, situation: str, words: str) -> None:
    command = f"{PYTHON} {shlex.quote(str(HERE / 'tcp_zoo.py'))} {shlex.quote(fault)} {{port}}"
    names = ["first-turn", "ping", "pieces", "lost-connection", "end"]
    found = faults(results_of_program(lambda: TcpPeer.open(command, 1), chosen(names, "tcp"), 1))
    if not situation:
        assert found == []
    elif fault == "one read, one message":
        assert found
    else:
        assert any(line.startswith(f"{situation}: ") and words in line for line in found), found


ARENA = HERE.parent / "arena" / "zoo.py"


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("Raising", "It raises ZeroDivisionError: oh in line "),
        ("RaisingOdd", "It raises Odd in line "),
        ("Unmade", "It raises OSError: no model file in line "),
        ("Leaving", "It raises SystemExit: 0 in line "),
        ("LeavingEarly", "It raises SystemExit: 4 in line "),
        ("Interrupting", "It raises KeyboardInterrupt in line "),
        ("Nothing", "The bot answered with None, which is no action"),
        ("Equal", "which is no action"),
        ("Blurring", "The bot answered with Play(card='ZZ'"),
        ("Grasping", "The bot answered with Catch(seat=[]"),
        ("Babbling", "The bot answered with Catch(seat={}"),
        ("Cheating", "It calls una with a card where can_una is not set."),
        ("Calling", "The bot calls or catches where it has to choose"),
        ("Meddling", "It raises AttributeError: "),
        ("Endless", "It gives no answer within 0.5 s. The situations after this one were not tried."),
        ("EndlessEarly", "It gives no answer within 0.5 s. The situations after this one were not tried."),
        ("Swallowing", "It gives no answer within 0.5 s. The situations after this one were not tried."),
        ("Stubborn", "It gives no answer within 0.5 s. The situations after this one were not tried."),
        ("Killing", "Its process ended (exit status 3). The situations after this one were not tried."),
        ("Closing", "The situations after this one were not tried."),
    ],
)
def test_what_a_class_does_to_its_process_is_a_fault_too(bot: str, words: str) -> None:
    done = una(f"{ARENA}:{bot}", "--limit", "0.5")
    assert done.returncode == 1
    assert done.stdout.startswith("first-turn: "), done.stdout
    assert words in done.stdout.splitlines()[0]
    assert "Traceback" not in done.stderr or bot == "Closing"


def test_a_process_that_is_lost_on_the_way_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "now_and_then.py").write_text(
        "import os\nfrom una_protocol.bot import Bot\n"
        "class Mine(Bot):\n"
        "    def choose(self, view):\n"
        "        if view.phase == 'wish': os._exit(5)\n"
        "        while view.phase == 'drawn': pass\n"
        "        return view.legal[0]\n"
    )
    done = una(f"{tmp_path / 'now_and_then.py'}:Mine", "--limit", "0.5")
    faults = dict(line.split(": ", 1) for line in done.stdout.splitlines() if line[0] not in " 0123456789")
    assert faults == {
        "wish": "Its process ended (exit status 5).",
        "drawn": "It gives no answer within 0.5 s.",
        "drawn-wild": "It gives no answer within 0.5 s.",
    }
    assert done.stdout.endswith("43 of 46 situations passed.\n")


def test_what_a_class_prints_is_not_the_result() -> None:
    done = una(f"{ARENA}:Printing", "--json")
    assert json.loads(done.stdout)["failed"] == 0
    assert set(done.stderr.splitlines()) == {"hello", "hello again", "hello, when it is loaded"}


def test_a_class_that_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import strategy\n")
    done = una(f"{tmp_path / 'mine.py'}:Mine")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ModuleNotFoundError: No module named 'strategy'\n" in done.stderr
    assert done.stderr.endswith(f"{tmp_path / 'mine.py'}:Mine cannot be loaded.\n")
    (tmp_path / "strategy.py").write_text("from una_protocol.bot import Bot as Mine\n")
    (tmp_path / "mine.py").write_text("from strategy import Mine\n")
    assert "NotImplementedError" in una(f"{tmp_path / 'mine.py'}:Mine").stdout


@pytest.mark.parametrize("text", ["while True: pass", "import itertools\nsum(itertools.repeat(1))"])
def test_a_class_that_does_not_finish_loading(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text)
    done = una(f"{tmp_path / 'mine.py'}:Mine", "--limit", "0.5")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path / 'mine.py'}:Mine does not finish loading within 10.5 s.\n"


@POSIX
def test_a_class_that_ends_its_process_group_does_not_end_the_check(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os, signal\nfrom una_protocol.bot import Bot\n"
        "class Mine(Bot):\n"
        "    def choose(self, view): os.killpg(0, signal.SIGTERM)\n"
    )
    done = una(f"{tmp_path / 'mine.py'}:Mine")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("first-turn: Its process ended (signal 15).")


@POSIX
@pytest.mark.parametrize("number", ENDINGS)
@pytest.mark.parametrize("way", ["class", "--exec", "--tcp"])
def test_nothing_outlives_a_check_that_is_ended(way: str, number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import sys\nprint('pondering', file=sys.stderr, flush=True)\nwhile True: pass")
    program = [way, f"{PYTHON} {shlex.quote(str(tmp_path / 'mine.py'))}"]
    bot = [f"{ARENA}:Pondering"] if way == "class" else program
    assert ended_while_pondering([*CHECK, *bot, "--limit", "500"], number) == 128 + number


@POSIX
def test_a_class_does_not_outlive_a_check_that_is_killed() -> None:
    assert ended_while_pondering([*CHECK, f"{ARENA}:Pondering", "--limit", "1"], KILL) == -KILL


def test_the_command() -> None:
    where = f"{HERE / 'zoo.py'}:Fixed"
    done = una(where)
    assert done.returncode == 1
    assert done.stdout.startswith("unknown-event: It raises NotImplementedError: UnknownEvent in line ")
    assert done.stdout.endswith(" situations passed.\n")
    told = json.loads(una(where, "--json").stdout)
    assert (told["failed"], [row["name"] for row in told["situations"] if not row["passed"]]) == (1, ["unknown-event"])
    assert una(where, "--only", "first-turn", "--only", "chat").stdout == "All 2 situations passed.\n"
    assert "unknown-event" in una("--list").stdout
    nowhere = ([where, "--only", "ping"], ["no.py:Bot"], [where + "x"])
    for wrong in ([], [where, "--exec", "x"], [where, "--only", "nonsense"], ["--exec", "'"], ["--exec", ""], *nowhere):
        done = una(*wrong)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done


@pytest.mark.parametrize("way", ["--exec", "--tcp"])
@pytest.mark.parametrize(
    ("command", "reason"), [("/no/such/program", "No such file or directory"), (str(HERE), "Permission denied")]
)
def test_a_command_that_cannot_be_started_is_one_sentence(way: str, command: str, reason: str) -> None:
    done = una(way, command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{command[:60]} cannot be started: {reason}.\n"


def test_the_example_in_javascript_passes() -> None:
    done = una("--tcp", node())
    assert done.stdout.startswith("All "), done.stdout + done.stderr
