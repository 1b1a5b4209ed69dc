"""`una ladder`: asks a server in arena mode for its ladder, and prints it as text or as JSON.

`fetch` is for whoever has a link already.
"""

from __future__ import annotations

import json
import secrets
import time
from typing import Final

from msgspec import to_builtins

from una_protocol import messages as m
from una_protocol.address import Address

from .front import run_trio
from .i18n import _
from .ladder_text import table
from .link import Link, keep_connected
from .session import Session

LONGEST: Final = 10_000
"""More rows than this are not asked for: no ladder is so long, and a server's pages need not end."""


def show_ladder(address: Address, password: str | None, top: int | None, as_json: bool) -> int:
    """Print the ladder of a server; the exit status."""

    name = f"ladder-{secrets.token_hex(3)}"  # not our own: we may be playing there

    async def main() -> int:
        async with keep_connected(address.host, address.port, name, password=password, reconnect=False) as link:
            rows = await fetch(link, top)
        if as_json:
            print(json.dumps([as_map(row) for row in rows], indent=1, ensure_ascii=False))
        elif rows:
            print("\n".join(table(rows, time.time())))
        else:
            print(_("Nobody stands in the ladder yet."))
        return 0

    return run_trio(main)


async def fetch(link: Link | Session, top: int | None = None) -> list[m.LadderRow]:
    """The ladder from its top, `top` rows of it, or `LONGEST`. RequestRefused (`no_arena`) where there is none."""
    most = LONGEST if top is None else top
    rows: list[m.LadderRow] = []
    after: str | None = None
    while len(rows) < most:
        answer = await link.request(m.Ladder(0, after))
        rows += answer.ladder or []
        after = answer.next
        if after is None or not answer.ladder:
            break
    return rows[:most]


def as_map(row: m.LadderRow) -> dict[str, object]:
    """A row for programs, with the names of the protocol; ratings as they are shown."""
    data: dict[str, object] = to_builtins(row)
    return data | {name: getattr(row, name) / 100 for name in ("rating", "mu", "sigma")}
