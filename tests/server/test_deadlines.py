"""Everything that waits, on a clock that jumps: hello, frames, silence, pings, slow readers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgpack
import trio
import trio.testing

from tests.server.memory import MemoryTransport
from una_protocol.messages import Limits as Told
from una_server.door import House, doors
from una_server.lobby import Lobby
from una_server.net.limits import Limits
from una_server.net.port import CARETAKERS, Port
from una_server.rooms import Rooms
from una_server.seeds import NumberedSeeds


@asynccontextmanager
async def open_port(**limits: float) -> AsyncIterator[tuple[Port, trio.Nursery]]:
    lobby = Lobby(Rooms(), NumberedSeeds(1))
    set_limits = Limits(**limits)  # type: ignore[arg-type]
    house = House("una/test", Told(65536, 50, 100), set_limits.keepalive_s, 60)
    port = Port(set_limits, doors(lobby, house))
    async with trio.open_nursery() as nursery:
        await nursery.start(port.run)
        yield port, nursery
        nursery.cancel_scope.cancel()


def hello(name: str = "Ann") -> dict[str, object]:
    return {"t": "hello", "id": 1, "proto": [1], "name": name}


async def test_a_hello_must_come_in_time(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port() as (port, nursery):
        transport = MemoryTransport()
        nursery.start_soon(port.serve, transport)
        await trio.sleep(4)
        assert not transport.closed
        await trio.sleep(3)
        assert transport.closed
        assert [message["code"] for message in transport.messages()] == ["not_hello", "not_hello"]


async def test_the_rest_of_a_frame_must_follow_in_time(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port() as (port, nursery):
        transport = MemoryTransport()
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        await trio.sleep(1)
        transport.feed(b"\0\0\0\x20abc")
        for _ in range(4):
            await trio.sleep(1)
            transport.feed(b"d")  # drop by drop does not help
        assert not transport.closed
        await trio.sleep(3)
        assert transport.closed
        assert [message["t"] for message in transport.messages()] == ["welcome", "err", "bye"]


async def test_frames_that_overlap_chunks_are_no_late_frames(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port() as (port, nursery):
        transport = MemoryTransport()
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        transport.feed(b"\0\0\0")
        for id_ in range(2, 12):
            await trio.sleep(1)
            body = msgpack.packb({"t": "ping", "id": id_})
            transport.feed(bytes([len(body)]) + body + b"\0\0\0")
        await trio.sleep(1)
        assert not transport.closed
        assert transport.messages()[-1] == {"t": "ok", "re": 11}


async def test_silence_is_pinged_and_then_ended(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port(keepalive_s=15) as (port, nursery):
        transport = MemoryTransport()
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        await trio.sleep(15.1)
        assert transport.messages()[-1] == {"t": "ping"}
        transport.say(t="pong")
        await trio.sleep(36)
        assert not transport.closed
        await trio.sleep(5)
        assert transport.closed
        assert transport.messages()[-1]["code"] == "silent"
        assert transport.messages()[-1]["reconnect"]


async def test_something_is_sent_at_least_every_keepalive(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port(keepalive_s=2) as (port, nursery):
        transport = MemoryTransport()
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        for _ in range(10):
            before = len(transport.sent)
            await trio.sleep(2)
            assert len(transport.sent) > before
            transport.say(t="pong")


async def test_a_reader_that_stands_still_is_cut(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port(keepalive_s=60) as (port, nursery):
        transport = MemoryTransport(room=100)
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        await trio.sleep(5)
        assert not transport.closed
        await trio.sleep(8)
        assert transport.closed


async def test_what_waits_is_bounded_and_ends_with_a_whole_frame_and_bye(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_port(outbox_frames=8) as (port, nursery):
        transport = MemoryTransport(room=400)
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        for id_ in range(2, 40):
            transport.say(t="ping", id=id_)
            await trio.testing.wait_all_tasks_blocked()
        transport.make_room(1 << 20)
        await trio.sleep(2)
        assert transport.closed
        assert not port.links
        messages = transport.messages()  # no frame is torn
        assert messages[-1]["t"] == "bye"
        assert (messages[-1]["code"], messages[-1]["reconnect"]) == ("slow", True)
        assert len(messages) < 38


async def test_a_slow_reader_that_reads_gets_everything_in_order(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port() as (port, nursery):
        transport = MemoryTransport(room=300)
        nursery.start_soon(port.serve, transport)
        transport.say(**hello())
        for id_ in range(2, 30):
            transport.say(t="ping", id=id_)
        for _ in range(200):
            transport.make_room(7)
            await trio.sleep(0.01)
        answers = [message["re"] for message in transport.messages() if message["t"] == "ok"]
        assert answers == list(range(2, 30))


async def test_the_polite_end_takes_a_second_at_most(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port() as (port, nursery):
        transport = MemoryTransport()
        transport.end_writing = lambda: setattr(transport, "ended", True)  # type: ignore[method-assign]
        nursery.start_soon(port.serve, transport)
        transport.feed(b"GET / HTTP/1.1\r\n\r\n")
        await trio.sleep(0.5)
        assert transport.ended
        assert not transport.closed
        await trio.sleep(0.6)
        assert transport.closed


async def test_limits_by_address_spare_this_machine(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port(connections_per_address=2) as (port, nursery):
        far = [MemoryTransport() for _ in range(3)]
        near = [MemoryTransport(peer) for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.1") for _ in range(3)]
        for transport in [*far, *near]:
            nursery.start_soon(port.serve, transport)
        await trio.sleep(1)
        assert [transport.closed for transport in far].count(True) == 1
        assert not any(transport.closed for transport in near)
        told = [message["code"] for transport in far for message in transport.messages()]
        assert told == ["full"]


async def test_few_of_one_address_may_be_silent(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port(strangers_per_address=2) as (port, nursery):
        far = [MemoryTransport() for _ in range(3)]
        for transport in [*far, MemoryTransport("192.0.2.8")]:
            nursery.start_soon(port.serve, transport)
        await trio.sleep(1.5)
        assert sorted(transport.closed for transport in far) == [False, False, True]
        assert len(port.links) == 3


async def test_the_house_has_room_for_so_many(autojump_clock: trio.testing.MockClock) -> None:
    async with open_port(connections=2) as (port, nursery):
        transports = [MemoryTransport("::1") for _ in range(80)]
        for transport in transports:
            nursery.start_soon(port.serve, transport)
        await trio.sleep(2)
        assert sum(not transport.closed for transport in transports) == 2 + CARETAKERS
        assert len(port.links) == 2 + CARETAKERS
        assert sum(link.spare for link in port.links) == CARETAKERS
