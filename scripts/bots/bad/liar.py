"""A liar: acts out of turn, for other people's seats, with old turns, as a host, with ids it used before, as a watcher.

A server must refuse all of it, and tell the liar no card that is not its own.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

from wire import ERRORS, MARK, Zoo, a_name

zoo = Zoo(__doc__)
CARDS = [f"{color}{face}" for color in "RGBY" for face in ("0", "7", "S", "R", "+2")] + ["W", "W+4"]


def lies(table: str) -> list[dict[str, Any]]:
    """What somebody who only watches may not do."""
    turn, seat = zoo.chance.randrange(300), zoo.chance.randrange(4)
    do = zoo.chance.choice(
        (
            {"k": "play", "card": zoo.chance.choice(CARDS)},
            {"k": "draw"}, {"k": "pass"}, {"k": "challenge"}, {"k": "una"}, {"k": "catch", "seat": seat},
            {"k": "wish", "color": "red"},
        )
    )  # fmt: skip
    return [
        {"t": "act", "table": table, "turn": turn, "do": do},
        {"t": "act", "table": table, "turn": turn, "do": do, "seat": seat, "session": MARK},
        {"t": "join", "table": table, "seat": seat},
        {"t": "kick", "table": table, "seat": seat},
        {"t": "auto", "table": table, "on": True, "seat": seat},
        {"t": "pause", "table": table, "on": True},
        {"t": "options", "table": table, "turn_s": 1},
        {"t": "bot", "table": table, "remove": seat},
        {"t": "start", "table": table},
        {"t": "rematch", "table": table},
        {"t": "accuse", "table": table, "seat": seat},
        {"t": "vote", "table": table, "seat": seat, "guilty": True},
    ]


def hidden(message: dict[str, Any]) -> bool:
    """Whether a message shows cards that a watcher may not see."""
    event = message.get("e") or {}
    if message.get("t") == "turn" or message.get("hand") or message.get("drawn"):
        return True
    return event.get("k") != "round_over" and bool(event.get("cards") or event.get("hand"))


while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        client.hello(a_name(zoo))
        tables = [str(row["id"]) for row in zoo.tables(client) if row["phase"] != "waiting" and not row.get("password")]
        zoo.chance.shuffle(tables)
        for table in tables[:4]:
            for watching in (False, True):
                if watching:
                    client.ask({"t": "watch", "table": table})
                for lie in lies(table):
                    client.id += 1
                    client.send({**lie, "id": client.id})
                    while True:
                        message = client.next()
                        if hidden(message):
                            zoo.hurt.append(f"was shown {message}")
                        if message.get("re") == client.id:
                            break
                    zoo.note("lies")
                    if message["t"] == "ok" and not (lie["t"] == "join" and watching):
                        zoo.hurt.append(f"{lie} was done: {message}")
                    time.sleep(0.02)
            client.send({"t": "hello", "id": 1, "proto": [1], "name": MARK})
            client.send({"t": "act", "id": 1, "table": table, "turn": 1, "do": {"k": "draw"}})
            client.ask({"t": "leave", "table": table})
zoo.done()
