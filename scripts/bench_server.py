"""How much the server costs for each move, and how much more that is than a bare server that decides nothing.

    python scripts/bench_server.py                     50 tables of four bots, three rounds of each kind
    python scripts/bench_server.py --tables 10 --rounds 1 --seconds 2 --alone
    python scripts/bench_server.py --tables 1 --alone  how long one move takes, beside a bare commit on this disk
    python scripts/bench_server.py --idle 5000         the memory of connections that do nothing
    python scripts/bench_server.py --pace              250 tables at the pace of people

The bots are a few lines in this process. They read all they are sent, and play as most bots do: a card that may be
laid, or else the default. Each table is in lockstep; the kinds (the bare server, una with --no-data, una with its
journal) alternate, and medians count: a machine that is busy with something else is busy for all.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgpack

HERE = Path(__file__).resolve().parent
RAISED = {"rate": 10**6, "burst": 10**6, "bytes_per_s": 10**9, "bytes_burst": 10**9}
OPTIONS = {"target_score": 10_000}
WARM_UP_S = 1.0
FOLDER = os.environ.get("UNA_BENCH_FOLDER")
"""Where the journals are written; else where temporary files are."""


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
        """Seconds of CPU of all its threads."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def memory(self) -> int:
        """Bytes that it holds."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

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
        self.sock.sendall(_frame(message))
        while True:
            header = self._exactly(4)
            answer = msgpack.unpackb(self._exactly(int.from_bytes(header, "big")))
            if answer.get("re") == message["id"]:
                if answer["t"] == "err":
                    raise SystemExit(f"the server refused {message}: {answer}")
                return dict(answer)

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            data += self.sock.recv(size - len(data)) or sys.exit("the server closed a connection")
        return data


class Player(Bot):
    """A bot that plays: it reads whatever comes, and answers each `turn` with a card that fits, or else the default."""

    table = ""
    opener = False

    def heard(self, data: bytes) -> bytes:
        """What to send, now that this has come."""
        data = self.unread + data
        at, out = 0, b""
        while len(data) - at >= 4:
            end = at + 4 + int.from_bytes(data[at : at + 4], "big")
            if end > len(data):
                break
            if data.startswith(b"\xa1t\xa4turn", at + 5):
                out += self._move(data[at + 4 : end])
            elif self.opener and data.find(b"\xa1k\xaamatch_over", at, end) > 0:
                out += self._request({"t": "rematch"})
            elif data.startswith(b"\xa1t\xa3err", at + 5):
                raise SystemExit(f"the server refused: {msgpack.unpackb(data[at + 4 : end])}")
            at = end
        self.unread = data[at:]
        return out

    def _move(self, body: bytes) -> bytes:
        turn = msgpack.unpackb(body)
        plays = [do for do in turn["legal"] if do["k"] == "play"]
        do = random.choice(plays) if plays else turn["legal"][turn["default"]]
        return self._request({"t": "act", "turn": turn["turn"], "do": do})

    def start(self) -> bytes:
        """The request that begins the match."""
        return _frame({"t": "start", "id": 3, "table": self.table})

    def _request(self, message: dict[str, object]) -> bytes:
        self.id += 1
        return _frame({**message, "id": self.id, "table": self.table})


class Bare(Bot):
    """A connection of the reference: the seat that is next sends when the event before has reached it."""

    request = (55).to_bytes(4, "big") + b"\x80" * 55
    event_size = 191

    def __init__(self, port: int, seat: int) -> None:
        super().__init__(port)
        self.seat = seat
        self.events = 0
        self.size = 0

    def heard(self, data: bytes) -> bytes:
        """What to send, now that this has come."""
        self.size += len(data)
        events = self.size // self.event_size
        if events == self.events:
            return b""
        self.events = events
        return self.request if events % 4 == self.seat else b""


class Race:
    """All tables of one run, and the loop that moves them: every bot reads what it is sent, when it comes.

    A table is in lockstep: its next move follows when the one before has reached the bot that is next.
    """

    def __init__(self, bots: Sequence[Player | Bare], begin: Callable[[], None]) -> None:
        self.moves = 0
        self.latencies: list[float] = []
        self.sent: dict[int, float] = {}
        self.poll = select.epoll()
        self.bots = {}
        for bot in bots:
            bot.sock.setblocking(False)
            self.bots[bot.sock.fileno()] = bot
            self.poll.register(bot.sock, select.EPOLLIN)
        self.table_of = {bot.sock.fileno(): number // 4 for number, bot in enumerate(bots)}
        begin()

    def run(self, seconds: float) -> None:
        """Play for a while."""
        now = time.perf_counter()
        end = now + seconds
        while now < end:
            for fd, _ in self.poll.poll(1.0):
                bot = self.bots[fd]
                data = bot.sock.recv(65536)
                if not data:
                    raise SystemExit("the server closed a connection")
                answer = bot.heard(data)
                if answer:
                    now = time.perf_counter()
                    table = self.table_of[fd]
                    self.latencies.append(now - self.sent.get(table, now))
                    self.sent[table] = now
                    bot.sock.send(answer)
                    self.moves += 1
            now = time.perf_counter()

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


def start_una(folder: str, data: bool, connections: int, tables: int, extra: Sequence[str]) -> Child:
    """A server; its port file, and its journal if it has one, are in the folder."""
    port_file = Path(folder) / "port"
    line = [sys.executable, "-m", "una_server", "run", "--host", "127.0.0.1", "--port", "0", "--until-eof"]
    line += ["--port-file", str(port_file), "--max-connections", str(connections + 16), "--max-tables", str(tables)]
    line += ["--data", str(Path(folder) / "una.db")] if data else ["--no-data"]
    line += [part for name, value in RAISED.items() for part in ("--limit", f"{name}={value}")]
    return Child([*line, "--log-level", "error", "--no-discovery", *extra], port_file)


def race_una(tables: int, seconds: float, extra: list[str], *, data: bool) -> Result:
    """One round against the server."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        child = start_una(folder, data, 4 * tables, tables, extra)
        tables_ = [table(child.port, number) for number in range(tables)]

        def begin() -> None:
            for opener, *_ in tables_:
                opener.sock.send(opener.start())

        result = Race([player for table in tables_ for player in table], begin).measure(child, seconds)
        child.stop()
        return result


