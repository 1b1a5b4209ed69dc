"""A server inside the test, and a tiny client: real sockets on this machine, plain maps as messages."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import trio

from una_protocol.framing import FrameReader
from una_server.config import make_config
from una_server.host import Host

Message = dict[str, Any]


class Client:
    """One connection."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.id = 1
        self.session = ""
        self._reader = FrameReader(1 << 20)
        self._queue: list[Message] = []

    async def send(self, **message: Any) -> None:
        """Send a message as it is."""
        body = msgpack.packb(message)
        await self.stream.send_all(len(body).to_bytes(4, "big") + body)

    async def next(self) -> Message:
        """The next message of the server; the client answers its pings by itself."""
        while not self._queue:
            data = await self.stream.receive_some(65536)
            if not data:
                raise EOFError
            self._queue += [msgpack.unpackb(body) for body in self._reader.feed(data)]
        message = self._queue.pop(0)
        if message["t"] == "ping":
            await self.send(t="pong")
            return await self.next()
        return message

    async def until(self, kind: str, **fields: Any) -> Message:
        """Read on until a message of this kind with these fields comes; what comes before is dropped."""
        while True:
            message = await self.next()
            if message["t"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def event(self, kind: str) -> Message:
        """Read on until this event."""
        while True:
            message = await self.until("ev")
            if message["e"]["k"] == kind:
                return message

    async def hello(self, name: str, **more: Any) -> Message:
        """Say hello; the answer, good or bad."""
        await self.send(t="hello", id=1, proto=[1], name=name, **more)
        answer = await self.next()
        self.session = answer.get("session", "")
        return answer

    async def ask(self, kind: str, **fields: Any) -> Message:
        """Send a request and return its answer; messages before it are dropped."""
        self.id += 1
        await self.send(t=kind, id=self.id, **fields)
        while True:
            message = await self.next()
            if message["t"] in ("ok", "err") and message.get("re") == self.id:
                return message

    async def rest(self) -> bytes:
        """Everything raw until the server closes."""
        data = b""
        while chunk := await self.stream.receive_some(65536):
            data += chunk
        return data

    async def close(self) -> None:
        """Just go."""
        await self.stream.aclose()


class House:
    """A running server and its clients."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.lobby = host.lobby
        self.clients: list[Client] = []
        self.stop = trio.Event()
        self.stopped = trio.Event()

    async def connect(self) -> Client:
        """A connection that has not said hello."""
        client = Client(await trio.open_tcp_stream("127.0.0.1", self.host.port_number))
        self.clients.append(client)
        return client

    async def guest(self, name: str, **more: Any) -> Client:
        """Somebody who was welcomed."""
        client = await self.connect()
        answer = await client.hello(name, **more)
        assert answer["t"] == "welcome", answer
        return client

    async def table(self, *names: str, bot: bool = False, **create: Any) -> tuple[str, list[Client]]:
        """A table at which these guests sit, the first as host."""
        clients = [await self.guest(name, bot=bot) for name in names]
        answer = await clients[0].ask("create", **{"name": "Kitchen", "una_grace_ms": 0} | create)
        assert answer["t"] == "ok", answer
        for client in clients[1:]:
            joined = await client.ask("join", table=answer["table"])
            assert joined["t"] == "ok", joined
        return answer["table"], clients


@asynccontextmanager
async def open_house(settings: Message | None = None, **limits: Any) -> AsyncIterator[House]:
    """A server on a free port of this machine."""
    host = Host(make_config(None, {"host": "127.0.0.1", "port": 0, "seed": 7} | (settings or {}), limits))
    host.listen()
    async with trio.open_nursery() as nursery:
        house = House(host)
        ready = trio.Event()

        async def run() -> None:
            await host.run(house.stop.wait, ready.set)
            house.stopped.set()

        nursery.start_soon(run)
        await ready.wait()
        try:
            with trio.fail_after(15):
                yield house
        finally:
            for client in house.clients:
                client.stream.socket.close()
            nursery.cancel_scope.cancel()


async def until(condition: Callable[[], object]) -> None:
    """Wait for something that nobody tells."""
    with trio.fail_after(10):
        while not condition():  # noqa: ASYNC110
            await trio.sleep(0.01)


def tight(client: Client) -> None:
    """Make the client's own buffer small, so that not reading is felt soon."""
    client.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
