"""Arena mode over a real server: bots wait, are seated, play, and climb or fall in the ladder."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.server.house import Client, House, open_house, until
from una_client.bot import Outcome, RequestRefused, play
from una_protocol.actions import Action, Draw
from una_protocol.bot import Bot, BotView
from una_protocol.messages import LadderRow
from una_server.config import BadConfig, make_config
from una_server.host import Host

FAST = {"rate": 5000, "burst": 5000}
ROUND = {"target_score": 0}
KEY = "the same long key of all bots here"


class Plays(Bot):
    """Lays the first card that fits."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]


class Draws(Bot):
    """Mostly draws, so it hardly ever wins."""

    def __init__(self) -> None:
        self._chance = random.Random(5)

    def choose(self, view: BotView) -> Action:
        draw = next((action for action in view.legal if isinstance(action, Draw)), None)
        return draw if draw is not None and self._chance.random() < 0.8 else view.legal[0]


def arena(**settings: Any) -> dict[str, Any]:
    """A server's settings: matches of one round."""
    return {"arena": True, "arena_options": ROUND, "arena_matches_wait": 0.3} | settings


async def bots(house: House, matches: int, key: str | None = KEY, **who: type[Bot]) -> dict[str, Outcome]:
    """Let these play so many matches each; of two, both have enough at the same time."""
    outcomes: dict[str, Outcome] = {}

    async def one(name: str, kind: type[Bot]) -> None:
        outcomes[name] = await play(kind(), address(house), name=name, ranked=True, key=key, matches=matches)

    async with trio.open_nursery() as nursery:
        for name, kind in who.items():
            nursery.start_soon(one, name, kind)
    return outcomes


async def play_on(house: House, matches: int, **who: type[Bot]) -> None:
    """Let these play until so many matches were judged."""
    assert house.host.tournament is not None
    tournament = house.host.tournament
    async with trio.open_nursery() as nursery:
        for name, kind in who.items():
            nursery.start_soon(partial(play, kind(), address(house), name=name, ranked=True, key=KEY, matches=None))
        await until(lambda: tournament.played >= matches)
        nursery.cancel_scope.cancel()


def address(house: House) -> str:
    return f"127.0.0.1:{house.host.port_number}"


def ladder(house: House) -> dict[str, LadderRow]:
    assert house.host.tournament is not None
    return {row.name: row for row in house.host.tournament.ladder.rows()}


async def waiting(house: House, name: str, **more: Any) -> Client:
    """A bot of plain messages that waits for a match."""
    client = await house.guest(name, bot=True)
    answer = await client.ask("queue", **more)
    assert answer["t"] == "ok", answer
    return client


async def two_at_a_table(house: House) -> tuple[str, Client, Client]:
    """Two bots in the midst of a match that nobody plays."""
    first = await waiting(house, "First", key=KEY)
    second = await waiting(house, "Second", key=KEY)
    table = (await first.until("state"))["table"]
    await second.until("state", table=table)
    await first.event("turn")
    await second.event("turn")
    return table, first, second


# -- the ladder


async def test_six_bots_play_and_the_better_ones_climb() -> None:
    async with open_house(arena(), **FAST) as house:
        await play_on(house, 16, P1=Plays, P2=Plays, P3=Plays, D1=Draws, D2=Draws, D3=Draws)
        rows = ladder(house)
        assert house.host.tournament is not None
        assert len(rows) == 6
        assert all(row.games for row in rows.values())
        assert sum(row.wins for row in rows.values()) == house.host.tournament.played
        assert sum(row.points for row in rows.values()) > 0
        good, bad = ([rows[f"{kind}{number}"].mu for number in (1, 2, 3)] for kind in "PD")
        assert sum(good) > sum(bad), "who only draws is seldom first"
        assert all(row.sigma < 833 for row in rows.values())
        assert [row.rank for row in rows.values()] == [1, 2, 3, 4, 5, 6]
        assert all(row.rating == pytest.approx(row.mu - 3 * row.sigma, abs=3) for row in rows.values())


