"""Somebody who knows all cards: reads the record that the server writes, and plays it along with the rules.

A test may look over everybody's shoulder here, and compare what a screen shows with what is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from una_protocol.cards import Card
from una_server.game.match import Match
from una_server.game.options import make_options
from una_server.game.record_lines import Act
from una_server.game.round import Round


class NotYet(Exception):
    """The record stops in the middle of something: look again."""


class Position:
    """A round as far as its record goes."""

    def __init__(self, lines: Sequence[str]) -> None:
        header: dict[str, Any] = msgspec.json.decode(lines[0])
        self.names: list[str] = [player["name"] for player in header["players"]]
        self.number: int = header["round"]
        self.end: dict[str, Any] | None = None
        self._orders: list[list[Card]] = [header["deck"]]
        options = make_options(header["profile"], header["options"])
        self.match = Match(options, range(len(self.names)), bytes(32), header["dealer"])
        self.match.scores = list(header["scores"])
        for line in lines[1:]:
            self._read(msgspec.json.decode(line))
        self._deal()

    @property
    def round(self) -> Round:
        """The state of the round."""
        assert self.match.round is not None
        return self.match.round

    def hand(self, name: str) -> list[Card]:
        """The cards somebody holds, in the order of their texts."""
        return sorted(self.round.hands[self.names.index(name)])

    def _read(self, line: dict[str, Any]) -> None:
        if "pile" in line:
            self._orders.append(line["pile"])
            return
        self._deal()
        if "end" in line:
            self.end = line["end"]
            return
        act = msgspec.convert(line, Act)
        self.match.apply(act.seat, act.do)

    def _deal(self) -> None:
        if self.match.round is None:
            self.match.deal(self._shuffled)

    def _shuffled(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
        if number >= len(self._orders):
            raise NotYet
        return self._orders[number]


def positions(folder: Path) -> list[Position]:
    """All rounds that were begun, the newest last."""
    found = []
    for file in folder.glob("*.una.jsonl"):
        whole, _, _ = file.read_text("utf-8").rpartition("\n")
        if whole:
            found.append(Position(whole.splitlines()))
    return sorted(found, key=lambda position: position.number)


def now(folder: Path) -> Position | None:
    """The round that is being played, or was played last; None where it cannot be told at this moment."""
    try:
        return positions(folder)[-1]
    except (NotYet, IndexError):
        return None
