"""What holds for every message: the limits of the wire, and the base of all types.

A message is a msgpack map whose `t` names its type. Optional fields are absent when they hold their default.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

MAX_INT: Final = 2**53
FRAME_TO_SERVER: Final = 64 * 1024
FRAME_TO_CLIENT: Final = 1024 * 1024
MAX_DEPTH: Final = 16
MAX_ARRAY: Final = 256
MAX_MAP: Final = 64
MAX_STR: Final = 4096


class Message(Struct, omit_defaults=True, tag_field="t", gc=False):
    """A message, in either direction."""
