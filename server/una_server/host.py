"""A running server: puts lobby, port and listener together, starts them, and stops them in good order.

Knows processes, signals and files of its own start; what is played is the lobby's business.
"""

from __future__ import annotations

import logging
import math
import random
import secrets
import socket
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import msgspec
import trio

from una_protocol.address import Address
from una_protocol.messages import Limits

from . import __version__
from .announce import Announcer, Status
from .bans import Bans
from .config import Config
from .door import House, doors
from .equipment import make_metrics, make_recorder, make_store, make_tournament
from .lobby import Lobby
from .logs import note
from .net.link import bye
from .net.listener import accept_on, open_sockets, own_addresses, raise_file_limit
from .net.port import Port
from .net.transport import is_loopback
from .observation import Observation
from .office import Office
from .seeds import NumberedSeeds, SecretSeeds
from .store import NOTHING, CannotStore, Prune, Store, Unban

if TYPE_CHECKING:
    from .metrics import Metrics

log = logging.getLogger(__name__)

PARTING_S: Final = 5.0
SWEEP_S: Final = 10.0
DAY_S: Final = 86_400
OTHER_FILES: Final = 192
"""Files that are no connections: records, the journal, threads, and connections that are being refused."""
_EVERYWHERE: Final = ("0.0.0.0", "::")


