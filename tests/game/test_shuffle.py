"""The shuffle is the same for ever (G4): golden vectors, the plain algorithm beside it, and no bias."""

from __future__ import annotations

import hmac
import sys
from collections import Counter
from hashlib import sha256

import pytest

from una_protocol.cards import DECK
from una_server.game import SeededShuffler, shuffle
from una_server.game.shuffle import _numbers

SEED = bytes(range(32))


def plain_shuffle(items: list[int], seed: bytes, label: bytes) -> list[int]:
    """The algorithm in its plainest form."""
    counter, buffer = 0, b""

    def below(size: int) -> int:
        nonlocal counter, buffer
        while True:
            if not buffer:
                buffer = hmac.digest(seed, label + counter.to_bytes(8, "big"), "sha256")
                counter += 1
            number, buffer = int.from_bytes(buffer[:4], "big"), buffer[4:]
            if number < 2**32 - 2**32 % size:
                return number % size

    for last in range(len(items) - 1, 0, -1):
        chosen = below(last + 1)
        items[last], items[chosen] = items[chosen], items[last]
    return items


def test_golden_vectors() -> None:
    assert shuffle(range(12), SEED, b"golden") == [9, 4, 7, 2, 0, 10, 5, 8, 11, 3, 6, 1]
    digest = sha256(bytes(shuffle(range(108), SEED, b"golden"))).hexdigest()
    assert digest == "580772fb67120c714ad79ca1c80d9cdb97db1fabb5e17c93032bbc436cff197d"
    assert SeededShuffler(SEED, 1)(DECK, 0)[:8] == ["R+2", "RR", "BS", "BR", "R6", "W", "G3", "Y2"]


@pytest.mark.parametrize("size", [0, 1, 2, 7, 8, 9, 10, 16, 17, 100, 108, 300])
def test_it_is_the_plain_algorithm(size: int) -> None:
    for number in range(20):
        label = f"label {number}".encode()
        assert shuffle(range(size), SEED, label) == plain_shuffle(list(range(size)), SEED, label)


def test_numbers_that_would_favour_an_index_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [bytes([255] * 4 + [0, 0, 0, 1] * 7), bytes([0, 0, 0, 2] * 8)]
    module = sys.modules["una_server.game.shuffle"]  # the package has a function of the same name
    monkeypatch.setattr(module, "digest", lambda seed, message, name: blocks[int.from_bytes(message[-8:], "big")])
    # for three items, 4294967295 is beyond the last full span of 3 and is passed over
    assert shuffle("abc", SEED, b"") == ["a", "c", "b"]
    assert next(_numbers(SEED, b"")) == 2**32 - 1


def test_labels_and_seeds_make_different_orders() -> None:
    orders = {tuple(shuffle(DECK, SEED, b"%d" % label)) for label in range(50)}
    orders |= {tuple(shuffle(DECK, bytes([byte]) * 32, b"0")) for byte in range(50)}
    assert len(orders) == 100
    assert all(sorted(order) == sorted(DECK) for order in orders)


def test_every_order_is_as_likely() -> None:
    counts = Counter(tuple(shuffle(range(4), SEED, b"%d" % label)) for label in range(12_000))
    chi_square = sum((count - 500) ** 2 / 500 for count in counts.values())
    assert len(counts) == 24
    assert chi_square < 49.7  # 99.9 % for 23 degrees of freedom; the seed is fixed, so this holds always
