"""Simulated evenings in a bad network, with crashes: everything promised holds, and the same seed is the same evening.

`scripts/simulate.py` runs more of them, and shows one. In CI there are 200; here as many as fit into a few seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio._core._run as trio_run

from una_server.delivery import Delivery
from una_server.game import flow
from una_server.session import Session
from una_server.store.parts import Part
from una_server.store.store import Done
from una_server.store.twin import TwinStore

from ..simulation.world import simulate

ROOT = Path(__file__).resolve().parents[2]
SEEDS = 200 if os.environ.get("CI") else 40
STORM_S = 45.0


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_was_promised_holds(seed: int) -> None:
    result = simulate(seed, STORM_S)
    assert not result.violations
    assert result.matches


def test_the_storm_is_one() -> None:
    results = [simulate(seed, STORM_S) for seed in range(8)]
    assert sum(result.lives for result in results) > 12
    assert sum(result.resumed for result in results) > 40
    assert sum(result.acks for result in results) > 300


def test_the_same_seed_is_the_same_evening() -> None:
    """Also in another process, where sets and hashes have another order."""
    line = [sys.executable, "scripts/simulate.py", "--seed", "5", "--seconds", "30"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    outputs = {
        subprocess.run(
            line, cwd=ROOT, env=env | {"PYTHONHASHSEED": hashes}, capture_output=True, text=True, check=True
        ).stdout
        for hashes in ("1", "2")
    }
    assert len(outputs) == 1
    assert simulate(5, 30).trace[:16] in outputs.pop()
    assert simulate(6, 30).trace != simulate(5, 30).trace


def test_trio_still_has_what_makes_a_run_repeatable() -> None:
    """These names are trio's own affair; the simulation needs them, the game does not."""
    assert isinstance(trio_run._ALLOW_DETERMINISTIC_SCHEDULING, bool)
    assert callable(trio_run._r.seed)


# -- a test of the test ----------------------------------------------------------------------------------------------


def answers_before_storing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server promises what the disk does not have yet."""
    put = TwinStore.put

    def hasty(self: TwinStore, parts: Sequence[Part], done: Done) -> None:
        put(self, parts, lambda error: None)
        if not self._dead:
            done(None)

    monkeypatch.setattr(TwinStore, "put", hasty)


def loses_an_event_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the events is not sent to anybody."""
    tell = Delivery._tell
    count = 0

    def forgetful(self: Delivery, *args: Any) -> None:
        nonlocal count
        count += 1
        if count % 50:
            tell(self, *args)

    monkeypatch.setattr(Delivery, "_tell", forgetful)


def loses_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes pending cards makes another one disappear."""
    take = flow._take

    def greedy(state: Any, seat: int, *args: Any) -> Any:
        told = take(state, seat, *args)
        state.draw_pile[:1] = []
        return told

    monkeypatch.setattr(flow, "_take", greedy)


def forgets_its_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent again after a crash is taken for new."""
    monkeypatch.setattr(Session, "restore", lambda self, bodies: None)


@pytest.mark.parametrize(
    "fault", [answers_before_storing, loses_an_event_now_and_then, loses_a_card, forgets_its_answers]
)
def test_a_planted_fault_is_found(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    assert any(simulate(seed, STORM_S).violations for seed in range(30))
