"""Messages to bytes and back. The only place that knows msgpack.

Owns the value model (nil, bool, int within ±2^53, str, array, map with str keys), its limits, and what the errors of
the two libraries mean on the wire. Must not know connections, sessions or rules.

Every frame is unpacked in one go, never by msgpack's streaming Unpacker: that one allocates for array headers whose
content has not arrived. Then `t` names the one Struct to convert to; a Union of them would be several times slower.
Nothing but `Malformed` ever leaves the two decoders, whatever the bytes.

Memory: a body of n bytes takes at most about 100 n bytes and 2.5 MB while it is decoded, whatever it claims to hold:
array headers reserve 8 bytes for each entry, at most 256, in at most 1024 open levels; an empty map of one byte is 64.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, TypeAlias, cast, get_args

import msgpack
import msgspec
import msgspec.msgpack
from msgspec import Struct

from . import messages as m
from .events import Event, UnknownEvent
from .framing import HEADER, frame
from .view import View

Request: TypeAlias = (
    m.Hello | m.Lobby | m.Create | m.Join | m.Watch | m.Leave | m.SetOptions | m.BotSeat | m.Kick | m.Start
    | m.SetReady | m.Rematch | m.Auto | m.Pause | m.Act | m.Accuse | m.Vote | m.Say | m.GetState | m.Ping | m.Describe
    | m.Pong
)  # fmt: skip
"""What a client sends."""

Answer: TypeAlias = (
    m.Welcome | m.Ok | m.Err | m.Bye | m.Ev | m.TurnNow | View | m.LobbyNow | m.Said | m.PingNow
)  # fmt: skip
"""What a server sends."""


class Malformed(Exception):
    """A body that is no message. `code`: bad_frame (close), bad_message or unknown_type (answer, and go on).

    `msg` is made here and holds nothing that was received; `at` is the path, `re` the message's id where it has one.
    """

    def __init__(self, code: str, msg: str, at: str | None = None, re: int | None = None) -> None:
        super().__init__(f"{code}: {msg}" + (f" at {at}" if at else ""))
        self.code, self.msg, self.at, self.re = code, msg, at, re


def _tags(types: tuple[type[Struct], ...]) -> dict[str, type[Struct]]:
    return {str(type_.__struct_config__.tag): type_ for type_ in types}


REQUEST_OF: Final[dict[str, type[Struct]]] = _tags(m.REQUESTS)
"""`t` of a client's message -> its type."""
ANSWER_OF: Final[dict[str, type[Struct]]] = _tags(m.ANSWERS)
"""`t` of a server's message -> its type."""
EVENT_OF: Final[dict[str, type[Struct]]] = _tags(get_args(Event))
"""`k` of an event -> its type."""

_FROM_CLIENT: Final = frozenset(m.REQUESTS)

# -- to bytes ---------------------------------------------------------------------------------------------------

_MAX_INT: Final = m.MAX_INT
_pack_fast: Final = msgspec.msgpack.Encoder().encode
_packer: Final = msgpack.Packer()
_SHORT_MAP: Final = 15


def _pack(message: Struct) -> bytes:
    """The bytes that the msgpack package writes for the map of a message.

    msgspec writes the same straight from the Struct in a fifth of the time, and a server packs five messages for each
    move; but where a type has more fields than a short map header can count, its header is longer than need be.
    """
    if len(message.__struct_fields__) < _SHORT_MAP:
        return _pack_fast(message)
    return bytes(_packer.pack(msgspec.to_builtins(message)))


def encode_body(message: Struct) -> bytes:
    """The msgpack map of a message, without its length. ValueError where it would be refused for its size."""
    body = _pack(message)
    if len(body) > m.FRAME_TO_SERVER and len(body) > limit_of(type(message)):
        raise ValueError(f"{type(message).__name__} takes {len(body)} bytes; the limit is {limit_of(type(message))}")
    return body


