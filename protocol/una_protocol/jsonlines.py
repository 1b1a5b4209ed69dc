"""The protocol as lines of JSON: for bots that are a program of their own, on its standard input and output.

Each line is one message, with the same names and values as on the wire. The program is told `state`, `ev` and `turn`
(and whatever else its seat is told); it answers a `turn` with one line:

    {"do": {"k": "play", "card": "R7"}}

which is short for `{"t": "act", "table": …, "turn": …, "do": …}`: what is left out is that of the latest `turn`. `una`
and `catch` may be sent at any time, also before the answer. Every other request of the protocol may be sent with its
`t`; `id` is never needed. Kinds of messages, events and keys that a program does not know are to be ignored.

This module turns messages into lines and lines into messages; it starts no program and reads no stream.
"""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from .codec import REQUEST_OF, Request

LONGEST_LINE: Final = 65_536
"""A longer line of a program is refused unread."""

_encoder: Final = msgspec.json.Encoder()


class BadLine(Exception):
    """The line is no message; the text is one sentence."""


def line_of(message: Struct) -> bytes:
    """The message as one line, with its end."""
    return _encoder.encode(message) + b"\n"


def read_line(line: bytes | str, table: str, turn: int | None) -> Request:
    """The request in a line of the program. `table` and `turn` stand in where it names none. Raises BadLine."""
    if len(line) > LONGEST_LINE:
        raise BadLine(f"A line may have {LONGEST_LINE} bytes at most.")
    try:
        raw = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadLine("This line is no JSON.") from None
    if not isinstance(raw, dict):
        raise BadLine('A line holds one JSON object, such as {"do": {"k": "draw"}}.')
    return _request(raw, table, turn)


def _request(raw: dict[str, Any], table: str, turn: int | None) -> Request:
    kind = raw.get("t", "act" if "do" in raw else None)
    type_ = REQUEST_OF.get(kind) if isinstance(kind, str) else None
    if type_ is None:
        raise BadLine('A line needs "do", an action, or "t", the kind of a request.')
    filled = {"t": kind, "id": 0, **raw}
    if "table" in type_.__struct_fields__:
        filled.setdefault("table", table)
    if kind == "act" and _answers_turn(raw.get("do")):
        filled.setdefault("turn", turn)
    try:
        return cast(Request, msgspec.convert(filled, type_))
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadLine(f"This is no {kind}: {error}.") from None


def _answers_turn(do: object) -> bool:
    """Calls and catches are beside the turn and need no number."""
    return not (isinstance(do, dict) and do.get("k") in ("una", "catch"))
