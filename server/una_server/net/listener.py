"""Listening sockets: opening them on all addresses under one port, and accepting connections.

Knows addresses and errors of the operating system; what happens on a connection is somebody else's.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

import trio

from .transport import SocketTransport, is_loopback

log = logging.getLogger(__name__)

BACKLOG = 512
_NO_ROOM = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
EVERYWHERE = [(int(socket.AF_INET), "0.0.0.0"), (int(socket.AF_INET6), "::")]


class CannotListen(Exception):
    """The address cannot be opened; one plain sentence says why."""


class Options(NamedTuple):
    """With which options of the command line another address, or port, is chosen."""

    host: str
    port: str


OF_THE_SERVER: Final = Options("--host", "--port")


def open_sockets(host: str | None, port: int, options: Options = OF_THE_SERVER) -> list[socket.socket]:
    """Listening sockets for a host's addresses (None: all interfaces, IPv4 and IPv6), all under the same port.

    Port 0 takes any free port. Raises CannotListen, which names the `options`.
    """
    addresses = EVERYWHERE if host is None else _addresses(host)
    (family, address), *others = addresses
    sockets = [_open(family, address, port, options)]
    for family, address in others:
        with contextlib.suppress(CannotListen):  # a machine without IPv6, or the port is taken there only
            sockets.append(_open(family, address, sockets[0].getsockname()[1], options))
    return sockets


def _addresses(host: str) -> list[tuple[int, str]]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise CannotListen(f"There is no address for the host {host!r} on this machine.") from None
    return list(dict.fromkeys((family, str(address[0])) for family, _, _, _, address in found))


def _open(family: int, address: str, port: int, options: Options) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        if sys.platform == "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((address, port))
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        raise CannotListen(_why(error, address, port, options)) from None
    return sock


def _why(error: OSError, address: str, port: int, options: Options) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program; choose another with {options.port} (0: any free one)."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be used by you; choose one above 1023 with {options.port}."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This machine does not have the address {address}; choose another with {options.host}."
    return f"Cannot listen on {address} port {port}: {(error.strerror or 'it failed').lower()}."


Serve = Callable[[SocketTransport], Awaitable[None]]


async def accept_on(sockets: Sequence[socket.socket], serve: Serve, connections: trio.Nursery) -> None:
    """Accept until cancelled; `serve` each connection in a task of its own in `connections`."""
    async with trio.open_nursery() as nursery:
        for sock in sockets:
            nursery.start_soon(_accept, sock, serve, connections)


async def _accept(sock: socket.socket, serve: Serve, connections: trio.Nursery) -> None:
    while True:
        await trio.lowlevel.wait_readable(sock)
        try:
            connection, address = sock.accept()
        except OSError as error:
            if error.errno in _NO_ROOM:
                log.warning("no room for another connection: %s", error.strerror)
                await trio.sleep(0.1)
            continue  # nobody is there any more, or the one who was has gone
        connections.start_soon(serve, SocketTransport(connection, str(address[0])))


def raise_file_limit() -> int | None:
    """Allow as many open files as the system lets this process have, each connection is one; how many. None: no limit.

    The limit is raised for this process only, and not beyond what its user may have.
    """
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


def own_addresses() -> list[str]:
    """The addresses under which other machines are likely to reach this one, best first."""
    found: list[str] = []
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # Connecting a datagram socket sends nothing; it asks the system which address it would speak from.
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect((far, 9))
            found.append(str(sock.getsockname()[0]))
    with contextlib.suppress(OSError):
        for _, _, _, _, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found.append(str(address[0]))
    return list(dict.fromkeys(a for a in found if not is_loopback(a) and not a.startswith(("0.", "fe80"))))
