"""Golden wire vectors: each message and event kind as bytes and as JSON, and bytes that must be refused.

Values are chosen by the field's name, so that a new field gets into the vectors by itself. Used by
`generate_protocol.py`; other implementations of the protocol test themselves against the files it writes.
"""

from __future__ import annotations

from typing import Any

import msgpack
import msgspec
from msgspec import Struct
from msgspec import inspect as mi

from una_protocol import codec
from una_protocol import messages as m
from una_protocol.catalogue import tag_of
from una_protocol.framing import frame

Vector = dict[str, Any]

_BY_NAME: dict[str, Any] = {
    "table": "k3f", "name": "Ann", "from": "Ann", "text": "Good game!", "seat": 2, "by": 1, "to": 1, "of": 3, "id": 7,
    "re": 7, "seq": 118, "turn": 41, "round": 3, "proto": 1, "minor": 0, "profile": "una", "server": "una/0.1",
    "client": "una-cli/0.1", "session": "3q2-7wAAAAAAAAAAAAAAAA", "code": "stale_turn", "retry": "resync",
    "at": "$.do.card", "msg": "for a developer", "card": "R7", "top": "G4", "drawn": "Y+2", "phase": "turn",
    "stage": "playing", "ms": 20000, "after_ms": 1500, "between_ms": 15000, "draw_pile": 61, "level": "hard",
    "away": "bot", "with": 1, "keepalive_s": 15, "resume_s": 86400, "frame": 65536, "rate": 50, "burst": 100,
    "default": 1, "seats": 4, "host": 0, "hand": ["R7", "W", "B+2"], "cards": ["G4", "YS"], "counts": [7, 7, 6, 8],
    "points": [0, 32, 5, 20], "n": 2, "scores": [120, 32, 5, 77], "hands": [[], ["R9", "BS", "G3"], ["Y5"], ["G+2"]],
    "draws": [[0, "R7"], [1, "B9"]], "catchable": [3], "called": [1], "asked": [1], "winners": [0], "winner": 0,
    "turn_s": 20, "between_s": 15, "tables": [], "bots": ["easy", "hard"], "options": {"jump_in": True,
    "hand_size": 5, "draw_four": "bluff"}, "catalogue": {"parts": ["messages", "events"]}, "direction": -1,
    "dealer": 3, "turn_seat": 2, "pending": 2, "you": 2, "taken": 3, "watching": 1, "watchers": ["Zoë"],
    "part": "events", "next": "m2x", "after": "k3f", "last_id": 0, "una_grace_ms": 2000, "think_ms": 600,
    "score": 120, "reconnect": True, "supported": [1], "add": "easy", "remove": 3, "caps": ["x-test"],
    "password": "open sesame", "voted": [1], "motd": "Tournament at eight.",
    "token": "2f6c1d0e9b8a47563f2e1d0c9b8a7465", "what": "tables", "address": "192.0.2.7", "seconds": 600, "key": "g12",
    "version": "0.1.0", "uptime_s": 3600,
    "connections": 14, "sessions": 20, "rounds": 3, "moves": 4711, "moves_per_min": 90, "connections_total": 31,
    "tables_total": 9, "refused_total": 1, "memory_kb": 41000, "commit_p50_us": 2100,
    "commit_p99_us": 9000, "rank": 1, "rating": 2210, "mu": 3120, "sigma": 303,
    "games": 412, "wins": 180, "seen": 1790000000,
    "storage_trouble": 1,
}  # fmt: skip
_BY_TYPE_AND_NAME: dict[str, Any] = {
    "Hello.proto": [1], "Hello.id": 1, "Welcome.re": 1, "ResumeFrom.tables": {"k3f": 117}, "Player.cards": 6,
    "TableRow.id": "k3f", "TableRow.host": "Ann", "View.host": 0, "Turn.phase": "drawn", "TableRow.phase": "playing",
    "Drew.why": "pending", "Left.why": "kicked", "Player.status": "lost", "Bye.code": "shutting_down", "Host.seat": 0,
    "Shown.hand": ["W+4", "R1"], "TurnNow.legal": [
        {"k": "play", "card": "R9"}, *({"k": "play", "card": "W", "color": color} for color in ("red", "green")),
        {"k": "draw"},
    ],
    "OptionsSet.password": True, "View.password": True, "TableRow.password": True, "TurnNow.default": 3,
    "Dealt.dealer": 3, "Admin.do": "kick", "Said.from": "Ann", "GuestRow.tables": ["k3f"],
    "Queue.key": "5f0c7a3e9d1b2864aa07", "Ladder.after": "50", "LadderRow.points": 61230,
    "ServerStatus.tables": 4, "ServerStatus.guests": 12, "ServerStatus.bans": 1,
    "View.accusation": {"seat": 3, "by": 1, "voted": [1]}, "Welcome.proto": 1,
}  # fmt: skip


