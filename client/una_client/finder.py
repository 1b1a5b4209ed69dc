"""Servers around here: found by probes (UDP) and by mDNS, merged into one list that changes while one looks.

    async with open_finder() as finder:
        async for found in finder: ...      # a Found each time something about that server is new; it has no end

Everything here was said by strangers and proves nothing: a name that is known may be anybody's. The texts are cleaned;
the number of servers is bounded. What does not work (no network, no zeroconf) finds nothing and raises nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Final, Literal

import trio
from msgspec import Struct, structs

from una_protocol.address import Address
from una_protocol.beacon import Beacon
from una_protocol.version import DEFAULT_PORT, SUPPORTED

SWEEP_S: Final = 1.0
"""The time between two rounds of probes."""
MISSED: Final = 3
"""After so many rounds without an answer a server counts as silent."""
MAX_SERVERS: Final = 256
MAX_ADDRESSES: Final = 8


class Found(Struct, frozen=True, kw_only=True):
    """A server, as it was last seen."""

    id: str
    name: str
    addresses: tuple[str, ...]
    """Where it is, the best first: those it has answered from come before those that mDNS names."""
    port: int
    players: int
    """How many are connected, bots among them."""
    tables: int
    """How many public tables there are."""
    password: bool
    """Whether it asks everybody for a password."""
    majors: tuple[int, ...]
    """The versions of the protocol that it speaks."""
    server: str
    """The program and its version."""
    last_seen: float
    """By trio's clock."""
    answers: bool
    """Whether it has answered a probe: then `silent` tells when it is gone, else only `gone` does."""
    gone: bool = False
    """Whether it has said goodbye by mDNS, and has not been seen since."""

    @property
    def address(self) -> str:
        """What to type after `una join`."""
        return str(Address(self.addresses[0], self.port))

    @property
    def fits(self) -> Literal["yes", "too_old", "too_new"]:
        """Whether this client can play there, or what the server is compared with this client."""
        if set(self.majors) & set(SUPPORTED):
            return "yes"
        return "too_old" if max(self.majors) < min(SUPPORTED) else "too_new"

    def silent(self, now: float) -> bool:
        """Whether it should have been heard of by now: a list shows it faded, or no longer."""
        return self.gone or (self.answers and now - self.last_seen > MISSED * SWEEP_S)


Key = tuple[str, int]
"""By what servers are told apart: the id, and the port, so that nobody can move another's server elsewhere."""


class Finder:
    """What is known so far (`servers`); iterating gives the changes. For one reader."""

    def __init__(self) -> None:
        self.servers: dict[Key, Found] = {}
        self._proven: dict[Key, tuple[str, ...]] = {}
        self._named: dict[Key, tuple[str, ...]] = {}
        self._changed: dict[Key, None] = {}  # a set that keeps its order; bounded, for a change replaces the last one
        self._news = trio.Event()

    def __aiter__(self) -> Finder:
        """The changes, from now on and for ever."""
        return self

    async def __anext__(self) -> Found:
        """The next server that is new, or seen again."""
        while not self._changed:
            self._news = trio.Event()
            await self._news.wait()
        key = next(iter(self._changed))
        del self._changed[key]
        return self.servers[key]

    def answered(self, beacon: Beacon, host: str) -> None:
        """A server has answered a probe from this address."""
        self._saw(beacon, [host], self._proven)

    def announced(self, beacon: Beacon, hosts: Sequence[str]) -> None:
        """mDNS tells of a server."""
        self._saw(beacon, hosts, self._named)

    def left(self, beacon: Beacon) -> None:
        """mDNS tells that a server is gone."""
        key = (beacon.id, beacon.port)
        if key in self.servers:
            self._keep(key, structs.replace(self.servers[key], gone=True))

    def _saw(self, beacon: Beacon, hosts: Sequence[str], by_key: dict[Key, tuple[str, ...]]) -> None:
        key = (beacon.id, beacon.port)
        if key not in self.servers and len(self.servers) >= MAX_SERVERS:
            return
        by_key[key] = tuple(dict.fromkeys([*by_key.get(key, ()), *hosts]))[:MAX_ADDRESSES]
        proven, named = (sorted(of.get(key, ()), key=_rank) for of in (self._proven, self._named))
        addresses = tuple(dict.fromkeys([*proven, *named]))[:MAX_ADDRESSES]
        if not addresses:
            return
        self._keep(
            key,
            Found(
                id=beacon.id,
                name=beacon.name or addresses[0],
                addresses=addresses,
                port=beacon.port,
                players=beacon.players,
                tables=beacon.tables,
                password=beacon.password,
                majors=beacon.proto,
                server=beacon.server,
                last_seen=trio.current_time(),
                answers=bool(proven),
            ),
        )

    def _keep(self, key: Key, found: Found) -> None:
        self.servers[key] = found
        self._changed[key] = None
        self._news.set()


def _rank(host: str) -> int:
    """The easiest to type and to pass on first; an address that is good on one link only comes last."""
    address = ip_address(host)
    if address.is_loopback:
        return 2
    if address.is_link_local:
        return 3
    return 0 if address.version == 4 else 1


@asynccontextmanager
async def open_finder(port: int = DEFAULT_PORT, *, mdns: bool = True) -> AsyncIterator[Finder]:
    """Look for servers while the block runs: by probes to this port, and by mDNS on whatever port they are."""
    from .browsing import browse  # not needed to play, so neither at the start
    from .probing import probe

    finder = Finder()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(probe, port, SWEEP_S, finder.answered)
        if mdns:
            nursery.start_soon(browse, finder.announced, finder.left)
        try:
            yield finder
        finally:
            nursery.cancel_scope.cancel()
