"""The session and the link over real sockets, against a server of a few lines."""

from __future__ import annotations

from typing import Any

import pytest
import trio
import trio.testing

from tests.client.kit import LIMITS, Peer, a_view, an_ev, serving
from una_client import greeting
from una_client import link as link_module
from una_client import session as session_module
from una_client.link import Reconnected, Reconnecting, keep_connected, longest_wait
from una_client.session import Closed, ConnectFailed, Pace, RequestRefused, Resume, SessionLost, connect
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import DRAW


async def test_hello_requests_and_answers() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.welcome()
        assert (hello.name, hello.bot, hello.client, hello.proto) == ("Ann", False, "una-cli/0.1.0", [1])
        first = await peer.take()
        await peer.send(m.Err("no_such_table", "no", "no", re=first.id))
        second = await peer.take()
        assert second.id > first.id
        await peer.send(m.Said("hi", "Bo"), m.Ok(second.id, seat=1), an_ev(5, ev.Passed(1)))
        await peer.take()

    async with serving(script) as port, connect("127.0.0.1", port, "Ann") as session:
        with pytest.raises(RequestRefused) as refused:
            await session.request(m.Join(0, "nope"))
        assert refused.value.err.code == "no_such_table"
        assert (await session.request(m.Join(0, "k3f"))).seat == 1
        assert await session.incoming.receive() == m.Said("hi", "Bo")
        assert await session.incoming.receive() == an_ev(5, ev.Passed(1))
        assert session.resume_data() == Resume("secret", {"k3f": 5})


async def test_what_is_sent_without_waiting_is_answered_in_the_stream() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome(last_id=40)
        act = await peer.take()
        assert act.id == 41
        await peer.send(m.Err("stale_turn", "late", "resync", re=act.id))
        await peer.take()

    async with serving(script) as port, connect("127.0.0.1", port, "Ann") as session:
        assert session.send(m.Act(0, "k3f", DRAW, turn=3)) == 41
        answer = await session.incoming.receive()
        assert isinstance(answer, m.Err)
        assert answer.re == 41


async def test_pings_are_answered_while_the_owner_does_nothing() -> None:
    answered = trio.Event()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(m.PingNow())
        assert isinstance(await peer.take(), m.Pong)
        answered.set()

    async with serving(script) as port, connect("127.0.0.1", port, "Ann"):
        with trio.fail_after(5):
            await answered.wait()


async def test_the_delay_is_that_of_the_last_answer() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for wait in (0.2, 0.0):
            asked = await peer.take()
            await trio.sleep(wait)
            await peer.send(m.PingNow(), m.Ok(asked.id))
            assert isinstance(await peer.take(), m.Pong)
        await peer.take()

    async with serving(script) as port, connect("127.0.0.1", port, "Ann") as session:
        assert session.delay is None
        await session.request(m.Ping(0))
        slow = session.delay
        assert slow is not None
        assert slow >= 0.2
        await session.request(m.Ping(0))
        assert session.delay is not None
        assert session.delay < slow


async def test_the_end_comes_as_the_last_message_and_fails_who_waits() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.take()
        await peer.send(m.Bye("replaced", "elsewhere", reconnect=False))

    async with serving(script) as port, connect("127.0.0.1", port, "Ann") as session:
        with pytest.raises(SessionLost):
            await session.request(m.Ping(0))
        messages = [message async for message in session.incoming]
        assert isinstance(messages[0], m.Bye)
        closed = messages[1]
        assert isinstance(closed, Closed)
        assert (closed.reconnect, closed.reason) == (False, "Your session was taken over by another connection.")
        with pytest.raises(SessionLost):
            await session.request(m.Ping(0))


async def test_silence_ends_the_session() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome(keepalive_s=0)  # taken as a second, so 2.5 s
        await peer.take()

    async with serving(script) as port, connect("127.0.0.1", port, "Ann") as session:
        began = trio.current_time()
        closed = await session.incoming.receive()
        assert isinstance(closed, Closed)
        assert closed.reconnect
        assert 2 < trio.current_time() - began < 4


async def test_garbage_ends_the_session_for_good() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.stream.send_all(b"\x00\x00\x00\x01\xc1")
        await peer.take()

    async with serving(script) as port, connect("127.0.0.1", port, "Ann") as session:
        closed = await session.incoming.receive()
        assert isinstance(closed, Closed)
        assert not closed.reconnect


async def test_what_was_sent_last_still_arrives_and_errors_of_the_block_come_out_plain() -> None:
    got: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        got.append(await peer.take())

    async def leave(port: int) -> None:
        async with connect("127.0.0.1", port, "Ann") as session:
            session.send(m.Leave(0, "k3f"))
            raise KeyError("mine")

    async with serving(script) as port:
        with pytest.raises(KeyError):
            await leave(port)
        await trio.testing.wait_all_tasks_blocked(0.05)
    assert isinstance(got[0], m.Leave)


async def http(peer: Peer) -> None:
    await peer.stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def closes(peer: Peer) -> None:
    await peer.take()


async def full(peer: Peer) -> None:
    await peer.take()
    await peer.send(m.Bye("full", "", reconnect=True))


async def future(peer: Peer) -> None:
    hello = await peer.take()
    await peer.send(m.Err("proto_unsupported", "", "no", re=hello.id, supported=[7, 8]))


async def taken(peer: Peer) -> None:
    hello = await peer.take()
    await peer.send(m.Err("name_taken", "", "no", re=hello.id))


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (http, "What answers at 127.0.0.1:{port} is no una server."),
        (closes, "127.0.0.1:{port} closed the connection at once."),
        (full, "The server is full; try again later."),
        (future, "The server at 127.0.0.1:{port} speaks una protocol 7, 8, this client speaks 1."),
        (taken, "Somebody else has this name, or one that looks like it. Choose another with --name."),
    ],
)
async def test_why_there_is_no_session(script: Any, sentence: str) -> None:
    async with serving(script) as port:
        with pytest.raises(ConnectFailed) as failed:
            async with connect("127.0.0.1", port, "Ann"):
                pass
        assert str(failed.value) == sentence.format(port=port)


