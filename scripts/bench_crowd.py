"""The two measurements of `bench_server.py` that need many connections: idle ones, and tables at the pace of people."""

from __future__ import annotations

import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from selectors import EVENT_READ, DefaultSelector

import bench_server as bench

HANDS = 4
"""So many processes hold the clients."""
SPARE_FILES = 64
TABLES = 250
SETTLE_S = 2.0
MEASURE_S = 20.0


def main(idle: int | None, pace: bool, extra: Sequence[str]) -> None:
    """Measure what was asked for."""
    if idle:
        measure_idle(idle, extra)
    if pace:
        measure_pace(extra)


def _raise_files() -> int:
    """Allow as many files as the system lets a process have; how many those are."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


# -- idle connections -----------------------------------------------------------------------------------------------


def measure_idle(count: int, extra: Sequence[str]) -> None:
    """The server's memory with so many guests who do nothing, beyond that of a server with a few."""
    hard = _raise_files()
    if count > hard - SPARE_FILES:
        print(f"the hard limit of open files is {hard}: {hard - SPARE_FILES} connections instead of {count}")
        count = hard - SPARE_FILES
    with tempfile.TemporaryDirectory(dir=bench.FOLDER) as folder:
        child = bench.start_una(folder, True, count, 10, extra)
        first = _hold(child.port, 0, 8)  # code and caches that the first guests bring are not theirs
        time.sleep(SETTLE_S)
        before = child.memory()
        share = count // HANDS
        others = [_hold(child.port, 8 + hand * share, share) for hand in range(HANDS)]
        time.sleep(SETTLE_S)
        each = (child.memory() - before) / (share * HANDS)
        print(f"{share * HANDS} idle connections: {each / 1024:.1f} KiB each beyond {before / 2**20:.1f} MiB")
        for pipe in (first, *others):
            pipe.send(None)
        child.stop()


def _hold(port: int, start: int, count: int) -> Connection:
    here, there = multiprocessing.Pipe()
    multiprocessing.Process(target=_hold_on, args=(there, port, start, count), daemon=True).start()
    here.recv()
    return here


def _hold_on(pipe: Connection, port: int, start: int, count: int) -> None:
    _raise_files()
    guests = [bench.greeted(port, f"idle{number}") for number in range(start, start + count)]
    pipe.send(len(guests))
    pipe.recv()


# -- the pace of people ---------------------------------------------------------------------------------------------


def measure_pace(extra: Sequence[str]) -> None:
    """The share of one core that the server needs for many tables, each with one move in a second."""
    _raise_files()
    with tempfile.TemporaryDirectory(dir=bench.FOLDER) as folder:
        child = bench.start_una(folder, True, 4 * TABLES, TABLES, extra)
        hands = [_play(child.port, hand) for hand in range(2)]
        time.sleep(SETTLE_S)
        cpu, began = child.cpu(), time.perf_counter()
        time.sleep(MEASURE_S)
        busy = (child.cpu() - cpu) / (time.perf_counter() - began)
        moves = 0
        for pipe in hands:
            pipe.send(None)
            moves += pipe.recv()
        print(f"{TABLES} tables at a human pace: {busy:.1%} of one core ({moves} moves in all)")
        child.stop()


def _play(port: int, hand: int) -> Connection:
    here, there = multiprocessing.Pipe()
    multiprocessing.Process(target=_play_on, args=(there, port, hand), daemon=True).start()
    here.recv()
    return here


def _play_on(pipe: Connection, port: int, hand: int) -> None:
    _raise_files()
    tables = [bench.table(port, number) for number in range(hand, TABLES, 2)]
    selector = DefaultSelector()
    for players in tables:
        for player in players:
            selector.register(player.sock, EVENT_READ, player)
    due: list[tuple[float, bench.Player, bytes]] = []
    for opener, *_ in tables:
        due.append((time.monotonic() + random.random(), opener, opener.start()))
    pipe.send(None)
    moves = 0
    while not pipe.poll():
        now = time.monotonic()
        for _, player, move in [item for item in due if item[0] <= now]:
            player.sock.sendall(move)
            moves += 1
        due = [item for item in due if item[0] > now]
        for key, _ in selector.select(0.02):
            player = key.data
            move = player.heard(player.sock.recv(65536))
            if move:
                due.append((time.monotonic() + 0.5 + random.random(), player, move))
    pipe.send(moves)
