"""The list of servers: merging, order of addresses, bounds; probing over loopback; what cannot work is silent."""

from __future__ import annotations

import logging
import socket
import sys

import pytest
import trio
import trio.testing
from msgspec import structs

from una_client.finder import MAX_ADDRESSES, MAX_SERVERS, MISSED, SWEEP_S, Finder, Found, open_finder
from una_client.servers import as_map, list_servers, nothing, table
from una_protocol.beacon import Beacon, decode_probe, encode_beacon

KITCHEN = Beacon(id="k1", name="Kitchen", port=4820, proto=(1,), players=3, tables=1)


async def test_both_ways_give_one_server_whose_proven_addresses_come_first() -> None:
    finder = Finder()
    finder.announced(KITCHEN, ["fe80::1%lo", "10.0.0.1", "192.0.2.9"])
    finder.answered(KITCHEN, "127.0.0.1")
    finder.answered(structs.replace(KITCHEN, players=4), "192.0.2.1")
    (found,) = finder.servers.values()
    assert found.addresses == ("192.0.2.1", "127.0.0.1", "10.0.0.1", "192.0.2.9", "fe80::1%lo")
    assert found.address == "192.0.2.1"
    assert found.players == 4
    assert await anext(aiter(finder)) == found, "changes that nobody has read are one"


async def test_a_change_wakes_the_reader() -> None:
    finder = Finder()
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def reader() -> None:
            async for found in finder:
                if found.gone:
                    break

        await trio.testing.wait_all_tasks_blocked()
        finder.announced(KITCHEN, ["192.0.2.1"])
        await trio.testing.wait_all_tasks_blocked()
        finder.left(KITCHEN)


async def test_nobody_moves_a_server_to_another_port_by_its_id() -> None:
    finder = Finder()
    finder.answered(KITCHEN, "192.0.2.1")
    finder.answered(structs.replace(KITCHEN, port=6666), "192.0.2.66")
    assert [found.address for found in finder.servers.values()] == ["192.0.2.1", "192.0.2.66:6666"]


async def test_a_crowd_of_false_servers_takes_no_memory() -> None:
    finder = Finder()
    for number in range(2 * MAX_SERVERS):
        finder.answered(structs.replace(KITCHEN, id=f"k{number}"), "192.0.2.1")
        finder.answered(KITCHEN, f"10.0.{number // 256}.{number % 256}")
    assert len(finder.servers) == MAX_SERVERS
    assert all(len(found.addresses) <= MAX_ADDRESSES for found in finder.servers.values())
    assert max(map(len, finder._proven.values())) <= MAX_ADDRESSES


def found(**changes: object) -> Found:
    kitchen = Found(
        id="k1", name="Kitchen", addresses=("192.0.2.1",), port=4820, players=1, tables=2, password=False,
        majors=(1,), server="una/0.1", last_seen=0.0, answers=True,
    )  # fmt: skip
    return structs.replace(kitchen, **changes)


def test_a_server_that_answered_and_does_not_any_more_is_silent() -> None:
    late = MISSED * SWEEP_S + 0.1
    assert not found().silent(late - 0.2)
    assert found().silent(late)
    assert not found(answers=False).silent(late), "mDNS speaks only when something changes"
    assert found(answers=False, gone=True).silent(0.0)


def test_the_list_says_what_does_not_fit_rather_than_hiding_it() -> None:
    lines = table(
        [
            found(password=True),
            found(name="Küche 厨", port=5000, players=2, tables=1),
            found(name="Old", majors=(0,)),
            found(name="New", majors=(2, 3)),
        ]
    )
    assert lines == [
        "Kitchen   192.0.2.1       1 player, 2 tables, password needed",
        "Küche 厨  192.0.2.1:5000  2 players, 1 table",
        "Old       192.0.2.1       1 player, 2 tables, too old for this client: it needs an update",
        "New       192.0.2.1       1 player, 2 tables, too new for this client: update una",
        "",
        "To play there:  una join 192.0.2.1",
    ]
    assert as_map(found(majors=(2,)))["fits"] == "too_new"


def test_nothing_found_is_explained() -> None:
    text = nothing(2.0, 5000)
    assert "within 2 seconds" in text
    assert "UDP port 5000" in text
    assert "una join HOST" in text


# -- over loopback -----------------------------------------------------------------------------------------------


async def test_only_an_answer_to_our_own_probe_counts() -> None:
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as liar:
        await liar.bind(("127.0.0.1", 0))
        port = liar.getsockname()[1]
        with trio.fail_after(10):
            async with open_finder(port, mdns=False) as finder:
                datagram, client = await liar.recvfrom(2048)
                probe = decode_probe(datagram)
                assert probe is not None
                beacons = [
                    Beacon(re=(probe.nonce + 1) % 2**53, id="forged", name="Forged", port=port, proto=(1,)),
                    Beacon(re=probe.nonce, id="honest", name="Hon\x1b[2Jest", port=port, proto=(1,)),
                ]
                await liar.sendto(b"una!garbage", client)
                for beacon in beacons:
                    await liar.sendto(encode_beacon(beacon), client)
                first = await anext(finder)
                assert (first.id, first.name) == ("honest", "Hon[2Jest")
                assert len(finder.servers) == 1
                await liar.recvfrom(2048)  # the next round comes


def test_without_zeroconf_and_without_servers_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    caplog.set_level(logging.INFO, "una_client")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        assert list_servers(0.3, silent.getsockname()[1], True) == 1
    out, err = capsys.readouterr()
    assert out.strip() == "[]"
    assert "una join HOST" in err
    assert "zeroconf is not installed" in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_without_any_network_nothing_is_found_and_nothing_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("ifaddr.get_adapters", broken)
    monkeypatch.setattr("una_client.probing._Mouth", broken)
    with trio.fail_after(5):
        async with open_finder(4820, mdns=False) as finder:
            await trio.sleep(0.01)
            assert not finder.servers
