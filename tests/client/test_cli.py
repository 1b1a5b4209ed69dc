"""The commands as they are typed, in processes of their own, against the real server."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.conftest import ROOT, RunningServer
from una_client import cli, i18n
from una_client.goal import Goal
from una_client.session import Session, connect
from una_protocol import events as ev
from una_protocol import messages as m

SIMPLE = ROOT / "scripts" / "bots" / "simple.py"
MINIMAL = ROOT / "scripts" / "bots" / "minimal.py"
PYTHON = [sys.executable, "-P", "-W", "error"]


def env() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("UNA_")} | {"LC_ALL": "C.UTF-8"}


def una(*arguments: str, typed: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTHON, "-m", "una_client", *arguments], input=typed, capture_output=True, text=True, timeout=30,
        check=False, env=env(), cwd=cwd,
    )  # fmt: skip


# -- words of the command line


def test_help_names_what_to_try_first() -> None:
    done = una()
    assert done.returncode == 0
    assert done.stdout.endswith("The first thing to try:  una play\n")


def test_the_command_line_imports_nothing_heavy() -> None:
    code = "import sys, una_client.cli; print({'trio', 'msgspec', 'prompt_toolkit', 'msgpack'} & set(sys.modules))"
    done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["frob"], 2, "No such command 'frob'."),
        (["play", "--seed", "x"], 2, "Invalid value for '--seed': 'x' is not a valid integer."),
        (["play", "--seed", "-1"], 2, "seed"),
        (["play", "--bots", "12"], 2, "Invalid value for '--bots': 12 is not in the range 1<=x<=9."),
        (["play", "--profile", "poker"], 2, "una, classic, traditional, official"),
        (["play", "--level", "divine"], 2, "easy"),
        (["play", "--option", "jump"], 2, "NAME=VALUE"),
        (["play", "--option", "hand_size=99"], 2, "hand_size"),
        (["play", "--name", "a\x1bb"], 2, "The name ab cannot be used"),
        (["play", "--name", "bot-x"], 2, "not allowed"),
        (["join", "localhost:1"], 1, "Nothing listens at localhost:1"),
        (["join", "localhost:0"], 2, "The port is a number from 1 to 65535."),
        (["watch", "bad host"], 2, "The host may hold letters"),
        (["servers", "--seconds", "nan"], 2, "'nan' is not a valid float."),
        (["replay", "--speed", "nan", "x"], 2, "'nan' is not a valid float."),
        (["bot", "check", "--limit", "nan", "a:B"], 2, "'nan' is not a valid float."),
        (["bot", "check", "--limit", "inf", "a:B"], 2, "inf is not in the range 0<x<=86400."),
        (["bot", "run", "--limit", "-1", "a:B", "localhost"], 2, "-1.0 is not in the range 0<x<=86400."),
        (["bot", "run", "nothing", "localhost"], 2, "MODULE:CLASS"),
        (["bot", "run", "no_such_module:Bot", "localhost"], 2, "There is no module no_such_module"),
        (["bot", "run", f"{SIMPLE}:Nope", "localhost"], 2, "There is no Nope"),
        (["bot", "run", f"{SIMPLE}:Counter", "localhost"], 2, "no subclass"),
        (["bot", "run", f"{SIMPLE}:Simple", "localhost:1"], 1, "Nothing listens"),
    ],
)
def test_what_goes_wrong_is_one_sentence(arguments: list[str], status: int, sentence: str) -> None:
    done = una(*arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("frob", "Einen Befehl 'frob' gibt es nicht."),
        ("pla", "Einen Befehl 'pla' gibt es nicht. (Gemeint ist vielleicht eins davon: 'play', 'replay'?)"),
        ("stats --forge", "Eine Option '--forge' gibt es nicht. Meinst du '--forget'?"),
        ("join", "Es fehlt 'HOST[:PORT][/TABLE]'."),
        ("completion", "Es fehlt '{bash|zsh|fish}'. Zur Wahl stehen: bash, zsh, fish"),
        ("ladder a b", "Damit ist nichts anzufangen: b"),
        ("ladder a b c", "Damit ist nichts anzufangen: b c"),
        ("play --bots", "Die Option '--bots' braucht einen Wert."),
        ("play --plain=3", "Die Option '--plain' nimmt keinen Wert."),
        ("play --bots x", "Der Wert für '--bots' geht nicht: 'x' ist keine ganze Zahl."),
        ("play --bots 12", "Der Wert für '--bots' geht nicht: 12 liegt nicht im Bereich 1<=x<=9."),
        ("play --seed x", "Der Wert für '--seed' geht nicht: 'x' ist keine ganze Zahl."),
        ("servers --seconds x", "Der Wert für '--seconds' geht nicht: 'x' ist keine Zahl."),
        ("servers --seconds nan", "Der Wert für '--seconds' geht nicht: 'nan' ist keine Zahl."),
        ("play --lang fr", "Der Wert für '--lang' geht nicht: 'fr' ist keins davon: 'en', 'de'."),
        ("play --option jump", "Eine Option schreibt man NAME=WERT, etwa jump_in=true; 'jump' ist keine."),
    ],
)  # fmt: skip
def test_what_is_typed_wrongly_is_said_in_the_users_language(line: str, sentence: str) -> None:
    done = una("--lang", "de", *line.split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


def test_version_completion_and_records() -> None:
    assert una("--version").stdout.startswith("una 0.")
    for shell in ("bash", "zsh", "fish"):
        assert "_UNA_COMPLETE" in una("completion", shell).stdout
    assert una("replay", "no-such-file.jsonl").returncode != 0


# -- una play


def auto(*options: str) -> str:
    done = una("play", "--auto", "--plain", "--name", "Ann", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_same_seed_plays_the_same_game_to_its_end() -> None:
    first = auto("--seed", "7")
    assert first == auto("--seed", "7")
    assert first != auto("--seed", "8")
    *_, winner, scores = first.splitlines()
    assert "won the match." in winner
    assert scores.startswith("Final scores: you ")


def test_the_table_of_ones_own_is_called_in_the_users_language(monkeypatch: pytest.MonkeyPatch) -> None:
    goals: list[Goal] = []

    def run_goal(goal: Goal, *given: Any, **how: Any) -> int:
        goals.append(goal)
        return 0

    monkeypatch.setattr(cli, "run_goal", run_goal)
    try:
        for lang in ("en", "de"):
            assert cli.run(["play", "--name", "Ann", "--lang", lang]) == 0
    finally:
        i18n.use("en")
    assert [goal.create.name for goal in goals if goal.create is not None] == ["Practice", "Übung"]


@pytest.mark.parametrize(
    "options",
    [
        ["--profile", "official", "--target", "60", "--bots", "1"],
        ["--option", "seven_zero=true", "--option", "jump_in=true", "--bots", "9"],
    ],
)
def test_other_rules(options: list[str]) -> None:
    assert "won the match." in auto("--seed", "3", *options)


def test_the_end_of_the_input_ends_a_game_that_nobody_plays() -> None:
    done = una("play", "--plain", "--seed", "7", typed="help\nquit\n")
    assert done.returncode == 0
    assert "draw: draw a card, or take the pending ones." in done.stdout
    assert una("play", "--seed", "7").returncode == 0


def test_a_reader_that_goes_away_is_no_error() -> None:
    una_line = f"{sys.executable} -P -m una_client play --auto --seed 7 --bots 9 --target 500"
    line = una_line + " | head -1; exit ${PIPESTATUS[0]}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30, check=False, env=env())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="another system")
@pytest.mark.parametrize(
    ("where", "reason"), [(">/dev/full", "no space left on device"), (">&-", "it is closed")], ids=["full", "closed"]
)
@pytest.mark.parametrize(
    "line",
    ["--version", "play --help", "config", "learn --list", "rules", "completion bash", "play --auto --seed 7",
     "bot check --list --json"],
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_sentence(line: str, where: str, reason: str) -> None:
    command = ["sh", "-c", f"exec {shlex.join(PYTHON)} -m una_client {line} {where} </dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False, env=env())
    assert (done.returncode, done.stderr) == (1, f"The output cannot be written: {reason}.\n")


# -- on a server


def test_a_class_bot_plays_matches_and_goes(server: RunningServer) -> None:
    done = una("bot", "run", f"{SIMPLE}:Simple", server.address, "--create", "--bots", "2", "--matches", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("won the match.") == 2


def test_a_module_beside_it_is_found_and_an_error_in_a_bot_shows_where(server: RunningServer, tmp_path: Path) -> None:
    bot = "from una_protocol.bot import Bot\nclass Bad(Bot):\n    def choose(self, view):\n        return 1 // 0\n"
    (tmp_path / "mine.py").write_text(bot)
    done = una("bot", "run", "mine:Bad", server.address, "--create", "--bots", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert "line 4, in choose" in done.stderr
    assert done.stderr.endswith("The bot failed: ZeroDivisionError.\n")
    (tmp_path / "odd.py").write_text(bot.replace("1 // 0", "'draw'"))
    done = una("bot", "run", "odd:Bad", server.address, "--create", "--bots", "1", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "which is no action" in done.stderr


def test_a_bot_that_chooses_wrongly_is_corrected(start_server: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = start_server("--seed", "7")  # a bot that always draws may also play a round without end
    bot = (
        "from una_protocol.actions import Play, Wish\nfrom una_protocol.bot import Bot\n"
        "class Bad(Bot):\n    def choose(self, view):\n"
        "        return Play('R7') if view.phase == 'turn' else Wish('red')\n"
    )
    (tmp_path / "wrong.py").write_text(bot)
    done = una(
        "bot", "run", "wrong:Bad", server.address, "--create", "--bots", "1", "--matches", "1", cwd=tmp_path
    )  # fmt: skip
    assert done.returncode == 0
    assert "the default move is played instead." in done.stdout


def start_minimal(server: RunningServer) -> subprocess.Popen[str]:
    return subprocess.Popen([*PYTHON, str(MINIMAL), server.address], stderr=subprocess.PIPE, text=True)


async def test_a_minimal_bot_plays_on_in_a_rematch(server: RunningServer) -> None:
    """A person opens a table, the bot finds it in the lobby, and both play two matches with a house bot."""
    with start_minimal(server) as process, trio.fail_after(30):
        async with connect("127.0.0.1", server.port, "Ann") as session:
            create = m.Create(0, "Kitchen", seats=3, bots=["easy"], una_grace_ms=0, between_s=0, think_ms=0)
            table = (await session.request(create)).table or ""
            winners = await two_matches(session, table)
        process.kill()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert len(winners) == 2


async def two_matches(session: Session, table: str) -> list[int]:
    """Let the house play for the host, begin when the bot is there, and again after the first match."""
    winners: list[int] = []
    async for message in session.incoming:
        event = message.e if isinstance(message, m.Ev) else None
        if isinstance(event, ev.Joined) and event.name == "minimal":
            await session.request(m.Start(0, table))
            await session.request(m.Auto(0, table, on=True))
        elif isinstance(event, ev.MatchOver):
            winners += event.winners
            if len(winners) == 2:
                return winners
            await session.request(m.Rematch(0, table))
            await session.request(m.Auto(0, table, on=True))
    raise AssertionError("the connection ended")