def encode(message: Struct) -> bytes:
    """The whole frame of a message."""
    body = _pack_fast(message) if len(message.__struct_fields__) < _SHORT_MAP else _pack(message)
    size = len(body)
    if size > m.FRAME_TO_SERVER:
        return frame(encode_body(message))
    return size.to_bytes(HEADER, "big") + body


def limit_of(type_: type[Struct]) -> int:
    """The greatest body that may hold a message of this type: by who sends it."""
    return m.FRAME_TO_SERVER if type_ in _FROM_CLIENT else m.FRAME_TO_CLIENT


# -- from bytes -------------------------------------------------------------------------------------------------


def decode_request(body: bytes) -> Request:
    """The client's message in a body; raises Malformed and nothing else."""
    raw = _unpacked(body)
    if raw.keys() == _ACT and type(raw["id"]) is int and type(raw["turn"]) is int:
        # Nearly all messages: every field is known, so the types check all there is to check. What they refuse, or
        # what may hold more than text, goes the long way round, which says what is wrong.
        do = raw["do"]
        if type(do) is dict and do.keys() <= _TEXT_OF_DO:
            try:
                return msgspec.convert(raw, m.Act)
            except msgspec.ValidationError:
                pass
    _check_all(raw)
    tag = raw.get("t")
    type_ = REQUEST_OF.get(tag) if type(tag) is str else None
    if type_ is None:
        raise _no_type(raw, tag)
    return cast(Request, _convert(raw, type_))


def decode_answer(body: bytes) -> Answer | None:
    """The server's message in a body; None for a type that is not known here. Raises Malformed and nothing else.

    An event of an unknown kind comes as `Ev` with an `UnknownEvent`, for its seq counts.
    """
    raw = unpack(body)
    tag = raw.get("t")
    if type(tag) is not str:
        raise _no_type(raw, tag)
    if tag == "ev":
        return _convert_event(raw)
    type_ = ANSWER_OF.get(tag)
    return None if type_ is None else cast(Answer, _convert(raw, type_))


class _EvHead(Struct):
    table: str
    seq: int


def _convert_event(raw: dict[str, Any]) -> m.Ev:
    event = raw.get("e")
    kind = event.get("k") if type(event) is dict else None
    if type(kind) is not str or kind in EVENT_OF:
        return cast(m.Ev, _convert(raw, m.Ev))
    head = cast(_EvHead, _convert(raw, _EvHead))
    return m.Ev(head.table, head.seq, cast(Event, UnknownEvent(kind)))


_unpackb: Final = partial(
    msgpack.unpackb,
    max_array_len=m.MAX_ARRAY,
    max_map_len=m.MAX_MAP,
    max_str_len=m.MAX_STR,
    max_bin_len=0,
    max_ext_len=0,
)


_ACT: Final = frozenset({"t", "id", "table", "turn", "do"})
_TEXT_OF_DO: Final = frozenset({"k", "card", "color"})


def _unpacked(body: bytes) -> dict[Any, Any]:
    """The map in a body; what it holds is still to be checked."""
    try:
        raw = _unpackb(body)
    except Exception as error:  # noqa: BLE001  # msgpack raises eight kinds, among them TypeError and OverflowError
        raise Malformed("bad_frame", _why(error)) from None
    if type(raw) is not dict:
        raise Malformed("bad_frame", "the frame holds no map")
    return raw


def unpack(body: bytes) -> dict[str, Any]:
    """Any map within the value model and its limits, whatever it is for; raises Malformed and nothing else."""
    raw = _unpacked(body)
    _check_all(raw)
    return raw


def _check_all(raw: dict[Any, Any]) -> None:
    """Refuse what is outside the value model."""
    # Most messages are flat, so the top level is looked at here, without a call for each of its values.
    for key, value in raw.items():
        kind = type(value)
        if (kind is str or (kind is int and -_MAX_INT <= value <= _MAX_INT)) and type(key) is str:
            continue
        if kind is dict and type(key) is str and _holds_text(value):
            continue
        _check(value, key, "$", 2, raw)


