"""The outbox under any way of sending, the pace, and a transport that is closed."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from una_server.net.outbox import Outbox
from una_server.net.pace import Pace, Tries
from una_server.net.transport import SocketTransport, is_loopback

FRAMES = st.lists(st.binary(min_size=1, max_size=9), min_size=1, max_size=12)


@given(FRAMES, st.lists(st.integers(0, 12), max_size=60))
def test_any_way_of_sending_keeps_the_bytes(frames: list[bytes], steps: list[int]) -> None:
    box = Outbox()
    box.frames += frames
    sent = b""
    for step in steps:
        data = box.joined()
        assert box.size == len(data)
        count = min(step, len(data))
        sent += data[:count]
        box.sent(count)
    assert sent + box.joined() == b"".join(frames)


@given(FRAMES, st.integers(0, 100))
def test_a_cut_leaves_whole_frames_only(frames: list[bytes], count: int) -> None:
    box = Outbox()
    box.frames += [bytes([len(frame)]) + frame for frame in frames]
    count = min(count, box.size)
    sent = box.joined()[:count]
    box.sent(count)
    box.cut_to(b"\x03bye")
    stream, whole = sent + box.joined(), []
    while stream:
        whole.append(stream[1 : 1 + stream[0]])
        stream = stream[1 + stream[0] :]
    assert whole == [*frames[: len(whole) - 1], b"bye"]


def test_a_pace_allows_a_burst_and_then_a_rate() -> None:
    pace = Pace(10, 5)
    assert [pace.take(100.0) for _ in range(6)] == [True] * 5 + [False]
    assert 99 <= pace.wait_ms(100.0) <= 102
    assert pace.take(100.11)
    assert not pace.take(100.11)
    assert [pace.take(200.0) for _ in range(6)] == [True] * 5 + [False]


def test_tries_are_counted_by_address() -> None:
    tries = Tries(3, 600)
    for _ in range(3):
        assert tries.wait_ms("192.0.2.1", 10.0) == 0
        tries.failed("192.0.2.1", 10.0)
    assert tries.wait_ms("192.0.2.1", 10.0) > 100_000
    assert tries.wait_ms("192.0.2.2", 10.0) == 0
    assert tries.wait_ms("192.0.2.1", 700.0) == 0


def test_addresses_of_this_machine() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1")))
    assert not any(map(is_loopback, ("192.0.2.1", "::", "fe80::1%eth0", "nonsense")))


async def test_a_closed_transport_wakes_who_waits_and_nobody_waits_any_more() -> None:
    ours, theirs = socket.socketpair()
    with theirs, trio.fail_after(5):
        transport = SocketTransport(ours, "127.0.0.1")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_closes_at_last, transport.wait_readable)
            await trio.testing.wait_all_tasks_blocked()
            transport.close()
        transport.close()
        transport.end_writing()
        await _closes_at_last(transport.wait_readable)
        await _closes_at_last(transport.wait_writable)


async def _closes_at_last(wait: Callable[[], Awaitable[None]]) -> None:
    with pytest.raises(trio.ClosedResourceError):
        await wait()
