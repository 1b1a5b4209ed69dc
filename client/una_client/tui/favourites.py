"""The user's favourite servers: a small file of addresses, one a line. What cannot be read or written is no matter."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from una_protocol.address import Address

from ..i18n import _

MOST: Final = 50


class Favourites:
    """The addresses: first those of the config file, which stay, then those kept here, in the order they came."""

    def __init__(self, path: Path, given: Sequence[str] = ()) -> None:
        self._path = path
        self._given = _addresses(given)
        self._kept = self._read()

    @classmethod
    def of_user(cls, given: Sequence[str] = ()) -> Favourites:
        """The file in the user's folder for such things."""
        from platformdirs import user_state_path

        return cls(user_state_path("una") / "favourites.txt", given)

    @property
    def addresses(self) -> list[str]:
        """All of them."""
        return list(dict.fromkeys([*self._given, *self._kept]))

    def toggle(self, address: str) -> str:
        """Keep the address, or no longer; the sentence that tells what became of it."""
        if address in self._given:
            return _("This favourite stands in the config file.")
        kept = address not in self._kept
        others = [one for one in self._kept if one != address]
        self._kept = ([*others, address] if kept else others)[-MOST:]
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text("".join(f"{one}\n" for one in self._kept), encoding="utf-8")
        return _("It is a favourite now.") if kept else _("It is no favourite any more.")

    def _read(self) -> list[str]:
        try:
            return _addresses(self._path.read_text(encoding="utf-8").splitlines()[:MOST])
        except (OSError, ValueError):
            return []


def _addresses(texts: Sequence[str]) -> list[str]:
    """The texts that are addresses, each in its shortest form."""
    found = []
    for text in texts:
        with contextlib.suppress(ValueError):
            found.append(str(Address.parse(text)))
    return list(dict.fromkeys(found))
