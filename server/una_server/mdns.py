"""The server as an mDNS service, by zeroconf's synchronous interface in a worker thread.

zeroconf is an extra (`pip install una-lan[mdns]`): it is compiled, and many times heavier than the probes that do the
same within one network; where it is missing or does not work, probes remain. What it adds: other programs that list
services see the server, and one on another port than the usual one is found.

Its asyncio loop runs in a thread of its own, which the synchronous interface starts; trio never sees it. Each call
blocks (registering takes 1.6 s, for it asks the network first), so each is made in a thread here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

import trio

from una_protocol.beacon import SERVICE, Beacon, to_txt

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

log = logging.getLogger(__name__)

UPDATE_S: Final = 5.0
"""The least time between two announcements of a change."""
_FAMILY: Final = {4: "0.0.0.0", 6: "::"}
_EVERYWHERE: Final = tuple(_FAMILY.values())
_LABEL_BYTES: Final = 40


async def register(beacon: Callable[[], Beacon], hosts: Sequence[str], interfaces: Sequence[str] | None = None) -> None:
    """Announce what `beacon` says until cancelled; return where that does not work.

    `hosts`: the addresses that are listened on; `interfaces`: where to speak, by default there.
    """
    limiter = trio.CapacityLimiter(1)  # the calls must not overtake each other, nor wait for other threads
    said = beacon()
    try:
        zeroconf = await trio.to_thread.run_sync(_open, said, hosts, interfaces, limiter=limiter)
    except ImportError:
        log.info("mDNS is not used: zeroconf is not installed")
        return
    except Exception as error:  # noqa: BLE001  # no multicast, no free port 5353, a name that is taken: all the same
        log.warning("mDNS does not work here: %s", str(error) or type(error).__name__)
        return
    try:
        while True:
            await trio.sleep(UPDATE_S)
            now = beacon()
            if now != said:
                said = now
                try:
                    await trio.to_thread.run_sync(zeroconf.update_service, _info(said, hosts), limiter=limiter)
                except Exception as error:  # noqa: BLE001  # the old record stays; the next change tries again
                    log.warning("mDNS does not take a change: %s", str(error) or type(error).__name__)
    finally:
        with trio.CancelScope(shield=True):  # says goodbye to the network, in a quarter of a second
            await trio.to_thread.run_sync(zeroconf.close, limiter=limiter)


def _open(beacon: Beacon, hosts: Sequence[str], interfaces: Sequence[str] | None) -> Zeroconf:
    from zeroconf import IPVersion, Zeroconf

    # It logs what goes wrong on each interface with a traceback; one interface that works is enough.
    logging.getLogger("zeroconf").setLevel(logging.ERROR)
    zeroconf = Zeroconf(interfaces=list(interfaces or _addresses(hosts, near=True)), ip_version=IPVersion.All)
    try:
        zeroconf.register_service(_info(beacon, hosts))
    except BaseException:
        zeroconf.close()
        raise
    return zeroconf


def _info(beacon: Beacon, hosts: Sequence[str]) -> ServiceInfo:
    from zeroconf import ServiceInfo

    return ServiceInfo(
        SERVICE,
        f"{_label(beacon)}.{SERVICE}",
        port=beacon.port,
        properties=to_txt(beacon),
        # a host name of its own: the machine's belongs to the mDNS service of the system
        server=f"una-{beacon.id}.local.",
        parsed_addresses=_addresses(hosts),
    )


def _label(beacon: Beacon) -> str:
    """What lists of services show: the name, and a part of the id, so that no two servers have the same."""
    name = to_txt(beacon)["name"].replace(".", " ").encode()[:_LABEL_BYTES].decode("utf-8", "ignore").strip()
    return f"{name} {beacon.id[:6]}".strip()


def _addresses(hosts: Sequence[str], near: bool = False) -> list[str]:
    """Under which addresses others reach us: those listened on, or all that this machine has.

    `near`: those to speak from, which are good within one network only too.
    """
    one = [host for host in hosts if host not in _EVERYWHERE]
    if one:
        return one
    import ifaddr

    own = (ip for adapter in ifaddr.get_adapters() for ip in adapter.ips)
    return [
        str(address)
        for address in (ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0]) for ip in own)
        if not address.is_loopback and (near or not address.is_link_local) and _FAMILY[address.version] in hosts
    ]