async def test_without_a_key_nothing_is_rated() -> None:
    async with open_house(arena(arena_seats=2), **FAST) as house:
        await bots(house, 2, None, P1=Plays, P2=Plays)
        assert house.host.tournament is not None
        assert house.host.tournament.played == 2
        assert ladder(house) == {}
        assert (await (await house.guest("Ann")).ask("ladder"))["ladder"] == []


async def test_the_ladder_outlives_the_server_and_names_cannot_be_taken(tmp_path: Path) -> None:
    settings = arena(arena_seats=2, data=str(tmp_path / "una.db"))
    async with open_house(settings, **FAST) as house:
        await bots(house, 2, P1=Plays, D1=Draws)
        before = ladder(house)
        house.stop.set()
        await house.stopped.wait()
    assert {row.games for row in before.values()} == {2}
    async with open_house(settings, **FAST) as house:
        assert ladder(house) == before
        await until(lambda: not house.lobby.hall.places)  # a table may have been left as it was when its match ended
        with pytest.raises(RequestRefused) as refused:
            await play(Plays(), address(house), name="P1", ranked=True, key="another key, long enough")
        assert refused.value.err.code == "name_claimed"
        await bots(house, 1, P1=Plays, D1=Draws)
        assert {row.games for row in ladder(house).values()} == {3}


async def test_a_page_of_the_ladder() -> None:
    async with open_house(arena(), **FAST) as house:
        ann = await house.guest("Ann")
        assert await ann.ask("ladder") == {"t": "ok", "re": 2, "ladder": []}
        assert (await ann.ask("ladder", after="50"))["ladder"] == []
        refused = await ann.ask("ladder", after="x")
        assert (refused["code"], refused["at"]) == ("bad_message", "$.after")


# -- a match


async def test_who_leaves_has_lost_and_must_ask_again() -> None:
    async with open_house(arena(arena_seats=2), **FAST) as house:
        table, first, second = await two_at_a_table(house)
        assert (await first.ask("leave", table=table))["t"] == "ok"
        over = await second.event("match_over")
        assert over["e"]["winners"] != []
        await second.event("left")
        rows = ladder(house)
        assert (rows["First"].wins, rows["Second"].wins) == (0, 1)
        assert rows["Second"].mu > 2500 > rows["First"].mu
        await waiting(house, "Third", key=KEY)
        state = await second.until("state")  # the second is seated again, the first one is not
        assert "First" not in {player["name"] for player in state["players"]}


async def test_who_dies_has_lost_and_the_others_play_on() -> None:
    async with open_house(arena(arena_seats=3, arena_turn_s=1, arena_matches_wait=1), **FAST) as house:
        dying = await waiting(house, "Dying", key=KEY)

        async def die() -> None:
            await dying.until("turn")
            await dying.close()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(die)
            await play_on(house, 3, P1=Plays, P2=Plays)
        rows = ladder(house)
        assert (rows["Dying"].games, rows["Dying"].wins) == (1, 0)
        assert rows["P1"].wins + rows["P2"].wins == 3
        assert rows["Dying"].mu < 2500


async def test_a_match_without_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("una_server.tournament.tournament.LONGEST", 5)
    async with open_house(arena(arena_seats=2, arena_turn_s=60), **FAST) as house:
        _, first, second = await two_at_a_table(house)
        assert (await first.event("left"))["e"]["seat"] in (0, 1)
        assert ladder(house) == {}
        await second.until("state")  # they are not to blame: both play again