def sample(type_: type[Struct], full: bool) -> dict[str, Any]:
    """A message of this type as builtins: every field set, or only those that are required."""
    info = mi.type_info(type_)
    assert isinstance(info, mi.StructType)
    config = type_.__struct_config__
    out: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
    for field in info.fields:
        if field.required or full:
            name = field.encode_name
            known = _BY_TYPE_AND_NAME.get(f"{type_.__name__}.{name}", _BY_NAME.get(name))
            out[name] = _value(field.type, full) if not _fits(known, field.type) else known
    return out


def _fits(value: Any, type_: mi.Type) -> bool:
    if value is None:
        return False
    types = type_.types if isinstance(type_, mi.UnionType) else (type_,)
    plain = [t.type if isinstance(t, mi.Metadata) else t for t in types]
    if isinstance(value, list):
        items = [t for t in plain if isinstance(t, mi.ListType | mi.VarTupleType)]
        return bool(items) and (bool(value) or not isinstance(items[0].item_type, mi.StructType))
    wanted: dict[type, tuple[type[mi.Type], ...]] = {
        bool: (mi.BoolType,), int: (mi.IntType, mi.LiteralType), str: (mi.StrType, mi.LiteralType),
        dict: (mi.DictType, mi.StructType),
    }  # fmt: skip
    return any(isinstance(t, wanted[type(value)]) for t in plain)


def _value(type_: mi.Type, full: bool) -> Any:
    """Some value of the type, where the name says nothing."""
    if isinstance(type_, mi.Metadata):
        return _value(type_.type, full)
    if isinstance(type_, mi.UnionType):
        return _value(next(t for t in type_.types if not isinstance(t, mi.NoneType)), full)
    if isinstance(type_, mi.StructType):
        return sample(type_.cls, full)
    if isinstance(type_, mi.ListType | mi.VarTupleType):
        return [_value(type_.item_type, full)] if full else []
    if isinstance(type_, mi.BoolType):
        return full
    if isinstance(type_, mi.LiteralType):
        return type_.values[-1]
    raise TypeError(f"no sample for {type_!r}: give one by the field's name")


def _both(types: tuple[type[Struct], ...], wrap: bool = False) -> list[Vector]:
    out: list[Vector] = []
    by_tag = codec.REQUEST_OF if types is m.REQUESTS else codec.ANSWER_OF
    for type_ in types:
        seen: list[Vector] = []
        for what in ("least", "full"):
            inner = sample(type_, full=what == "full")
            raw = {"t": "ev", "table": "k3f", "seq": 118, "e": inner} if wrap else inner
            if raw in seen:
                continue
            seen.append(raw)
            message = msgspec.convert(raw, by_tag[str(raw["t"])])
            bytes_ = codec.encode(message)
            out.append({"name": f"{tag_of(type_)}, {what}", "frame": bytes_.hex(), "json": msgpack.unpackb(bytes_[4:])})
    return out


# -- what must be refused ---------------------------------------------------------------------------------------

_ACT = {"t": "act", "id": 7, "table": "k3f", "turn": 41, "do": {"k": "play", "card": "R7"}}


def _with(**changes: Any) -> bytes:
    return bytes(msgpack.packb(_ACT | changes))


def _nested(levels: int) -> bytes:
    """A ping with an unknown field that makes the message `levels` deep."""
    deep: Any = 0
    for _ in range(levels - 1):
        deep = [deep]
    return bytes(msgpack.packb({"t": "ping", "id": 7, "x": deep}))


