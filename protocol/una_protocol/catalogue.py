"""The catalogue: what messages, fields, codes and limits there are, made from the definitions themselves.

The reference in PROTOCOL.md, the JSON Schema, the frozen files and the answers to `describe` all come from here. Each
part of `describe` fits the limits of the wire. Profiles and options are the server's: it hands them in.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec import inspect as mi

from . import messages as m
from .actions import Action
from .errors import BYES, ERRORS
from .events import RoundEvent, TableEvent
from .field_docs import doc_of, since_of
from .text import CHAT_CHARACTERS, NAME_CELLS, RESERVED_PREFIX
from .version import DEFAULT_PORT, MINOR, PROTO, SUPPORTED
from .view import Accusation, Player

Part = dict[str, Any]

VALUES: Final[tuple[type[Struct], ...]] = (
    m.ResumeFrom, m.Limits, m.SeatOf, m.TableRow, m.LadderRow, Player, Accusation, m.GuestRow, m.BanRow, m.ServerStatus,
)  # fmt: skip
"""Maps without a tag, inside messages."""
ACTIONS: Final[tuple[type[Struct], ...]] = get_args(Action)
TABLE_EVENTS: Final[tuple[type[Struct], ...]] = get_args(TableEvent)
ROUND_EVENTS: Final[tuple[type[Struct], ...]] = get_args(RoundEvent)

LIMITS: Final[dict[str, int | str | list[int]]] = {
    "proto": PROTO,
    "minor": MINOR,
    "supported": list(SUPPORTED),
    "port": DEFAULT_PORT,
    "frame_to_server": m.FRAME_TO_SERVER,
    "frame_to_client": m.FRAME_TO_CLIENT,
    "int": m.MAX_INT,
    "depth": m.MAX_DEPTH,
    "array": m.MAX_ARRAY,
    "map": m.MAX_MAP,
    "str_bytes": m.MAX_STR,
    "hello_s": 5,
    "frame_s": 5,
    "answers_kept": 64,
    "name_cells": NAME_CELLS,
    "reserved_name_prefix": RESERVED_PREFIX,
    "chat_characters": CHAT_CHARACTERS,
}
"""Fixed limits; those that a server sets itself stand in `welcome.limits`."""


def describe(part: str | None, extra: Mapping[str, Part] | None = None) -> Part | None:
    """A part of the catalogue, from here or from `extra`; without `part` the list of parts; None: no such part."""
    parts = _PARTS | {name: lambda value=value: value for name, value in (extra or {}).items()}
    if part is None:
        return {"parts": list(parts)}
    make = parts.get(part)
    return make() if make else None


def kinds(types: Iterable[type[Struct]]) -> list[Part]:
    """What there is to say of each type: its tag, its meaning, its fields."""
    return [
        {"name": tag_of(type_), "doc": _doc(type_), "since": since_of(type_.__name__, ""), "fields": fields(type_)}
        for type_ in types
    ]


def tag_of(type_: type[Struct]) -> str:
    """What names the type on the wire (`t` or `k`); a map without a tag goes by its type's name."""
    return str(type_.__struct_config__.tag or type_.__name__)


