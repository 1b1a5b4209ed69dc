"""Honest tables in the middle of a zoo: bots that play in lockstep, and see to it that they get what is theirs.

Each bot answers its `turn` with a random entry of `legal`. It checks that `seq` is dense, that nothing is refused, and
that no cards come that are not its own; and it measures the time from its act to its `ok`.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import msgpack
import trio

from una_protocol.framing import FrameReader

SEATS = 4
PACE_S = 0.05
"""How long a bot thinks."""


class Bot:
    """One seat."""

    def __init__(self, stream: trio.SocketStream, name: str, party: Party) -> None:
        self.stream = stream
        self.name = name
        self.party = party
        self.id = 1
        self.seat: int | None = None
        self.seq = 0
        self.table = ""
        self._reader = FrameReader(1 << 20)
        self._queue: list[dict[str, Any]] = []
        self._acted: dict[int, float] = {}
        self._chance = random.Random(name)

    async def send(self, t: str, **fields: Any) -> int:
        """Send a request; its id."""
        self.id += 1
        body = msgpack.packb({"t": t, "id": self.id, **fields})
        await self.stream.send_all(len(body).to_bytes(4, "big") + body)
        return self.id

    async def next(self) -> dict[str, Any]:
        """The next message."""
        while not self._queue:
            data = await self.stream.receive_some(65536)
            if not data:
                raise EOFError(f"{self.name} was cut off")
            self._queue += [msgpack.unpackb(body) for body in self._reader.feed(data)]
        return self._queue.pop(0)

    async def ask(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a request; its answer. Only before the game begins."""
        id_ = await self.send(t, **fields)
        while (message := await self.next()).get("re") != id_:
            self._look(message)
        return message

    async def play(self) -> None:
        """Play until cancelled."""
        while True:
            message = await self.next()
            kind = message["t"]
            if kind == "turn":
                await trio.sleep(PACE_S)
                id_ = await self.send(
                    "act", table=self.table, turn=message["turn"], do=self._chance.choice(message["legal"])
                )
                self._acted[id_] = time.perf_counter()
            elif kind == "ok" and message["re"] in self._acted:
                self.party.latencies.append(time.perf_counter() - self._acted.pop(message["re"]))
                self.party.moves[self.table] = self.party.moves.get(self.table, 0) + 1
                self.party.moved_at[self.table] = time.perf_counter()
            elif kind == "ping":
                await self.send("pong")
            elif kind in ("err", "bye"):
                self.party.wrong.append(f"{self.name}: {message}")
            else:
                self._look(message)
                if kind == "ev" and message["e"]["k"] == "match_over" and self.seat == 0:
                    await self.send("rematch", table=self.table)

    def _look(self, message: dict[str, Any]) -> None:
        """Whether it is what this seat may see."""
        if message["t"] == "state":
            self.table, self.seq, self.seat = message["table"], message["seq"], message["you"]
        elif message["t"] == "ev":
            if message["table"] != self.table or message["seq"] != self.seq + 1:
                self.party.wrong.append(f"{self.name} at {self.table} {self.seq}: {message}")
            self.seq = message["seq"]
            event = message["e"]
            if event["k"] == "drew" and event.get("cards") and event["seat"] != self.seat:
                self.party.wrong.append(f"{self.name} sees the cards of another: {event}")


class Party:
    """All honest tables of one server process."""

    def __init__(self, port: int, pid: int) -> None:
        self.port = port
        self.pid = pid
        self.latencies: list[float] = []
        self.moves: dict[str, int] = {}
        self.moved_at: dict[str, float] = {}
        self.wrong: list[str] = []
        self.most_kib = 0
        self.first_kib = 0
        self.seated = trio.Event()
        """All have come in: from now on the house may be full."""
        self.still = 0.0
        """For how long one table had not moved at the end, while another had."""

    async def sit(self, number: int, **create: Any) -> list[Bot]:
        """Open a table and sit down."""
        bots = []
        for seat in range(SEATS):
            bot = Bot(await trio.open_tcp_stream("127.0.0.1", self.port), f"honest {number} {seat}", self)
            await bot.ask("hello", proto=[1], name=bot.name, bot=True)
            bots.append(bot)
        settings = {"name": f"Honest {number}", "una_grace_ms": 0, "options": {"target_score": 0}, **create}
        answer = await bots[0].ask("create", **settings)
        table = answer["table"]
        for bot in bots[1:]:
            await bot.ask("join", table=table, password=create.get("password"))
        for bot in bots:
            while not bot.table:
                bot._look(await bot.next())
        return bots

    async def run(self, tables: int, seconds: float, until: trio.Event | None = None) -> None:
        """Play for so long, or until the event. The first table has a password."""
        seated = [await self.sit(number, **({"password": "sesame"} if not number else {})) for number in range(tables)]
        self.first_kib = self.most_kib = self.memory()
        self.seated.set()
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                for bots in seated:
                    await bots[0].send("start", table=bots[0].table)
                    for bot in bots:
                        nursery.start_soon(bot.play)
                while until is None or not until.is_set():
                    await trio.sleep(0.2)
                    self.most_kib = max(self.most_kib, self.memory())
                nursery.cancel_scope.cancel()
        times = self.moved_at.values()
        self.still = max(times, default=0.0) - min(times, default=0.0)
        for bots in seated:
            for bot in bots:
                await trio.aclose_forcefully(bot.stream)

    def memory(self) -> int:
        """The server's memory in KiB; 0 where that cannot be seen."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0
        return int(status.partition("VmRSS:")[2].split()[0])
