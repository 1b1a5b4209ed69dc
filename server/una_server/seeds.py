"""Where the chance of a table comes from: one seed of 32 bytes each, and its name.

A verifiable shuffle, to which every seat contributes, would be another `SeedSource`.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final, Protocol

_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""What nobody mistakes for something else when it is read out: no 0 and o, no 1, i and l."""


class SeedSource(Protocol):
    """Gives each new table, counted from 1, its seed."""

    def seed_for(self, number: int) -> bytes:
        """32 bytes that no player can guess."""


class SecretSeeds:
    """Seeds from the system's source of secrets."""

    def seed_for(self, number: int) -> bytes:
        """A new secret, whatever the number."""
        return secrets.token_bytes(32)


class NumberedSeeds:
    """Seeds that follow from one number. For tests and for games of one's own: whoever knows it knows all cards."""

    def __init__(self, number: int) -> None:
        self._number = number

    def seed_for(self, number: int) -> bytes:
        """The same for the same two numbers."""
        return hashlib.sha256(f"una-seed {self._number} {number}".encode()).digest()


def short_id(seed: bytes, length: int) -> str:
    """A short name that follows from the seed and tells nothing about it."""
    value = int.from_bytes(hashlib.sha256(b"una-id " + seed).digest()[:8], "big")
    text = ""
    for _ in range(length):
        value, index = divmod(value, len(_LETTERS))
        text += _LETTERS[index]
    return text
