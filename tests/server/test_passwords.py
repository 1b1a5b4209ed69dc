"""Passwords of tables: kept as hashes only, looked at by threads, while everybody else plays on."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.server.house import open_house
from una_server import lobby, passwords


def test_what_is_stored_does_not_show_the_password() -> None:
    stored = passwords.hashed("sesame")
    assert "sesame" not in stored
    assert stored != passwords.hashed("sesame")
    assert len(stored) <= 128
    assert passwords.fits(stored, "sesame")
    assert not passwords.fits(stored, "Sesame")
    assert not passwords.fits(stored, "")


async def test_a_guest_who_waits_for_a_password_holds_up_nobody() -> None:
    async with open_house() as house:
        table, (ann,) = await house.table("Ann", password="sesame")
        assert house.lobby.hall.places[table].table.settings.password is not None
        ben = await house.guest("Ben")
        await ben.send(t="join", id=50, table=table, password="sesame")
        await ben.send(t="join", id=51, table=table, password="sesame")
        await ben.send(t="ping", id=52)
        await ben.send(t="join", id=50, table=table, password="sesame")  # once more: it is still being answered
        answers: list[tuple[int, str, str | None]] = []
        while len(answers) < 3:
            message = await ben.next()
            if message["t"] in ("ok", "err"):
                answers.append((message["re"], message["t"], message.get("code")))
        assert answers == [(51, "err", "too_fast"), (52, "ok", None), (50, "ok", None)]
        await ann.event("joined")


async def test_whoever_is_gone_before_the_answer_is_lost_at_the_table() -> None:
    async with open_house() as house:
        table, (ann,) = await house.table("Ann", password="sesame")
        ben = await house.guest("Ben")
        await ben.send(t="join", id=50, table=table, password="sesame")
        await ben.close()
        assert (await ann.event("joined"))["e"]["name"] == "Ben"
        assert (await ann.event("lost"))["e"]["seat"] == 1
        back = await house.connect()
        assert (await back.hello("Ben", resume={"session": ben.session}))["seats"]
        await back.send(t="join", id=50, table=table, password="sesame")
        assert (await back.until("ok", re=50))["seat"] == 1


async def test_a_table_that_is_closed_meanwhile() -> None:
    async with open_house() as house:
        table, (ann,) = await house.table("Ann", password="sesame")
        ben = await house.guest("Ben")
        await ben.send(t="join", id=50, table=table, password="sesame")
        await ann.ask("leave", table=table)
        assert (await ben.until("err", re=50))["code"] == "no_such_table"


async def test_so_many_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "WAITING", 1)
    started: list[Any] = []
    queue = passwords.HashQueue()
    assert queue.put(lambda: 7, lambda result, now: started.append(result))
    assert not queue.put(lambda: 8, lambda result, now: started.append(result))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(queue.run, lambda now: nursery.cancel_scope.cancel())
    assert started == [7]


async def test_an_address_may_try_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "is_loopback", lambda peer: False)
    async with open_house(tries=2, tables_per_session=8) as house:
        table, (ann,) = await house.table("Ann", password="sesame")
        ben = await house.guest("Ben")
        codes = [(await ben.ask("join", table=table, password=word))["code"] for word in ("a", "b", "sesame")]
        assert codes == ["wrong_password", "wrong_password", "too_fast"]
        answers = [await ann.ask("create", name=f"Table {n}", password="sesame") for n in range(5)]
        assert [answer["t"] for answer in answers] == ["ok", "ok", "ok", "err", "err"]  # six hashes in all
        assert answers[-1]["code"] == "too_fast"
        assert answers[-1]["after_ms"] > 1000
        assert (await ann.ask("create", name="Without"))["t"] == "ok"
