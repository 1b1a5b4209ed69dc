"""Remembers the session of each server, so that who closes the client, or loses the machine, gets the seat back.

A token is who one is: the file is for its owner's eyes only. What cannot be read or written is not worth a word; then
the seat simply waits for its time limit.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Final

KEPT: Final = 20


class Tokens:
    """A small file of session tokens by server and name; the newest `KEPT` of them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_user(cls) -> Tokens:
        """The file in the user's folder for such things."""
        from platformdirs import user_state_path

        return cls(user_state_path("una") / "sessions.json")

    def get(self, key: str) -> str | None:
        """The token kept for this server and name; None while another client, still running, plays by it."""
        token, _, pid = self._read().get(key, "").partition(" ")
        return token if token and not _runs(pid) else None

    def put(self, key: str, token: str) -> None:
        """Keep the token, in place of the one before, as that of this process."""
        tokens = self._read()
        tokens.pop(key, None)
        tokens[key] = f"{token} {os.getpid()}"
        self._write(dict(list(tokens.items())[-KEPT:]))

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {str(key): token for key, token in found.items() if isinstance(token, str) and len(token) <= 100}

    def _write(self, tokens: dict[str, str]) -> None:
        draft = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(tokens, file)
            draft.replace(self._path)
        except OSError:
            return


def _runs(pid: str) -> bool:
    """Whether that process is another one, and there. Not asked on Windows, where to ask would be to end it."""
    if sys.platform == "win32" or not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
