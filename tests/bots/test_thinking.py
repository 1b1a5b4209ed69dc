"""`hard` at tables: its moves come from processes of their own, and the table stays what it is."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.wire import Wire
from una_protocol import messages as m
from una_protocol.actions import DRAW, PASS, Play
from una_server.bots.thought import decide
from una_server.table import Request, Table, Tick
from una_server.table.commands import Guest

OPTIONS = {"una_grace_ms": 0, "think_ms": 0}
ANN = Guest("k1", "Ann")


def opened(*bots: str, seed: int = 1) -> Table:
    """A table where Ann has begun a match against these bots."""
    create = m.Create(1, "Kitchen", seats=len(bots) + 1, bots=list(bots))
    table, _ = Table.open("abc", create, ANN, bytes([seed]) * 32, 0.0)
    table.do(Request(ANN, m.Start(2, "abc")), 0.0)
    return table


def until_hard_thinks(table: Table) -> float:
    """Ann plays what comes first; the time when `hard` has a choice."""
    now = 0.0
    for _ in range(200):
        now += 1
        round = table.round
        assert round is not None
        if table.seats[round.turn].guest is not None:
            turn = table.turn_for(ANN.key, now)
            assert turn is not None
            table.do(Request(ANN, m.Act(3, "abc", turn.legal[0], turn.turn)), now)
        elif table.thought(now) is not None:
            return now
        else:
            table.do(Tick(), now)
    raise AssertionError("hard never had a choice")


def test_a_table_says_what_is_to_be_thought_about() -> None:
    table = opened("hard")
    assert table.thought(0.0) is None or table.deadline is not None
    now = until_hard_thinks(table)
    before = table.seq, table.turn
    thought = table.thought(now)
    assert thought is not None
    assert (table.seq, table.turn) == before  # asking changes nothing
    assert thought.table.you == 1
    assert thought.turn == table.turn
    move = decide(thought._replace(simulations=20))
    assert move == decide(thought._replace(simulations=20))
    outcome = table.do(Tick(move, thought.turn), now)
    assert outcome.move == move
    assert outcome.events


def test_an_answer_that_comes_too_late_is_left_alone() -> None:
    table = opened("hard")
    now = until_hard_thinks(table)
    outcome = table.do(Tick(PASS, table.turn - 1), now)
    assert (outcome.move, outcome.events) == (None, [])
    outcome = table.do(Tick(None, table.turn), now)  # no answer: a faster level decides
    assert isinstance(outcome.move, Play) or outcome.move == DRAW


def test_other_levels_do_not_think() -> None:
    table = opened("normal", "easy")
    for now in range(1, 20):
        round = table.round
        assert round is not None
        if table.seats[round.turn].guest is not None:
            break
        assert table.thought(float(now)) is None
        table.do(Tick(), float(now))


@pytest.mark.parametrize("bots", [["hard", "hard", "hard"]])
def test_a_server_with_hard_bots(start_server: Callable[..., Any], bots: list[str]) -> None:
    server = start_server("--seed", "5")
    with Wire(server.port, "Ann") as wire:
        wire.ask(t="create", name="Kitchen", bots=bots, seats=4, turn_s=0, una_grace_ms=0)
        table = wire.seen[-1]["table"]
        wire.ask(t="start", table=table)
        wire.ask(t="auto", table=table, on=True)  # so that nobody waits, and the match ends soon
        while not any(message["t"] == "ev" and message["e"]["k"] == "match_over" for message in wire.seen):
            begin = time.monotonic()
            wire.ask(t="ping")
            assert time.monotonic() - begin < 5
            time.sleep(0.2)
    log = (server.folder / "log").read_text()
    assert "ERROR" not in log
    assert "Traceback" not in log


def test_a_console_script_can_start_workers() -> None:
    line = [sys.executable, "-m", "una_server", "arena", "hard", "easy", "--games", "64", "--jobs", "2",
            "--simulations", "5"]  # fmt: skip
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "64 rounds" in done.stdout
