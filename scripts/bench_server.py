"""How much the server costs for each move, and how much more that is than a bare server that decides nothing.

    python scripts/bench_server.py                     50 tables of four bots, three rounds of each kind
    python scripts/bench_server.py --tables 10 --rounds 1 --seconds 2 --alone

The bots are a few lines in this process; they answer each `turn` with a random legal entry, all
tables in lockstep. The two kinds alternate, and medians count: a machine that is busy with something else is busy for
both.
"""

from __future__ import annotations

import argparse
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgpack  # type: ignore[import-untyped]

HERE = Path(__file__).resolve().parent
RAISED = {"rate": 10**6, "burst": 10**6, "bytes_per_s": 10**9, "bytes_burst": 10**9}
OPTIONS = {"target_score": 10_000}
WARM_UP_S = 1.0


class Result(NamedTuple):
    """What one round measured."""

    moves: float
    cpu_us: float
    p50_ms: float
    p99_ms: float
    busy: float
    client_busy: float


class Child:
    """A server process; `cpu` is what it has used so far."""

    def __init__(self, line: list[str], port_file: Path | None) -> None:
        self.process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE if port_file else None
        )
        assert self.process.stdout is not None
        if port_file is None:
            self.port = int(self.process.stdout.readline())
            return
        end = time.monotonic() + 10
        while not port_file.exists():
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit("the server did not start")
            time.sleep(0.01)
        self.port = int(port_file.read_text())

    def cpu(self) -> float:
        """Seconds of CPU."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def stop(self) -> None:
        """End it by ending its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)


def _frame(message: dict[str, object]) -> bytes:
    body = bytes(msgpack.packb(message))
    return len(body).to_bytes(4, "big") + body


class Bot:
    """One connection."""

    def __init__(self, port: int) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""
        self.id = 1

    def ask(self, message: dict[str, object]) -> dict[str, object]:
        """Send a message and wait for its answer; used before the race only."""
        self.send(message)
        while True:
            header = self._exactly(4)
            answer = msgpack.unpackb(self._exactly(int.from_bytes(header, "big")))
            if answer.get("re") == message["id"]:
                if answer["t"] == "err":
                    raise SystemExit(f"the server refused {message}: {answer}")
                return dict(answer)

    def send(self, message: dict[str, object]) -> None:
        """Send a message, whole."""
        self.sock.send(_frame(message))

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            data += self.sock.recv(size - len(data)) or sys.exit("the server closed a connection")
        return data


class Table:
    """Four bots in lockstep. Only the bot in `focus` is read; what the others are sent waits until it is theirs."""

    def __init__(self, bots: list[Bot], table_id: str) -> None:
        self.bots = bots
        self.id = table_id
        self.focus = bots[0]
        self.move = b""
        self.sent_at = 0.0

    def start(self) -> None:
        """Begin the race."""
        raise NotImplementedError

    def moved(self) -> None:
        """The move of the bot in focus was sent."""

    def heard(self) -> bytes:
        """Look at what the bot in focus was sent; its move, where it has one to make."""
        raise NotImplementedError


class UnaTable(Table):
    """Bots that play: each answers its `turn` with a random legal entry."""

    answered = 0
    told = 0

    def start(self) -> None:
        self.bots[0].send({"t": "start", "id": 3, "table": self.id})
        for bot in self.bots:
            bot.id = 3

    def heard(self) -> bytes:
        bot = self.focus
        data = bot.unread
        if b"\xa1t\xa3err" in data:
            raise SystemExit(f"the server refused: {data[data.index(b'err') :]!r}")
        found = data.rfind(b"\xa1t\xa4turn")  # the message to whoever must decide
        if found > 0 and (move := self._answer(bot, data, found - 5)):
            return move
        if b"\xa1k\xaamatch_over" in data:
            bot.unread = b""
            self.bots[0].id += 1
            self.bots[0].send({"t": "rematch", "id": self.bots[0].id, "table": self.id})
            return b""
        found = data.rfind(b"\xa1k\xa4turn\xa4seat")  # the event that tells all whose turn it is
        if found > 0 and len(data) > found + 22:
            number = _int_at(data, found + 18)
            if number > self.told:  # else it is old news from before this bot was last in focus
                self.told = number
                self.focus = self.bots[data[found + 12]]
        return b""

    def _answer(self, bot: Bot, data: bytes, start: int) -> bytes:
        body = data[start + 4 : start + 4 + int.from_bytes(data[start : start + 4], "big")]
        try:
            turn = msgpack.unpackb(body)
        except ValueError:
            return b""  # the rest is still to come
        if turn["turn"] <= self.answered:
            return b""
        self.answered = turn["turn"]
        bot.unread = b""
        bot.id += 1
        do = random.choice(turn["legal"])
        return _frame({"t": "act", "id": bot.id, "table": self.id, "turn": self.answered, "do": do})


def _int_at(data: bytes, start: int) -> int:
    """The msgpack int there."""
    width = {0xCC: 1, 0xCD: 2, 0xCE: 4}.get(data[start])
    return data[start] if width is None else int.from_bytes(data[start + 1 : start + 1 + width], "big")


class BareTable(Table):
    """Four connections: the seat that is next sends when the event before has reached it."""

    request = (55).to_bytes(4, "big") + b"\x80" * 55
    event_size = 191
    events = 0

    def start(self) -> None:
        for bot in self.bots:
            bot.id = 0  # events that it has read
        self.bots[0].sock.send(self.request)
        self.events, self.focus = 1, self.bots[1]

    def heard(self) -> bytes:
        bot = self.focus
        count, rest = divmod(len(bot.unread), self.event_size)
        bot.id += count
        bot.unread = bot.unread[len(bot.unread) - rest :]
        if bot.id < self.events:
            return b""
        self.events += 1
        return self.request

    def moved(self) -> None:
        self.focus = self.bots[self.events % 4]