def _holds_text(value: dict[Any, Any]) -> bool:
    """Whether a map holds nothing but str, as most actions do: then there is nothing more to look at."""
    for key, inner in value.items():  # noqa: SIM110  # a generator would take longer than the rest
        if type(inner) is not str or type(key) is not str:
            return False
    return True


def _check(value: Any, key: Any, path: str, depth: int, top: Mapping[Any, Any]) -> None:
    """Refuse what is outside the value model, in an entry of a map or (int key) an array."""
    kind = type(value)
    if type(key) is not str and type(key) is not int:
        raise Malformed("bad_frame", "the keys of maps must be str", path)
    if kind is str or kind is bool or value is None:
        return
    path = _step(path, key)
    if kind is int:
        if not -m.MAX_INT <= value <= m.MAX_INT:
            raise Malformed("bad_message", "an int must be within 2^53 either way", path, _id_of(top))
    elif kind is float:
        raise Malformed("bad_message", "there are no floats in this protocol", path, _id_of(top))
    elif kind is not dict and kind is not list:
        raise Malformed("bad_frame", "there is no bin and no ext in this protocol", path)
    elif depth > m.MAX_DEPTH:
        raise Malformed("bad_frame", f"more than {m.MAX_DEPTH} levels of maps and arrays")
    else:
        for inner_key, inner in value.items() if kind is dict else enumerate(value):
            _check(inner, inner_key, path, depth + 1, top)


_PLAIN_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")


def _step(path: str, key: str | int) -> str:
    if type(key) is int:
        return f"{path}[{key}]"
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(str(key)) else f"{path}[...]"


def _id_of(raw: Mapping[Any, Any]) -> int | None:
    id_ = raw.get("id")
    return id_ if type(id_) is int and 0 <= id_ <= m.MAX_INT else None


def _no_type(raw: Mapping[Any, Any], tag: object) -> Malformed:
    if type(tag) is str:
        return Malformed("unknown_type", "there is no message of this type", "$.t", _id_of(raw))
    return Malformed("bad_message", "`t` must be a str that names the type of the message", "$.t", _id_of(raw))


def _why(error: Exception) -> str:
    """What is wrong with the bytes, in words of our own: msgpack's may repeat what was received."""
    text = str(error)
    if isinstance(error, msgpack.ExtraData):
        return "there are bytes after the map"
    if isinstance(error, UnicodeDecodeError):
        return "a str is not UTF-8"
    if isinstance(error, msgpack.StackError):
        return f"more than {m.MAX_DEPTH} levels of maps and arrays"
    if "max_bin_len" in text or "max_ext_len" in text:
        return "there is no bin and no ext in this protocol"
    if "max_" in text:
        return f"an array over {m.MAX_ARRAY}, a map over {m.MAX_MAP} entries, or a str over {m.MAX_STR} bytes"
    if "map key" in text or isinstance(error, TypeError):
        return "the keys of maps must be str"
    return "this is no complete msgpack value"


_PLACE: Final = re.compile(r"^(.*?)(?: - at `(?:key` in `)?(\$[^`]*)`)?$", re.DOTALL)
_REMOTE: Final = re.compile(r"^(Invalid (?:enum )?value) .*$", re.DOTALL)


def _convert(raw: dict[str, Any], type_: type[Struct]) -> Struct:
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as error:
        found = _PLACE.match(str(error))
        text, at = found.groups() if found else ("malformed", None)
        # an invalid value is the one thing that msgspec repeats in its text
        raise Malformed("bad_message", _REMOTE.sub(r"\1", text), at or "$", _id_of(raw)) from None
    except Exception:  # noqa: BLE001  # nothing else is known to be raised; if it is, the peer is at fault all the same
        raise Malformed("bad_message", "malformed", "$", _id_of(raw)) from None


__all__ = [
    "Request", "Answer", "Malformed", "encode", "encode_body", "frame", "limit_of", "decode_request", "decode_answer",
    "unpack", "REQUEST_OF", "ANSWER_OF", "EVENT_OF",
]  # fmt: skip
