"""The version of the protocol. Majors are agreed on in the hello; a minor only ever adds (see PROTOCOL.md)."""

from __future__ import annotations

from typing import Final

PROTO: Final = 1
MINOR: Final = 0
SUPPORTED: Final[tuple[int, ...]] = (PROTO,)
DEFAULT_PORT: Final = 4820


def pick_proto(offered: list[int]) -> int | None:
    """The first major of `offered` (best first) that is known here; None where there is none."""
    return next((proto for proto in offered if proto in SUPPORTED), None)
