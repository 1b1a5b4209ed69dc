"""Who may not come: bans by address, for a while or until they are lifted. Pure arithmetic; the time is given.

An IPv6 address stands for its whole /64 network: whoever has one address of it has them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from .net.transport import is_loopback


def network_of(address: str) -> str:
    """What is banned for this address: itself, or its network; ValueError with one plain sentence."""
    try:
        if "/" in address:  # as a list of bans shows it
            found: IPv4Address | IPv6Address = ip_network(address, strict=False).network_address
        else:
            found = ip_address(address.partition("%")[0])
    except ValueError:
        raise ValueError("This is no IP address.") from None
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    if is_loopback(str(found)):
        raise ValueError("This machine's own addresses cannot be banned.")
    return str(IPv6Network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found)


class Bans:
    """All bans. Times are seconds since 1970, for a ban outlives the server."""

    def __init__(self, kept: Iterable[tuple[str, float | None]] = ()) -> None:
        self.until: dict[str, float | None] = dict(kept)
        """Address or network -> when the ban ends; None: not by itself."""

    def add(self, network: str, until: float | None) -> None:
        """Ban what `network_of` has named."""
        self.until[network] = until

    def lift(self, network: str) -> bool:
        """End a ban; whether there was one."""
        return self.until.pop(network, self) is not self

    def holds(self, peer: str, now: float) -> bool:
        """Whether nobody may come from there."""
        if not self.until:
            return False
        try:
            network = network_of(peer)
        except ValueError:
            return False
        until = self.until.get(network, now)
        return until is None or until > now

    def all(self, now: float) -> list[tuple[str, float | None]]:
        """The bans that hold, and when they end; in order."""
        return sorted((network, until) for network, until in self.until.items() if until is None or until > now)

    def forget(self, now: float) -> list[str]:
        """Forget the bans that are over; which ones."""
        over = [network for network, until in self.until.items() if until is not None and until <= now]
        for network in over:
            del self.until[network]
        return over
