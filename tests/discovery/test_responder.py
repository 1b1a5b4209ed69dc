"""Answering probes: which are answered, how often, and that nothing that goes wrong is more than a line of the log."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from una_client.finder import open_finder
from una_protocol.beacon import GROUP, PROBE_SIZE, Beacon, Probe, decode_beacon, encode_probe
from una_server.announce import ADDRESSES_KEPT, IN_ALL, PER_ADDRESS, Announcer, Responder, Status, broadcast_of

KITCHEN = Status("Kitchen", players=3, tables=1, password=True)


def responder() -> Responder:
    return Responder(lambda nonce: Beacon(re=nonce, id="k1", name="Kitchen", port=4820, proto=(1,)))


# -- without sockets ---------------------------------------------------------------------------------------------


def test_a_probe_is_answered_with_its_nonce_by_no_more_bytes() -> None:
    probe = encode_probe(Probe(7))
    answer = responder().answer(probe, "192.0.2.1", 0.0)
    assert answer is not None
    assert len(answer) <= len(probe)
    beacon = decode_beacon(answer)
    assert beacon is not None
    assert beacon.re == 7


@pytest.mark.parametrize(
    "datagram",
    [b"", b"una?", bytes(PROBE_SIZE), encode_probe(Probe(7))[:-1], b"una!" + encode_probe(Probe(7))[4:], b"x" * 2048],
    ids=["empty", "magic", "zeros", "short", "beacon", "long"],
)
def test_anything_else_is_not(datagram: bytes) -> None:
    assert responder().answer(datagram, "192.0.2.1", 0.0) is None


def test_one_address_gets_so_many_answers_and_others_theirs() -> None:
    who, probe = responder(), encode_probe(Probe(7))
    rate, burst = PER_ADDRESS
    assert sum(who.answer(probe, "192.0.2.1", 0.0) is not None for _ in range(3 * burst)) in (burst - 1, burst)
    assert who.answer(probe, "192.0.2.2", 0.0) is not None
    assert sum(who.answer(probe, "192.0.2.1", 1.01) is not None for _ in range(burst)) in (rate, rate + 1)


def test_many_addresses_together_get_so_many_answers_and_are_forgotten_again() -> None:
    who, probe = responder(), encode_probe(Probe(7))
    rate, burst = IN_ALL
    answered = 0
    for i in range(20_000):  # a thousand forged addresses a second
        answered += who.answer(probe, f"10.0.{i // 256}.{i % 256}", i / 1000) is not None
        assert len(who._paces) <= ADDRESSES_KEPT
    assert answered <= burst + 20 * rate
    assert who.answer(probe, "192.0.2.1", 30.0) is not None


# -- over loopback -----------------------------------------------------------------------------------------------


@asynccontextmanager
async def announcing(host: str = "127.0.0.1") -> AsyncIterator[tuple[str, int]]:
    """An announcer beside a game's socket on a free port."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as game:
        game.bind((host, 0))
        address = (host, int(game.getsockname()[1]))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Announcer([address], lambda: KITCHEN).run)
            await trio.testing.wait_all_tasks_blocked()
            yield address
            nursery.cancel_scope.cancel()


async def ask(address: tuple[str, int], *datagrams: bytes) -> Beacon:
    """The first answer to these datagrams."""
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with trio.socket.socket(family, socket.SOCK_DGRAM) as sock, trio.fail_after(5):
        await sock.connect(address)
        for datagram in datagrams:
            await sock.send(datagram)
        beacon = decode_beacon(await sock.recv(2048))
        assert beacon is not None
        return beacon


async def test_a_server_says_what_it_is() -> None:
    async with announcing() as address:
        beacon = await ask(address, encode_probe(Probe(7, (99,))))
    assert beacon.re == 7
    assert (beacon.name, beacon.players, beacon.tables, beacon.password) == ("Kitchen", 3, 1, True)
    assert beacon.port == address[1]
    assert beacon.proto == (1,)


async def test_short_probes_and_garbage_get_nothing_and_do_no_harm() -> None:
    async with announcing() as address:
        # datagrams on loopback arrive in order: if one of the first were answered, its answer would be the first
        beacon = await ask(address, b"", b"GET /", encode_probe(Probe(1))[:-1], bytes(8000), encode_probe(Probe(2)))
    assert beacon.re == 2


async def test_a_flood_is_not_answered() -> None:
    async with announcing() as address:
        with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            await sock.connect(address)
            for nonce in range(100):
                await sock.send(encode_probe(Probe(nonce)))
            answers = 0
            with trio.move_on_after(0.3):
                while True:
                    await sock.recv(2048)
                    answers += 1
    assert 1 <= answers <= PER_ADDRESS[1] + 20  # hundred would take sixteen seconds


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
async def test_a_server_on_all_addresses_is_found_without_mdns(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    try:
        async with announcing(host) as (_, port), open_finder(port, mdns=False) as finder:
            with trio.fail_after(5):
                found = await anext(finder)
            assert (found.name, found.port, found.answers) == ("Kitchen", port, True)
    except OSError as error:
        pytest.skip(f"no IPv6: {error}")


def test_the_broadcast_address_is_that_of_the_interface() -> None:
    assert broadcast_of("127.0.0.1") == "127.255.255.255"
    assert broadcast_of("203.0.113.77") is None


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
async def test_ipv6_too() -> None:
    try:
        async with announcing("::1") as address:
            assert (await ask(address, encode_probe(Probe(7)))).re == 7
    except OSError as error:
        pytest.skip(f"no IPv6: {error}")


def test_the_group_is_of_one_link_and_nobodys() -> None:
    assert socket.inet_pton(socket.AF_INET6, GROUP)[:2] == b"\xff\x12"
    assert socket.inet_pton(socket.AF_INET6, GROUP).endswith(b"una")


async def test_a_taken_udp_port_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        with trio.fail_after(5):  # there is nothing else to do, so it returns
            await Announcer([("127.0.0.1", other.getsockname()[1])], lambda: KITCHEN).run()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "probes are not answered" in caplog.text


async def test_a_fault_of_ours_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    states: Iterator[Status | Exception] = iter([ZeroDivisionError("planted"), KITCHEN])

    def status() -> Status:
        state = next(states)
        if isinstance(state, Exception):
            raise state
        return state

    with socket.socket(socket.AF_INET) as game:
        game.bind(("127.0.0.1", 0))
        address = ("127.0.0.1", int(game.getsockname()[1]))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Announcer([address], status).run)
            await trio.testing.wait_all_tasks_blocked()
            beacon = await ask(address, encode_probe(Probe(1)), encode_probe(Probe(2)))
            nursery.cancel_scope.cancel()
    assert beacon.re == 2
    assert "planted" in caplog.text
