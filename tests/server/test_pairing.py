"""Who plays whom in an arena: who has waited longest, and others than the last time."""

from __future__ import annotations

from una_server.tournament.pairing import Queue


def line(*keys: str, seats: int = 2, wait_s: float = 5.0) -> Queue:
    """They wait, one second after another from 0."""
    queue = Queue(seats, wait_s)
    for second, key in enumerate(keys):
        queue.join(key, float(second))
    return queue


def test_who_has_waited_longest_plays_first() -> None:
    queue = line("a", "b", "c", "d", "e", seats=4)
    assert queue.group(list(queue), 4.0) == ["a", "b", "c", "d"]


def test_a_full_table_does_not_wait_and_one_alone_does_for_ever() -> None:
    queue = line("a", "b", "c", seats=4)
    assert queue.group(list(queue), 4.9) is None
    assert queue.due(list(queue)) == 5.0
    assert queue.group(list(queue), 5.0) == ["a", "b", "c"]
    assert queue.group(["a"], 100.0) is None
    assert queue.due(["a"]) is None


def test_others_are_met_first() -> None:
    queue = line("a", "b", "c", "d")
    queue.meet(["a", "b"])
    assert queue.group(list(queue), 9.0) == ["a", "c"]
    queue.meet(["a", "c"])
    queue.meet(["a", "d"])
    assert queue.group(list(queue), 9.0) == ["a", "b"]


def test_everybody_meets_everybody() -> None:
    names = "abcdef"
    queue = line(*names)
    met = set()
    now = 10.0
    for _ in range(20):
        now += 1
        group = queue.group(list(queue), now)
        assert group is not None
        queue.meet(group)
        met.add(frozenset(group))
        for key in group:
            queue.again(key, now)
    assert len(met) == 15


def test_bots_of_one_owner_are_kept_apart_while_there_are_others() -> None:
    owner = dict(zip("abcdef", "xxyyzz", strict=True))

    def akin(one: str, other: str) -> int:
        return int(owner[one] == owner[other])

    queue = line(*"abcdef", seats=3)
    assert queue.group(list(queue), 9.0, akin) == ["a", "c", "e"]
    assert queue.group(["a", "b", "d"], 9.0, akin) == ["a", "d", "b"], "with too few others they play all the same"
    queue = line(*"abcdef")
    for other in "cdef":  # met, but of another owner
        queue.meet(["a", other])
    assert queue.group(list(queue), 9.0, akin) == ["a", "c"]


def test_who_leaves_is_forgotten() -> None:
    queue = line("a", "b", "c")
    queue.meet(["a", "b"])
    queue.leave("b")
    assert list(queue) == ["a", "c"]
    assert "b" not in queue
    queue.again("b", 9.0)
    assert "b" not in queue
    queue.join("b", 0.5)
    assert queue.group(list(queue), 9.0) == ["a", "b"]
