"""How `una bot run` ends, and what it bears until then: signals, programs that flood it or do not listen."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trio

from tests.bots_kit.examples import BOTS, LINES, PYTHON
from tests.conftest import RunningServer
from tests.endings import ENDINGS, POSIX
from una_client.session import Session, connect
from una_protocol import events as ev
from una_protocol import messages as m

pytestmark = POSIX

FLOOD = """import sys, threading
threading.Thread(target=sys.stdin.read, daemon=True).start()
while True:
    sys.stdout.write({line!r} + chr(10))
"""
SAY = '{"t": "say", "text": "hi"}'
CATCH = '{"do": {"k": "catch", "seat": 0}}'
DEAF = """import os, signal, sys, time
for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(sign, signal.SIG_IGN)
print(os.getpid(), file=sys.stderr, flush=True)
time.sleep(1000)
"""


def program(code: str) -> list[str]:
    return ["--exec", f"{PYTHON} -c {shlex.quote(code)}"]


@contextmanager
def running(*arguments: str, before: str = "") -> Iterator[subprocess.Popen[str]]:
    """The runner in a group of its own. `before`: what the shell does that starts it."""
    line = shlex.join([sys.executable, "-P", "-W", "error", "-m", "una_client", "bot", "run", *arguments])
    with subprocess.Popen(
        ["sh", "-c", f"{before} exec {line}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


async def until(session: Session, true: Callable[[object], bool]) -> None:
    with trio.fail_after(20):
        async for message in session.incoming:
            if true(message):
                return


# -- signals


@pytest.mark.parametrize("sign", ENDINGS)
@pytest.mark.parametrize("bot", ["class", "program"])
def test_who_is_ended_leaves_and_may_come_again(server: RunningServer, bot: str, sign: signal.Signals) -> None:
    which = [f"{BOTS / 'simple.py'}:Simple"] if bot == "class" else ["--exec", LINES["jsonlines.py"]]
    words = [*which, server.address, "--name", "Again", "--create", "--bots", "1"]
    with running(*words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "won the match" in process.stdout.readline()
        os.killpg(process.pid, sign)
        assert process.stderr.read().strip() == ""
    assert process.returncode == 130
    with running(*words, "--matches", "1") as process:
        assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


@pytest.mark.parametrize("sign", ENDINGS)
def test_a_program_that_hears_nothing_is_ended_too(server: RunningServer, sign: signal.Signals) -> None:
    with running(*program(DEAF), server.address, "--create", "--bots", "1") as process:
        assert process.stderr is not None
        pid = int(process.stderr.readline())
        try:
            os.killpg(process.pid, sign)
            time.sleep(0.1)
            os.killpg(process.pid, sign)  # a terminal that closes sends it twice, by the system and by the shell
            assert process.wait(20) == 130
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        finally:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_under_nohup_it_goes_on(server: RunningServer) -> None:
    words = ["--exec", LINES["jsonlines.py"], server.address, "--create", "--bots", "1", "--matches", "3"]
    with running(*words, before="trap '' HUP;") as process:
        assert process.stdout is not None
        assert "won the match" in process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


def test_a_bot_that_thinks_for_ever_is_interrupted(server: RunningServer) -> None:
    zoo = Path(__file__).parents[1] / "arena" / "zoo.py"
    with running(f"{zoo}:Pondering", server.address, "--create", "--bots", "1") as process:
        assert process.stdout is not None
        while "pondering" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


# -- floods


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("line", [SAY, CATCH])
async def test_a_flood_waits_in_the_pipe_and_the_table_goes_on(server: RunningServer, line: str) -> None:
    async with connect("127.0.0.1", server.port, "Guest") as session:
        create = m.Create(0, "Kitchen", seats=2, una_grace_ms=0, between_s=0, think_ms=0)
        table = (await session.request(create)).table or ""
        with running(*program(FLOOD.format(line=line)), f"{server.address}/{table}", "--limit", "0.2") as process:
            await until(session, lambda got: isinstance(got, m.Ev) and isinstance(got.e, ev.Joined))
            await session.request(m.Start(0, table))
            sizes = []
            for _ in range(5):  # the program answers nothing: each turn of the guest comes after a default move
                await play_turn(session)
                sizes.append(memory(process.pid))
            assert sizes[-1] - sizes[0] < 4_000_000, sizes
            process.send_signal(signal.SIGINT)
            await until(session, lambda got: isinstance(got, m.Ev) and isinstance(got.e, ev.Left))
            assert process.wait(20) == 130


async def play_turn(session: Session) -> None:
    with trio.fail_after(10):
        async for got in session.incoming:
            if isinstance(got, m.TurnNow):
                session.send(m.Act(0, got.table, got.legal[got.default], turn=got.turn))
                return


def memory(pid: int) -> int:
    """The bytes of a process that are in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
