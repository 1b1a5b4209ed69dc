"""A guesser: of tokens of sessions, and of passwords of tables.

A server must give nothing for a wrong one, tell nothing of how near it was, and let nobody guess fast.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, MARK, Zoo, a_name

zoo = Zoo(__doc__)
ODD = ("", "0" * 32, "g1", "g2", MARK, "a" * 64, "../../etc/passwd", "\x00" * 32, "None")
while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        for token in (zoo.chance.randbytes(16).hex(), zoo.chance.choice(ODD)):
            answer = client.hello(a_name(zoo), resume={"session": token, "tables": {"k3f": 0}})
            zoo.note("tokens")
            if answer["t"] == "welcome":
                zoo.hurt.append(f"was welcomed with {token!a}")
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        client.hello(a_name(zoo))
        for row in [row for row in zoo.tables(client) if row.get("password")][:3]:
            answer = client.ask({"t": "join", "table": row["id"], "password": MARK + zoo.chance.randbytes(4).hex()})
            zoo.note("passwords")
            if answer["t"] == "ok":
                zoo.hurt.append("came in with a wrong password")
    time.sleep(0.05)
zoo.done()
