"""A connection cut after each byte in turn, in either direction: nobody can tell afterwards."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.store.evening import Person, comparable, serving
from una_protocol import messages as m
from una_server.store.twin import Disk, TwinStore

TURNS = 9


async def _play(**cut: int) -> tuple[Person, int, int]:
    """A short game; Ann's first line is cut as said. She, and how many bytes went either way on that line."""
    ann, ben = Person("Ann", TURNS), Person("Ben", TURNS)
    async with serving(TwinStore(Disk())) as server:
        ben.wants.append(m.Create(0, "Kitchen", una_grace_ms=0))
        server.connect(ben)
        await server.settle()
        ann.wants.append(m.Join(0, server.table.id))
        line = server.connect(ann, **cut)
        await server.settle()
        starter = server.lines[0]
        starter.write(ben.ask(m.Start, table=server.table.id))
        await server.settle()
        server.check()
        assert not ann.asked
        assert not any(isinstance(answer, m.Err) for answer in ann.answers.values()), ann.answers
        return ann, line.read, line.written


def _essence(person: Person) -> dict[str, Any]:
    """What was played, whatever it took to hear of it: lost and back have a seq as well."""
    assert person.view is not None
    return comparable(person.view, "seq")


@pytest.mark.parametrize("way", ["down", "up"])
async def test_a_cut_after_any_byte_leaves_no_trace(way: str, autojump_clock: trio.testing.MockClock) -> None:
    uncut, down, up = await _play()
    assert uncut.view is not None
    assert uncut.view.turn == TURNS
    wanted, size = _essence(uncut), {"down": down, "up": up}[way]
    assert size > 250
    for offset in range(1, size + 1):
        ann, _, _ = await _play(**{way: offset})
        assert _essence(ann) == wanted, (way, offset)
        assert len(ann.welcomes) <= 2
