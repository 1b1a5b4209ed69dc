"""`una ladder`, `una bot run --ranked`, and the key that a name in the ladder belongs to."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import trio

from tests.client.kit import Peer, serving
from tests.client.test_cli import PYTHON, SIMPLE, env, una
from tests.conftest import RunningServer
from una_client.bot.keys import BadKey, key_in
from una_client.ladder import LONGEST, fetch
from una_client.ladder_text import sentences, table
from una_client.session import connect
from una_protocol import messages as m
from una_protocol.messages import LadderRow

DAY = 86_400


def row(rank: int, name: str = "Deep", **fields: int) -> LadderRow:
    numbers = {"rating": 1234, "mu": 3000, "sigma": 589, "games": 8, "wins": 2, "points": 321, "seen": 10 * DAY}
    return LadderRow(rank=rank, name=name, **(numbers | fields))


def start(*arguments: str) -> subprocess.Popen[str]:
    line = [*PYTHON, "-m", "una_client", *arguments]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env())


# -- the commands, against a real server


def test_bots_play_for_the_ladder(start_server: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = start_server("--arena", "--arena-seats", "2", "--arena-option", "target_score=0", "--limit", "rate=5000")
    key = tmp_path / "keys" / "mine"
    wanted = (f"{SIMPLE}:Simple", server.address, "--ranked", "--key-file", str(key), "--matches", "2")
    running = [start("bot", "run", *wanted, "--name", name) for name in ("One", "Two")]
    told = [process.communicate(timeout=20)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], told
    assert all(text.count("won the match") == 2 for text in told), told
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(key).st_mode) == 0o600

    done = una("ladder", server.address, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert {(one["name"], one["games"]) for one in rows} == {("One", 2), ("Two", 2)}
    assert sum(one["wins"] for one in rows) == 2
    assert rows[0]["rating"] >= rows[1]["rating"]
    assert rows[0]["rating"] == pytest.approx(rows[0]["mu"] - 3 * rows[0]["sigma"], abs=0.05)

    done = una("ladder", server.address, "--top", "1")
    head, first = done.stdout.splitlines()
    assert head.split()[:2] == ["name", "rating"]
    assert first.split()[:2] == ["1.", rows[0]["name"]]

    other = una("bot", "run", *wanted[:3], "--key-file", str(tmp_path / "other"), "--name", "One")
    assert other.returncode == 1
    assert other.stderr == "In the ladder this name belongs to another key. Choose another with --name.\n"


def test_a_server_without_an_arena(server: RunningServer) -> None:
    done = una("ladder", server.address)
    assert (done.returncode, done.stderr) == (1, "The server has no arena, and keeps no ladder.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bot", "run", f"{SIMPLE}:Simple", "localhost/kitchen", "--ranked"], "the server chooses the table"),
        (["bot", "run", f"{SIMPLE}:Simple", "localhost", "--ranked", "--create"], "the server chooses the table"),
        (["bot", "run", f"{SIMPLE}:Simple", "localhost", "--key-file", "x"], "--key-file goes with --ranked"),
        (["ladder", "bad host"], "The host may hold letters"),
        (["ladder", "localhost", "--top", "0"], "0 is not in the range"),
    ],
)
def test_what_is_not_understood(arguments: list[str], sentence: str) -> None:
    done = una(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


# -- the parts


async def test_the_ladder_comes_in_pages() -> None:
    async def two_pages(peer: Peer) -> None:
        await peer.welcome()
        for after, rows, more in ((None, [row(1), row(2)], "2"), ("2", [row(3)], None)):
            asked = await peer.take()
            assert isinstance(asked, m.Ladder)
            assert asked.after == after
            await peer.send(m.Ok(asked.id, ladder=rows, next=more))
        await peer.take()

    for top, ranks in ((None, [1, 2, 3]), (3, [1, 2, 3]), (2, [1, 2])):
        async with serving(two_pages) as port, connect("127.0.0.1", port, "Ann") as session:
            assert [one.rank for one in await fetch(session, top)] == ranks


@pytest.mark.parametrize("page", [[], [row(1)] * 100])
async def test_a_ladder_without_end_is_not_read_for_ever(page: list[LadderRow]) -> None:
    async def endless(peer: Peer) -> None:
        await peer.welcome()
        while isinstance(asked := await peer.take(), m.Ladder):
            await peer.send(m.Ok(asked.id, ladder=page, next="on"))

    with trio.fail_after(20):
        async with serving(endless) as port, connect("127.0.0.1", port, "Ann") as session:
            assert len(await fetch(session)) == (LONGEST if page else 0)


def test_a_table_for_people() -> None:
    rows = [row(1, "Größe", wins=8), row(2, "\x1b[2J深い", rating=-45, seen=7 * DAY, games=0, wins=0)]
    head, first, second = table(rows, 10 * DAY + 60.0)
    assert first.split() == ["1.", "Größe", "12.3", "8", "8", "(100", "%)", "321", "today"]
    assert "\x1b" not in second
    assert second.endswith("3 d ago")
    assert head.index("last match") == first.index("today")


def test_the_last_columns_give_way() -> None:
    rows = [row(1, "Größe", wins=8), row(12, "Deep", games=1)]
    whole = table(rows)
    assert whole[0].split() == ["name", "rating", "matches", "won", "points"]
    assert table(rows, width=len(whole[0])) == whole
    assert table(rows, width=len(whole[0]) - 1)[0].split() == ["name", "rating", "matches", "won"]
    assert table(rows, width=1)[0].split() == ["name", "rating"]


def test_the_ladder_is_read_aloud() -> None:
    assert sentences([row(1, "De\x1bep"), row(2, games=1, wins=1)]) == [
        "1. Deep: rating 12.3, 2 of 8 matches won.",
        "2. Deep: rating 12.3, 1 of 1 match won.",
    ]
    assert sentences([]) == ["Nobody stands in the ladder yet."]


def test_bots_that_start_together_have_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        for number in range(100):
            path = tmp_path / str(number) / "key"
            assert len(set(pool.map(key_in, [path] * 4))) == 1
            assert [file.name for file in path.parent.iterdir()] == ["key"]


def test_a_key_is_made_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"
    key = key_in(path)
    assert len(key) >= 16
    assert key_in(path) == key
    path.write_text("short\n")
    with pytest.raises(BadKey, match="16 to 128"):
        key_in(path)
    path.write_bytes(b"\xff" * 20)
    with pytest.raises(BadKey, match="it is no text"):
        key_in(path)
    with pytest.raises(BadKey, match="cannot be"):
        key_in(path / "below")
    with pytest.raises(BadKey, match="no plain file"):
        key_in(tmp_path)
