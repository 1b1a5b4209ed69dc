"""A stay at a server of a few lines: what becomes of what it says, and of what the user wants."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.client import kit
from una_client.goal import Goal
from una_client.link import keep_connected
from una_client.tui.model import (
    Back,
    Input,
    Intent,
    Mute,
    Quit,
    ReadLadder,
    ReadRules,
    Rescan,
    RetryNow,
    SaveLog,
    Say,
    World,
)
from una_client.tui.visit import End, Visit
from una_protocol import events as ev
from una_protocol import messages as m


class Stay:
    """A visit under way: the worlds it has shown, what it told, what it asked for."""

    def __init__(self) -> None:
        self.worlds: list[World] = []
        self.told: list[str] = []
        self.asked: list[Input] = []
        self.rules: list[tuple[str, dict[str, Any]]] = []
        self.visit: Visit
        self._news = trio.Event()

    def show(self, world: World) -> None:
        """A new world."""
        self.worlds.append(world)
        self._news.set()

    def tell(self, text: str) -> None:
        """A sentence for the prompt line."""
        self.told.append(text)
        self._news.set()

    def do(self, *intents: Intent) -> None:
        """What the user wants."""
        for intent in intents:
            self.visit.do(intent)

    async def until(self, test: Callable[[World], object]) -> World:
        """The first world that is so, from the present one on."""
        while not (self.worlds and test(self.worlds[-1])):
            self._news = trio.Event()
            await self._news.wait()
        return self.worlds[-1]

    def log(self) -> str:
        """The log that is shown."""
        return "\n".join(line.text for line in self.worlds[-1].log)


@asynccontextmanager
async def staying(
    *scripts: Callable[[kit.Peer], Awaitable[None]], home: bool = True, **goal: Any
) -> AsyncIterator[Stay]:
    """A visit to the server that follows the scripts."""
    stay = Stay()
    with trio.fail_after(10):
        async with kit.serving(*scripts) as port, keep_connected("127.0.0.1", port, "Ann", jitter=_soon) as link:
            stay.visit = Visit(
                Goal(host="127.0.0.1", port=port, name="Ann", **goal), link, show=stay.show, tell=stay.tell,
                ask=lambda input, note: stay.asked.append(input),
                rules=lambda profile, options: stay.rules.append((profile, options)), home=home,
            )  # fmt: skip
            await stay.visit.arrive()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(stay.visit.stay)
                yield stay
                stay.visit.end(End())


def _soon(low: float, high: float) -> float:
    return 0.01


async def _answers(peer: kit.Peer, *, tables: list[m.TableRow] | None = None) -> None:
    """Answer everything with ok; a line of chat comes back twice, from Bo."""
    while (request := await peer.take()) is not None:
        await peer.send(m.Ok(request.id, tables=tables if isinstance(request, m.Lobby) else None))
        if isinstance(request, m.Say):
            await peer.send(m.Said(request.text, "Bo", request.table), m.Said(f"{request.text}!", "Cy", request.table))


async def at_the_table(peer: kit.Peer) -> None:
    """Ann sits at a table."""
    await peer.welcome()
    join = await peer.take()
    await peer.send(m.Ok(join.id, table="k3f", seat=0), m.Said("lobby talk", "Bo"), kit.a_view(), kit.a_turn())
    await _answers(peer)


async def test_muting_and_the_chat_of_a_table_apart_from_the_lobbys() -> None:
    async with staying(at_the_table, do="join", table="k3f") as stay:
        await stay.until(lambda world: world.turn)
        stay.do(Say("one"))
        await stay.until(lambda world: "Cy says: one!" in stay.log())
        assert "Bo says: one" in stay.log()
        assert "lobby talk" not in stay.log()
        stay.do(Say("/mute Bo"), Say("two"))
        await stay.until(lambda world: "Cy says: two!" in stay.log())
        assert "Bo says: two" not in stay.log()
        assert stay.worlds[-1].muted == {"Bo"}
        stay.do(Mute("Bo"), Say("three"))
        await stay.until(lambda world: "Cy says: three!" in stay.log())
        assert "Bo says: three" in stay.log()
        stay.do(Say("/mute"), Say("/unmute Cy"), Say("/hand"), Say("/play 99"))
        assert len(stay.told) == 4
        stay.do(Say("/help"))
        assert "mute NAME" in stay.log()
        stay.do(Say("/draw"))
        assert stay.told[4:] == []


async def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text('profile = "classic"')
    async with staying(at_the_table, do="join", table="k3f") as stay:
        await stay.until(lambda world: world.turn)
        stay.do(ReadRules("none.toml"), SaveLog())
        assert "cannot be read" in stay.told[0]
        assert "una-" in stay.told[1]
        stay.do(ReadRules("house.toml"))
        assert stay.rules == [("classic", {})]


async def refusing(peer: kit.Peer) -> None:
    """The table cannot be joined; its server has others."""
    await peer.welcome()
    join = await peer.take()
    await peer.send(m.Err("wrong_password" if join.table == "k3f" else "table_full", "no", "no", re=join.id))
    await _answers(peer, tables=[m.TableRow("k3f", "Kitchen", "una", 4, 2, "waiting", password=True)])


async def test_what_is_refused_leads_to_the_list_of_tables() -> None:
    async with staying(refusing, do="watch", table="k3f") as stay:
        world = await stay.until(lambda world: world.lobby)
        assert [row.name for row in world.lobby] == ["Kitchen"]
        assert stay.asked == [Input("password", "k3f", watch=True)]
        stay.do(Rescan(), RetryNow())
    async with staying(refusing, do="join", table="full") as stay:
        await stay.until(lambda world: world.lobby)
        assert (stay.asked, len(stay.told)) == ([], 1)


async def dropping(peer: kit.Peer) -> None:
    """Ann sits at a table, and the connection is lost."""
    await peer.welcome(resume_s=60)
    join = await peer.take()
    await peer.send(m.Ok(join.id, table="k3f", seat=0), kit.a_view(), kit.a_turn())
    await trio.sleep(0.1)


async def test_a_lost_connection_and_a_server_that_knows_us_no_more() -> None:
    async with staying(dropping, at_the_table, do="join", table="k3f") as stay:
        world = await stay.until(lambda world: world.lost)
        assert world.lost is not None
        assert world.view is not None  # what was known stays
        assert world.lost.held_until is not None
        await stay.until(lambda world: world.lost is None and world.turn)
        assert any("does not know us" in text for text in stay.told), stay.told


@pytest.mark.parametrize(
    ("home", "intent", "quit"), [(True, Back(), False), (False, Back(), True), (True, Quit(), True)]
)
async def test_ways_out(home: bool, intent: Intent, quit: bool) -> None:
    async with staying(at_the_table, do="join", table="k3f", home=home) as stay:
        await stay.until(lambda world: world.turn)
        stay.do(intent)
        assert stay.visit.ended == End(quit=quit)


# -- the arena


def rows(*ranks: int) -> list[m.LadderRow]:
    """Rows of a ladder."""
    return [m.LadderRow(rank, f"Bot {rank}", 1000 - rank, 2500, 500, 9, 3, 120, 0) for rank in ranks]


async def arena(peer: kit.Peer) -> None:
    """A server with a ladder of two pages; the first has changed when it is asked for a second time."""
    await peer.welcome()
    pages = {None: (rows(1, 2), "2"), "2": (rows(3), None)}
    while (request := await peer.take()) is not None:
        if isinstance(request, m.Ladder):
            ladder, more = pages[request.after]
            await peer.send(m.Ok(request.id, ladder=ladder, next=more))
            pages[None] = (rows(2, 1), "2")
        else:
            await peer.send(m.Ok(request.id, tables=[] if isinstance(request, m.Lobby) else None))


def ranks(world: World) -> list[int] | None:
    """The rows of the ladder that are known."""
    return None if world.ladder is None else [row.rank for row in world.ladder]


async def test_the_ladder_page_by_page_and_anew() -> None:
    async with staying(arena, do="lobby") as stay:
        world = await stay.until(lambda world: world.ladder)
        assert (ranks(world), world.more_ladder) == ([1, 2], True)
        stay.do(ReadLadder(more=True), ReadLadder(more=True))  # the second comes before the answer, and is not sent
        world = await stay.until(lambda world: ranks(world) == [1, 2, 3])
        assert not world.more_ladder
        stay.do(ReadLadder(more=True))  # there are none
        stay.do(ReadLadder())
        world = await stay.until(lambda world: ranks(world) == [2, 1])
        assert world.more_ladder
        stay.do(Say("/ladder"))
        await stay.until(lambda world: "1. Bot 1: rating" in stay.log())
        assert stay.log().startswith("2. Bot 2: rating 10.0, 3 of 9 matches won.")
        assert ranks(stay.worlds[-1]) == [2, 1]


async def test_a_server_without_an_arena_has_no_ladder() -> None:
    async def no_arena(peer: kit.Peer) -> None:
        await peer.welcome()
        while not isinstance(request := await peer.take(), m.Ladder):
            await peer.send(m.Ok(request.id, tables=[] if isinstance(request, m.Lobby) else None))
        await peer.send(m.Err("no_arena", "There is none.", "no", re=request.id), m.Said("hello", "Bo"))
        await peer.take()

    async with staying(no_arena, do="lobby") as stay:
        world = await stay.until(lambda world: "Bo says: hello" in stay.log())
        assert (ranks(world), world.more_ladder) == (None, False)
        assert stay.told == []


@pytest.mark.parametrize("asked", [False, True])
async def test_the_score_stays_when_the_table_is_closed_under_a_watcher(asked: bool) -> None:
    requests: list[Any] = []

    async def closing(peer: kit.Peer) -> None:
        """A match that is watched ends, and its table is closed: at once, or when the watcher leaves."""
        await peer.welcome()
        watch = await peer.take()
        await peer.send(m.Ok(watch.id, table="k3f"), kit.a_view(you=None, hand=None, watchers=["Ann"]))
        await peer.send(kit.an_ev(11, ev.MatchOver((1,), (10, 500, 20))))
        gone = kit.an_ev(12, ev.Left("Ann"))
        if not asked:
            await peer.send(gone)
        while (request := await peer.take()) is not None:
            requests.append(request)
            await peer.send(m.Ok(request.id, tables=[] if isinstance(request, m.Lobby) else None))
            if isinstance(request, m.Leave):
                await peer.send(gone)

    async with staying(closing, do="watch", table="k3f") as stay:
        world = await stay.until(lambda world: world.view and world.view.stage == "over")
        if not asked:
            world = await stay.until(lambda world: world.closed)
            assert world.view is not None
            assert "Ann" not in stay.log()
            assert world.view.winners == [1]
        stay.do(m.Leave(0, "k3f"))
        await stay.until(lambda world: world.view is None)
    assert any(isinstance(request, m.Leave) for request in requests) is asked
