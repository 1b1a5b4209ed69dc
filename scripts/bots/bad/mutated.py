"""Mutated frames: good messages with a few bytes changed, left out, doubled, or with a wrong length.

A server must refuse each of them, or do what it says if it says something after all, and never fall over it.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, MARK, Zoo, a_name, frame

zoo = Zoo(__doc__)
GOOD = [
    frame({"t": "create", "id": 7, "name": "Zoo", "options": {"jump_in": True}, "bots": ["easy"], "public": False}),
    frame({"t": "join", "id": 8, "table": "k3f", "seat": 1, "password": MARK}),
    frame({"t": "act", "id": 9, "table": "k3f", "turn": 41, "do": {"k": "play", "card": "W", "color": "red"}}),
    frame({"t": "say", "id": 10, "text": MARK}),
    frame({"t": "lobby", "id": 11, "subscribe": True, "after": "aaa"}),
    frame({"t": "describe", "id": 12, "part": "errors"}),
    frame({"t": "ping", "id": 13}),
]


def mutated(data: bytes) -> bytes:
    """The frame with something wrong; mostly its length is right, so that the body is looked at."""
    body = bytearray(data[4:])
    for _ in range(zoo.chance.randint(1, 3)):
        place, kind = zoo.chance.randrange(len(body)), zoo.chance.random()
        if kind < 0.5:
            body[place] = zoo.chance.randrange(256)
        elif kind < 0.7:
            del body[place:]
            body += b"\xc0"
        else:
            body[place:place] = zoo.chance.randbytes(2)
    size = len(body) + (zoo.chance.choice((-1, 1, 200)) if zoo.chance.random() < 0.1 else 0)
    return max(0, size).to_bytes(4, "big") + bytes(body)


while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        client.hello(a_name(zoo))
        client.sock.settimeout(0.05)
        for _ in range(40):
            client.sock.sendall(mutated(zoo.chance.choice(GOOD)))
            zoo.note("mutated frames")
            with contextlib.suppress(TimeoutError):
                if not client.sock.recv(65536):
                    break
            time.sleep(0.01)
zoo.done()
