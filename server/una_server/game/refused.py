"""The one way the engine says no."""

from __future__ import annotations


class Refused(Exception):
    """The action is against the rules; nothing has changed. `code` is one of the game's error codes."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