def table(port: int, number: int) -> list[Player]:
    """Four bots at a new table."""
    players = [greeted(port, f"b{number}-{seat}") for seat in range(4)]
    create = {"t": "create", "id": 2, "name": f"T{number}", "turn_s": 0, "una_grace_ms": 0, "options": OPTIONS}
    table_id = str(players[0].ask(create)["table"])
    for player in players[1:]:
        player.ask({"t": "join", "id": 2, "table": table_id})
    for player in players:
        player.table, player.id = table_id, 3
    players[0].opener = True
    return players


def greeted(port: int, name: str) -> Player:
    """A bot that was welcomed."""
    player = Player(port)
    player.ask({"t": "hello", "id": 1, "proto": [1], "client": "bench", "name": name, "bot": True})
    return player


def race_bare(tables: int, seconds: float) -> Result:
    """One round against the reference."""
    child = Child([sys.executable, str(HERE / "bench_reference.py")], None)
    bots = [Bare(child.port, number % 4) for number in range(4 * tables)]
    time.sleep(0.2)

    def begin() -> None:
        for opener in bots[::4]:
            opener.sock.send(opener.request)

    result = Race(bots, begin).measure(child, seconds)
    child.stop()
    return result


def commit_ms(count: int = 200) -> float:
    """What one commit of one small row takes on this disk, the way the journal commits."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        sql = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        for statement in ("journal_mode = WAL", "synchronous = FULL"):
            sql.execute(f"PRAGMA {statement}")
        sql.execute("CREATE TABLE step(body BLOB)")
        took = []
        for _ in range(count):
            began = time.perf_counter()
            sql.execute("BEGIN")
            sql.execute("INSERT INTO step VALUES (zeroblob(150))")
            sql.execute("COMMIT")
            took.append(time.perf_counter() - began)
        sql.close()
        return statistics.median(took) * 1000


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
    parser.add_argument("--idle", type=int, metavar="N", help="the memory of N connections that do nothing")
    parser.add_argument("--pace", action="store_true", help="250 tables, one move for each and second")
    args, extra = parser.parse_known_args()
    if args.idle or args.pace:
        import bench_crowd

        bench_crowd.main(args.idle, args.pace, extra)
        return
    print(f"{args.tables} tables of four bots; limits raised: {', '.join(f'{k}={v}' for k, v in RAISED.items())}")
    found: dict[str, list[Result]] = {"reference": [], "no data": [], "journal": []}
    commits = []
    for _ in range(args.rounds):
        for kind, results in found.items():
            if kind == "reference" and args.alone:
                continue
            if kind == "reference":
                results.append(race_bare(args.tables, args.seconds))
            else:
                results.append(race_una(args.tables, args.seconds, extra, data=kind == "journal"))
            show(kind, results[-1])
        commits.append(commit_ms())
    cpu = {kind: statistics.median(result.cpu_us for result in results) for kind, results in found.items() if results}
    print("median CPU/move: " + ", ".join(f"{kind} {value:.1f} us" for kind, value in cpu.items()))
    print(f"the journal costs {cpu['journal'] / cpu['no data']:.2f} times the CPU of no data")
    if "reference" in cpu:
        print(f"no data costs {cpu['no data'] / cpu['reference']:.2f} times the CPU of the reference")
    p50 = statistics.median(result.p50_ms for result in found["journal"])
    commit = statistics.median(commits)
    print(
        f"p50 of a move with the journal {p50:.2f} ms; a bare commit {commit:.2f} ms; between them {p50 - commit:.2f}"
    )


if __name__ == "__main__":
    main()
