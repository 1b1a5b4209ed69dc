"""A tournament on a disk that fails and a server that dies, in memory: each match is counted once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from una_protocol import messages as m
from una_server.lobby import Lobby
from una_server.rooms import Rooms
from una_server.seeds import NumberedSeeds
from una_server.session import Session
from una_server.store import NOTHING
from una_server.store.twin import Disk, TwinStore
from una_server.tournament.tournament import Plan, Tournament

KEY = "the same long key of all bots here"


class Ear:
    """A connection that takes everything."""

    def __init__(self, peer: str) -> None:
        self.transport = SimpleNamespace(peer=peer)

    def send(self, frame: bytes) -> None:
        pass


class Server:
    """A lobby and its tournament, on a disk."""

    def __init__(self, disk: Disk) -> None:
        self.store = TwinStore(disk)
        saved = self.store.load()
        self.lobby = Lobby(Rooms(), NumberedSeeds(1), store=self.store)
        self.tournament = Tournament(self.lobby, Plan(seats=2, options={"target_score": 0}), saved)
        self.lobby.hall.recovery.restore(saved, 0.0)

    def bot(self, name: str, key: str | None = KEY, peer: str = "192.0.2.1") -> Session:
        session = self.lobby.book.enter(m.Hello(1, [1], name, bot=True), 0.0)
        session.link = cast(Any, Ear(peer))
        self.ask(session, m.Queue(1, key=key))
        return session

    def ask(self, session: Session, message: Any, now: float = 0.0) -> None:
        self.lobby.received(session, message, now)

    @property
    def stages(self) -> list[str]:
        return [place.table.stage for place in self.lobby.hall.places.values()]

    @property
    def table(self) -> str:
        (table,) = self.lobby.hall.places
        return table

    @property
    def games(self) -> dict[str, tuple[int, int]]:
        return {row.name: (row.games, row.wins) for row in self.tournament.ladder.rows()}


OTHER = "the long key of somebody else's bots"


@pytest.mark.parametrize(
    "owners",
    [
        [(KEY, "192.0.2.1"), (OTHER, "192.0.2.1")],
        [(KEY, "192.0.2.1"), (KEY, "192.0.2.2")],
        [(None, "192.0.2.1"), (None, "192.0.2.2")],
    ],
)
async def test_bots_of_one_owner_do_not_meet_while_there_are_others(owners: list[tuple[str | None, str]]) -> None:
    server = Server(Disk())
    first, second = owners
    for name, (key, peer) in {"Ann": first, "Bo": first, "Cy": second, "Dee": second}.items():
        server.bot(name, key, peer)
    server.tournament.work(1.0)
    tables = [
        {seat.guest.name for seat in place.table.seats.values() if seat.guest is not None}
        for place in server.lobby.hall.places.values()
    ]
    assert tables == [{"Ann", "Cy"}, {"Bo", "Dee"}]


async def test_a_full_disk_seats_nobody_and_a_mended_one_does() -> None:
    server = Server(Disk())
    ann, _ = server.bot("Ann"), server.bot("Bo")
    server.store.fail()
    server.tournament.work(1.0)
    assert server.stages == []
    assert not ann.arriving
    server.store.mend()
    server.tournament.work(2.0)
    assert server.stages == ["playing"]


@pytest.mark.parametrize("lost", range(2, 7))
async def test_a_disk_that_fails_while_they_are_seated(lost: int) -> None:
    server = Server(Disk())
    server.bot("Ann"), server.bot("Bo")
    server.store.hold = True
    server.tournament.work(1.0)
    assert server.stages == ["waiting"]
    server.store.fail_next(lost - 1)
    server.store.release()
    for second in range(2, 8):
        server.tournament.work(float(second))
        for place in list(server.lobby.hall.places.values()):
            if place.retry_at is not None:
                server.lobby.hall.recovery.retry(place)
    server.tournament.work(9.0)
    assert server.stages == ["playing"]


async def test_a_match_is_counted_once_whenever_the_server_dies() -> None:
    disk = Disk()
    server = Server(disk)
    ann, _ = server.bot("Ann"), server.bot("Bo")
    server.tournament.work(1.0)
    server.store.hold = True
    server.ask(ann, m.Leave(2, server.table), 2.0)
    server.store._waiting, waiting = [], server.store._waiting
    for parts, done in waiting[:1]:  # the leaving is stored, and what follows from it is not
        disk.write(parts)
        done(None)
    assert server.games == {"Ann": (1, 0), "Bo": (1, 1)}
    server.store.crash()

    after = Server(disk)
    assert after.games == {}
    assert after.stages == ["over"]
    after.tournament.work(0.0)
    assert after.games == {"Ann": (1, 0), "Bo": (1, 1)}
    assert after.stages == []
    assert not disk.ranked

    last = Server(disk)
    last.tournament.work(0.0)
    assert last.games == {"Ann": (1, 0), "Bo": (1, 1)}


async def test_what_was_counted_before_the_server_died_is_not_counted_again() -> None:
    disk = Disk()
    server = Server(disk)
    ann, _ = server.bot("Ann"), server.bot("Bo")
    server.tournament.work(1.0)
    server.ask(ann, m.Leave(2, server.table), 2.0)
    server.store.crash()
    after = Server(disk)
    assert after.stages == ["over"]
    after.tournament.work(0.0)
    assert after.stages == []
    assert after.games == {"Ann": (1, 0), "Bo": (1, 1)}


async def test_who_comes_back_under_another_name_is_not_rated_for_the_old_one() -> None:
    server = Server(Disk())
    ann, bo = server.bot("Ann"), server.bot("Bo")
    server.tournament.work(1.0)
    server.ask(ann, m.Leave(2, server.table), 2.0)
    server.tournament.work(3.0)
    assert bo.key in server.tournament.queue
    assert ann.key not in server.tournament.queue
    carl = server.bot("Carl")
    carl.rename("Bo2", "bo2")
    server.tournament.work(4.0)
    server.ask(carl, m.Leave(2, server.table), 5.0)
    assert server.games == {"Ann": (1, 0), "Bo": (2, 2), "Bo2": (1, 0)}


def test_the_start_finds_nothing() -> None:
    assert (NOTHING.ladder, NOTHING.ranked) == ([], [])
