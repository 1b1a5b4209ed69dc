"""A server that ends at any point, and the next one on the same data: the evening goes on as if nothing had been."""

from __future__ import annotations

import random
from typing import Any

import pytest
import trio

from tests.store.evening import Line, Person, begin, serving
from una_protocol import messages as m
from una_protocol.codec import encode
from una_server.game import PROFILES
from una_server.store.twin import Disk, TwinStore


def anyhow(seed: int) -> Any:
    """Any legal choice."""
    chance = random.Random(seed)
    return lambda turn: chance.choice(turn.legal)


def line_of(server: Any, person: Person) -> Line:
    return next(line for line in server.lines if line.person is person)


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_match_survives_many_crashes(profile: str, autojump_clock: trio.testing.MockClock) -> None:
    disk = Disk()
    people = [Person(name, 0, anyhow(number)) for number, name in enumerate(("Ann", "Ben", "Cem"))]
    bots = [Person("Robo", 0, anyhow(9), bot=True)]
    everybody = people + bots
    options = {"profile": profile, "options": {"target_score": 60}, "between_s": 1, "think_ms": 0}
    async with serving(TwinStore(disk)) as server:
        await begin(server, *everybody, seats=5, bots=["normal"], **options)
    crashes = 0
    while crashes < 300:
        async with serving(TwinStore(disk)) as server:
            for person in everybody:
                server.connect(person)
            for person in everybody:
                person.until = server.table.turn + 3  # a few turns in each life of the server
            await server.settle()
            await trio.sleep(1.5)  # rounds are dealt, house bots move
            await server.settle()
            server.check()
            if server.table.stage == "over":
                break
        crashes += 1
    else:
        pytest.fail("the match did not end")
    assert crashes > 5
    assert not any(person.asked for person in everybody)
    refused = [a for p in everybody for a in p.answers.values() if isinstance(a, m.Err)]
    assert not [answer for answer in refused if answer.code != "stale_turn"], refused
    assert len(disk.records) == server.table.match.number


async def test_an_action_that_was_stored_but_not_answered_is_done_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    disk, ann, ben = Disk(), Person("Ann", 0), Person("Ben", 0)
    for stored in (True, False):
        store = TwinStore(disk)
        async with serving(store) as server:
            if ann.view is None:
                await begin(server, ann, ben)
            else:
                server.connect(ann)
                server.connect(ben)
                await server.settle()
            actor = ann if server.table.seats[server.table.round.turn].name == "Ann" else ben
            assert actor.turn is not None
            store.hold = True
            before = {person.name: line_of(server, person).read for person in (ann, ben)}
            seq = server.table.seq
            line_of(server, actor).write(
                actor.ask(m.Act, table=server.table.id, turn=actor.turn.turn, do=actor.turn.legal[0])
            )
            await server.settle()
            after = {person.name: line_of(server, person).read for person in (ann, ben)}
            assert after == before, "nothing is told before it is stored"
            done = server.table.seq
            assert done > seq
            store.crash(stored=stored)
        [act] = actor.asked
        async with serving(TwinStore(disk)) as server:
            assert server.table.seq >= (done if stored else seq)
            server.connect(ann)
            server.connect(ben)
            await server.settle()
            server.check()
            answer = actor.answers[act]
            assert isinstance(answer, m.Ok)
            if stored:
                assert answer.seq == done
            turns = [step for steps in disk.steps.values() for step in steps if b"\xa3act" in step.body]
            assert len(turns) == (1 if stored else 2)


async def test_somebody_who_comes_back_meanwhile_hears_it_once(autojump_clock: trio.testing.MockClock) -> None:
    store, ann, ben = TwinStore(Disk()), Person("Ann", 0), Person("Ben", 0)
    async with serving(store) as server:
        await begin(server, ann, ben)
        actor, other = (ann, ben) if server.table.seats[server.table.round.turn].name == "Ann" else (ben, ann)
        assert actor.turn is not None
        store.hold = True
        line_of(server, actor).write(
            actor.ask(m.Act, table=server.table.id, turn=actor.turn.turn, do=actor.turn.legal[0])
        )
        await server.settle()
        for person in (other, actor, other):
            line_of(server, person).break_off()
            await server.settle()
        assert other.welcomes[-1].resumed
        store.release()
        await server.settle()
        server.check()
        assert not actor.asked
        assert [seat.connected for seat in server.table.seats.values()] == [True, True]


async def test_clocks_stand_while_no_server_runs(autojump_clock: trio.testing.MockClock) -> None:
    disk, ann, ben = Disk(), Person("Ann", 0), Person("Ben", 0)
    async with serving(TwinStore(disk)) as server:
        await begin(server, ann, ben, turn_s=20)
        await trio.sleep(5)
        line_of(server, ann).write(ann.ask(m.Say, text="Tea?", table=server.table.id))
        await server.settle()
        assert [said.text for said in ben.said] == ["Tea?"]
    assert not any(b"Tea" in step.body for step in disk.steps[1]), "what was said is nobody's business later"
    await trio.sleep(3600)
    async with serving(TwinStore(disk)) as server:
        [place] = server.lobby.hall.places.values()
        deadline = place.deadline()
        assert deadline is not None
        assert deadline - trio.current_time() == pytest.approx(15, abs=0.1)
        assert [seat.connected for seat in server.table.seats.values()] == [False, False]
        assert not server.table.closed, "everybody lost at once is not the end of a table"


