"""A crowd: 500 connections at once, which come back as soon as they are sent away.

A server must let in as many as it has room for, tell a few more that it is full, and go on.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time

from wire import Zoo

zoo = Zoo(__doc__)
wanted = zoo.count or 500
watch = selectors.DefaultSelector()
here = 0
while zoo.going:
    for _ in range(min(50, wanted - here)):
        sock = socket.socket()
        sock.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            sock.connect((zoo.host, zoo.port))
        watch.register(sock, selectors.EVENT_READ)
        here += 1
        zoo.note("connections")
    for key, _ in watch.select(0.1):
        sock = key.fileobj  # type: ignore[assignment]
        try:
            data = sock.recv(65536)
        except OSError:
            data = b""
        if b"\xa4full" in data:
            zoo.note("told that it is full")
        if not data:
            watch.unregister(sock)
            sock.close()
            here -= 1
    time.sleep(0.05)
zoo.done()
