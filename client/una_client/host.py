"""`una host`: what table to open on a server of our own, and how others on the network reach it."""

from __future__ import annotations

import ipaddress
from typing import Final

import ifaddr

from una_protocol.messages import Create

from .front import USAGE, fail, valid_name
from .goal import Goal
from .i18n import _
from .play import Own

LONGEST_TABLE: Final = 16
SEATS: Final = 4


def host_goal(
    name: str | None,
    *,
    port: int | None,
    table: str | None,
    seats: int | None,
    bots: int,
    level: str,
    profile: str,
    password: str | None,
) -> tuple[Goal, Own]:
    """The goal, and the server for it. The table begins when its host starts it."""
    taken = bots + 1
    if seats is not None and seats < taken:
        fail(
            _("{bots} bots and you do not fit at a table of {seats}: take --seats {taken}, or fewer bots.").format(
                bots=bots, seats=seats, taken=taken
            ),
            USAGE,
        )
    me = valid_name(name)
    called = table or _("{name}'s table").format(name=me)
    if len(called) > LONGEST_TABLE and table is None:
        called = me
    create = Create(0, called, profile=profile, seats=seats or max(SEATS, taken), bots=[level[:16]] * bots)
    own = Own(open=True, port=port, name=called, password=password)
    goal = Goal(
        host="", name=me, do="create", create=create, password=password, own_server=True, shown=lan_address()
    )  # fmt: skip
    return goal, own


def lan_address() -> str | None:
    """The address of this machine that others are most likely to reach; None where it is in no network."""
    found: list[tuple[int, str]] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            if isinstance(ip.ip, str):
                address = ipaddress.ip_address(ip.ip)
                if not address.is_loopback and not address.is_link_local:
                    virtual = adapter.nice_name.startswith(("docker", "veth", "br-", "virbr", "vmnet"))
                    found.append((2 * virtual + (not address.is_private), ip.ip))
    return min(found)[1] if found else None
