"""Sending probes out of every interface, again and again, and hearing the beacons that come back. UDP.

A probe goes to the broadcast address of each IPv4 network this machine is in and to 255.255.255.255, both out of that
network's interface; to the IPv6 group on each interface; and to this machine itself. What cannot be sent is left out.
"""

from __future__ import annotations

import ipaddress
import logging
import secrets
import socket
from collections.abc import Callable, Iterable
from typing import Final, NoReturn

import trio

from una_protocol.beacon import GROUP, Beacon, Probe, decode_beacon, encode_probe

log = logging.getLogger(__name__)

FIRST_S: Final = 0.25
"""The second round comes soon after the first: a datagram may be lost, and people wait for the list."""
READS: Final = 200
"""Datagrams that one round looks at, for each interface; more is not sent by honest servers."""
_READ_SIZE: Final = 2048

Target = tuple[str, int] | tuple[str, int, int, int]
Heard = Callable[[Beacon, str], None]


class _Mouth:
    """A socket, and where it sends to."""

    def __init__(self, family: socket.AddressFamily, host: str, targets: Iterable[Target]) -> None:
        """Raises OSError where this cannot be."""
        self.targets = tuple(targets)
        sock = socket.socket(family, socket.SOCK_DGRAM)
        try:
            if family == socket.AF_INET:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            sock.bind((host, 0))
        except OSError:
            sock.close()
            raise
        self.sock = trio.socket.from_stdlib_socket(sock)
        self.reads = 0


async def probe(port: int, every_s: float, heard: Heard) -> NoReturn:
    """Probe until cancelled; tell of each beacon, and the address that it came from."""
    nonce = secrets.randbits(53)
    mouths = _mouths(port)
    try:
        async with trio.open_nursery() as nursery:
            for mouth in mouths:
                nursery.start_soon(_hear, mouth, nonce, heard)
            pause = FIRST_S
            while True:
                for mouth in mouths:
                    mouth.reads = 0
                    await _send(mouth, encode_probe(Probe(nonce)))
                await trio.sleep(pause)
                pause = every_s
    finally:
        for mouth in mouths:
            mouth.sock.close()


async def _send(mouth: _Mouth, datagram: bytes) -> None:
    for target in mouth.targets:
        try:
            await mouth.sock.sendto(datagram, target)
        except OSError as error:  # no route, a firewall, an interface that went down
            log.info("no probe to %s: %s", target[0], error.strerror)


async def _hear(mouth: _Mouth, nonce: int, heard: Heard) -> None:
    while True:
        if mouth.reads >= READS:
            await trio.sleep(0.1)
            continue
        mouth.reads += 1
        try:
            datagram, address = await mouth.sock.recvfrom(_READ_SIZE)
        except OSError as error:  # Windows tells here that nobody listens at one of the targets
            log.debug("nothing was heard: %s", error)
            continue
        beacon = decode_beacon(datagram)
        if beacon is not None and beacon.re == nonce:
            heard(beacon, _host(address))


def _host(address: tuple[str, int] | tuple[str, int, int, int]) -> str:
    """The address as text; a link-local one with the name of the interface, without which it leads nowhere."""
    host = str(address[0])
    if len(address) == 4 and address[3] and "%" not in host and ipaddress.ip_address(host).is_link_local:
        try:
            return f"{host}%{socket.if_indextoname(address[3])}"
        except OSError:
            return host
    return host


def _mouths(port: int) -> list[_Mouth]:
    wanted: list[tuple[socket.AddressFamily, str, list[Target]]] = [
        (socket.AF_INET, "127.0.0.1", [("127.0.0.1", port)]),
    ]
    for host, broadcast in _networks():
        wanted.append((socket.AF_INET, host, [(broadcast, port), ("255.255.255.255", port)]))
    if socket.has_ipv6:
        links: list[Target] = [(GROUP, port, 0, index) for index, _ in socket.if_nameindex()]
        wanted.append((socket.AF_INET6, "::", [("::1", port, 0, 0), *links]))
    mouths = []
    for family, host, targets in wanted:
        try:
            mouths.append(_Mouth(family, host, targets))
        except OSError as error:
            log.info("no probes from %s: %s", host, error.strerror)
    return mouths


def _networks() -> Iterable[tuple[str, str]]:
    """This machine's IPv4 addresses, loopback apart, each with the broadcast address of its network."""
    import ifaddr

    try:
        adapters = list(ifaddr.get_adapters())
    except OSError as error:
        log.info("the interfaces cannot be listed: %s", error.strerror)
        return
    for adapter in adapters:
        for own in adapter.ips:
            if isinstance(own.ip, str) and own.network_prefix < 31:
                network = ipaddress.IPv4Network(f"{own.ip}/{own.network_prefix}", strict=False)
                if not network.is_loopback:
                    yield own.ip, str(network.broadcast_address)
