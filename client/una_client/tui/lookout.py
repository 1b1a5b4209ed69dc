"""The list of servers while nobody is connected: what is heard, the favourites, where the user goes next."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import trio
from msgspec import structs

from una_protocol.address import Address
from una_protocol.text import clean
from una_protocol.version import DEFAULT_PORT

from ..finder import Finder, Found, open_finder
from ..goal import Goal
from .favourites import Favourites
from .model import Again, GoTo, Intent, Keep, Rescan
from .world import ServerRow, World

LOOK_S: Final = 1.0
"""So often the list is made anew, for servers that have fallen silent."""


class Lookout:
    """One stay at the list. `goal` is what was tried last: its name is ours, and it may be tried again."""

    def __init__(
        self, goal: Goal, favourites: Favourites, show: Callable[[World], None], tell: Callable[[str], None],
        trouble: str = "", *, port: int = DEFAULT_PORT,
    ) -> None:  # fmt: skip
        self._goal = goal
        self._favourites = favourites
        self._show = show
        self._tell = tell
        self._trouble = trouble
        self._port = port
        self._rows: tuple[ServerRow, ...] | None = None
        self._scan = trio.CancelScope()
        self._going, self._gone = trio.open_memory_channel[Goal](math.inf)

    async def choose(self) -> Goal:
        """Show the list until the user goes somewhere."""
        self._update(None)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._look)
            goal = await self._gone.receive()
            nursery.cancel_scope.cancel()
        return goal

    def do(self, intent: Intent) -> None:
        """What the user wants here."""
        match intent:
            case GoTo(address=address):
                self._go(address)
            case Again(password=password, name=name) if self._goal.host:
                goal = self._goal if name is None else structs.replace(self._goal, name=name)
                self._going.send_nowait(goal if password is None else structs.replace(goal, password=password))
            case Keep(address=address):
                self._tell(self._favourites.toggle(address))
                self._rows = None
            case Rescan():
                self._trouble = ""
                self._scan.cancel()

    def _go(self, text: str) -> None:
        try:
            where = Address.parse(text)
        except ValueError as error:
            self._tell(str(error))
            return
        self._going.send_nowait(
            Goal(host=where.host, port=where.port, name=self._goal.name, do="join" if where.table else "lobby",
                 table=where.table)
        )  # fmt: skip

    async def _look(self) -> None:
        while True:
            self._scan = trio.CancelScope()
            self._rows = None
            with self._scan:
                async with open_finder(self._port) as finder:
                    while True:
                        self._update(finder)
                        with trio.move_on_after(LOOK_S):
                            await finder.__anext__()
                            await trio.sleep(0.05)  # what comes together is shown together

    def _update(self, finder: Finder | None) -> None:
        found = list(finder.servers.values()) if finder is not None else []
        rows = server_rows(found, self._favourites.addresses, trio.current_time())
        if rows != self._rows:
            self._rows = rows
            self._show(World(me=self._goal.name, at_servers=True, servers=rows, trouble=self._trouble, home=True))


def server_rows(found: list[Found], favourites: list[str], now: float) -> tuple[ServerRow, ...]:
    """The list: favourites first, then those that fit, by name; a favourite stays though nothing is heard of it."""
    rows = []
    for server in found:
        addresses = [str(Address(host, server.port)) for host in server.addresses]
        kept = next((address for address in addresses if address in favourites), None)
        if server.gone and kept is None:
            continue
        rows.append(
            ServerRow(
                address=kept or server.address, name=clean(server.name, 64), players=server.players,
                tables=server.tables, password=server.password, version=clean(server.server, 32), fits=server.fits,
                faded=server.silent(now), favourite=kept is not None,
            )
        )  # fmt: skip
    known = {row.address for row in rows}
    rows += [ServerRow(address, silent=True, favourite=True) for address in favourites if address not in known]
    return tuple(sorted(rows, key=lambda row: (not row.favourite, row.fits != "yes", row.name.casefold(), row.address)))


def connecting(goal: Goal, home: bool, since: float) -> World:
    """The world while we connect."""
    return replace(World(me=goal.name, where=goal.where, at_servers=True, home=home), connecting=(goal.where, since))