async def test_what_is_forbidden_at_such_a_table() -> None:
    async with open_house(arena(arena_seats=2, arena_turn_s=60), **FAST) as house:
        table, first, second = await two_at_a_table(house)
        for request in (
            {"kind": "kick", "seat": 1}, {"kind": "kick", "seat": 0}, {"kind": "start"}, {"kind": "ready"},
            {"kind": "rematch"}, {"kind": "options", "turn_s": 0}, {"kind": "pause", "on": True},
            {"kind": "auto", "on": True}, {"kind": "bot", "add": "hard"},
        ):  # fmt: skip
            for client in (first, second):
                assert (await client.ask(table=table, **request))["code"] == "arranged", request
        ann = await house.guest("Ann")
        assert (await ann.ask("join", table=table))["code"] == "arranged"
        assert (await ann.ask("watch", table=table))["t"] == "ok"
        assert (await ann.ask("join", table=table))["code"] == "arranged"
        assert (await ann.ask("queue"))["code"] == "not_now"  # she is no bot
        assert (await second.ask("say", table=table, text="hello"))["t"] == "ok"
        await first.close()
        assert (await second.ask("leave", table=table))["t"] == "ok"
        assert await ann.event("match_over")
        while (await ann.event("left"))["e"]["name"] != "Ann":  # she is told that the table is no more
            pass


async def test_who_has_enough_is_not_seated_again() -> None:
    async with open_house(arena(arena_seats=2, arena_matches_wait=0.1), **FAST) as house:
        first = await waiting(house, "First")
        assert (await first.ask("queue", on=False))["t"] == "ok"
        await waiting(house, "Second")
        third = await waiting(house, "Third")
        state = await third.until("state")
        assert "First" not in {player["name"] for player in state["players"]}


async def test_a_match_goes_on_where_a_server_stopped(tmp_path: Path) -> None:
    settings = arena(arena_seats=2, arena_turn_s=60, data=str(tmp_path / "una.db"))
    async with open_house(settings) as house:
        table, first, second = await two_at_a_table(house)
        house.stop.set()
        await house.stopped.wait()
    async with open_house(settings) as house:
        third = await house.connect()
        answer = await third.hello("Second", bot=True, resume={"session": second.session, "tables": {table: 0}})
        assert [seat["table"] for seat in answer["seats"]] == [table]
        assert ladder(house) == {}
        fourth = await house.connect()
        await fourth.hello("First", bot=True, resume={"session": first.session})
        assert (await fourth.ask("kick", table=table, seat=0))["code"] == "arranged"
        assert (await fourth.ask("leave", table=table))["t"] == "ok"
        await third.event("match_over")
        await third.event("left")
        assert {name: (row.games, row.wins) for name, row in ladder(house).items()} == {
            "Second": (1, 1),
            "First": (1, 0),
        }
        house.stop.set()
        await house.stopped.wait()
    async with open_house(settings) as house:
        assert {name: row.games for name, row in ladder(house).items()} == {"Second": 1, "First": 1}


def test_the_greeting_says_how_bots_come() -> None:
    host = Host(make_config(None, {"arena": True, "host": "127.0.0.1", "port": 0}, {}))
    host.listen()
    try:
        assert f"una bot run MODULE:CLASS 127.0.0.1:{host.port_number} --ranked" in host.greeting()
    finally:
        host.close()


# -- without an arena


async def test_a_server_without_an_arena_says_so() -> None:
    async with open_house() as house:
        client = await house.guest("Bot", bot=True)
        assert (await client.ask("queue"))["code"] == "no_arena"
        assert (await client.ask("ladder"))["code"] == "no_arena"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"arena_profile": "nonsense"}, r"The arena cannot be: .*[^.]\.$"),
        ({"arena_options": {"hand_size": 99}}, "The arena cannot be"),
    ],
)
def test_an_arena_that_cannot_be(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadConfig, match=sentence):
        Host(make_config(None, {"arena": True} | settings, {}))


@pytest.mark.parametrize("settings", [{"arena_seats": 1}, {"arena_options": 3}, {"arena_matches_wait": 0}])
def test_a_bad_setting(settings: dict[str, Any]) -> None:
    with pytest.raises(BadConfig, match=next(iter(settings))):
        make_config(None, settings, {})
