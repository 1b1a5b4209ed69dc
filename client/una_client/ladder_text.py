"""The ladder of an arena in words: in columns, or to be read aloud. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wcwidth import wcswidth

from una_protocol import messages as m
from una_protocol.text import clean

from .i18n import _, ngettext

DAY_S: Final = 86_400
_LEFT: Final = (1, 6)
_FEWEST: Final = 3
"""Columns without which it would be no ladder."""


def sentences(rows: Sequence[m.LadderRow]) -> list[str]:
    """The ladder to be read aloud: a sentence for each row."""
    if not rows:
        return [_("Nobody stands in the ladder yet.")]
    return [
        ngettext(
            "{rank}. {name}: rating {rating}, {won} of {n} match won.",
            "{rank}. {name}: rating {rating}, {won} of {n} matches won.",
            row.games,
        ).format(rank=row.rank, name=clean(row.name, 16), rating=f"{row.rating / 100:.1f}", won=row.wins, n=row.games)
        for row in rows
    ]


def table(rows: Sequence[m.LadderRow], now: float | None = None, width: int | None = None) -> list[str]:
    """The ladder in columns, with a line above them; the last columns give way where `width` cells do not hold all.

    `now`: seconds since 1970; without it nothing is said of when somebody played last.
    """
    head = ("", _("name"), _("rating"), _("matches"), _("won"), _("points"), _("last match"))
    lines = [head, *(_cells(row, now) for row in rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(lines[-1]))]
    while width is not None and len(widths) > _FEWEST and sum(widths) + 2 * len(widths) - 2 > width:
        widths.pop()
    return ["  ".join(_fitted(line[: len(widths)], widths)).rstrip() for line in lines]


def _cells(row: m.LadderRow, now: float | None) -> tuple[str, ...]:
    share = f"{100 * row.wins / row.games:.0f} %" if row.games else "–"
    last = () if now is None else (_ago(now - row.seen),)
    return (
        f"{row.rank}.", clean(row.name, 16), f"{row.rating / 100:.1f}", str(row.games), f"{row.wins} ({share})",
        str(row.points), *last,
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