def fields(type_: type[Struct]) -> list[Part]:
    """The fields of a type, apart from its tag: name, type in words, required or default, meaning, since."""
    info = mi.type_info(type_)
    assert isinstance(info, mi.StructType)
    rows = []
    for field in info.fields:
        row: Part = {"name": field.encode_name, "type": in_words(field.type), "required": field.required}
        if field.default is not NODEFAULT:
            row["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
        elif field.default_factory is not NODEFAULT:
            row["default"] = field.default_factory()
        row["doc"] = doc_of(type_.__name__, field.encode_name)
        row["since"] = since_of(type_.__name__, field.encode_name)
        rows.append(row)
    return rows


def schema() -> Part:
    """The JSON Schema of all messages: `$defs` for each type, `request` and `answer` for each direction."""
    types = (*m.REQUESTS, *m.ANSWERS)
    refs, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    sent = len(m.REQUESTS)
    definitions |= {"request": {"oneOf": list(refs[:sent])}, "answer": {"oneOf": list(refs[sent:])}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"una protocol {PROTO}.{MINOR}",
        "description": "Messages as JSON; on the wire they are msgpack. Receivers ignore fields they do not know.",
        "anyOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}],
        "$defs": dict(sorted(definitions.items())),
    }


def _doc(type_: type[Struct]) -> str:
    return inspect.cleandoc(type_.__doc__ or "")


# -- types in words ---------------------------------------------------------------------------------------------


def in_words(type_: mi.Type) -> str:
    """A type as the reference writes it: `int 0..9`, `list of str, at most 16`, `red | green | …`, `action`."""
    if isinstance(type_, mi.Metadata):
        return in_words(type_.type)
    if isinstance(type_, mi.UnionType):
        return _union_in_words(type_)
    if isinstance(type_, mi.StructType):
        return "state" if type_.tag == "state" else tag_of(type_.cls)
    if isinstance(type_, mi.LiteralType):
        return " | ".join(f"`{value}`" for value in type_.values)
    if isinstance(type_, mi.DictType):
        return f"map of {in_words(type_.key_type)} to {in_words(type_.value_type)}"
    if isinstance(type_, mi.ListType | mi.VarTupleType):
        return f"list of {in_words(type_.item_type)}" + _between(type_.min_length, type_.max_length, "entries")
    if isinstance(type_, mi.TupleType):
        return "[" + ", ".join(in_words(item) for item in type_.item_types) + "]"
    return _scalar_in_words(type_)


def _scalar_in_words(type_: mi.Type) -> str:
    if isinstance(type_, mi.IntType):
        if type_.ge is None and type_.le is None:
            return "int"
        return f"int {'' if type_.ge is None else type_.ge}..{_number(type_.le)}"
    if isinstance(type_, mi.StrType):
        return "card" if type_.pattern else "str" + _between(type_.min_length, type_.max_length, "characters")
    if isinstance(type_, mi.BoolType):
        return "bool"
    if isinstance(type_, mi.NoneType):
        return "nil"
    if isinstance(type_, mi.AnyType):
        return "any"
    raise TypeError(f"no words for {type_!r}")


def _number(value: int | None) -> str:
    return "" if value is None else "2^53" if value == m.MAX_INT else str(value)


def _between(low: int | None, high: int | None, what: str) -> str:
    if low is None and high is None:
        return ""
    return f" ({'' if low is None else low}..{'' if high is None else high} {what})"


def _union_in_words(union: mi.UnionType) -> str:
    types = [type_ for type_ in union.types if not isinstance(type_, mi.NoneType)]
    classes = {type_.cls for type_ in types if isinstance(type_, mi.StructType)}
    if len(classes) > 1:
        words = "action" if classes <= set(ACTIONS) else "event"
    else:
        words = " or ".join(sorted(in_words(type_) for type_ in types))
    return words if len(types) == len(union.types) else f"{words} or nil"


# -- the parts --------------------------------------------------------------------------------------------------


def errors() -> Part:
    """All error codes, and the further codes of `bye`."""
    return {
        "errors": [
            {"code": code, "retry": error.retry, "group": error.group, "doc": error.meaning}
            for code, error in ERRORS.items()
        ],
        "byes": [{"code": code, "doc": meaning} for code, meaning in BYES.items()],
    }


_PARTS: Final = {
    "messages": lambda: {"requests": kinds(m.REQUESTS), "answers": kinds(m.ANSWERS), "values": kinds(VALUES)},
    "events": lambda: {"table": kinds(TABLE_EVENTS), "round": kinds(ROUND_EVENTS)},
    "actions": lambda: {"actions": kinds(ACTIONS)},
    "errors": errors,
    "limits": lambda: dict(LIMITS),
}
