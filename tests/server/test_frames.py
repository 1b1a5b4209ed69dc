"""What strangers and broken clients send: each gets the answer it deserves, and nobody else notices."""

from __future__ import annotations

import msgpack
import pytest
import trio

from tests.server.house import open_house


def _frame(message: dict[str, object]) -> bytes:
    body = msgpack.packb(message)
    return len(body).to_bytes(4, "big") + bytes(body)


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"hello\r\n"]
)
async def test_other_protocols_get_a_line_of_text(data: bytes) -> None:
    async with open_house() as house:
        client = await house.connect()
        await client.stream.send_all(data)
        line = await client.rest()
        assert line.endswith(b"\r\n")
        assert line.count(b"\n") == 1
        assert b"una" in line


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x00\x01\x00\x01", "too_big"),
        (b"\x00\xff\xff\xff", "too_big"),
        (b"\x00\x00\x00\x01\xc1", "bad_frame"),
        (b"\x00\x00\x00\x01\x90", "bad_frame"),
        (b"\x00\x00\x00\x00", "bad_frame"),
        (b"\x00\x00\x00\x40" + b"\x91" * 64, "bad_frame"),
        (b"\x00\x00\x00\x05\xdd\xff\xff\xff\xff", "bad_frame"),
    ],
)
async def test_broken_frames_are_answered_and_closed(frame: bytes, code: str) -> None:
    async with open_house() as house:
        client = await house.guest("Ann")
        await client.stream.send_all(frame)
        answer, bye = await client.next(), await client.next()
        assert (answer["t"], answer["code"]) == ("err", code)
        assert (bye["t"], bye["code"]) == ("bye", code)
        with pytest.raises(EOFError):
            await client.next()
        assert (await (await house.guest("Ben")).ask("ping"))["t"] == "ok"


async def test_malformed_messages_are_answered_and_the_connection_stays() -> None:
    async with open_house() as house:
        client = await house.guest("Ann")
        assert (await client.ask("dance"))["code"] == "unknown_type"
        answer = await client.ask("join", table=7)
        assert (answer["code"], answer["at"]) == ("bad_message", "$.table")
        assert (await client.ask("hello", proto=[1], name="Ann"))["code"] == "not_hello"
        assert (await client.ask("act", table="none", do={"k": "draw"}))["code"] == "no_such_table"
        assert (await client.ask("ping"))["t"] == "ok"


async def test_frames_may_come_in_any_pieces() -> None:
    async with open_house() as house:
        client = await house.guest("Ann")
        data = b"".join(_frame({"t": "ping", "id": id_}) for id_ in range(2, 12))
        for byte in data[:40]:
            await client.stream.send_all(bytes([byte]))
            await trio.sleep(0.001)
        await client.stream.send_all(data[40:])
        assert [(await client.next())["re"] for _ in range(10)] == list(range(2, 12))


async def test_too_many_messages_are_refused_and_in_the_end_the_sender_is() -> None:
    async with open_house(rate=10, burst=20) as house:
        client = await house.guest("Ann")
        for id_ in range(2, 40):
            await client.send(t="ping", id=id_)
        answers = [await client.next() for _ in range(2, 40)]
        refused = [answer for answer in answers if answer["t"] == "err"]
        assert {answer["code"] for answer in refused} == {"too_fast"}
        assert 15 <= len(refused) <= 20
        assert all(answer["retry"] == "later" and answer["after_ms"] > 0 for answer in refused)
        await trio.sleep(refused[0]["after_ms"] / 1000)
        await client.send(t="ping", id=refused[0]["re"] + 100)
        assert (await client.next())["t"] == "ok"
        await client.stream.send_all(b"".join(_frame({"t": "ping", "id": id_}) for id_ in range(200, 400)))
        assert (await client.until("bye"))["code"] == "too_fast"
        with pytest.raises(EOFError):
            await client.next()


async def test_chat_is_slower() -> None:
    async with open_house(chat_burst=3) as house:
        client = await house.guest("Ann")
        answers = [await client.ask("say", text=f"hi {number}") for number in range(5)]
        assert [answer["t"] for answer in answers] == ["ok", "ok", "ok", "err", "err"]
        assert answers[-1]["code"] == "too_fast"
        assert answers[-1]["after_ms"] > 0


async def test_a_reader_that_does_not_read_delays_nobody() -> None:
    async with open_house(rate=100_000, burst=100_000, outbox_frames=50) as house:
        deaf = await house.guest("Deaf")
        table, (ann, _) = await house.table("Ann", "Ben")
        await deaf.ask("watch", table=table)
        link = next(s.link for s in house.lobby.book.by_key.values() if s.name == "Deaf")
        assert link is not None
        slowest, id_ = 0.0, 10
        while not link.closing:
            id_ += 1
            await deaf.send(t="describe", id=id_, part="messages")
            before = trio.current_time()
            await ann.ask("ping")
            slowest = max(slowest, trio.current_time() - before)
        assert slowest < 2.0, "nobody waits for a slow reader"
        assert (await ann.ask("state", table=table))["t"] == "ok"
