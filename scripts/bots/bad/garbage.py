"""Garbage: other protocols, random bytes, frames of random bytes; before a hello and after one.

A server must answer with a line, or an error, close, and log nothing of it as it came.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, MARK, Zoo, a_name

zoo = Zoo(__doc__)
GREETINGS = (
    f"GET /{MARK} HTTP/1.1\r\nHost: {MARK}\r\n\r\n".encode(),
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
    f"SSH-2.0-{MARK}\r\n".encode(),
    f"\x1b]0;{MARK}\x07\x1b[2J{MARK}\r\n".encode(),
    b"\xff" * 4000,
    b"\x00" * 4000,
)
while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        if zoo.chance.random() < 0.5:
            client.hello(a_name(zoo))
        if zoo.chance.random() < 0.5:
            client.sock.sendall(zoo.chance.choice(GREETINGS))
        else:
            body = zoo.chance.randbytes(zoo.chance.randrange(1, 3000)) + MARK.encode()
            client.sock.sendall(len(body).to_bytes(4, "big") + body)
        client.sock.settimeout(1)
        while client.sock.recv(65536):
            pass
    zoo.note("pieces of garbage")
    time.sleep(0.02)
zoo.done()
