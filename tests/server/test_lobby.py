"""Tables in the lobby: opening, finding, listing, leaving, talking; and a table that fails."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.server.house import Client, open_house
from una_server.table import Command, Outcome, Table


async def test_create_join_and_list() -> None:
    async with open_house() as house:
        table, (ann, ben) = await house.table("Ann", "Ben", options={"jump_in": True})
        [row] = (await ben.ask("lobby"))["tables"]
        assert row["id"] == table
        assert (row["name"], row["host"], row["taken"], row["seats"]) == ("Kitchen", "Ann", 2, 4)
        assert row["options"] == {"jump_in": True}
        assert (await ann.ask("leave", table=table))["t"] == "ok"
        assert (await ann.ask("state", table=table))["code"] == "not_seated"


async def test_ok_comes_before_its_events_and_joining_is_followed_by_a_state() -> None:
    async with open_house() as house:
        table, (ann, _) = await house.table("Ann", "Ben")
        cem = await house.guest("Cem")
        await cem.send(t="join", id=2, table=table)
        answer, state = await cem.next(), await cem.next()
        assert (answer["t"], answer["seat"], state["t"]) == ("ok", 2, "state")
        assert answer["seq"] == state["seq"]
        await ann.send(t="start", id=9, table=table)
        kinds = [(await ann.until("ok", re=9))["seq"]]
        message: dict[str, Any] = {}
        while message.get("t") != "ev" or message["e"]["k"] != "turn":
            message = await ann.next()
            kinds.append(message["seq"])
        assert kinds[0] == kinds[-1]
        assert kinds[1:] == list(range(kinds[1], kinds[-1] + 1))


async def test_tables_are_found_by_id_or_unique_name_in_any_case() -> None:
    async with open_house() as house:
        table, _ = await house.table("Ann")
        ben = await house.guest("Ben")
        assert (await ben.ask("watch", table="kItChEn"))["t"] == "ok"
        cem = await house.guest("Cem")
        assert (await cem.ask("join", table=table.upper()))["t"] == "ok"
        await cem.ask("create", name="kitchen")
        dan = await house.guest("Dan")
        assert (await dan.ask("join", table="Kitchen"))["code"] == "no_such_table"


async def test_table_passwords() -> None:
    async with open_house() as house:
        table, (ann,) = await house.table("Ann", password="sesame")
        ben = await house.guest("Ben")
        assert (await ben.ask("join", table=table))["code"] == "wrong_password"
        assert (await ben.ask("watch", table=table, password="x"))["code"] == "wrong_password"
        assert (await ben.ask("join", table=table, password="sesame"))["t"] == "ok"
        # who comes back is known by the session, and not asked again
        await ben.close()
        await ann.event("lost")
        back = await house.connect()
        assert (await back.hello("Ben", resume={"session": ben.session}))["seats"]


@pytest.mark.parametrize(
    ("create", "code"),
    [
        ({"name": "\x1b[31m"}, "bad_name"),
        ({"name": "A", "options": {"jump": True}}, "bad_option"),
        ({"name": "A", "profile": "nope"}, "bad_option"),
        ({"name": "A", "bots": ["genius"]}, "bad_option"),
    ],
)
async def test_bad_tables_are_refused(create: dict[str, Any], code: str) -> None:
    async with open_house() as house:
        ann = await house.guest("Ann")
        assert (await ann.ask("create", **create))["code"] == code
        assert not house.lobby.hall.places


async def test_there_is_room_for_so_many_tables() -> None:
    async with open_house(tables=3, tables_per_session=2) as house:
        ann, ben = await house.guest("Ann"), await house.guest("Ben")
        answers = [await ann.ask("create", name=f"T{number}") for number in range(3)]
        assert [answer.get("code") for answer in answers] == [None, None, "table_full"]
        assert (await ben.ask("create", name="T4"))["t"] == "ok"
        assert (await ben.ask("create", name="T5"))["code"] == "table_full"


async def test_the_list_comes_in_pages_and_hides_private_tables() -> None:
    async with open_house(tables_per_session=200, rate=1000, burst=1000) as house:
        ann = await house.guest("Ann")
        ids = {(await ann.ask("create", name=f"T{number}"))["table"] for number in range(60)}
        await ann.ask("create", name="Secret", public=False)
        first = await ann.ask("lobby")
        assert len(first["tables"]) == 50
        second = await ann.ask("lobby", after=first["next"])
        assert "next" not in second
        assert {row["id"] for row in first["tables"] + second["tables"]} == ids


async def test_subscribers_are_told_of_changes_not_too_often() -> None:
    async with open_house(tables_per_session=50) as house:
        ann, ben = await house.guest("Ann"), await house.guest("Ben")
        await ben.ask("lobby", subscribe=True)
        for number in range(20):
            await ann.ask("create", name=f"T{number}")
        told = 0
        with trio.move_on_after(1):
            while True:
                message = await ben.until("lobby")
                told += 1
        assert len(message["tables"]) == 20
        assert told <= 4
        await ben.ask("lobby", subscribe=False)
        await ann.ask("create", name="Last")
        with trio.move_on_after(0.5):
            await ben.until("lobby")
            pytest.fail("told after unsubscribing")


async def test_talk_in_the_lobby_and_at_a_table() -> None:
    async with open_house() as house:
        table, (ann, ben) = await house.table("Ann", "Ben")
        cem = await house.guest("Cem")
        dan = await house.guest("Dan")
        await cem.ask("say", text="any\u202ebody\x07 here?")
        assert await dan.until("said") == {"t": "said", "from": "Cem", "text": "anybody here?"}
        await ann.ask("say", text="hello", table=table)
        assert (await ben.until("said"))["text"] == "hello"
        assert (await dan.ask("say", text="hello", table=table))["code"] == "not_seated"
        assert (await dan.ask("say", text="\u200b"))["code"] == "bad_message"


async def test_describe_tells_the_catalogue_in_parts() -> None:
    async with open_house() as house:
        ann = await house.guest("Ann")
        parts = (await ann.ask("describe"))["catalogue"]["parts"]
        assert {"messages", "events", "errors", "options", "profiles", "bots"} <= set(parts)
        for part in parts:
            assert (await ann.ask("describe", part=part))["catalogue"]
        assert (await ann.ask("describe", part="nope"))["code"] == "bad_message"


def plant(monkeypatch: pytest.MonkeyPatch, broken: Table) -> None:
    """From now on this table fails at whatever it is told to do; the others do not."""
    whole = Table.do

    def do(table: Table, command: Command, now: float) -> Outcome:
        if table is broken:
            raise RuntimeError("planted")
        return whole(table, command, now)

    monkeypatch.setattr(Table, "do", do)


async def test_a_table_that_fails_is_closed_and_the_others_play_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house() as house:
        table, (ann, ben) = await house.table("Ann", "Ben")
        other, (cem, _) = await house.table("Cem", "Dan")
        broken = house.lobby.hall.places[table].table

        plant(monkeypatch, broken)
        assert (await ann.ask("start", table=table))["code"] == "internal"
        assert "closed after a fault" in (await ben.until("err"))["msg"]
        assert (await ben.ask("ready", table=table))["code"] == "no_such_table"
        assert (await cem.ask("start", table=other))["t"] == "ok"
        assert "planted" in caplog.text
        assert table not in house.lobby.hall.places


async def test_a_fault_in_a_deadline_ends_only_that_table(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house() as house:
        table, (ann, ben) = await house.table("Ann", "Ben", turn_s=1)
        await ann.ask("start", table=table)
        broken = house.lobby.hall.places[table].table
        plant(monkeypatch, broken)
        await ben.until("err", code="internal")
        assert "planted" in caplog.text
        assert (await ann.ask("ping"))["t"] == "ok"


async def test_the_last_one_out_closes_the_table() -> None:
    async with open_house() as house:
        table, (ann,) = await house.table("Ann", bots=["easy"])
        await ann.ask("leave", table=table)
        assert not house.lobby.hall.places
        assert (await ann.ask("lobby"))["tables"] == []


async def test_a_whole_match_of_bots_over_the_network() -> None:
    async with open_house(rate=10_000, burst=10_000) as house:
        table, clients = await house.table("Ann", "Ben", "Cem", bot=True)
        await clients[0].ask("start", table=table)
        over: list[dict[str, Any]] = []

        async def play(client: Client) -> None:
            seq = 0
            while True:
                message = await client.next()
                if message["t"] == "ev":
                    assert seq in (0, message["seq"] - 1)
                    seq = message["seq"]
                    if message["e"]["k"] == "match_over":
                        over.append(message)
                        return
                elif message["t"] == "turn":
                    assert message["seq"] == seq
                    client.id += 1
                    await client.send(t="act", id=client.id, table=table, turn=message["turn"], do=message["legal"][0])

        async with trio.open_nursery() as nursery:
            for client in clients:
                nursery.start_soon(play, client)
        assert len(over) == 3
        assert over[0] == over[1] == over[2]


async def test_tables_of_house_bots_starve_nobody() -> None:
    async with open_house(tables_per_session=100, rate=10_000, burst=10_000) as house:
        ann = await house.guest("Ann", bot=True)
        for number in range(20):
            options = {"target_score": 10_000}
            made = await ann.ask("create", name=f"T{number}", bots=["easy"] * 3, options=options, profile="classic")
            await ann.ask("auto", table=made["table"], on=True)
            await ann.ask("start", table=made["table"])
        ben = await house.guest("Ben")
        slowest = 0.0
        for _ in range(30):
            before = trio.current_time()
            await ben.ask("ping")
            slowest = max(slowest, trio.current_time() - before)
        assert slowest < 2.0, "nobody waits for a search"
