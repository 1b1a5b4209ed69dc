"""The kill loop: the server gets SIGKILL again and again while bots play, and nobody loses anything by it."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import trio

from tests.store.players import Group

KILLS = int(os.environ.get("UNA_KILLS", "12"))
"""The continuous integration kills 40 times; more and more often is not worth everybody's time."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


class Server:
    """A server process that can be started again at the same port, with the same data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "una.db"
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        port_file = self.folder / "port"
        port_file.unlink(missing_ok=True)
        line = [sys.executable, "-m", "una_server", "run", "--host", "127.0.0.1", "--port", str(self.port)]
        line += ["--until-eof", "--no-discovery", "--data", str(self.data), "--port-file", str(port_file)]
        line += ["--limit", "rate=1000", "--limit", "burst=1000", "--log-level", "warning", "--seed", "5"]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220  # it takes no time worth waiting for
                line, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder
            )
        with trio.fail_after(30):
            while not port_file.exists():
                assert self._process.poll() is None, (self.folder / "log").read_text()
                await trio.sleep(0.01)
        self.port = int(port_file.read_text())

    async def end(self, number: int) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return await trio.to_thread.run_sync(self._wait)

    def _wait(self) -> int:
        assert self._process is not None
        assert self._process.stdin is not None
        code = self._process.wait(20)
        self._process.stdin.close()
        return code

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._wait()


async def test_nothing_acknowledged_is_lost_and_nothing_is_done_twice(tmp_path: Path) -> None:
    server, chance = Server(tmp_path), random.Random(11)
    stop = trio.Event()
    groups = [
        Group("Una", 3, stop, 1, options={"target_score": 150}),
        Group("Classic", 2, stop, 2, profile="classic", options={"target_score": 150}),
        Group("House", 2, stop, 3, bots=["easy"], options={"target_score": 150}),
    ]
    try:
        with trio.fail_after(60 + 4 * KILLS):
            await server.start()
            async with trio.open_nursery() as nursery:
                for group in groups:
                    nursery.start_soon(group.play, server.port)
                for _ in range(KILLS):
                    await trio.sleep(0.05 + 0.4 * chance.random() ** 2)
                    assert await server.end(signal.SIGKILL) == -signal.SIGKILL
                    await server.start()
                stop.set()
        assert await server.end(signal.SIGTERM) == 0
    finally:
        server.kill()
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log, log
    assert "set aside" not in log, log
    _check(server.data, groups)


def _check(data: Path, groups: list[Group]) -> None:
    sql = sqlite3.connect(data)
    assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    done: Counter[str] = Counter()
    for (lines,) in sql.execute("SELECT lines FROM record"):
        header, *rest = map(json.loads, lines.splitlines())
        names = [player["name"] for player in header["players"]]
        assert "end" in rest[-1]
        for line in rest:
            if "do" in line and not line.get("auto") and line["do"]["k"] != "leave":
                done[names[line["seat"]]] += 1
    sql.close()
    for group in groups:
        assert group.count() > 20
        for player in group.players:
            assert player.comebacks >= KILLS // 2
            assert not player.refused, player.refused
            assert done[player.name] == len(player.acts), player.name
