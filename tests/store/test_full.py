"""A disk that is full or broken: what cannot be stored does not happen, and all goes on when there is room again."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import trio

from tests.store.evening import Line, Person, begin, serving
from una_protocol import messages as m
from una_server.store.twin import Disk, TwinStore


def line_of(server: Any, person: Person) -> Line:
    return next(line for line in server.lines if line.person is person)


async def test_a_full_disk_refuses_and_the_table_goes_on(autojump_clock: trio.testing.MockClock) -> None:
    store, ann, ben = TwinStore(Disk()), Person("Ann", 8), Person("Ben", 8)
    async with serving(store) as server:
        await begin(server, ann, ben)
        actor, other = (ann, ben) if server.table.seats[server.table.round.turn].name == "Ann" else (ben, ann)
        assert actor.turn is not None
        store.fail()
        before = {person.name: (line_of(server, person).read, person.view) for person in (ann, ben)}
        seq = server.table.seq
        fields = {"table": server.table.id, "turn": actor.turn.turn, "do": actor.turn.legal[0]}
        line_of(server, actor).write(actor.ask(m.Act, **fields))
        line_of(server, other).write(other.ask(m.Say, text="And?", table=server.table.id))
        await server.settle()
        assert [type(person.refused[0]) for person in (actor, other)] == [m.Act, m.Say]
        assert line_of(server, other).read - before[other.name][0] < 200, "nothing but the refusal was told"
        assert server.lobby.hall.places[fields["table"]].stalled
        line_of(server, other).break_off()  # comes back while the table waits for the disk
        await server.settle()
        assert other.welcomes[-1].resumed
        await trio.sleep(5)
        await server.settle()
        assert server.lobby.hall.places[fields["table"]].stalled
        store.mend()
        await trio.sleep(1.1)
        await server.settle()
        assert not server.lobby.hall.places[fields["table"]].stalled
        assert server.table.seq >= seq
        server.check()
        actor.until = other.until = 14
        for person in (actor, other):
            line_of(server, person).write(person.again())
        await server.settle()
        server.check()
        assert server.table.turn >= 14
        assert all(seat.connected for seat in server.table.seats.values())


async def test_one_failed_commit_costs_a_second(autojump_clock: trio.testing.MockClock) -> None:
    disk = Disk()
    store = TwinStore(disk)
    ann, ben = Person("Ann"), Person("Ben")
    async with serving(store) as server:
        await begin(server, ann, bots=["easy"], options={"target_score": 500}, think_ms=500)
        await trio.sleep(3)
        await server.settle()
        store.fail_next(2)  # a move of the bot's, perhaps, or of Ann's
        await trio.sleep(10)
        await server.settle()
        server.check()
        number = server.table.seq
        del ben
    async with serving(TwinStore(disk)) as server:
        assert server.table.seq >= number
        server.connect(ann)
        await server.settle()
        server.check()


async def test_a_table_that_cannot_be_stored_is_not_opened(autojump_clock: trio.testing.MockClock) -> None:
    store, ann = TwinStore(Disk()), Person("Ann")
    async with serving(store) as server:
        line = server.connect(ann)
        await server.settle()
        store.fail()
        line.write(ann.ask(m.Create, name="Kitchen"))
        line.write(ann.ask(m.Lobby))
        await server.settle()
        lobby = ann.answers[3]
        assert [type(refused) for refused in ann.refused] == [m.Create]
        assert isinstance(lobby, m.Ok)
        assert lobby.tables == []
        assert not server.lobby.hall.places
        store.mend()
        line.write(ann.again())
        await server.settle()
        assert isinstance(ann.answers[2], m.Ok)
        assert ann.view is not None
    assert store.disk.sessions, "who came while nothing could be stored is stored with the first thing they do"


async def test_a_fault_sets_the_table_back(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    store, ann, ben = TwinStore(Disk()), Person("Ann", 5), Person("Ben", 5)
    async with serving(store) as server:
        await begin(server, ann, ben)
        table = server.table.id

        def broken(*args: Any) -> None:
            server.table.seq += 5
            raise RuntimeError("a fault")

        from una_server.table import table as module

        monkeypatch.setitem(module.HANDLERS, m.Pause, broken)
        line_of(server, ann).write(ann.ask(m.Pause, table=table, on=True))
        await server.settle()
        refusal = ann.answers[max(ann.answers)]
        assert isinstance(refusal, m.Err)
        assert refusal.code == "internal"
        ann.until = ben.until = 9
        line_of(server, ben).write(ben.ask(m.Say, text="What was that?", table=table))
        await server.settle()
        server.check()
        assert [said.text for said in ann.said] == ["What was that?"]


async def test_slow_commits_in_any_order_of_things(autojump_clock: trio.testing.MockClock) -> None:
    import random

    chance = random.Random(4)
    store = TwinStore(Disk(), delay=lambda: chance.random() * 0.2)
    people = [Person(name, 60, lambda turn: chance.choice(turn.legal)) for name in ("Ann", "Ben", "Cem")]
    async with serving(store) as server:
        first, *others = people
        line = server.connect(first)
        first.wants.append(m.Create(0, "Kitchen", una_grace_ms=0, between_s=0))
        await _until(server, lambda: bool(server.lobby.hall.places) and first.view is not None)
        for other in others:
            other.wants.append(m.Join(0, server.table.id))
            server.connect(other)
        await _until(server, lambda: all(person.view is not None for person in people))
        line.write(first.ask(m.Start, table=server.table.id))
        for _ in range(400):
            await trio.sleep(chance.random() * 0.3)
            if chance.random() < 0.1:
                chance.choice(server.lines).break_off()
            if chance.random() < 0.1:
                store.fail_next()
            await server.settle()
            for line in server.lines:
                line.write(line.person.again())
            if server.table.stage == "over" or server.table.turn >= 60:
                break
        else:
            pytest.fail("the game stands still")
        await trio.sleep(3)
        await server.settle()
        await trio.sleep(3)
        await server.settle()
        server.check()


async def _until(server: Any, holds: Any) -> None:
    for _ in range(100):
        await server.settle()
        if holds():
            return
        await trio.sleep(0.1)
    pytest.fail("it did not come to that")
