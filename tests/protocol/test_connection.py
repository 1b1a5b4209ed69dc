"""Which message may come when, and what is answered; a client and a server object back to back."""

from __future__ import annotations

import pytest
from msgspec import Struct

from una_protocol import messages as m
from una_protocol.codec import decode_answer, encode
from una_protocol.connection import ClientConnection, Problem, ServerConnection, State
from una_protocol.framing import FrameReader, NotUna, TooBig, plain_text_hint

HELLO = m.Hello(1, [1], "Ann")
WELCOME = m.Welcome(1, 1, 0, "una/0", "s", False, [], 0, m.Limits(65536, 50, 100), 15, 60, [])


def sent_by(problem: object) -> list[object]:
    """The messages that a server would send for a problem."""
    assert isinstance(problem, Problem)
    return [decode_answer(body) for body in FrameReader(m.FRAME_TO_CLIENT).feed(problem.send)]


def open_pair() -> tuple[ClientConnection, ServerConnection]:
    client, server = ClientConnection(), ServerConnection()
    assert list(server.receive(client.hello(HELLO))) == [HELLO]
    server.accept()
    assert list(client.receive(encode(WELCOME))) == [WELCOME]
    return client, server


def test_hello_welcome_request_answer_bye() -> None:
    client, server = open_pair()
    assert (client.state, server.state, server.proto) == (State.OPEN, State.OPEN, 1)
    assert client.welcome == WELCOME
    assert list(server.receive(client.request(m.Ping(2)))) == [m.Ping(2)]
    assert list(client.receive(encode(m.Ok(2)))) == [m.Ok(2)]
    bye = m.Bye("kicked", "", reconnect=False)
    assert list(client.receive(encode(bye) + encode(m.Ok(3)))) == [bye]
    assert client.state is State.CLOSED
    with pytest.raises(ValueError, match="not open"):
        client.request(m.Ping(3))


def test_a_refused_hello_may_be_followed_by_another() -> None:
    client, server = ClientConnection(), ServerConnection()
    for _ in range(2):
        assert list(server.receive(client.hello(HELLO))) == [HELLO]
        server.refuse()
        err = m.Err("name_taken", "", "no", re=1)
        assert list(client.receive(encode(err))) == [err]
        assert (client.state, server.state) == (State.HELLO, State.HELLO)


def test_requests_sent_together_with_the_hello_come_after_it() -> None:
    server, got = ServerConnection(), []
    for item in server.receive(encode(HELLO) + encode(m.Ping(2))):
        got.append(item)
        server.accept()
    assert got == [HELLO, m.Ping(2)]


@pytest.mark.parametrize("first", [m.Ping(5), m.Lobby(5), m.Join(5, "k3f")])
def test_only_a_hello_may_come_first(first: Struct) -> None:
    server = ServerConnection()
    [problem] = server.receive(encode(first))
    [err] = sent_by(problem)
    assert isinstance(err, m.Err)
    assert (err.code, err.re, problem.close) == ("not_hello", 5, False)  # type: ignore[union-attr]
    assert list(server.receive(encode(HELLO))) == [HELLO]


def test_a_second_hello_is_refused() -> None:
    _, server = open_pair()
    [problem] = server.receive(encode(HELLO))
    assert isinstance(problem, Problem)
    assert (problem.code, server.state) == ("not_hello", State.OPEN)


def test_no_common_major() -> None:
    server = ServerConnection()
    [problem] = server.receive(encode(m.Hello(3, [7, 2], "Ann")))
    err, bye = sent_by(problem)
    assert isinstance(err, m.Err)
    assert isinstance(bye, m.Bye)
    assert (err.code, err.re, err.supported, bye.reconnect) == ("proto_unsupported", 3, [1], False)
    assert server.state is State.CLOSED
    assert list(server.receive(encode(HELLO))) == []