async def test_sessions_names_and_chat_after_a_restart(autojump_clock: trio.testing.MockClock) -> None:
    disk, ann, ben, eve = Disk(), Person("Ann", 0), Person("Ben", 0), Person("Eve")
    async with serving(TwinStore(disk)) as server:
        await begin(server, ann, ben)
        server.connect(eve)
        await server.settle()
        keys = set(server.lobby.book.by_key)
    assert ann.session.encode() not in b"".join(row.token for row in disk.sessions.values()), "only hashes are stored"
    async with serving(TwinStore(disk)) as server:
        thief, nobody = Person("Ann"), Person("Dan")
        nobody.session = "0" * 32
        server.connect(thief)
        server.connect(nobody)
        await server.settle()
        assert [error.code for error in (*thief.answers.values(), *nobody.answers.values()) if isinstance(error, m.Err)]
        assert isinstance(thief.answers[1], m.Err)
        assert thief.answers[1].code == "name_taken", "a name belongs to its seat"
        assert isinstance(nobody.answers[1], m.Err)
        assert nobody.answers[1].code == "session_gone"
        fresh = Person("Eve")
        server.connect(fresh)
        server.connect(ann)
        await server.settle()
        assert fresh.welcomes, "a name without a seat is free"
        assert ann.welcomes[-1].seats == [m.SeatOf(server.table.id, 0)]
        assert ann.welcomes[-1].last_id == 3
        newest = max(server.lobby.book.by_key, key=lambda key: int(key[1:]))
        assert newest not in keys


async def test_a_table_that_leads_elsewhere_is_set_aside(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    disk, ann, ben = Disk(), Person("Ann", 12), Person("Ben", 12)
    async with serving(TwinStore(disk)) as server:
        await begin(server, ann, ben)
        table = server.table.id
    [steps] = disk.steps.values()
    steps[5] = steps[5]._replace(digest=steps[5].digest ^ 1)
    kept = list(steps)
    for _ in range(2):
        async with serving(TwinStore(disk)) as server:
            assert not server.lobby.hall.places
            line = server.connect(ann)
            await server.settle()
            assert ann.errors[-1].code == "no_such_table"
            assert table in ann.errors[-1].msg
            assert not ann.welcomes[-1].seats
            known, ann.view = ann.view, None
            line.write(ann.ask(m.Create, name="Anew"))
            await server.settle()
            assert server.table.id != table, "the name of a table that is kept is not given away"
            line.write(ann.ask(m.Leave, table=server.table.id))
            await server.settle()
            ann.view = known
    assert disk.steps[1] == kept, "nothing of it is lost"
    assert caplog.text.count("set aside") == 1, "it is not tried again at each start"


async def test_another_match_needs_nothing_of_the_one_before(autojump_clock: trio.testing.MockClock) -> None:
    disk = Disk()
    ann, ben, eve = Person("Ann", 0, anyhow(1)), Person("Ben", 0, anyhow(2)), Person("Eve")
    options = {"options": {"target_score": 1}, "between_s": 0, "think_ms": 0}
    async with serving(TwinStore(disk)) as server:
        await begin(server, ann, ben, bots=["easy"], seats=5, **options)
    firsts = []
    for number in range(4):
        async with serving(TwinStore(disk)) as server:
            for person in (ann, ben, eve):
                person.until = 1 << 30
                server.connect(person)
            if number == 0:
                eve.wants.append(m.Watch(0, server.table.id))
            for _ in range(200):
                await trio.sleep(1)
                await server.settle()
                if server.table.stage == "over":
                    break
            server.check()
            if number == 0:
                line_of(server, eve).write(eve.ask(m.Join, table=server.table.id))
                await server.settle()
            before = dict(ann.answers)
            ann.until = ben.until = eve.until = 0
            line_of(server, ann).write(ann.ask(m.Rematch, table=server.table.id))
            await server.settle()
            server.check()
            seats = {seat.number: seat.name for seat in server.table.seats.values()}
            turn, dealer = server.table.turn, server.table.match.dealer
        async with serving(TwinStore(disk)) as server:
            assert {seat.number: seat.name for seat in server.table.seats.values()} == seats
            assert (server.table.turn, server.table.match.dealer) == (turn, dealer)
            line = server.connect(ann)
            server.connect(ben)
            await server.settle()
            server.check()
            for message in (m.Say(max(before), "Once more?", server.table.id), m.Ping(max(before) - 1)):
                line.write(encode(message))  # whatever it says now: this id was answered before
            await server.settle()
            assert ann.answers[max(before)] == before[max(before)]
            assert not ann.said
        firsts.append(disk.openings[1].first)
        assert disk.steps[1][0].number == firsts[-1]
    assert len(set(firsts)) == 4
    assert [record.id.split("-")[1] for record in disk.records] == ["1", "2", "3", "4"]