def _hostile_bodies() -> list[tuple[str, bytes, str | None, str | None]]:
    act = _with()
    return [
        # name, body, error code (None: it is good), path
        ("empty body", b"", "bad_frame", None),
        ("nil", b"\xc0", "bad_frame", None),
        ("an array", msgpack.packb([1]), "bad_frame", None),
        ("truncated", act[:-1], "bad_frame", None),
        ("trailing bytes", act + b"\xc0", "bad_frame", None),
        ("two maps", act + act, "bad_frame", None),
        ("reserved byte", b"\xc1", "bad_frame", None),
        ("bad UTF-8", act.replace(b"k3f", b"k\xff\xfe"), "bad_frame", None),
        ("surrogate in UTF-8", act.replace(b"k3f", b"\xed\xa0\x80"), "bad_frame", None),
        ("bin", _with(table=b"k3f"), "bad_frame", None),
        ("empty bin", _with(table=b""), "bad_frame", None),
        ("ext", _with(x=msgpack.ExtType(5, b"abc")), "bad_frame", None),
        ("timestamp", _with(x=msgpack.Timestamp(0)), "bad_frame", None),
        ("bytes key", b"\x81\xc4\x01t\xa4ping", "bad_frame", None),
        ("int key", b"\x81\x01\xa4ping", "bad_frame", None),
        ("array key", b"\x81\x90\xa4ping", "bad_frame", None),
        ("nested bytes key", b"\x83\xa1t\xa4ping\xa2id\x07\xa1x\x81\xc4\x00\xc0", "bad_frame", None),
        ("array bomb: four billion entries claimed", b"\x81\xa1x\xdd\xff\xff\xff\xff", "bad_frame", None),
        ("map bomb: four billion entries claimed", b"\xdf\xff\xff\xff\xff", "bad_frame", None),
        ("str of 4 GB claimed", b"\x81\xa1x\xdb\xff\xff\xff\xff", "bad_frame", None),
        ("nested array headers", b"\x81\xa1x" + b"\xdc\x01\x00" * 900, "bad_frame", None),
        ("2000 levels", b"\x91" * 2000, "bad_frame", None),
        ("array of 257", _with(x=[0] * 257), "bad_frame", None),
        ("array of 256", _with(x=[0] * 256), None, None),
        ("map of 65", _with(x={f"k{n}": 0 for n in range(65)}), "bad_frame", None),
        ("str of 4097 bytes", _with(x="a" * 4097), "bad_frame", None),
        ("17 levels", _nested(17), "bad_frame", None),
        ("16 levels", _nested(16), None, None),
        ("float", _with(turn=41.0), "bad_message", "$.turn"),
        ("float in an unknown field", _with(x=[{"y": 0.5}]), "bad_message", "$.x[0].y"),
        ("int over 2^53", _with(turn=2**53 + 1), "bad_message", "$.turn"),
        ("int of 64 bits", _with(x=2**64 - 1), "bad_message", "$.x"),
        ("no type", msgpack.packb({"id": 7}), "bad_message", "$.t"),
        ("type is no str", _with(t=1), "bad_message", "$.t"),
        ("unknown type", _with(t="dance"), "unknown_type", "$.t"),
        ("an answer's type", _with(t="ok"), "unknown_type", "$.t"),
        ("no id", msgpack.packb({"t": "ping"}), "bad_message", "$"),
        ("id is a str", _with(id="7"), "bad_message", "$.id"),
        ("id is a bool", _with(id=True), "bad_message", "$.id"),
        ("negative id", _with(id=-1), "bad_message", "$.id"),
        ("no such action", _with(do={"k": "cheat"}), "bad_message", "$.do.k"),
        ("no such card", _with(do={"k": "play", "card": "X7"}), "bad_message", "$.do.card"),
        ("card with a line break", _with(do={"k": "play", "card": "R7\n"}), "bad_message", "$.do.card"),
        ("no such colour", _with(do={"k": "play", "card": "W", "color": "pink"}), "bad_message", "$.do.color"),
        ("int for bool", _with(do={"k": "play", "card": "R7", "una": 1}), "bad_message", "$.do.una"),
        ("seat 10", _with(do={"k": "catch", "seat": 10}), "bad_message", "$.do.seat"),
        ("table without a name", _with(table=""), "bad_message", "$.table"),
        ("unknown field", _with(mood="good"), None, None),
        ("duplicate key: the last counts", b"\x83\xa1t\xa4ping\xa2id\x01\xa2id\x07", None, None),
        ("int longer than needed", b"\x82\xa1t\xa4ping\xa2id\xcf" + (7).to_bytes(8, "big"), None, None),
    ]


def hostile() -> list[Vector]:
    """Frames to a server on an open connection, and what it answers; `close` says whether it closes."""
    out: list[Vector] = []
    for name, body, code, at in _hostile_bodies():
        row: Vector = {"name": name, "frame": frame(body).hex(), "code": code}
        if code is None:
            row["json"] = msgspec.to_builtins(codec.decode_request(body))
        else:
            row |= {"close": code == "bad_frame"} | ({"at": at} if at else {})
        out.append(row)
    out += [
        {"name": "length over the limit", "frame": "00010001", "code": "too_big", "close": True},
        {"name": "greatest length", "frame": "00ffffff", "code": "too_big", "close": True},
        {"name": "HTTP", "frame": b"GET / HTTP/1.1\r\n\r\n".hex(), "code": "not_una", "close": True},
        {"name": "TLS", "frame": "1603010200", "code": "not_una", "close": True},
    ]
    return out


def vectors() -> dict[str, list[Vector]]:
    """File name -> its vectors."""
    return {
        "requests.json": _both(m.REQUESTS),
        "answers.json": _both(m.ANSWERS),
        "events.json": _both(tuple(codec.EVENT_OF.values()), wrap=True),
        "hostile.json": hostile(),
    }
