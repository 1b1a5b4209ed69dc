"""The server's log: lines on stderr, plain ASCII whatever an error's text may hold."""

from __future__ import annotations

import logging
import re
import sys
from typing import Final

_ODD: Final = re.compile(r"[^\n\x20-\x7e]")


class PlainFormatter(logging.Formatter):
    """Escapes everything that a terminal might obey; text from the network can reach a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line (or, with a traceback, lines)."""
        return _ODD.sub(lambda found: ascii(found[0])[1:-1], super().format(record))


def log_to_stderr(level: str) -> None:
    """Log from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
