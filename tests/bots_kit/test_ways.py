"""The ways in: every example plays matches; programs that misbehave; classes from one's own program; a first bot."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import trio

import una_client.bot
from tests.bots_kit.examples import BOTS, LINES, MINIMAL, PERL, PYTHON, node
from tests.bots_kit.zoo import Good, GoodAndSlow
from tests.conftest import RunningServer
from una_client.bot import BotFailed, ConnectFailed, play, play_blocking
from una_client.session import Session, connect
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action
from una_protocol.bot import Bot, BotView


def una(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-P", "-W", "error", "-m", "una_client", "bot", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, cwd=cwd)


# -- the examples


def test_the_smallest_are_small() -> None:
    assert len((BOTS / "minimal.py").read_text("utf-8").splitlines()) <= 40
    assert len((BOTS / "jsonlines.py").read_text("utf-8").splitlines()) <= 20


@pytest.mark.parametrize(
    ("name", "profile", "matches"),
    [
        ("jsonlines.py", "una", "3"),
        pytest.param("jsonlines.pl", "una", "2", marks=PERL),
        pytest.param("jsonlines.pl", "traditional", "1", marks=PERL),
    ],
)
def test_a_program_plays_matches(server: RunningServer, name: str, profile: str, matches: str) -> None:
    done = una("run", "--exec", LINES[name], server.address, "--create", "--bots", "2", "--matches", matches,
               "--profile", profile)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("won the match.") == int(matches), done.stdout
    assert "default move" not in done.stdout


@pytest.mark.parametrize(("profile", "matches"), [("una", "3"), ("official", "1")])
def test_a_class_plays_matches(server: RunningServer, profile: str, matches: str) -> None:
    bot = f"{BOTS / 'simple.py'}:Simple"
    done = una("run", bot, server.address, "--create", "--bots", "3", "--matches", matches, "--profile", profile)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("won the match.") == int(matches), done.stdout
    assert "default move" not in done.stdout


@pytest.mark.parametrize("which", ["minimal", "node"])
async def test_a_client_of_its_own_plays_matches(server: RunningServer, which: str) -> None:
    command = MINIMAL if which == "minimal" else node()
    async with connect("127.0.0.1", server.port, "Guest") as session:
        create = m.Create(0, "Kitchen", seats=3, bots=["normal"], una_grace_ms=0, between_s=0, think_ms=0)
        table = (await session.request(create)).table or ""
        words = [word.format(host="127.0.0.1", port=server.port, table=table) for word in shlex.split(command)]
        process = await trio.lowlevel.open_process(words, stderr=subprocess.PIPE)
        try:
            with trio.fail_after(120):
                await matches(session, table, 2)
        finally:
            process.kill()
            await process.wait()
        assert process.stderr is not None
        assert await process.stderr.receive_some() in (b"", None)
        await process.stderr.aclose()


async def matches(session: Session, table: str, wanted: int) -> None:
    """Begin when the example is there, let the house play for the host, and begin again after each match."""
    async for message in session.incoming:
        event = message.e if isinstance(message, m.Ev) else None
        if isinstance(event, ev.Joined) and event.bot and event.level is None:
            await session.request(m.Start(0, table))
            await session.request(m.Auto(0, table, on=True))
        elif isinstance(event, ev.MatchOver):
            wanted -= 1
            if not wanted:
                return
            await session.request(m.Rematch(0, table))
            await session.request(m.Auto(0, table, on=True))
    raise AssertionError("the connection ended")


# -- programs that misbehave


BAD = {
    "no json": "print('hello', flush=True)",
    "wrong choice": "print(json.dumps({'do': {'k': 'play', 'card': 'R9'}, 'turn': m['turn']}), flush=True)",
    "old": "print(json.dumps({'do': m['legal'][0], 'turn': m['turn'] - 1}), flush=True)",
    "flood": "print('hello\\n' * 40, flush=True)",
    "long": "print('x' * 200000, flush=True)",
}
WRONG_AT_FIRST = """import json, sys
count = 0
for line in sys.stdin:
    m = json.loads(line)
    if m["t"] == "turn":
        count += 1
        if count <= 3:
            {code}
        else:
            print(json.dumps({{"do": m["legal"][0]}}), flush=True)
