"""Bans: what they stand for, whom they send away and keep out, how long they last."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from tests.server.care import Care, Start
from tests.server.house import open_house, until
from tests.server.memory import MemoryTransport
from una_server.bans import Bans, network_of


@pytest.fixture
def care(start_server: Start, tmp_path: Path) -> Care:
    return Care(start_server, tmp_path)


async def test_a_ban_ends_connections_and_keeps_others_out() -> None:
    async with open_house() as house, trio.open_nursery() as nursery:
        token = house.host.admin_token
        far = MemoryTransport("2001:db8::7")
        nursery.start_soon(house.host.port.serve, far)
        far.say(t="hello", id=1, proto=[1], name="Far")
        desk = await house.connect()
        await until(lambda: house.lobby.book.by_key)
        asked = {"id": 5, "token": token, "address": "2001:db8::1"}
        await desk.send(t="admin", do="ban", seconds=60, **asked)
        assert (await desk.next())["n"] == 1
        await desk.send(t="admin", do="list", what="bans", **asked)
        [ban] = (await desk.next())["bans"]
        assert ban["address"] == "2001:db8::/64"
        assert 50 <= ban["seconds"] <= 60
        assert far.messages()[-1]["code"] == "kicked"
        assert not house.lobby.book.by_key
        again = MemoryTransport("2001:db8::9")
        nursery.start_soon(house.host.port.serve, again)
        await until(lambda: again.ended)
        assert [message["code"] for message in again.messages()] == ["kicked"]
        await desk.send(t="admin", do="unban", **asked)
        assert (await desk.next())["t"] == "ok"
        third = MemoryTransport("2001:db8::9")
        nursery.start_soon(house.host.port.serve, third)
        third.say(t="hello", id=1, proto=[1], name="Far")
        await until(lambda: third.sent)
        assert third.messages()[0]["t"] == "welcome"
        nursery.cancel_scope.cancel()


def test_bans_outlive_a_server_with_a_database(start_server: Start, tmp_path: Path) -> None:
    data = ["--data", str(tmp_path / "una.db")]
    care = Care(start_server, tmp_path, *data)
    care.do("ban", "192.0.2.7")
    care.do("ban", "192.0.2.8", "--for", "3600")
    care.do("ban", "192.0.2.9")
    care.do("unban", "192.0.2.9")
    care.do("shutdown")
    assert care.server.process.wait(6) == 0
    output = Care(start_server, tmp_path, *data).do("list").output
    assert "192.0.2.7  banned\n192.0.2.8  banned for 3" in output
    assert "2 bans" in output


def test_bans_by_the_command_line(care: Care) -> None:
    care.do("ban", "192.0.2.7", "--for", "60")
    care.do("ban", "2001:db8::5")
    output = care.do("list").output
    assert "192.0.2.7  banned for 60 s" in output or "192.0.2.7  banned for 59 s" in output
    assert "2001:db8::/64  banned\n" in output
    care.do("unban", "2001:db8::/64")
    assert care.run("unban", "2001:db8::5").output == "This address is not banned.\n"
    assert care.run("ban", "nonsense").output == "This is no IP address.\n"
    assert "cannot be banned" in care.run("ban", "127.0.0.1").output
    assert "cannot be banned" in care.run("ban", "::1").output


def test_what_is_banned_for_an_address() -> None:
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2::/64") == "2001:db8:1:2::/64"
    assert network_of("fe80::1%eth0") == "fe80::/64"


def test_a_ban_ends_by_itself() -> None:
    bans = Bans()
    bans.add("192.0.2.7", 10.0)
    bans.add("192.0.2.8", None)
    assert bans.holds("192.0.2.7", 9.0)
    assert not bans.holds("192.0.2.7", 10.0)
    assert bans.holds("192.0.2.8", 1e9)
    assert bans.all(11.0) == [("192.0.2.8", None)]
    assert bans.forget(11.0) == ["192.0.2.7"]
    assert bans.lift("192.0.2.8")
    assert not bans.lift("192.0.2.8")