class Race:
    """All tables of one run, and the loop that moves them.

    The bots look at their sockets by turns and wait for none of them: players are on other machines, so the server
    should pay for sending, but not for waking somebody on this one.
    """

    def __init__(self, tables: list[Table]) -> None:
        self.moves = 0
        self.latencies: list[float] = []
        self.tables = tables
        for table in tables:
            for bot in table.bots:
                bot.sock.setblocking(False)
            table.start()

    def run(self, seconds: float) -> None:
        """Play for a while. All tables move together, so that the same number waits at either kind of server."""
        end = time.perf_counter() + seconds
        waiting = [table for table in self.tables if not table.move]
        idle = 0
        while time.perf_counter() < end:
            still = [table for table in waiting if not self.look(table)]
            idle = idle + 1 if len(still) == len(waiting) else 0
            waiting = still
            if not waiting or idle > 10:  # tables between two rounds come later
                waiting = self.send_all()
                idle = 0
            elif idle:
                time.sleep(0.0001)

    def send_all(self) -> list[Table]:
        """Make the moves that are ready."""
        for table in self.tables:
            if table.move:
                table.sent_at = time.perf_counter()
                table.focus.sock.send(table.move)
                table.move = b""
                table.moved()
                self.moves += 1
        return list(self.tables)

    def look(self, table: Table) -> bool:
        """Read the bot in focus, and the next one as long as the focus moves on; whether there is a move to make."""
        while True:
            bot = table.focus
            try:
                data = bot.sock.recv(65536)
            except BlockingIOError:
                return False
            if not data:
                raise SystemExit("the server closed a connection")
            bot.unread += data
            table.move = table.heard()
            if table.move:
                self.latencies.append(time.perf_counter() - table.sent_at)
                return True
            if table.focus is bot:
                return False

    def measure(self, child: Child, seconds: float) -> Result:
        """Warm up, then count."""
        self.run(WARM_UP_S)
        self.moves = 0
        self.latencies.clear()
        cpu, mine, began = child.cpu(), time.process_time(), time.perf_counter()
        self.run(seconds)
        cpu, mine, took = child.cpu() - cpu, time.process_time() - mine, time.perf_counter() - began
        marks = statistics.quantiles(self.latencies, n=100)
        return Result(
            self.moves / took, cpu / self.moves * 1e6, marks[49] * 1e3, marks[98] * 1e3, cpu / took, mine / took
        )


def race_una(tables: int, seconds: float, extra: list[str]) -> Result:
    """One round against the server."""
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        line = [sys.executable, "-m", "una_server", "run", "--host", "127.0.0.1", "--port", "0", "--until-eof"]
        line += ["--port-file", str(port_file), "--max-connections", str(4 * tables + 16), "--max-tables", str(tables)]
        line += [part for name, value in RAISED.items() for part in ("--limit", f"{name}={value}")]
        child = Child([*line, "--log-level", "error", *extra], port_file)
        tables_ = [_table(child.port, number) for number in range(tables)]
        result = Race(tables_).measure(child, seconds)
        child.stop()
        return result


def _table(port: int, number: int) -> Table:
    bots = [_greeted(port, f"b{number}-{seat}") for seat in range(4)]
    create = {"t": "create", "id": 2, "name": f"T{number}", "turn_s": 0, "una_grace_ms": 0, "options": OPTIONS}
    table_id = str(bots[0].ask(create)["table"])
    for bot in bots[1:]:
        bot.ask({"t": "join", "id": 2, "table": table_id})
    return UnaTable(bots, table_id)


def _greeted(port: int, name: str) -> Bot:
    bot = Bot(port)
    bot.ask({"t": "hello", "id": 1, "proto": [1], "client": "bench", "name": name, "bot": True})
    return bot


def race_bare(tables: int, seconds: float) -> Result:
    """One round against the reference."""
    child = Child([sys.executable, str(HERE / "bench_reference.py")], None)
    bots = [Bot(child.port) for _ in range(4 * tables)]
    time.sleep(0.2)
    result = Race([BareTable(bots[i : i + 4], "") for i in range(0, len(bots), 4)]).measure(child, seconds)
    child.stop()
    return result


def show(kind: str, result: Result) -> None:
    print(
        f"{kind:9}  {result.moves:7.0f} moves/s  {result.cpu_us:6.1f} us CPU/move  p50 {result.p50_ms:5.2f} ms  "
        f"p99 {result.p99_ms:5.2f} ms  busy {result.busy:4.0%}, bots {result.client_busy:4.0%}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--alone", action="store_true", help="measure the server without the reference")
    args, extra = parser.parse_known_args()
    print(f"{args.tables} tables of four bots; limits raised: {', '.join(f'{k}={v}' for k, v in RAISED.items())}")
    una: list[Result] = []
    bare: list[Result] = []
    for _ in range(args.rounds):
        if not args.alone:
            bare.append(race_bare(args.tables, args.seconds))
            show("reference", bare[-1])
        una.append(race_una(args.tables, args.seconds, extra))
        show("una", una[-1])
    medians = [statistics.median(result.cpu_us for result in results) for results in (una, bare) if results]
    if bare:
        print(f"median: una {medians[0]:.1f}, reference {medians[1]:.1f}; ratio {medians[0] / medians[1]:.2f}")


if __name__ == "__main__":
    main()
