"""A flooder: as many messages as the line takes, of every kind, and chat in between.

A server must slow it down, then send it away, and nobody else may feel it.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, MARK, Zoo, a_name, frame

zoo = Zoo(__doc__)
while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        client.hello(a_name(zoo))
        tables = [str(table["id"]) for table in zoo.tables(client)] or ["none"]
        client.sock.settimeout(0.5)
        while zoo.going:
            lot = b""
            for _ in range(50):
                client.id += 1
                table = zoo.chance.choice(tables)
                lot += frame(
                    zoo.chance.choice(
                        (
                            {"t": "ping", "id": client.id},
                            {"t": "say", "id": client.id, "text": MARK},
                            {"t": "say", "id": client.id, "text": MARK, "table": table},
                            {"t": "watch", "id": client.id, "table": table},
                            {"t": "leave", "id": client.id, "table": table},
                            {"t": "create", "id": client.id, "name": "Zoo table", "password": MARK},
                            {"t": "join", "id": client.id, "table": table, "password": MARK},
                        )
                    )
                )
            client.sock.sendall(lot)
            zoo.note("lots of 50 messages")
            client.sock.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while client.sock.recv(1 << 20):
                    pass
            client.sock.settimeout(0.5)
    zoo.note("times sent away")
    time.sleep(0.2)
zoo.done()
