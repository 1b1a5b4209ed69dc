"""Adds up the games of a run, as a table for people and as plain data for programs."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any, Final

from .crew import NOT_ASKED
from .run import GameResult, Run
from .statistics import Rate, rate, ratings

VERSION: Final = 1


class _Sum:
    """What a competitor made of all its games."""

    def __init__(self, deals: int) -> None:
        self.won = [0.0] * deals
        self.seats = [0.0] * deals
        self.points = self.rounds = self.moves = self.illegal = self.late = self.failed = self.unasked = 0
        self.seconds = 0.0
        self.why: str | None = None


class Tally:
    """Takes in game by game; `data` and `table` say what came out."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._sums = [_Sum(run.plan.deals) for _ in run.competitors]
        self._lineups: dict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0] * len(run.competitors))
        self.games = self.rounds = self.undecided = 0

    def add(self, result: GameResult) -> None:
        """One more game."""
        self.games += 1
        self.rounds += result.played.rounds
        self.undecided += not any(outcome.won for outcome in result.played.seats)
        wins = self._lineups[tuple(sorted(result.seating))]
        for index, outcome in zip(result.seating, result.played.seats, strict=True):
            one = self._sums[index]
            one.won[result.deal] += outcome.won
            one.seats[result.deal] += 1
            one.points += outcome.points
            one.rounds += result.played.rounds
            one.moves += outcome.moves
            one.seconds += outcome.seconds
            one.illegal += outcome.illegal
            one.late += outcome.late
            one.failed += outcome.failed is not None
            one.unasked += outcome.failed == NOT_ASKED
            one.why = one.why or outcome.failed
            wins[index] += outcome.won

    def data(self) -> dict[str, Any]:
        """Everything as plain data; only the times differ from run to run."""
        run = self._run
        strengths = ratings(self._lineups, len(run.competitors))
        return {
            "una_arena": VERSION,
            "profile": run.profile,
            "options": {name: getattr(run.options, name) for name in run.options.__struct_fields__},
            "seed": run.plan.seed,
            "seats": run.plan.seats,
            "game": "match" if run.whole else "round",
            "games": self.games,
            "deals": run.plan.deals,
            "rounds": self.rounds,
            "undecided": self.undecided,
            "even": 1 / run.plan.seats,
            "competitors": [self._one(index, strengths[index]) for index in range(len(run.competitors))],
            "pairs": [self._pair(one, other) for one, other in combinations(range(len(run.competitors)), 2)],
        }

    def _one(self, index: int, strength: float) -> dict[str, Any]:
        one = self._sums[index]
        seats = int(sum(one.seats))
        return {
            "name": self._run.competitors[index].name,
            "seats": seats,
            "wins": int(sum(one.won)),
            "win_rate": _rounded(rate(one.won, one.seats)),
            "points_per_round": round(one.points / one.rounds, 2) if one.rounds else 0.0,
            "rating": round(strength, 1),
            "moves": one.moves,
            "ms_per_move": round(1000 * one.seconds / one.moves, 4) if one.moves else 0.0,
            "illegal": one.illegal,
            "timeouts": one.late,
            "failed": one.failed,
            "unasked": one.unasked,
            "why": one.why,
        }

    def _pair(self, one: int, other: int) -> dict[str, Any]:
        """How often `one` won, of the games that either won, both counted as if they had held equally many seats."""
        mine, theirs = self._per_seat(one, other), self._per_seat(other, one)
        both = [a + b for a, b in zip(mine, theirs, strict=True)]
        names = [self._run.competitors[index].name for index in (one, other)]
        share = rate(mine, both)
        return {"first": names[0], "second": names[1], "share": _rounded(share), "verdict": _verdict(share, *names)}

    def _per_seat(self, one: int, other: int) -> list[float]:
        """The games won for each seat held, in the deals in which both play."""
        own, against = self._sums[one], self._sums[other]
        return [
            won / seats * self._run.plan.seats / 2 if seats and there else 0.0
            for won, seats, there in zip(own.won, own.seats, against.seats, strict=True)
        ]


def _verdict(share: Rate, one: str, other: str) -> str:
    """Who is better, if the whole interval says so."""
    if share.low > 0.5:
        return one
    return other if share.high < 0.5 else ""


def _rounded(share: Rate) -> dict[str, float]:
    return {name: round(value, 5) for name, value in share._asdict().items()}


# -- for people -------------------------------------------------------------------------------------------------

_WIDEST: Final = 36
_HEAD: Final = ("", "seats", "wins", "win rate", "95 %", "points", "rating", "ms/move", "illegal", "late", "failed")


def table(data: dict[str, Any]) -> str:
    """The results in words and columns."""
    rows = [_HEAD, *(_row(one) for one in sorted(data["competitors"], key=lambda one: -one["rating"]))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [_title(data), ""]
    for row in rows:
        first, *rest = zip(row, widths, strict=True)
        lines.append("  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in rest)]).rstrip())
    lines.append("")
    lines += [_pair_line(pair) for pair in data["pairs"]]
    lines += [_why_line(one) for one in data["competitors"] if one["why"]]
    return "\n".join(lines)


def _title(data: dict[str, Any]) -> str:
    kind = "rounds" if data["game"] == "round" else "matches"
    undecided = f", {data['undecided']} won by nobody" if data["undecided"] else ""
    return (
        f"{data['games']} {kind} of {data['profile']} with {data['seats']} players, "
        f"{data['deals']} deals, seed {data['seed']}{undecided}; even is {100 * data['even']:.1f} %"
    )


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    won = one["win_rate"]
    return (
        _short(one["name"]),
        str(one["seats"]),
        str(one["wins"]),
        f"{100 * won['share']:.1f} %",
        f"{100 * won['low']:.1f}–{100 * won['high']:.1f}",
        f"{one['points_per_round']:.1f}",
        f"{one['rating']:.0f}",
        f"{one['ms_per_move']:.3f}",
        str(one["illegal"]),
        str(one["timeouts"]),
        str(one["failed"]),
    )


def _pair_line(pair: dict[str, Any]) -> str:
    share = pair["share"]
    better = f": {_short(pair['verdict'])} is better" if pair["verdict"] else ": not decided"
    interval = f"{100 * share['share']:.1f} % ({100 * share['low']:.1f}–{100 * share['high']:.1f})"
    return f"{_short(pair['first'])} against {_short(pair['second'])}: {interval}{better}"


def _why_line(one: dict[str, Any]) -> str:
    asked = one["failed"] - one["unasked"]
    note = f" (in each of the first {asked}; it was not asked again)" if one["unasked"] else ""
    return f"{_short(one['name'])} failed: {one['why']}{note}"


def _short(name: str) -> str:
    """A name that leaves room for the numbers: of a long one the beginning, and the end, where they differ."""
    return name if len(name) <= _WIDEST else f"{name[:12]}…{name[13 - _WIDEST :]}"
