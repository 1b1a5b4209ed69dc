"""What the games say: rates with intervals that know of duplicate deals, head to head, and ratings.

An interval is Wilson's (it behaves at 0 and 1), at the *effective* number of games: as many independent games as
would show the spread that there is between deals. Games of one deal share their cards, so they count neither as fully
independent nor as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10, sqrt
from typing import Final, NamedTuple

Z: Final = 1.959964
"""Of the normal distribution, for 95 %."""
_FEWEST: Final = 8
"""With fewer deals the spread between them says nothing yet."""
_MIDDLE: Final = 1500.0
_SCALE: Final = 400.0


class Rate(NamedTuple):
    """A share, and its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(share: float, games: float) -> Rate:
    """Wilson's score interval for a share of so many independent games."""
    if games <= 0:
        return Rate(share, 0.0, 1.0)
    square = Z * Z
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games * games))
    return Rate(share, max(0.0, middle - half), min(1.0, middle + half))


def rate(won: Sequence[float], of: Sequence[float]) -> Rate:
    """The share of `won` in `of`, both given deal by deal: the ratio of the sums, its spread taken between deals."""
    total = sum(of)
    if not total:
        return Rate(0.0, 0.0, 1.0)
    share = sum(won) / total
    return wilson(share, _effective(share, won, of, total))


def _effective(share: float, won: Sequence[float], of: Sequence[float], total: float) -> float:
    """As many independent games as these are worth; just their number where the spread says nothing."""
    deals = sum(1 for number in of if number)
    if deals < _FEWEST or share in (0.0, 1.0):
        return total
    errors = sum((part - share * whole) ** 2 for part, whole in zip(won, of, strict=True))
    variance = errors * deals / (deals - 1) / (total * total)
    return share * (1 - share) / variance if variance > 0 else total


def ratings(games: Mapping[tuple[int, ...], Sequence[float]], competitors: int) -> list[float]:
    """Bradley and Terry's ratings, as Luce has them for more than two: who is strong wins in proportion.

    `games` maps a line-up (a competitor for each seat) to how often each competitor won. On the scale of Elo's: 400
    points are ten to one; the mean is 1500. A win and a loss against an average player are added for each, so that
    nobody is infinitely strong.
    """
    strength = [1.0] * competitors
    won = [1.0 + sum(wins[one] for wins in games.values()) for one in range(competitors)]
    for _ in range(500):
        share = [2 / (one + 1) for one in strength]
        for lineup, wins in games.items():
            played = sum(wins)
            total = sum(strength[one] for one in lineup)
            for one in lineup:
                share[one] += played / total
        new = [wins / weight for wins, weight in zip(won, share, strict=True)]
        change = max(abs(a / b - 1) for a, b in zip(new, strength, strict=True))
        strength = new
        if change < 1e-9:
            break
    logs = [_SCALE * log10(one) for one in strength]
    mean = sum(logs) / len(logs)
    return [_MIDDLE + one - mean for one in logs]
