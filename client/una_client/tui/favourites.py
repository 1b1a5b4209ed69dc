"""The user's favourite servers: a small file of addresses, one a line. What cannot be read or written is no matter."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from una_protocol.address import Address

MOST: Final = 50


class Favourites:
    """The addresses, in the order in which they were kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.addresses = self._read()

    @classmethod
    def of_user(cls) -> Favourites:
        """The file in the user's folder for such things."""
        from platformdirs import user_state_path

        return cls(user_state_path("una") / "favourites.txt")

    def toggle(self, address: str) -> bool:
        """Keep the address, or no longer; whether it is kept now."""
        kept = address not in self.addresses
        others = [one for one in self.addresses if one != address]
        self.addresses = ([*others, address] if kept else others)[-MOST:]
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text("".join(f"{one}\n" for one in self.addresses), encoding="utf-8")
        return kept

    def _read(self) -> list[str]:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return []
        found = []
        for line in lines[:MOST]:
            with contextlib.suppress(ValueError):
                found.append(str(Address.parse(line)))
        return list(dict.fromkeys(found))
