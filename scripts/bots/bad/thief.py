"""A name thief: wants to be let in under the names of those who play, and under names that look like theirs.

A server must refuse, and must never give a seat for a name.
"""

from __future__ import annotations

import contextlib
import time

from wire import ERRORS, Zoo, a_name

zoo = Zoo(__doc__)
LOOKALIKES = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "l": "1", "O": "0", "I": "l"})
while zoo.going:
    with contextlib.suppress(*ERRORS), zoo.connect() as client:
        client.hello(a_name(zoo))
        rows = zoo.tables(client)
        names = {str(row["host"]) for row in rows if row.get("host")}
        for row in rows[:4]:
            client.ask({"t": "watch", "table": row["id"]})
            client.send({"t": "state", "id": client.id + 1, "table": row["id"]})
            client.id += 1
            while (message := client.next()).get("t") != "state":
                pass
            names |= {str(player["name"]) for player in message["players"]}
            client.ask({"t": "leave", "table": row["id"]})
        for name in sorted(name for name in names if not name.startswith("Zoo ")):  # these come and go
            if not zoo.going:
                break
            for stolen in (name, name.upper(), name.translate(LOOKALIKES), f" {name}", f"{name}\u200b", f"bot-{name}"):
                with contextlib.suppress(*ERRORS), zoo.connect() as other:
                    answer = other.hello(stolen)
                    zoo.note(f"times {answer.get('code') or 'let in'}")
                    if answer["t"] == "welcome" and (answer["seats"] or answer["resumed"]):
                        zoo.hurt.append(f"has the seat of {name!a} as {stolen!a}")
                    elif answer["t"] == "welcome":
                        zoo.hurt.append(f"is called {stolen!a} beside {name!a}")
                time.sleep(0.02)
zoo.done()
