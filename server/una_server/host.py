"""A running server: puts lobby, port and listener together, starts them, and stops them in good order.

Knows processes, signals and files of its own start; what is played is the lobby's business.
"""

from __future__ import annotations

import gc
import logging
import os
import random
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec
import trio

from una_protocol.address import Address
from una_protocol.messages import Limits

from . import __version__
from .announce import Announcer, Status
from .config import BadConfig, Config
from .door import House, doors
from .lobby import Lobby
from .net.link import bye
from .net.listener import CannotListen, accept_on, open_sockets, own_addresses, raise_file_limit
from .net.port import Port
from .net.transport import is_loopback
from .recorder import Recorder
from .seeds import NumberedSeeds, SecretSeeds

log = logging.getLogger(__name__)

PARTING_S: Final = 5.0
SWEEP_S: Final = 10.0
OTHER_FILES: Final = 192
"""Files that are no connections: records, the journal, threads, and connections that are being refused."""
_EVERYWHERE: Final = ("0.0.0.0", "::")


class Host:
    """One server. `listen` first: it says what cannot be before anything runs."""

    def __init__(self, config: Config) -> None:
        self.config = config
        seeds = SecretSeeds() if config.seed is None else NumberedSeeds(config.seed)
        self._recorder = Recorder(_writable(config.record)) if config.record is not None else None
        self.lobby = Lobby(config.rooms, seeds, self._recorder)
        limits = config.limits
        self._house = House(
            server=f"una/{__version__}",
            limits=Limits(limits.frame, limits.rate, limits.burst),
            keepalive_s=limits.keepalive_s,
            resume_s=config.rooms.resume_s,
            password=config.password,
            bots=config.bots,
        )
        self.port = Port(limits, doors(self.lobby, self._house))
        self.sockets: list[socket.socket] = []

    def listen(self) -> int:
        """Open the sockets; the number of their port. Raises CannotListen."""
        self.sockets = open_sockets(self.config.host, self.config.port)
        self._fit_connections(raise_file_limit())
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
        """Serve until `until` returns, then say goodbye to everybody."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.port.run)
            nursery.start_soon(_keep, "alarms", self._ring)
            nursery.start_soon(_keep, "listing", self._list)
            nursery.start_soon(_keep, "passwords", self._hash)
            nursery.start_soon(_keep, "sweep", self._sweep)
            if self.config.discovery and self.sockets:
                bound = [sock.getsockname() for sock in self.sockets]
                announcer = Announcer([(str(address[0]), int(address[1])) for address in bound], self._status)
                nursery.start_soon(announcer.run)
            accepting = await nursery.start(self._accept)
            ready()
            await until()
            accepting.cancel()
            await self._say_goodbye()
            nursery.cancel_scope.cancel()
        if self._recorder is not None:
            self._recorder.close_all()

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

    async def _sweep(self) -> None:
        while True:
            await trio.sleep(SWEEP_S)
            self.lobby.sweep(trio.current_time())
            self._flush(trio.current_time())

    def _flush(self, now: float) -> None:
        self.port.now = now
        self.port.flush()

    async def _say_goodbye(self) -> None:
        self._house.closing = True
        with trio.move_on_after(PARTING_S):
            # Not all at once: everybody will come back when the next server is up.
            await self.port.close_all(lambda: bye("shutting_down", random.randint(500, 5000)))


async def _keep(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work for ever: a fault in it is logged, and it begins anew."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("the task %s failed and begins anew", name)
            await trio.sleep(0.1)


def _list(addresses: list[str], port: int) -> str:
    return "all addresses, port " + str(port) if addresses[0] in _EVERYWHERE else f"{addresses[0]}, port {port}"


def _writable(folder: str) -> Path:
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".una-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadConfig(
            f"The folder {folder} for records cannot be written to: {(error.strerror or 'it failed').lower()}."
        ) from None
    return path


# -- the process -----------------------------------------------------------------------------------------------------


def run_process(config: Config, port_file: str | None, until_eof: bool) -> None:
    """Run a server as this process until it is told to stop. Raises BadConfig or CannotListen before it starts."""
    host = Host(config)
    port = host.listen()

    def ready() -> None:
        if port_file is not None:
            _write_port(Path(port_file), port)
        print(host.greeting(), flush=True)
        _collect_less()

    trio.run(host.run, _until_signal(until_eof), ready)


def _collect_less() -> None:
    """Almost everything here is freed by counting references; looking for cycles is left for now and then.

    The tables' logs are many small values that live long, and every search would walk through all of them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _until_signal(until_eof: bool) -> Callable[[], Awaitable[None]]:
    async def until() -> None:
        async with trio.open_nursery() as nursery:

            async def stop_when(event: Callable[[], Awaitable[None]]) -> None:
                await event()
                nursery.cancel_scope.cancel()

            nursery.start_soon(stop_when, _signal)
            if until_eof:
                nursery.start_soon(stop_when, _end_of_input)

    return until


async def _signal() -> None:
    wanted = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        wanted.append(signal.SIGBREAK)
    with trio.open_signal_receiver(*wanted) as signals:
        async for _ in signals:
            return


async def _end_of_input() -> None:
    # By the descriptor: a thread that is left behind in a buffered read would hold its lock when the program ends.
    while await trio.to_thread.run_sync(os.read, 0, 4096, abandon_on_cancel=True):
        pass


def _write_port(file: Path, port: int) -> None:
    """All at once: whoever waits for the file never reads half of it."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        part.write_text(f"{port}\n", encoding="ascii")
        part.replace(file)
    except OSError as error:
        log.error("the port file could not be written: %s", error.strerror)


__all__ = ["CannotListen", "Host", "run_process"]
