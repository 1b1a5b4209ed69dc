"""Half-open connections: ended in one direction only, reset in the middle of a frame, or left in the middle of a match.

A server must let go of each, and keep its seat only for who may come back.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time

from wire import ERRORS, MARK, Client, Zoo, a_name, frame

zoo = Zoo(__doc__)


def reset(client: Client) -> None:
    """Close it the hard way."""
    client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.sock.close()


left: list[Client] = []
while zoo.going:
    with contextlib.suppress(*ERRORS):
        client = zoo.connect()
        client.hello(a_name(zoo))
        kind = zoo.chance.randrange(4)
        if kind == 0:
            client.sock.shutdown(socket.SHUT_WR)
            left.append(client)
            zoo.note("half closed")
        elif kind == 1:
            client.sock.sendall(frame({"t": "ping", "id": 2})[:7])
            reset(client)
            zoo.note("reset within a frame")
        elif kind == 2:
            client.ask({"t": "create", "name": "Zoo table", "bots": ["easy"], "public": False, "turn_s": 1})
            client.send({"t": "say", "id": 3, "text": MARK})
            reset(client)
            zoo.note("reset at a table")
        else:
            client.sock.sendall(frame({"t": "ping", "id": 2})[:7])
            left.append(client)
            zoo.note("left within a frame")
    if len(left) > (zoo.count or 15):
        left.pop(0).sock.close()
    time.sleep(0.1)
zoo.done()
