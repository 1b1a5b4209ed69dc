"""A server process with somebody who looks after it, and a plain client on a socket."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgpack
from click.testing import CliRunner, Result

from tests.conftest import RunningServer
from una_server.cli import cli

Start = Callable[..., RunningServer]


class Care:
    """A server process, and whoever looks after it."""

    def __init__(self, start: Start, folder: Path, *options: str) -> None:
        self.file = folder / "token"
        self.server = start("--admin-token-file", str(self.file), *options)
        self.token = self.file.read_text().strip()

    def do(self, *words: str) -> Result:
        """A command that must succeed."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result

    def run(self, *words: str) -> Result:
        where = ["--host", "127.0.0.1", "--port", str(self.server.port), "--token-file", str(self.file)]
        return CliRunner().invoke(cli, ["admin", *where, *words])

    @property
    def log(self) -> str:
        return (self.server.folder / "log").read_text()


class Wire:
    """A plain client."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.id = 1

    def say(self, **message: Any) -> None:
        body = msgpack.packb(message)
        self.sock.sendall(len(body).to_bytes(4, "big") + body)

    def hear(self) -> Any:
        size = int.from_bytes(self.sock.recv(4, socket.MSG_WAITALL), "big")
        return msgpack.unpackb(self.sock.recv(size, socket.MSG_WAITALL))

    def until(self, **fields: Any) -> Any:
        while True:
            message = self.hear()
            if fields.items() <= message.items():
                return message

    def ask(self, kind: str, **fields: Any) -> Any:
        self.id += 1
        self.say(t=kind, id=self.id, **fields)
        return self.until(re=self.id)


@contextmanager
def connected(port: int) -> Iterator[Wire]:
    with socket.create_connection(("127.0.0.1", port), 10) as sock:
        yield Wire(sock)


@contextmanager
def guest(port: int, name: str, **more: Any) -> Iterator[Wire]:
    with connected(port) as wire:
        wire.say(t="hello", id=1, proto=[1], name=name, **more)
        wire.session = wire.until(t="welcome")["session"]  # type: ignore[attr-defined]
        yield wire
