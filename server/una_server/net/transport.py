"""A two-way stream of bytes as the server uses one, and its implementation over a TCP socket.

Everything above this module sees only `Transport`; TLS, or a pair in memory for tests, are further implementations.
Knows nothing of frames.
"""

from __future__ import annotations

import contextlib
import socket
from functools import partial
from ipaddress import ip_address
from typing import Protocol

import trio

SEND_BUFFER = 131_072
"""What the system may hold for somebody who does not read; left to itself, it would take megabytes."""


class Transport(Protocol):
    """Non-blocking bytes. `recv` and `send` raise BlockingIOError when nothing can be done now, OSError when broken."""

    @property
    def peer(self) -> str:
        """The other side's address, without port: what limits per address count by."""

    def recv(self, size: int, /) -> bytes:
        """Up to `size` bytes; empty when the other side has ended."""

    def send(self, data: bytes, /) -> int:
        """Hand over as much of `data` as can be taken now; how much that was."""

    async def wait_readable(self) -> None:
        """Until `recv` can do something; ClosedResourceError after `close`."""

    async def wait_writable(self) -> None:
        """Until `send` can do something; ClosedResourceError after `close`."""

    def end_writing(self) -> None:
        """Tell the other side that nothing more follows; reading goes on."""

    def close(self) -> None:
        """Give everything back; whoever waits is woken. May be called again."""


class SocketTransport:
    """A connected TCP socket. Its methods of the hot path are the socket's own, without a call in between."""

    def __init__(self, sock: socket.socket, peer: str) -> None:
        sock.setblocking(False)
        with contextlib.suppress(OSError):  # some stacks refuse it on a socket that is already reset
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self.peer = peer
        self._sock = sock
        self.recv = sock.recv
        self.send = sock.send
        self.wait_readable = partial(trio.lowlevel.wait_readable, sock)
        self.wait_writable = partial(trio.lowlevel.wait_writable, sock)

    def end_writing(self) -> None:
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        if self._sock.fileno() != -1:
            trio.lowlevel.notify_closing(self._sock)
            self._sock.close()
            self.wait_readable = self.wait_writable = partial(_closed)


async def _closed() -> None:
    raise trio.ClosedResourceError  # the number of a closed socket is none that could be waited for


def is_loopback(peer: str) -> bool:
    """Whether the address is one of this machine's own, to which limits per address do not apply."""
    try:
        address = ip_address(peer.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
