"""The smallest client that can ask: one blocking socket, frames of msgpack, and nothing of ours imported."""

from __future__ import annotations

import itertools
import socket
import struct
from types import TracebackType
from typing import Any, Self

import msgpack


class Wire:
    """A connection to a server on this machine, after its hello."""

    def __init__(self, port: int, name: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._ids = itertools.count(1)
        self.seen: list[dict[str, Any]] = []
        self.welcome = self.ask(t="hello", proto=[1], client="test", name=name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def send(self, **message: Any) -> None:
        """Send one message."""
        body = msgpack.packb(message)
        self._socket.sendall(struct.pack(">I", len(body)) + body)

    def read(self) -> dict[str, Any]:
        """The next message; a ping is answered on the way."""
        while True:
            (length,) = struct.unpack(">I", self._exactly(4))
            message: dict[str, Any] = msgpack.unpackb(self._exactly(length))
            self.seen.append(message)
            if message["t"] != "ping":
                return message
            self.send(t="pong")

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for its answer, which must not be a refusal."""
        number = next(self._ids)
        self.send(id=number, **request)
        while (answer := self.read()).get("re") != number:
            pass
        assert answer["t"] in ("ok", "welcome"), answer
        return answer

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            assert more, "the server closed the connection"
            data += more
        return data
