"""One byte per second: of a hello, and of a frame that says that it is long.

A server must not wait for ever for the rest of a frame, nor for the rest of a hello.
"""

from __future__ import annotations

import time

from wire import ERRORS, Client, Zoo, frame

zoo = Zoo(__doc__)
HELLO = frame({"t": "hello", "id": 1, "proto": [1], "name": "Zoo drip"})
LONG = (60_000).to_bytes(4, "big") + b"\x81\xa1t\xda\x0f\xff" + b"z" * 60_000

clients: list[tuple[Client, bytes, int]] = []
while zoo.going:
    while len(clients) < (zoo.count or 10):
        try:
            clients.append((zoo.connect(), HELLO if len(clients) % 2 else LONG, 0))
        except OSError:
            break
    still: list[tuple[Client, bytes, int]] = []
    for client, data, sent in clients:
        try:
            client.sock.sendall(data[sent : sent + 1])
            client.sock.settimeout(0.001)
            try:
                ended = client.sock.recv(65536) == b""
            except TimeoutError:
                ended = False
            zoo.note("bytes")
        except ERRORS:
            ended = True
        if ended:
            zoo.note("sent away")
            client.sock.close()
        else:
            still.append((client, data, sent + 1))
    clients = still
    time.sleep(1)
zoo.done()