class Host:
    """One server. Making it and `listen` say what cannot be before anything runs; `close` gives back what they took."""

    def __init__(self, config: Config, store: Store | None = None) -> None:
        """Raises BadConfig, or NoData where the database cannot be used. `store`: instead of the config's."""
        self.config = config
        seeds = SecretSeeds() if config.seed is None else NumberedSeeds(config.seed)
        self._recorder = make_recorder(config)
        self.store = make_store(config) if store is None else store
        self._saved = self.store.load()
        self.lobby = Lobby(config.rooms, seeds, self._recorder, self.store)
        self.tournament = make_tournament(config, self.lobby, self._saved)
        limits = config.limits
        self._house = House(
            server=f"una/{__version__}",
            limits=Limits(limits.frame, limits.rate, limits.burst),
            keepalive_s=limits.keepalive_s,
            resume_s=config.rooms.resume_s,
            password=config.password,
            bots=config.bots,
            motd=config.motd,
        )
        self.port = Port(limits, doors(self.lobby, self._house))
        self.for_good = False
        """The server keeps nothing and ends with whoever started it: nobody need come back."""
        self.bans = Bans(self._saved.bans)
        self.port.banned = lambda peer: self.bans.holds(peer, time.time())
        self.observation = Observation(self.lobby, self.port, self.store, self.bans)
        self.admin_token = secrets.token_hex(16) if config.admin else None
        """With this the server can be looked after."""
        self._end = trio.Event()
        self._end_at = math.inf
        self.lobby.office = Office(
            self.admin_token, self.lobby, self.port, self.bans, self.observation, self.stop_after
        ).answer
        self.sockets: list[socket.socket] = []
        self._metrics: Metrics | None = None

    def close(self) -> None:
        """Give back the database and the sockets of a server that does not run (any more)."""
        for sock in self.sockets:
            sock.close()
        if self._metrics is not None:
            self._metrics.close()
        self.store.close()

    def listen(self) -> int:
        """Open the sockets; the number of their port. Raises CannotListen."""
        self.sockets = open_sockets(self.config.host, self.config.port)
        self._fit_connections(raise_file_limit())
        self._metrics = make_metrics(self.config, lambda: self.observation.status(trio.current_time()))
        note(log, "listening", addresses=", ".join(str(sock.getsockname()[0]) for sock in self.sockets),
             port=self.port_number, metrics=self._metrics.url if self._metrics is not None else None)  # fmt: skip
        return self.port_number

    def _fit_connections(self, files: int | None) -> None:
        """Promise no more connections than the system has files for: one over the limit is refused politely."""
        room = self.port.limits.connections if files is None else max(1, files - OTHER_FILES)
        if room < self.port.limits.connections:
            log.warning("the system allows %d open files: at most %d connections", files, room)
            self.port.limits = msgspec.structs.replace(self.port.limits, connections=room)

    @property
    def port_number(self) -> int:
        """The port that is listened on."""
        return int(self.sockets[0].getsockname()[1])

    def greeting(self) -> str:
        """Where the server is, and what to type on other machines."""
        bound = [str(sock.getsockname()[0]) for sock in self.sockets]
        addresses = own_addresses() if bound[0] in _EVERYWHERE else bound
        far = [Address(address, self.port_number) for address in addresses if not is_loopback(address)]
        here = Address("localhost" if bound[0] in _EVERYWHERE else bound[0], self.port_number)
        lines = [f"{self._name} (una-server {__version__}) is open on {_list(bound, self.port_number)}"]
        if far:
            lines.append("On another machine type:  una join " + "  or  una join ".join(map(str, far)))
        lines.append(f"On this machine type:     una join {here}")
        if self.config.arena:
            lines.append(f"Bots play for the ladder: una bot run MODULE:CLASS {(far or [here])[0]} --ranked")
        if self._metrics is not None:
            lines.append(f"Metrics for Prometheus:   {self._metrics.url}")
        return "\n".join(lines)

    @property
    def _name(self) -> str:
        return self.config.name or socket.gethostname()

    def _status(self) -> Status:
        guests, places = self.lobby.book.by_key.values(), self.lobby.hall.places.values()
        return Status(
            name=self._name,
            players=sum(guest.link is not None for guest in guests),
            tables=sum(place.table.public for place in places),
            password=self.config.password is not None,
        )

    async def run(self, until: Callable[[], Awaitable[None]], ready: Callable[[], None] = lambda: None) -> None:
        """Go on where the last server stopped, serve until `until` returns, then say goodbye to everybody."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.port.run)
            self.lobby.hall.recovery.restore(self._saved, trio.current_time())
            self._saved = NOTHING
            self.store.start(lambda: self._flush(trio.current_time()))
            nursery.start_soon(_keep, "pruning", self._prune)
            nursery.start_soon(_keep, "alarms", self._ring)
            nursery.start_soon(_keep, "listing", self._list)
            nursery.start_soon(_keep, "passwords", self._hash)
            nursery.start_soon(_keep, "thinking", self._think)
            nursery.start_soon(_keep, "sweep", self._sweep)
            if self.tournament is not None:
                nursery.start_soon(_keep, "arena", self._arrange)
            if self.config.discovery and self.sockets:
                bound = [sock.getsockname() for sock in self.sockets]
                announcer = Announcer([(str(address[0]), int(address[1])) for address in bound], self._status)
                nursery.start_soon(announcer.run)
            if self._metrics is not None:
                nursery.start_soon(_keep, "metrics", self._metrics.run)
            self.observation.note(trio.current_time())
            accepting = await nursery.start(self._accept)
            ready()
            await self._until(until)
            accepting.cancel()
            await self._stop()
            nursery.cancel_scope.cancel()
        self.lobby.hall.thinking.close()
        self.store.close()
        if self._recorder is not None:
            self._recorder.close_all()

    def stop_after(self, seconds: int) -> None:
        """End the run, by itself, in so many seconds; only ever sooner than was said before."""
        self._end_at = min(self._end_at, trio.current_time() + seconds)
        self._end.set()

    async def _until(self, until: Callable[[], Awaitable[None]]) -> None:
        """Until `until` returns, or the administrator has it."""
        async with trio.open_nursery() as nursery:

            async def told() -> None:
                await until()
                nursery.cancel_scope.cancel()

            nursery.start_soon(told)
            while trio.current_time() < self._end_at:
                with trio.move_on_at(self._end_at):
                    await self._end.wait()
                    self._end = trio.Event()
            nursery.cancel_scope.cancel()

    async def _accept(self, task_status: trio.TaskStatus[trio.CancelScope]) -> None:
        async with trio.open_nursery() as connections:
            try:
                with trio.CancelScope() as accepting:
                    task_status.started(accepting)
                    await accept_on(self.sockets, self.port.serve, connections)
            finally:
                for sock in self.sockets:
                    sock.close()

    async def _ring(self) -> None:
        await self.lobby.hall.alarms.run(self._flush)

    async def _list(self) -> None:
        await self.lobby.listing.run(lambda: self._flush(trio.current_time()))

    async def _hash(self) -> None:
        await self.lobby.hashes.run(self._flush)

    async def _think(self) -> None:
        await self.lobby.hall.thinking.run(self.lobby.hall.thought, self._flush)

    async def _arrange(self) -> None:
        if self.tournament is not None:
            await self.tournament.run(self._flush)

    async def _sweep(self) -> None:
        while True:
            await trio.sleep(SWEEP_S)
            self.lobby.presence.sweep(trio.current_time())
            self.observation.note(trio.current_time())
            self._flush(trio.current_time())

    def _flush(self, now: float) -> None:
        self.port.now = now
        self.port.flush()

    async def _prune(self) -> None:
        while True:
            if self.config.keep is not None:
                self.store.put((Prune(int(time.time()) - self.config.keep * DAY_S),), _ignore)
            for network in self.bans.forget(time.time()):
                self.store.put((Unban(network),), _ignore)
            await trio.sleep(DAY_S)

    def reload(self, config: Config) -> None:
        """Take over what may change while the server runs: limits, the message of the day, the keeping of records."""
        self.config, limits = config, config.limits
        self.port.limits = limits
        self._fit_connections(raise_file_limit())
        self.lobby.hall.rooms = self.lobby.book.rooms = config.rooms
        house = self._house
        house.limits = Limits(limits.frame, limits.rate, limits.burst)
        house.keepalive_s, house.resume_s = limits.keepalive_s, config.rooms.resume_s
        house.motd = config.motd

    async def _stop(self) -> None:
        """Nothing new is begun; what was begun is stored and told; then everybody is told to go."""
        self._house.closing = self.lobby.hall.stopped = True
        with trio.move_on_after(PARTING_S):
            with trio.move_on_after(PARTING_S / 2):
                await self.store.drain()
            if self.for_good:
                await self.port.close_all(lambda: bye("ended"))
            else:  # not all at once: everybody will come back when the next server is up
                await self.port.close_all(lambda: bye("shutting_down", random.randint(500, 5000)))


async def _keep(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work for ever: a fault in it is logged, and it begins anew."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("the task %s failed and begins anew", name)
            await trio.sleep(0.1)


def _ignore(error: CannotStore | None) -> None:
    pass


def _list(addresses: list[str], port: int) -> str:
    return "all addresses, port " + str(port) if addresses[0] in _EVERYWHERE else f"{addresses[0]}, port {port}"
