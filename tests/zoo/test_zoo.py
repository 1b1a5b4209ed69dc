"""All bad clients of the zoo at once, and twenty honest tables among them: nobody is held up, robbed, or shown a card.

Nothing here depends on how fast the machine is: `scripts/bench_zoo.py` measures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
import trio

from .honest import Party
from .keeper import BAD, KINDS, MARK, Keeper

TABLES = 20
SECONDS = 6.0
MORE_KIB = 100 * 1024

posix = pytest.mark.skipif(sys.platform == "win32", reason="the zoo's keeper uses the niceness of processes")


@posix
async def test_honest_tables_play_on_in_a_zoo(
    start_server: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    server = start_server("--max-connections", "300", "--max-tables", "60")
    party = Party(server.port, server.process.pid)
    said: dict[str, str] = {}
    over = trio.Event()  # who leaves before the zoo does leaves a name that others may take

    async def let_loose() -> None:
        await party.seated.wait()
        keeper = Keeper(server.port, SECONDS)
        said.update(await trio.to_thread.run_sync(keeper.gather, 40))
        over.set()

    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(let_loose)
            await party.run(TABLES, 100, over)
        late = Party(server.port, server.process.pid)
        bots = await late.sit(99)  # the server lives, and still lets people in
        for bot in bots:
            await bot.stream.aclose()
    with capsys.disabled():
        marks = sorted(party.latencies)
        print(
            f"\n  zoo: {len(marks)} moves, p50 {marks[len(marks) // 2] * 1e3:.1f} ms, p99 "
            f"{marks[len(marks) * 99 // 100] * 1e3:.1f} ms, memory {party.first_kib // 1024} to "
            f"{party.most_kib // 1024} MiB"
        )
    assert not party.wrong, party.wrong[:5]
    assert len(party.moves) == TABLES, "every table plays"
    assert party.still < SECONDS / 2, f"a table has not moved for {party.still:.1f} s"
    assert set(said) == set(KINDS), said
    assert party.most_kib - party.first_kib < MORE_KIB
    log = (server.folder / "log").read_bytes()
    assert MARK not in log
    assert log.isascii()
    assert b"\x1b" not in log
    assert not any(line.startswith(b"2026-01-01 INFO forged") for line in log.splitlines())
    assert b"Traceback" not in log, log.decode()
    assert b"ERROR" not in log, log.decode()


def test_every_bad_client_says_what_it_is() -> None:
    wanted = {
        "silent", "slow_reader", "drip", "garbage", "mutated", "bombs", "flooder", "crowd", "half_open", "liar",
        "thief", "guesser",
    }  # fmt: skip
    assert set(KINDS) == wanted
    for kind in KINDS:
        text = (BAD / f"{kind}.py").read_text(encoding="utf-8")
        assert text.startswith('"""')
        assert "A server must" in text


def test_the_oracle_of_the_liar_knows_a_card_when_it_sees_one() -> None:
    source = (BAD / "liar.py").read_text(encoding="utf-8")
    scope: dict[str, Any] = {"Any": Any}
    start = source.index("def hidden")
    exec(source[start : source.index("\n\n\n", start)], scope)
    assert scope["hidden"]({"t": "ev", "e": {"k": "drew", "cards": ["R7"]}})
    assert scope["hidden"]({"t": "state", "hand": ["R7"]})
    assert not scope["hidden"]({"t": "ev", "e": {"k": "drew", "n": 1}})
