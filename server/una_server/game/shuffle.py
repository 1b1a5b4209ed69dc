"""Shuffling (G4): the same function of a 32-byte seed and a label for ever, on every platform.

Fisher–Yates from the top; the indices come from a stream of HMAC-SHA256 digests over label and counter, read as
big-endian 32-bit numbers; numbers that would favour an index are rejected. Nothing else in the engine is random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hmac import digest
from itertools import count
from struct import Struct as Layout
from struct import unpack
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
    for counter in count():
        yield from _NUMBERS.unpack(digest(seed, label + counter.to_bytes(8, "big"), "sha256"))


def shuffle(cards: Sequence[Item], seed: bytes, label: bytes) -> list[Item]:
    """A new list with the items in the order that seed and label determine."""
    items = list(cards)
    sizes = range(len(items), 1, -1)
    for size, number in zip(sizes, _accepted(sizes, seed, label), strict=False):
        chosen = number % size
        items[size - 1], items[chosen] = items[chosen], items[size - 1]
    return items


def _accepted(sizes: range, seed: bytes, label: bytes) -> Sequence[int]:
    """The numbers of the stream, one for each size, without those that would favour an index of that size."""
    blocks = [digest(seed, label + number.to_bytes(8, "big"), "sha256") for number in range(len(sizes) // 8 + 1)]
    numbers = unpack(f">{8 * len(blocks)}I", b"".join(blocks))
    if max(numbers) < _SPAN - len(sizes) - 1:
        return numbers  # nothing to reject: a number in the last, incomplete span of a size is very rare
    stream = _numbers(seed, label)
    return [next(number for number in stream if number < _SPAN - _SPAN % size) for size in sizes]


class SeededShuffler:
    """The shuffles of one round of a match, from the match's seed."""

    __slots__ = ("_prefix", "_seed")

    def __init__(self, seed: bytes, round_number: int) -> None:
        self._seed = seed
        self._prefix = f"una round {round_number} shuffle "

    def __call__(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
        return shuffle(cards, self._seed, f"{self._prefix}{number}".encode())
