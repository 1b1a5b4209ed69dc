"""What the client's tests share: a table to look at, and a server of a few lines that speaks over a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import trio
from msgspec import Struct

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action, Draw
from una_protocol.cards import Card
from una_protocol.codec import encode
from una_protocol.connection import Problem, ServerConnection
from una_protocol.view import Player, View

LIMITS = m.Limits(65536, 50, 100)


def cards(text: str) -> list[Card]:
    """`R7 W+4` as cards."""
    return [Card(word) for word in text.split()]


def a_view(**fields: Any) -> View:
    """A running round: Ann (the viewer, seat 0), Bo and Cy; blue 7 on top; it is Ann's turn."""
    given: dict[str, Any] = {
        "table": "k3f", "seq": 10, "name": "Kitchen", "profile": "una", "options": {"una_penalty": 2}, "seats": 4,
        "stage": "playing", "phase": "turn", "host": 0, "round": 1, "dealer": 2, "top": Card("B7"), "color": "blue",
        "draw_pile": 60, "turn_seat": 0, "turn": 41, "you": 0, "hand": cards("R3 G2 B9 Y7 W"),
        "players": [Player(0, "Ann", cards=5), Player(1, "Bo", cards=4), Player(2, "Cy", bot=True, cards=6)],
    }  # fmt: skip
    return View(**{**given, **fields})


def a_turn(*legal: Action, turn: int = 41, phase: str = "turn", **fields: Any) -> m.TurnNow:
    """A decision of Ann's."""
    actions = legal or (Draw(),)
    return m.TurnNow("k3f", turn, 10, phase, actions, len(actions) - 1, **fields)


def an_ev(seq: int, event: ev.Event) -> m.Ev:
    """The event at the table of `a_view`."""
    return m.Ev("k3f", seq, event)


class Peer:
    """The server's end of one connection in a test: take requests, send whatever the test wants."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._wire = ServerConnection()
        self._items: list[Any] = []

    async def take(self) -> Any:
        """The next message of the client; None when it has closed the connection."""
        while not self._items:
            chunk = await self.stream.receive_some()
            if not chunk:
                return None
            for item in self._wire.receive(chunk):
                if isinstance(item, Problem):
                    await self.stream.send_all(item.send)
                elif isinstance(item, m.Hello):
                    self._wire.accept()
                    self._items.append(item)
                else:
                    self._items.append(item)
        return self._items.pop(0)

    async def send(self, *messages: Struct) -> None:
        """Send messages in one go."""
        await self.stream.send_all(b"".join(map(encode, messages)))

    async def welcome(self, **fields: Any) -> m.Hello:
        """Take the hello, and welcome it."""
        hello = await self.take()
        assert isinstance(hello, m.Hello)
        given: dict[str, Any] = {
            "re": hello.id, "proto": 1, "minor": 0, "server": "test/0", "session": "secret", "resumed": False,
            "caps": [], "last_id": 0, "limits": LIMITS, "keepalive_s": 15, "resume_s": 60, "seats": [],
        }  # fmt: skip
        await self.send(m.Welcome(**{**given, **fields}))
        return hello


@asynccontextmanager
async def serving(*scripts: Callable[[Peer], Awaitable[None]]) -> AsyncIterator[int]:
    """A server whose first connection follows the first script, and so on; gives its port.

    A script that returns closes its connection.
    """
    left = list(scripts)

    async def serve(stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # the client may go before the script ends
            await left.pop(0)(Peer(stream))

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()
