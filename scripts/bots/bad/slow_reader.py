"""Slow readers: ask for as much as they may, watch every table, and do not read a byte of it.

A server must bound what waits for them, and nobody else may have to wait until they read.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, Client, Zoo, a_name, frame

zoo = Zoo(__doc__)


def visit(client: Client) -> None:
    """Ask, and do not read; until the server has had enough."""
    client.hello(a_name(zoo))
    for table in zoo.tables(client)[:8]:
        client.ask({"t": "watch", "table": table["id"]})
    client.ask({"t": "lobby", "subscribe": True})
    client.sock.settimeout(0.2)
    while zoo.going:
        client.id += 1
        client.sock.sendall(frame({"t": "describe", "id": client.id, "part": "messages"}))
        zoo.note("long answers not read")
        time.sleep(0.025)


while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect(4096) as client:
        visit(client)
    zoo.note("cut")
    time.sleep(0.1)
zoo.done()
