"""Bombs: frames that claim to hold far more than they do, or that nest as deep as they can.

A server must look at the length first, and must not make room for what a header only claims.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, Zoo, a_name

zoo = Zoo(__doc__)
FULL = 65_536
BOMBS = (
    b"\xdd\xff\xff\xff\xff" * (FULL // 5),  # arrays of four thousand million arrays
    b"\xdc\x01\x00" * (FULL // 3),  # arrays within every limit, nested
    b"\x91" * FULL,  # one in one in one
    b"\x81\xa1t" * (FULL // 3),
    b"\x81\xa1t" + b"\xdc\x01\x00" + b"\x80" * 256,
    b"\xdf\xff\xff\xff\xff" + b"\xa1a\xc0" * 20_000,  # a map of far too many
    b"\x81\xa1t\xdb\xff\xff\xff\xff" + b"a" * 60_000,
    b"\x81\xa1t\xc6\xff\xff\xff\xff" + b"a" * 60_000,
    b"\xc9\xff\xff\xff\xff\x01" + b"a" * 60_000,
    b"\xde\xff\xff" + b"".join(b"\xce" + n.to_bytes(4, "big") + b"\x80" for n in range(10_000)),
)
while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        if zoo.chance.random() < 0.7:
            client.hello(a_name(zoo))
        body = zoo.chance.choice(BOMBS)[:FULL]
        size = zoo.chance.choice((len(body), len(body), len(body), 0xFFFFFF, 65_537))
        client.sock.sendall(size.to_bytes(4, "big") + body)
        client.sock.settimeout(1)
        while client.sock.recv(65536):
            pass
    zoo.note("bombs")
    time.sleep(0.02)
zoo.done()
