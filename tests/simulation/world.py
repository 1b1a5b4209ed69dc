"""One run: the real server on a journal in memory, real client sessions, a bad network, on a virtual clock.

Everything follows from the seed: which connections break, when the server crashes or stops and what of its journal was
stored, when the disk is full, what players do. After the storm the network is calm, and what was begun must come to
its end.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple
from unittest import mock

import trio
import trio._core._run as trio_run
import trio.testing

from una_client.session import ConnectFailed
from una_protocol import messages as m
from una_server.config import make_config
from una_server.host import Host
from una_server.store.twin import Disk, TwinStore
from una_server.table import Table

from .ledger import Ledger
from .network import Faults, Wire
from .player import Player

PROFILES = ("una", "classic", "traditional", "official")
NAMES = ("Ann", "Ben", "Cem", "Dan", "Eve", "Fay", "Gil", "Hal")
CALM_S = 900.0
"""How long a match may take to come to its end once nothing goes wrong any more."""


class Result(NamedTuple):
    """What a run came to. `trace` is the same for the same seed."""

    seed: int
    trace: str
    violations: list[str]
    events: int
    acks: int
    lives: int
    resumed: int
    matches: int


class World:
    """The server, its network, its players."""

    def __init__(self, seed: int, seconds: float) -> None:
        self.seconds = seconds
        self.chance = random.Random(f"una simulation {seed}")
        self.faults = Faults(self.chance)
        self.ledger = Ledger()
        self.disk = Disk()
        self.lives = 0
        self.players: list[Player] = []
        self._config = make_config(None, {"port": 0, "seed": seed, "discovery": False}, {})
        self._host: Host | None = None
        self._store: TwinStore | None = None
        self._serving: trio.Nursery | None = None
        self._wires: list[Wire] = []
        self._tables: dict[int, str] = {}
        self._table_opened = trio.Event()
        self._dialled = 0

    @property
    def calm(self) -> bool:
        """Whether the storm is over."""
        return self.faults.calm

    # -- what players use ------------------------------------------------------------------------------------------

    async def dial(self, host: str, port: int, where: str) -> trio.abc.Stream:
        await trio.sleep(self.faults.delay())
        if self._serving is None or self._host is None:
            raise ConnectFailed("Nobody listens there.", again=True)
        self._dialled += 1
        wire = Wire(self.faults, f"10.0.0.{self._dialled % 200}")
        self._wires.append(wire)
        self._serving.start_soon(self._host.port.serve, wire.plug)
        return wire.cable

    async def table_of(self, number: int) -> str:
        while number not in self._tables:
            await self._table_opened.wait()
        return self._tables[number]

    def opened(self, number: int, table: str) -> None:
        self._tables[number] = table
        self._table_opened.set()
        self._table_opened = trio.Event()

    # -- the run ---------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """The storm, the calm, the reckoning."""
        self._invite()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_server)
            nursery.start_soon(self._watch_over)
            for player in self.players:
                nursery.start_soon(player.run)
            await trio.sleep(self.seconds)
            self.faults.calm = True
            if self._store is not None:
                self._store.mend()
            with trio.move_on_after(CALM_S):
                await self._settle()
            if self._all_over():
                await self._compare()
            else:
                self.ledger.violated(f"a table stands still: {[table.stage for table in self._open_tables()]}")
            nursery.cancel_scope.cancel()
        self.ledger.audit()

    async def _settle(self) -> None:
        while True:
            await trio.sleep(1)
            if self._all_over():
                return

    def _invite(self) -> None:
        """Who plays where, by which rules."""
        names = list(NAMES)
        for number in range(self.chance.randint(1, 2)):
            size = self.chance.randint(2, 4)
            create = m.Create(
                0,
                f"Table {number}",
                profile=self.chance.choice(PROFILES),
                options={"target_score": 0, "seven_zero": self.chance.random() < 0.3},
                seats=size + 1,
                turn_s=self.chance.choice((0, 10, 20)),
                una_grace_ms=self.chance.choice((0, 1500)),
                bots=["easy"] if self.chance.random() < 0.3 else [],
                think_ms=300,
            )
            for place in range(size):
                watches = place == size - 1 and size > 2
                chance = random.Random(self.chance.random())
                create_it = create if place == 0 else None
                self.players.append(Player(names.pop(0), self, number, chance, create_it, watches))

    async def _keep_server(self) -> None:
        """One server after another, on the same disk."""
        while True:
            self.lives += 1
            self._store = TwinStore(self.disk, lambda: self.chance.expovariate(300))
            self._host = Host(self._config, self._store)
            async with trio.open_nursery() as self._serving:
                stop, stopped = trio.Event(), trio.Event()
                self._serving.start_soon(self._serve, self._host, stop, stopped)
                await self._live(self._store, stop, stopped)
                self._serving.cancel_scope.cancel()
            self._serving = self._host = None
            for wire in self._wires:
                wire.reset()
            self._wires.clear()
            await trio.sleep(self.chance.uniform(0.1, 8))

    async def _serve(self, host: Host, stop: trio.Event, stopped: trio.Event) -> None:
        await host.run(stop.wait)
        stopped.set()

    async def _live(self, store: TwinStore, stop: trio.Event, stopped: trio.Event) -> None:
        """Until the server's end, which is of one of three kinds."""
        end = trio.current_time() + self.chance.expovariate(1 / 25)
        while trio.current_time() < end or self.calm:
            await trio.sleep(self.chance.uniform(0.5, 3))
            if not self.calm and self.chance.random() < 0.05:
                store.fail()
                await trio.sleep(self.chance.uniform(0.1, 5))
                store.mend()
        kind = self.chance.random()
        self.ledger.note("the server ends", kind)
        if kind < 0.25:
            stop.set()
            await stopped.wait()
        else:
            store.crash(stored=kind < 0.6)

    # -- what must hold --------------------------------------------------------------------------------------------

    def _open_tables(self) -> list[Table]:
        return [place.table for place in self._host.lobby.hall.places.values()] if self._host is not None else []

    async def _watch_over(self) -> None:
        """Look at the server's tables now and then."""
        while True:
            await trio.sleep(1)
            for table in self._open_tables():
                self._look(table)

    def _look(self, table: Table) -> None:
        round = table.round
        if round is None:
            return
        cards = Counter(round.draw_pile + round.discards)
        for hand in round.hands:
            cards.update(hand)
        if cards != Counter(round.shuffled[0]):
            self.ledger.violated(f"the deck of {table.id} is not what it was")
        asked = [key for key in table.members if table.turn_for(key, table.now) is not None]
        if len(asked) > 1:
            self.ledger.violated(f"{len(asked)} owe the same decision at {table.id}")

    def _all_over(self) -> bool:
        """Whether everybody is where they belong and nothing is going on any more."""
        tables = {table.id: table for table in self._open_tables()}
        for player in self.players:
            mine = player.mirror.tables.get(player.table)
            table = tables.get(player.table)
            if not player.connected or mine is None or table is None or table.stage != "over" or mine.gone:
                return False
            if mine.view.seq != table.seq:
                return False
        return True

    async def _compare(self) -> None:
        """What each viewer has folded is what the server would send."""
        assert self._host is not None
        tables = {table.id: table for table in self._open_tables()}
        keys = {session.name: key for key, session in self._host.lobby.book.by_key.items() if session.link is not None}
        for player in self.players:
            table = tables[player.table]
            folded = player.mirror.tables[player.table].view
            state = table.view_for(keys[player.name], table.now)
            for name in state.__struct_fields__:
                if name != "ms" and getattr(folded, name) != getattr(state, name):
                    self.ledger.violated(f"{player.name} believes {name} to be {getattr(folded, name)!r}")


