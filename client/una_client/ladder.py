"""`una ladder`: asks a server in arena mode for its ladder, and prints it as text or as JSON.

`fetch` is for whoever has a link already; the rows go into `Mirror.ladder` where the answer is handed to a mirror.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from typing import Final

from msgspec import to_builtins
from wcwidth import wcswidth

from una_protocol import messages as m
from una_protocol.address import Address
from una_protocol.text import clean

from .front import run_trio
from .i18n import _
from .link import Link, keep_connected
from .session import Session

DAY_S: Final = 86_400
_LEFT: Final = (1, 6)


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
    """The ladder from its top, all of it or so many rows. RequestRefused (`no_arena`) where the server has none."""
    rows: list[m.LadderRow] = []
    after: str | None = None
    while top is None or len(rows) < top:
        answer = await link.request(m.Ladder(0, after))
        rows += answer.ladder or []
        after = answer.next
        if after is None:
            break
    return rows[:top]


def as_map(row: m.LadderRow) -> dict[str, object]:
    """A row for programs, with the names of the protocol; ratings as they are shown."""
    data: dict[str, object] = to_builtins(row)
    return data | {name: getattr(row, name) / 100 for name in ("rating", "mu", "sigma")}


def table(rows: Sequence[m.LadderRow], now: float) -> list[str]:
    """The ladder in columns, with a line above them. `now`: seconds since 1970."""
    head = ("", _("name"), _("rating"), _("matches"), _("won"), _("points"), _("last match"))
    lines = [head, *(_cells(row, now) for row in rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(head))]
    return ["  ".join(_fitted(line, widths)).rstrip() for line in lines]


def _cells(row: m.LadderRow, now: float) -> tuple[str, ...]:
    share = f"{100 * row.wins / row.games:.0f} %" if row.games else "–"
    return (
        f"{row.rank}.", clean(row.name, 16), f"{row.rating / 100:.1f}", str(row.games), f"{row.wins} ({share})",
        str(row.points), _ago(now - row.seen),
    )  # fmt: skip


def _ago(seconds: float) -> str:
    if seconds < DAY_S:
        return _("today")
    return _("{n} d ago").format(n=int(seconds // DAY_S))


def _fitted(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The name to the left, what can be counted to the right."""
    cells = [(text, " " * (width - _width(text))) for text, width in zip(line, widths, strict=True)]
    return [text + gap if column in _LEFT else gap + text for column, (text, gap) in enumerate(cells)]


def _width(text: str) -> int:
    return max(wcswidth(text), 0)