"""


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("no json", "This line is no JSON. The program wrote: hello"),
        ("no json", "The program gave no answer for 0.3 s: the default move is played instead."),
        ("wrong choice", "the default move is played instead."),
        ("old", "The program answered turn "),
        ("flood", "Further faults of the program are not reported."),
        ("long", "A line may have 65536 bytes at most."),
    ],
)
def test_what_a_program_gets_wrong_is_said_and_the_match_goes_on(server: RunningServer, fault: str, words: str) -> None:
    command = f"{PYTHON} -c {shlex.quote(WRONG_AT_FIRST.format(code=BAD[fault]))}"
    done = una("run", "--exec", command, server.address, "--create", "--bots", "3", "--matches", "1",
               "--limit", "0.3")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout, done.stdout
    assert "won the match." in done.stdout


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import sys; sys.exit(3)", "The program ended (exit status 3).\n"),
        ("import sys; sys.stdin.readline()", "The program ended (exit status 0).\n"),
        ("import os; os.kill(os.getpid(), 9)", "The program ended (signal 9).\n"),
    ],
)
def test_a_program_that_ends(server: RunningServer, program: str, sentence: str) -> None:
    line = f"{PYTHON} -c {shlex.quote(program)}"
    done = una("run", "--exec", line, server.address, "--create", "--bots", "1", "--name", "Mine")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)


def test_what_a_program_writes_on_standard_error_is_its_log(server: RunningServer) -> None:
    line = f"{PYTHON} -c {shlex.quote('import sys; print(1 + 1, file=sys.stderr)')}"
    assert una("run", "--exec", line, server.address, "--create", "--bots", "1").stderr.startswith("2\n")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["run", "localhost"], 2, "Give MODULE:CLASS and the address"),
        (["run", "--exec", "x", "a:B", "localhost"], 2, "Give MODULE:CLASS and the address"),
        (["run", "--exec", "x 'y", "localhost"], 2, "The command x 'y cannot be read: No closing quotation."),
        (["run", "--exec", "", "localhost"], 2, "The command is empty."),
        (["run", "--exec", "x", "localhost:1"], 1, "Nothing listens"),
        (["new", "Hasty Bot"], 2, "The name of a bot is a word of small letters"),
        (["new", "class"], 2, "The name of a bot is a word of small letters"),
    ],
)
def test_what_goes_wrong_is_one_sentence(arguments: list[str], status: int, sentence: str) -> None:
    done = una(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1)
    assert sentence in done.stderr


def test_there_is_no_such_program(server: RunningServer) -> None:
    done = una("run", "--exec", "/no/such/program", server.address)
    assert (done.returncode, done.stderr) == (1, "/no/such/program cannot be started: No such file or directory.\n")


# -- from one's own program


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Leaving", "The bot failed: SystemExit.\n"),
        ("Unmade", "cannot be loaded.\n"),
        ("LeavingEarly", "cannot be loaded.\n"),
        ("Grasping", "The bot answered with Catch(seat=[]), which is no action: see una_protocol.actions.\n"),
        ("Calling", "an entry of `legal`; only watch may.\n"),
    ],
)
def test_a_class_that_fails(server: RunningServer, bot: str, sentence: str) -> None:
    zoo = Path(__file__).parents[1] / "arena" / "zoo.py"
    done = una("run", f"{zoo}:{bot}", server.address, "--create", "--bots", "1")
    assert done.returncode == 1
    assert done.stderr.endswith(sentence), done.stderr


class Broken(Bot):
    def choose(self, view: BotView) -> Action:
        raise ZeroDivisionError


def test_the_blocking_way(server: RunningServer) -> None:
    told: list[str] = []
    outcome = play_blocking(Good(), server.address, matches=2, bots=["easy", "easy"], tell=told.append)
    assert (outcome.matches, outcome.lost) == (2, None)
    assert 0 <= outcome.won <= 2
    assert len(told) == 2
    with pytest.raises(BotFailed, match="ZeroDivisionError") as failed:
        play_blocking(Broken(), server.address, bots=["easy"])
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    with pytest.raises(ConnectFailed):
        play_blocking(Good(), "127.0.0.1:1")
    with pytest.raises(ValueError, match="port"):
        play_blocking(Good(), "127.0.0.1:x")


async def test_the_trio_way_and_an_async_bot(server: RunningServer) -> None:
    with trio.fail_after(120):
        outcome = await play(GoodAndSlow(), server.address, name="Slow", bots=["easy"], profile="una")
    assert outcome.matches == 1


def test_the_example_in_the_documentation(server: RunningServer, capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(re.findall(r"^    (.*)$", una_client.bot.__doc__ or "", re.MULTILINE))
    code = code.replace('"localhost/kitchen"', f'"{server.address}", bots=["easy"]').replace("matches=3", "matches=1")
    exec(compile(code, "una_client.bot", "exec"), {"MyBot": Good})
    assert re.fullmatch(r"[01] of 1\n", capsys.readouterr().out)


# -- a first bot


@pytest.mark.parametrize("lang", ["python", "jsonl"])
def test_a_new_bot_plays_and_its_test_passes(server: RunningServer, tmp_path: Path, lang: str) -> None:
    tmp_path = tmp_path / "mine"
    tmp_path.mkdir()
    done = una("new", "very_hasty", "--lang", lang, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {"very_hasty.py", "test_very_hasty.py"}
    line = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "."]
    tested = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert tested.returncode == 0, tested.stdout
    which = ["./very_hasty.py:VeryHasty"] if lang == "python" else ["--exec", f"{PYTHON} very_hasty.py"]
    done = una("run", *which, server.address, "--create", "--bots", "2", "--matches", "1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "won the match." in done.stdout
    again = una("new", "very_hasty", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (1, "very_hasty.py is there already; nothing was written.\n")


@pytest.mark.parametrize("lang", ["python", "jsonl"])
def test_a_new_bot_is_clean(tmp_path: Path, lang: str) -> None:
    una("new", "hasty", "--lang", lang, cwd=tmp_path)
    for tool in (["ruff", "check", "--isolated", "--line-length", "120"], ["mypy"]):
        line = [sys.executable, "-m", *tool, "hasty.py"]
        done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stdout
