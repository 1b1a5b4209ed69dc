"""A match over a line that is cut again and again: the session resumes, nothing is played twice, the match ends."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trio

from tests.conftest import RunningServer
from una_client import link as link_module
from una_client.bot.runner import Plan, Runner
from una_client.link import keep_connected
from una_protocol import messages as m
from una_protocol.actions import Action
from una_protocol.bot import Bot, BotView


class FirstChoice(Bot):
    """Plays what stands first; counts its decisions."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def choose(self, view: BotView) -> Action:
        self.seen.append(view.table.turn)
        return view.legal[0]


class Counting(Runner):
    """A runner that writes down every seq that came."""

    seqs: list[int]

    async def _take(self, message: object) -> bool:
        if isinstance(message, m.Ev):
            self.seqs.append(message.seq)
        return await super()._take(message)


@asynccontextmanager
async def cutting(port: int, chance: random.Random) -> AsyncIterator[tuple[int, list[int]]]:
    """A line to the server that is cut after a random number of bytes from it, each time it is opened."""
    cuts: list[int] = []

    async def serve(client: trio.SocketStream) -> None:
        left = chance.randint(700, 1500) if cuts else 3000  # the way to the table is not what is tested
        server = await trio.open_tcp_stream("127.0.0.1", port)
        async with client, server, trio.open_nursery() as nursery:

            async def up() -> None:
                async for chunk in client:
                    await server.send_all(chunk)

            async def down() -> None:
                nonlocal left
                async for chunk in server:
                    await client.send_all(chunk[:left])
                    left -= len(chunk)
                    if left <= 0:
                        cuts.append(1)
                        break

            async def end_after(part: object) -> None:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await part()  # type: ignore[operator]
                nursery.cancel_scope.cancel()

            nursery.start_soon(end_after, up)
            nursery.start_soon(end_after, down)

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        yield listeners[0].socket.getsockname()[1], cuts
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_match_survives_any_number_of_cuts(
    server: RunningServer, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "longest_wait", lambda attempt: 0.01)
    create = m.Create(0, "Rough", seats=3, bots=["normal", "normal"], una_grace_ms=0, think_ms=0, between_s=0)
    create.options = {"target_score": 200}
    told: list[str] = []
    async with cutting(server.port, random.Random(seed)) as (port, cuts):
        with trio.fail_after(30):
            async with keep_connected("127.0.0.1", port, "Ann", bot=True) as link:
                bot = FirstChoice()
                runner = Counting(bot, link, Plan(matches=1, create=create), "Ann", told.append)
                runner.seqs = []
                assert await runner.run() == 0
    assert len(cuts) >= 2
    assert "won the match" in told[-1]
    assert bot.seen == sorted(set(bot.seen)), "a decision was asked for twice"
    assert runner.seqs == list(range(runner.seqs[0], runner.seqs[-1] + 1)), "an event was lost, or came twice"
