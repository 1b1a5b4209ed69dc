"""Telling the network that this server is here: a responder for probes (UDP), and mDNS where zeroconf is installed.

Nothing here is needed to play: whatever fails is a line of the log, and the server goes on. It knows no lobby, only a
`Status` that it asks for. A server that listens on loopback only answers on loopback only, and uses no mDNS.
"""

from __future__ import annotations

import logging
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from typing import Final

import trio
from msgspec import Struct

from una_protocol.beacon import GROUP, Beacon, decode_probe, encode_beacon
from una_protocol.version import SUPPORTED

from . import __version__
from .net.pace import Pace
from .net.transport import is_loopback

log = logging.getLogger(__name__)

PER_ADDRESS: Final = (5, 20)
"""Beacons a second to one address, and at once: a client's sweep is a few probes."""
IN_ALL: Final = (200, 200)
READS: Final = (1000, 500)
"""Datagrams a second that are looked at; under a flood the others are left to the system, which drops them."""
STATUS_S: Final = 1.0
"""How old the numbers may be that are told: counting goes through all guests."""
ADDRESSES_KEPT: Final = 2048
_READ_SIZE: Final = 2048


class Status(Struct, frozen=True):
    """What is told about the server, as it is now."""

    name: str
    players: int
    tables: int
    password: bool


class Responder:
    """Which datagrams are answered, and with what. No I/O."""

    def __init__(self, beacon: Callable[[int], Beacon]) -> None:
        self._beacon = beacon
        self._in_all = Pace(*IN_ALL)
        self._paces: dict[str, Pace] = {}

    def answer(self, datagram: bytes, peer: str, now: float) -> bytes | None:
        """The beacon for a probe; None for anything else, and for whoever asks too often."""
        probe = decode_probe(datagram)
        if probe is None or not self._may(peer, now):
            return None
        return encode_beacon(self._beacon(probe.nonce))

    def _may(self, peer: str, now: float) -> bool:
        pace = self._paces.get(peer)
        if pace is not None:
            return pace.take(now) and self._in_all.take(now)
        if not self._in_all.take(now):
            return False  # forged addresses are not even kept, so those that are kept are few
        if len(self._paces) >= ADDRESSES_KEPT:
            burst = PER_ADDRESS[1]
            self._paces = {key: pace for key, pace in self._paces.items() if pace.wait_ms(now, burst) > 1}
        pace = self._paces[peer] = Pace(*PER_ADDRESS)
        return pace.take(now)


class Announcer:
    """Answers probes on the UDP port of the same number as the game's, and speaks mDNS, until cancelled."""

    def __init__(self, bound: Sequence[tuple[str, int]], status: Callable[[], Status]) -> None:
        """`bound`: the addresses and ports on which the server listens."""
        self._bound = bound
        self._ask = status
        self._asked = (-STATUS_S, Status("", 0, 0, False))
        self.id = secrets.token_hex(8)

    def beacon(self, nonce: int = 0) -> Beacon:
        """What the server says now."""
        now = trio.current_time()
        if now - self._asked[0] >= STATUS_S:
            self._asked = (now, self._ask())
        status = self._asked[1]
        return Beacon(
            re=nonce,
            id=self.id,
            name=status.name,
            port=self._bound[0][1],
            proto=SUPPORTED,
            players=status.players,
            tables=status.tables,
            password=status.password,
            server=f"una/{__version__}",
        )

    async def run(self) -> None:
        """Announce until cancelled; return where that does not work at all."""
        try:
            await self._run()
        except Exception:
            log.exception("the server is not announced any more")

    async def _run(self) -> None:
        responder = Responder(self.beacon)
        far = [host for host, _ in self._bound if not is_loopback(host)]
        async with trio.open_nursery() as nursery:
            for host, port in self._bound:
                sock = _open(host, port)
                if sock is not None:
                    nursery.start_soon(_respond, sock, sock, responder)
                    ear = _broadcast_ear(host, port)
                    if ear is not None:
                        nursery.start_soon(_respond, ear, sock, responder)
            if far:
                from .mdns import register

                nursery.start_soon(register, self.beacon, far)


async def _respond(ear: trio.socket.SocketType, mouth: trio.socket.SocketType, responder: Responder) -> None:
    """Answer what comes in by `ear` through `mouth`, so that answers come from the server's own address."""
    reads = Pace(*READS)
    with ear:
        while True:
            now = trio.current_time()
            if not reads.take(now):
                await trio.sleep(0.1)
                continue
            try:
                datagram, address = await ear.recvfrom(_READ_SIZE)
                answer = responder.answer(datagram, str(address[0]), trio.current_time())
                if answer is not None:
                    await mouth.sendto(answer, address)
            except OSError as error:
                # Windows reports here that an earlier answer did not arrive, or that a datagram is too long.
                log.debug("a probe came to nothing: %s", error)
            except Exception:
                log.exception("a probe could not be answered")


def _open(host: str, port: int) -> trio.socket.SocketType | None:
    """The socket for probes beside the one for connections; None, and a line of the log, where there cannot be one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        sock = socket.socket(family, socket.SOCK_DGRAM)
    except OSError as error:
        log.warning("probes are not answered on %s: %s", host, error.strerror)
        return None
    try:
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((host, port))
    except OSError as error:
        log.warning("probes are not answered on %s, UDP port %d: %s", host, port, error.strerror)
        sock.close()
        return None
    if host == "::":
        _join_group(sock)
    return trio.socket.from_stdlib_socket(sock)


def _join_group(sock: socket.socket) -> None:
    """Listen to the group on every interface: IPv6 has no broadcast."""
    group = socket.inet_pton(socket.AF_INET6, GROUP)
    for index, name in socket.if_nameindex():
        try:
            membership = group + index.to_bytes(4, sys.byteorder)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership)
        except OSError as error:  # an interface without IPv6, or one that is down
            log.debug("no multicast on %s: %s", name, error.strerror)


def _broadcast_ear(host: str, port: int) -> trio.socket.SocketType | None:
    """Where a server on one IPv4 address hears broadcasts: outside Windows a socket on that address does not."""
    if ":" in host or host == "0.0.0.0" or is_loopback(host) or sys.platform == "win32":
        return None
    broadcast = broadcast_of(host)
    return _open(broadcast, port) if broadcast is not None else None


def broadcast_of(host: str) -> str | None:
    """The broadcast address of the network in which this machine has the address `host`."""
    import ipaddress

    import ifaddr

    for adapter in ifaddr.get_adapters():
        for own in adapter.ips:
            if own.ip == host and own.network_prefix < 31:
                return str(ipaddress.IPv4Network(f"{host}/{own.network_prefix}", strict=False).broadcast_address)
    return None
