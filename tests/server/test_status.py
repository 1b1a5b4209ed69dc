"""`status` tells true numbers, to whoever may have them."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from click.testing import CliRunner, Result

from tests.conftest import RunningServer
from tests.server.house import House, open_house, until
from tests.server.memory import MemoryTransport
from una_server.cli import cli
from una_server.observation import Observation, memory_kb


def run(*words: str, **env: str) -> Result:
    return CliRunner().invoke(cli, ["status", *words], env={"UNA_ADMIN_TOKEN": "", **env})


def status_of(house: House) -> Any:
    return house.host.observation.status(trio.current_time())


@pytest.mark.parametrize("data", [False, True])
async def test_the_numbers_are_true(data: bool, tmp_path: Path) -> None:
    async with open_house({"data": str(tmp_path / "una.db")} if data else {}) as house:
        before = status_of(house)
        assert (before.connections, before.guests, before.tables, before.moves) == (0, 0, 0, 0)
        table, [ann, ben] = await house.table("Ann", "Ben", bot=True)
        await house.connect()
        assert (await ann.ask("start", table=table))["t"] == "ok"
        for _ in range(10):
            await ann.ask("state", table=table)
            state = await ann.until("state")
            mover = (ann, ben)[state["turn_seat"]]
            await mover.ask("state", table=table)
            own = await mover.until("turn", turn=state["turn"])
            answer = await mover.ask("act", table=table, turn=own["turn"], do=own["legal"][own["default"]])
            assert answer["t"] == "ok", answer
        now = status_of(house)
        assert (now.moves, now.moves_per_min) == (10, 10)
        assert (now.guests, now.sessions, now.tables, now.rounds) == (2, 2, 1, 1)
        assert now.connections == now.connections_total == 3
        assert now.tables_total == 1
        if data:
            assert 0 < now.commit_p50_us <= now.commit_p99_us < 10_000_000
        else:
            assert now.commit_p50_us is None
        await ben.close()
        await until(lambda: len(house.host.port.links) == 2)
        later = status_of(house)
        assert (later.guests, later.sessions, later.connections) == (1, 2, 2)


def test_moves_in_the_last_minute() -> None:
    hall = SimpleNamespace(moves=0)
    observation = Observation(SimpleNamespace(hall=hall), None, None, None)  # type: ignore[arg-type]
    for second in range(0, 300, 10):
        observation.note(float(second))
        hall.moves += 5
    assert observation._moves_per_min(290.0) == 35  # since 230: seven tens of seconds have begun
    assert observation._moves_per_min(300.0) == 30
    for second in range(300, 400, 10):
        observation.note(float(second))
    assert observation._moves_per_min(395.0) == 0


def test_memory_is_that_of_the_process() -> None:
    memory = memory_kb()
    assert memory is None or 5_000 < memory < 5_000_000


def test_over_the_wire_and_as_json(start_server: Callable[..., RunningServer]) -> None:
    server = start_server()
    result = run(server.address, "--json")
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert (found["connections"], found["guests"], found["version"]) == (1, 0, "0.1.0")
    for _ in range(3):
        text = run(server.address)
    assert text.exit_code == 0
    assert "connections: 1 (4 since the start, 0 turned away)" in text.output
    assert "commits:     none" in text.output


async def test_others_need_the_token() -> None:
    async with open_house() as house, trio.open_nursery() as nursery:
        for peer, token, kind in (
            ("127.0.0.1", None, "ok"),
            ("127.0.0.1", "guess", "err"),
            ("192.0.2.7", None, "err"),
            ("192.0.2.7", house.host.admin_token, "ok"),
        ):
            far = MemoryTransport(peer)
            nursery.start_soon(house.host.port.serve, far)
            far.say(t="status", id=1, **({"token": token} if token else {}))
            await until(far.messages)
            assert far.messages()[0]["t"] == kind, peer
        nursery.cancel_scope.cancel()


async def test_a_guest_may_ask_too() -> None:
    async with open_house() as house:
        ann = await house.guest("Ann")
        assert (await ann.ask("status"))["status"]["guests"] == 1


async def test_it_tells_no_names() -> None:
    async with open_house() as house:
        await house.table("Annabell", name="Secretum")
        ben = await house.guest("Ben")
        answer = str(await ben.ask("status"))
        assert "Annabell" not in answer
        assert "Secretum" not in answer


def test_nobody_there_or_somebody_else() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert run(f"127.0.0.1:{port}").exit_code == 1
    assert run("not an address").exit_code == 2
    assert run("localhost", "--token-file", "/nowhere/token").exit_code == 2
