"""The first message, sessions, names: who gets in, as whom, and what comes back after a lost connection."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.server.house import open_house


async def test_welcome_says_what_the_server_takes() -> None:
    async with open_house(rate=70, burst=90) as house:
        client = await house.connect()
        welcome = await client.hello("Ann")
        assert welcome["re"] == 1
        assert (welcome["proto"], welcome["minor"], welcome["resumed"], welcome["last_id"]) == (1, 0, False, 0)
        assert welcome["limits"] == {"frame": 65536, "rate": 70, "burst": 90}
        assert len(welcome["session"]) == 32


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"t": "ping", "id": 1}, "not_hello"),
        ({"t": "hello", "id": 1, "proto": [1]}, "bad_message"),
        ({"t": "hello", "id": 1, "proto": [99], "name": "Ann"}, "proto_unsupported"),
        ({"t": "hello", "id": 1, "proto": [1], "name": "bot-Ada"}, "bad_name"),
        ({"t": "hello", "id": 1, "proto": [1], "name": "\u202eAnn"}, "bad_name"),
        ({"t": "hello", "id": 1, "proto": [1], "name": "Ann", "resume": {"session": "0" * 32}}, "session_gone"),
        ({"t": "hello", "id": 1, "proto": [1], "name": "Ann", "password": "x"}, "wrong_password"),
    ],
)
async def test_refused_hellos(message: dict[str, Any], code: str) -> None:
    settings = {"password": "sesame"} if "password" in message else {}
    async with open_house(settings) as house:
        client = await house.connect()
        await client.send(**message)
        answer = await client.next()
        assert (answer["t"], answer["code"], answer.get("re")) == ("err", code, 1)
        if code == "proto_unsupported":
            assert answer["supported"] == [1]
            assert (await client.next())["t"] == "bye"


async def test_another_hello_may_follow_a_refused_one_but_not_for_ever() -> None:
    async with open_house() as house:
        client = await house.connect()
        assert (await client.hello("bot-x"))["code"] == "bad_name"
        assert (await client.hello("Ann"))["t"] == "welcome"
        other = await house.connect()
        for _ in range(3):
            assert (await other.hello("bot-x"))["t"] == "err"
        assert (await other.next())["t"] == "bye"


async def test_password_of_the_server() -> None:
    async with open_house({"password": "sesame"}) as house:
        assert (await (await house.connect()).hello("Ann", password="sesame"))["t"] == "welcome"


async def test_names_are_unique_by_their_looks_while_somebody_has_them() -> None:
    async with open_house() as house:
        ann = await house.guest("Bill")
        for name in ("Bill", "bill", "Bi11", "BiIl"):
            client = await house.connect()
            assert (await client.hello(name))["code"] == "name_taken"
        await ann.close()
        await trio.sleep(0.05)
        assert (await (await house.connect()).hello("Bill"))["t"] == "welcome"


async def test_a_kept_seat_keeps_the_name_and_nobody_gets_it_by_name() -> None:
    async with open_house() as house:
        table, (_ann, ben) = await house.table("Ann", "Ben")
        await ben.close()
        await trio.sleep(0.05)
        assert (await (await house.connect()).hello("Ben"))["code"] == "name_taken"
        back = await house.connect()
        welcome = await back.hello("Ben", resume={"session": ben.session})
        assert welcome["resumed"]
        assert welcome["seats"] == [{"table": table, "seat": 1}]


async def test_resume_brings_what_was_missed_and_then_the_pending_turn() -> None:
    async with open_house() as house:
        table, clients = await house.table("Ann", "Ben")
        await clients[0].ask("start", table=table)
        seen = (await clients[1].event("turn"))["seq"]
        state = clients[0]
        await clients[1].close()
        await state.event("lost")
        back = await house.connect()
        resume = {"session": clients[1].session, "tables": {table: seen}}
        await back.send(t="hello", id=1, proto=[1], name="Ben", resume=resume)
        await back.until("welcome")
        missed = [await back.next(), await back.next()]
        assert [message["e"]["k"] for message in missed] == ["lost", "back"]
        assert [message["seq"] for message in missed] == [seen + 1, seen + 2]
        # the seat on turn gets its turn again, whoever it is
        ann_back = await house.connect()
        await ann_back.send(t="hello", id=1, proto=[1], name="Ann", resume={"session": state.session})
        await ann_back.until("welcome")
        assert (await ann_back.next())["t"] == "state"
        other = back if (await _turn_seat(house, table)) == 1 else ann_back
        assert (await other.until("turn"))["legal"]


async def _turn_seat(house: Any, table: str) -> int:
    view = house.lobby.hall.places[table].table.view_for("g1", trio.current_time())
    assert view.turn_seat is not None
    return int(view.turn_seat)


async def test_a_resumed_seq_that_never_was_gets_a_state() -> None:
    async with open_house() as house:
        table, (_, ben) = await house.table("Ann", "Ben")
        await ben.close()
        back = await house.connect()
        resume = {"session": ben.session, "tables": {table: 99_999}}
        await back.send(t="hello", id=1, proto=[1], name="Ben", resume=resume)
        await back.until("welcome")
        assert (await back.next())["t"] == "state"


async def test_a_second_login_replaces_the_first() -> None:
    async with open_house() as house:
        table, (ann, ben) = await house.table("Ann", "Ben")
        again = await house.connect()
        assert (await again.hello("Ben", resume={"session": ben.session}))["resumed"]
        bye = await ben.until("bye")
        assert (bye["code"], bye["reconnect"]) == ("replaced", False)
        with pytest.raises(EOFError):
            await ben.next()
        # the seat was never lost
        answer = await ann.ask("state", table=table)
        state = await ann.until("state")
        assert answer["t"] == "ok"
        assert all(player.get("status", "here") == "here" for player in state["players"])


async def test_the_same_id_gets_the_same_answer_and_acts_once() -> None:
    async with open_house() as house:
        ann = await house.guest("Ann")
        await ann.send(t="create", id=5, name="One")
        first = await ann.until("ok")
        await ann.send(t="create", id=5, name="Two")
        assert await ann.until("ok") == first
        await ann.close()
        back = await house.connect()
        welcome = await back.hello("Ann", resume={"session": ann.session})
        assert welcome["last_id"] == 5
        await back.send(t="create", id=5, name="Three")
        assert await back.until("ok") == first
        await back.send(t="ping", id=4)
        assert (await back.until("err"))["code"] == "stale_id"
        assert len(house.lobby.hall.places) == 1


async def test_only_the_last_answers_are_kept() -> None:
    async with open_house() as house:
        ann = await house.guest("Ann")
        for id_ in range(2, 80):
            await ann.send(t="ping", id=id_)
            await ann.until("ok", re=id_)
        await ann.send(t="ping", id=79 - 63)
        assert (await ann.next())["t"] == "ok"
        await ann.send(t="ping", id=79 - 64)
        assert (await ann.next())["code"] == "stale_id"


async def test_sessions_are_forgotten_and_their_seats_left() -> None:
    async with open_house(resume_s=0) as house:
        _, (ann, ben) = await house.table("Ann", "Ben")
        await ben.close()
        await ann.event("lost")
        house.lobby.presence.sweep(trio.current_time() + 1)
        house.host.port.flush()
        assert (await ann.event("left"))["e"]["seat"] == 1
        back = await house.connect()
        assert (await back.hello("Ben", resume={"session": ben.session}))["code"] == "session_gone"


async def test_bots_are_not_let_in_where_nobody_wants_them() -> None:
    async with open_house({"bots": False}) as house:
        client = await house.connect()
        answer = await client.hello("Ann", bot=True)
        assert (answer["code"], answer["retry"]) == ("no_bots", "no")
        assert (await client.hello("Ann"))["t"] == "welcome"