def test_a_malformed_message_is_answered_and_the_connection_stays() -> None:
    _, server = open_pair()
    bad = encode(m.Join(7, "k3f", seat=2)).replace(b"\xa4seat\x02", b"\xa4seat\x63")
    problem, ping = server.receive(bad + encode(m.Ping(8)))
    [err] = sent_by(problem)
    assert err == m.Err("bad_message", "Expected `int` <= 9", "no", re=7, at="$.seat")
    assert ping == m.Ping(8)


def test_a_broken_frame_is_answered_and_ends_it() -> None:
    _, server = open_pair()
    [problem] = server.receive(b"\0\0\0\x01\xc1" + encode(m.Ping(8)))
    err, bye = sent_by(problem)
    assert isinstance(err, m.Err)
    assert isinstance(bye, m.Bye)
    assert err.code == bye.code == "bad_frame"
    assert list(server.receive(encode(m.Ping(8)))) == []


def test_what_came_before_a_too_long_frame_still_counts() -> None:
    _, server = open_pair()
    ping, problem = server.receive(encode(m.Ping(8)) + b"\0\x01\0\x01")
    assert ping == m.Ping(8)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.close) == ("too_big", True)


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n", b"\x16\x03\x01", b"hello\n"])
def test_who_speaks_something_else_gets_a_line_of_text(data: bytes) -> None:
    [problem] = ServerConnection().receive(data)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.send, problem.close) == ("not_una", plain_text_hint(), True)
    assert plain_text_hint().decode("ascii").strip().isprintable()
    [seen] = ClientConnection().receive(data)
    assert isinstance(seen, Problem)
    assert (seen.code, seen.send, seen.close) == ("not_una", b"", True)


def test_a_client_keeps_the_order_too() -> None:
    client = ClientConnection()
    with pytest.raises(ValueError, match="not open"):
        client.request(m.Ping(1))
    client.hello(HELLO)
    with pytest.raises(ValueError, match="once"):
        client.hello(HELLO)
    [problem] = client.receive(encode(m.Ok(2)))
    assert isinstance(problem, Problem)
    assert (problem.code, problem.close) == ("not_hello", False)
    assert list(client.receive(encode(WELCOME))) == [WELCOME]
    [problem] = client.receive(encode(WELCOME))
    assert isinstance(problem, Problem)
    assert list(client.receive(b"\0\0\0\x08\x81\xa1t\xa4nova")) == []  # a message of a newer minor
    [problem] = client.receive(b"\0\0\0\x01\xc0")
    assert isinstance(problem, Problem)
    assert problem.close


def test_close_ends_what_is_received() -> None:
    client, server = open_pair()
    client.close()
    server.close()
    assert list(client.receive(encode(m.PingNow()))) == []
    assert list(server.receive(b"\0\xff\xff\xff" + b"GET")) == []


def test_a_reader_knows_whether_a_frame_has_begun() -> None:
    reader, frame = FrameReader(100), encode(m.Ping(1))
    assert not reader.in_frame
    for byte in frame[:-1]:
        assert reader.feed(bytes([byte])) == []
        assert reader.in_frame
    assert reader.feed(frame[-1:]) == [frame[4:]]
    assert not reader.in_frame
    assert reader.feed(b"") == []


def test_a_reader_that_has_failed_stays_so() -> None:
    reader = FrameReader(10)
    with pytest.raises(TooBig) as caught:
        reader.feed(b"\0\0\0\x01a\0\0\0\x0b")
    assert caught.value.bodies == [b"a"]
    for data in (b"", b"\0\0\0\x01a"):
        with pytest.raises(TooBig):
            reader.feed(data)
    with pytest.raises(NotUna):
        FrameReader(10).feed(b"\x01")
    reader = FrameReader(10)
    reader.feed(b"\0\0\0\0")
    with pytest.raises(TooBig):  # later in a stream a first byte is only a part of a length
        reader.feed(b"GET ")
