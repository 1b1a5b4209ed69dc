"""Listening to what servers say by mDNS, by zeroconf's synchronous interface in threads of its own.

zeroconf is an extra; without it, or where it does not work, servers are found by probes alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import trio

from una_protocol.beacon import SERVICE, Beacon, from_txt

if TYPE_CHECKING:
    from zeroconf import Zeroconf

log = logging.getLogger(__name__)

ASK_MS: Final = 500
"""How long to ask for the details of a service; mostly they came with its name."""
MAX_NAMES: Final = 256

Announced = Callable[[Beacon, Sequence[str]], None]
Left = Callable[[Beacon], None]


async def browse(announced: Announced, left: Left, interfaces: Sequence[str] | None = None) -> None:
    """Tell of the servers that mDNS knows until cancelled; return where that does not work."""
    limiter = trio.CapacityLimiter(1)
    listener = _Listener(trio.lowlevel.current_trio_token(), announced, left)
    try:
        zeroconf = await trio.to_thread.run_sync(_open, listener, interfaces, limiter=limiter)
    except ImportError:
        log.info("mDNS is not used: zeroconf is not installed")
        return
    except Exception as error:  # noqa: BLE001  # no multicast, no free port 5353: all the same
        log.info("mDNS does not work here: %s", str(error) or type(error).__name__)
        return
    try:
        await trio.sleep_forever()
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(zeroconf.close, limiter=limiter)


def _open(listener: _Listener, interfaces: Sequence[str] | None) -> Zeroconf:
    from zeroconf import InterfaceChoice, ServiceBrowser, Zeroconf

    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # nothing of it may reach a terminal that is drawn on
    zeroconf = Zeroconf(interfaces=InterfaceChoice.All if interfaces is None else list(interfaces))
    ServiceBrowser(zeroconf, SERVICE, listener=listener)  # type: ignore[arg-type]  # it has the methods, not the base
    return zeroconf


class _Listener:
    """What zeroconf calls, in a thread of its own, where asking for details may block."""

    def __init__(self, token: trio.lowlevel.TrioToken, announced: Announced, left: Left) -> None:
        self._token = token
        self._announced = announced
        self._left = left
        self._beacons: dict[str, Beacon] = {}

    def add_service(self, zeroconf: Zeroconf, type_: str, name: str) -> None:
        """A service is there, or says something new."""
        if name not in self._beacons and len(self._beacons) >= MAX_NAMES:
            return
        try:
            info = zeroconf.get_service_info(type_, name, ASK_MS)
        except Exception as error:  # noqa: BLE001  # a name that is none, or it is just being closed
            log.info("a service cannot be asked: %s", type(error).__name__)
            return
        beacon = None if info is None else from_txt(info.properties, info.port)
        if info is not None and beacon is not None:
            self._beacons[name] = beacon
            self._call(self._announced, beacon, info.parsed_scoped_addresses())

    update_service = add_service

    def remove_service(self, zeroconf: Zeroconf, type_: str, name: str) -> None:
        """A service has said goodbye, or has not been heard of for too long."""
        beacon = self._beacons.pop(name, None)
        if beacon is not None:
            self._call(self._left, beacon)

    def _call(self, function: Callable[..., None], *values: Any) -> None:
        try:
            self._token.run_sync_soon(function, *values)
        except trio.RunFinishedError:
            log.debug("mDNS has something to tell when nobody listens any more")
