"""What the bad clients of this folder share: an address, a connection, frames, and a way to say what came of it.

They are for testing a server of your own. Each is a small program:

    python scripts/bots/bad/silent.py localhost:4820 --seconds 10

It does its worst for so long and prints one line. Exit status 1, and a line with HURT, if the server gave it something
that was not its own. All text that it sends has MARK in it, so that one can look for it where it must not turn up; but
for what a server may well write down, quoted: names, and what a client calls itself.
"""

from __future__ import annotations

import argparse
import random
import socket
import sys
import time
from typing import Any

import msgpack

MARK = "Zoomark"
CLIENT = "zoo\x1b[2J\r\n2026-01-01 INFO forged \u202e"
"""What such a client calls itself; a server may write this down, but not as it comes."""
ERRORS = (OSError, EOFError)
"""What a server may do to a connection."""


class Zoo:
    """One visit: the options of the command line, and what happened."""

    def __init__(self, doc: str | None) -> None:
        first, _, rest = (doc or "").partition("\n")
        parser = argparse.ArgumentParser(
            description=f"{first}\n{rest}", formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("address", metavar="HOST[:PORT]")
        parser.add_argument("--seconds", type=float, default=10.0)
        parser.add_argument("--count", type=int, default=0, help="so many connections at once, where it matters")
        args = parser.parse_args()
        host, _, port = args.address.rpartition(":") if ":" in args.address else (args.address, "", "4820")
        self.host, self.port = host, int(port)
        self.count = args.count
        self.end: float = time.monotonic() + args.seconds
        self.chance = random.Random(0)
        self.hurt: list[str] = []
        self.seen: dict[str, int] = {}

    @property
    def going(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.end

    def note(self, what: str) -> None:
        """Count something."""
        self.seen[what] = self.seen.get(what, 0) + 1

    def connect(self, buffer: int | None = None) -> Client:
        """A new connection; OSError where there is none. `buffer`: how much the system may take in for us."""
        family, kind, proto, _, address = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0]
        sock = socket.socket(family, kind, proto)
        if buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)  # before it connects, or it is too late
        sock.settimeout(2)
        try:
            sock.connect(address)
        except OSError:
            sock.close()
            raise
        return Client(sock, self)

    def tables(self, client: Client) -> list[dict[str, Any]]:
        """The public tables, to a client that was welcomed."""
        return list(client.ask({"t": "lobby"}).get("tables") or [])

    def done(self) -> None:
        """Say what happened, and end."""
        name = sys.argv[0].rpartition("/")[2].removesuffix(".py")
        print(f"{name}: " + (", ".join(f"{count} {what}" for what, count in sorted(self.seen.items())) or "nothing"))
        for hurt in self.hurt:
            print(f"HURT {name}: {hurt}")
        sys.exit(1 if self.hurt else 0)


class Client:
    """A connection that can also behave."""

    def __init__(self, sock: socket.socket, zoo: Zoo) -> None:
        self.sock = sock
        self.zoo = zoo
        self.id = 1
        self.session = ""
        self.unread = b""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *args: object) -> None:
        self.sock.close()

    def send(self, message: dict[str, Any]) -> None:
        """A message as it should be."""
        self.sock.sendall(frame(message))

    def next(self) -> dict[str, Any]:
        """The next message; EOFError at the end."""
        while len(self.unread) < 4 or len(self.unread) < 4 + int.from_bytes(self.unread[:4], "big"):
            data = self.sock.recv(65536)
            if not data:
                raise EOFError
            self.unread += data
        size = 4 + int.from_bytes(self.unread[:4], "big")
        body, self.unread = self.unread[4:size], self.unread[size:]
        return dict(msgpack.unpackb(body))

    def hello(self, name: str, **more: Any) -> dict[str, Any]:
        """Say hello; the answer."""
        self.send({"t": "hello", "id": 1, "proto": [1], "name": name, "client": CLIENT, **more})
        answer = self.next()
        self.session = answer.get("session", "")
        return answer

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request; its answer. Everything else is dropped."""
        self.id += 1
        self.send({**message, "id": self.id})
        while True:
            answer = self.next()
            if answer.get("t") in ("ok", "err") and answer.get("re") == self.id:
                return answer
            if answer.get("t") == "bye":
                raise EOFError


def frame(message: dict[str, Any]) -> bytes:
    """A frame."""
    body = bytes(msgpack.packb(message))
    return len(body).to_bytes(4, "big") + body


def a_name(zoo: Zoo) -> str:
    """A name that nobody has."""
    return "Zoo " + "".join(zoo.chance.choice("bcdfghjkm") for _ in range(8))