async def test_what_says_nothing_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greeting, "GREETING_S", 0.2)

    async def silent(peer: Peer) -> None:
        await peer.take()
        await peer.take()

    async with serving(silent) as port:
        with pytest.raises(ConnectFailed) as failed:
            async with connect("127.0.0.1", port, "Ann"):
                pass
    assert str(failed.value) == (
        f"Something listens at 127.0.0.1:{port}, but gives no answer: is that an una server?"
    )  # fmt: skip
    assert failed.value.again


async def test_nothing_listens_there() -> None:
    async with serving() as port:
        pass
    with pytest.raises(ConnectFailed, match="Nothing listens at") as failed:
        async with connect("127.0.0.1", port, "Ann"):
            pass
    assert failed.value.again


def test_the_pace_stays_below_the_limits_of_the_server() -> None:
    pace, now, times = Pace(LIMITS.rate, LIMITS.burst), 0.0, []
    for _ in range(500):
        now += pace.wait(now)
        times.append(now)
    assert times[80] == 0.0
    for start in range(0, 500, 50):
        window = [at for at in times if times[start] <= at < times[start] + 1]
        assert len(window) <= LIMITS.rate + LIMITS.burst
    assert times[-1] > (500 - LIMITS.burst) / LIMITS.rate


# -- the link


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "longest_wait", lambda attempt: 0.01)


@pytest.mark.usefixtures("_at_once")
async def test_a_lost_connection_is_resumed_and_open_requests_are_sent_again() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(a_view(seq=10), an_ev(11, ev.Passed(0)))
        await peer.take()  # the act gets no answer

    async def second(peer: Peer) -> None:
        hello = await peer.welcome(resumed=True, last_id=2)
        assert hello.resume == m.ResumeFrom("secret", {"k3f": 11})
        act = await peer.take()
        await peer.send(an_ev(12, ev.Passed(1)), m.Ok(act.id, seq=12))
        assert (await peer.take()).id > act.id

    async with serving(first, second) as port, keep_connected("127.0.0.1", port, "Ann") as link:
        await link.incoming.receive()
        await link.incoming.receive()
        id = link.send(m.Act(0, "k3f", DRAW, turn=41))
        waiting = await link.incoming.receive()
        assert isinstance(waiting, Reconnecting)
        assert waiting.attempt == 1
        assert not link.connected
        assert link.send(m.Ping(0)) is None
        with pytest.raises(SessionLost):
            await link.request(m.Ping(0))
        assert await link.incoming.receive() == Reconnected(resumed=True)
        assert await link.incoming.receive() == an_ev(12, ev.Passed(1))
        assert await link.incoming.receive() == m.Ok(id, seq=12)  # type: ignore[arg-type]
        link.send(m.Ping(0))


@pytest.mark.usefixtures("_at_once")
async def test_a_forgotten_session_is_followed_by_a_new_one() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()

    async def second(peer: Peer) -> None:
        hello = await peer.take()
        assert hello.resume is not None
        await peer.send(m.Err("session_gone", "", "no", re=hello.id))

    async def third(peer: Peer) -> None:
        hello = await peer.welcome(session="other")
        assert hello.resume is None
        await peer.take()

    async with serving(first, second, third) as port, keep_connected("127.0.0.1", port, "Ann") as link:
        kinds = [type(await link.incoming.receive()) for _ in range(3)]
        assert kinds == [Reconnecting, Reconnecting, Reconnected]
        assert link.welcome.session == "other"


@pytest.mark.usefixtures("_at_once")
async def test_a_final_goodbye_is_not_answered_with_another_try() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(m.Bye("replaced", "", reconnect=False))

    async with serving(script) as port, keep_connected("127.0.0.1", port, "Ann") as link:
        assert [type(message) async for message in link.incoming] == [m.Bye, Closed]


async def test_without_reconnect_the_end_is_the_end() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with serving(script) as port, keep_connected("127.0.0.1", port, "Ann", reconnect=False) as link:
        assert [type(message) async for message in link.incoming] == [Closed]


@pytest.mark.usefixtures("_at_once")
async def test_a_server_that_gives_no_answer_is_given_up_though_it_says_other_things(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_module, "ANSWER_S", 0.2)

    async def deaf(peer: Peer) -> None:
        await peer.welcome()
        await peer.take()
        for _ in range(100):
            await peer.send(m.PingNow())
            await trio.sleep(0.05)

    async def answering(peer: Peer) -> None:
        await peer.welcome(resumed=True, last_id=2)
        await peer.send(m.Ok((await peer.take()).id, tables=[]))
        await peer.take()

    async with serving(deaf, answering) as port, keep_connected("127.0.0.1", port, "Ann") as link:
        with pytest.raises(SessionLost, match=r"^The server gives no answer\.$"):
            await link.request(m.Lobby(0))
        with trio.fail_after(3):
            waiting = await link.incoming.receive()
            assert isinstance(waiting, Reconnecting)
            assert waiting.reason == "The server gives no answer."
            assert await link.incoming.receive() == Reconnected(resumed=True)
        assert (await link.request(m.Lobby(0))).tables == []


def test_waits_double_up_to_half_a_minute() -> None:
    assert [longest_wait(n) for n in (1, 2, 3, 7, 8, 1000)] == [0.5, 1.0, 2.0, 30.0, 30.0, 30.0]