# -- running it ------------------------------------------------------------------------------------------------------


class _Faults(logging.Handler):
    """Notes what the server logs as an error with a traceback."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(logging.ERROR)
        self._ledger = ledger

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None:
            self._ledger.violations.append(f"the server logs: {record.getMessage()}: {record.exc_info[1]!r}")


@contextmanager
def deterministic(seed: int) -> Iterator[None]:
    """Trio's scheduling, and the generator that everybody shares, follow from the seed."""
    state = random.getstate()
    with mock.patch.object(trio_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True):
        trio_run._r.seed(seed)
        random.seed(seed)
        try:
            yield
        finally:
            random.setstate(state)


def simulate(seed: int, seconds: float) -> Result:
    """One run of so many virtual seconds of storm."""
    world = World(seed, seconds)
    handler = _Faults(world.ledger)
    logger = logging.getLogger("una_server")
    logger.addHandler(handler)
    propagate, logger.propagate = logger.propagate, False
    try:
        with deterministic(seed), suppress(KeyboardInterrupt):
            trio.run(world.run, clock=trio.testing.MockClock(autojump_threshold=0))
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate
    ledger = world.ledger
    matches = max((player.matches for player in world.players), default=0)
    return Result(
        seed, ledger.trace, ledger.violations, ledger.events, ledger.acks, world.lives, ledger.resumed, matches
    )
