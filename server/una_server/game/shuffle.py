"""Shuffling (G4): the same function of a 32-byte seed and a label for ever, on every platform.

Fisher–Yates from the top; the indices come from a stream of HMAC-SHA256 digests over label and counter, read as
big-endian 32-bit numbers; numbers that would favour an index are rejected. Nothing else in the engine is random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hmac import digest
from struct import Struct as Layout
from typing import Final, Protocol, TypeVar

from una_protocol.cards import Card

Item = TypeVar("Item")

_NUMBERS: Final = Layout(">8I")
_SPAN: Final = 1 << 32


class Shuffler(Protocol):
    """Where the shuffles of one round come from: the `number`-th of the round, 0 being the deck.

    It keeps no state, so that the copies of a round can share it. The result's first card is dealt or drawn first.
    """

    def __call__(self, cards: Sequence[Card], number: int) -> Sequence[Card]: ...


def _numbers(seed: bytes, label: bytes) -> Iterator[int]:
    """The endless stream of 32-bit numbers."""
    counter = 0
    while True:
        yield from _NUMBERS.unpack(digest(seed, label + counter.to_bytes(8, "big"), "sha256"))
        counter += 1


def shuffle(cards: Sequence[Item], seed: bytes, label: bytes) -> list[Item]:
    """A new list with the items in the order that seed and label determine."""
    items = list(cards)
    following = _numbers(seed, label).__next__
    for last in range(len(items) - 1, 0, -1):
        size = last + 1
        number = following()
        while number >= _SPAN - _SPAN % size:
            number = following()
        chosen = number % size
        items[last], items[chosen] = items[chosen], items[last]
    return items


class SeededShuffler:
    """The shuffles of one round of a match, from the match's seed."""

    __slots__ = ("_prefix", "_seed")

    def __init__(self, seed: bytes, round_number: int) -> None:
        self._seed = seed
        self._prefix = f"una round {round_number} shuffle "

    def __call__(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
        return shuffle(cards, self._seed, f"{self._prefix}{number}".encode())
