"""What a server is told: from a TOML file, and from the command line on top of it.

A value that cannot be is refused with one plain sentence that names the key, and what is allowed.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec import inspect as mi

from una_protocol.version import DEFAULT_PORT

from .net.limits import Limits
from .rooms import Rooms

LogLevel = Literal["debug", "info", "warning", "error"]
Text = Annotated[str, Meta(min_length=1, max_length=128)]
_Form = TypeVar("_Form", bound=Struct)


class BadConfig(Exception):
    """The config cannot be used; one plain sentence says why."""


class Config(Struct, frozen=True, kw_only=True):
    """Everything that can be set."""

    name: Text | None = None
    """What the server is called where it introduces itself; None: like the machine."""
    host: Text | None = None
    """The address to listen on; None: all, IPv4 and IPv6."""
    port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_PORT
    """0: any free one."""
    password: Text | None = None
    """Asked from everybody who connects."""
    bots: bool = True
    """Whether programs that say so in their hello are let in."""
    discovery: bool = True
    """Whether the server tells the network that it is here, by mDNS and by answering probes."""
    admin: bool = True
    """Whether there is a token with which the server can be looked after."""
    admin_token_file: Text | None = None
    """Where the token is written to; None: it is shown at the start."""
    metrics: Annotated[int, Meta(ge=0, le=65535)] | None = None
    """The port of the metrics for Prometheus, 0 for any free one; None: there are none."""
    metrics_host: Text = "127.0.0.1"
    log_level: LogLevel = "info"
    log_json: bool = False
    """Whether lines of the log are JSON objects."""
    data: bool | Text = False
    """The database with everything that outlives the server: its path, true for the usual place, false for none."""
    keep: Annotated[int, Meta(ge=0, le=36_500)] | None = None
    """For how many days finished rounds stay in the database; None: for ever."""
    motd: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    """A message of the day, for everybody who comes."""
    record: Text | None = None
    """The folder for the records of all rounds."""
    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """For tests and games of one's own: whoever knows it knows all cards."""
    arena: bool = False
    """Whether the server seats waiting bots by itself, and keeps a ladder."""
    arena_seats: Annotated[int, Meta(ge=2, le=10)] = 4
    arena_profile: Text = "una"
    arena_options: dict[str, bool | int | str] = {}
    """What differs from the profile."""
    arena_turn_s: Annotated[int, Meta(ge=1, le=60)] = 2
    arena_matches_wait: Annotated[float, Meta(gt=0, le=3600)] = 5.0
    """After so many seconds bots are seated at a table that is not full."""
    limits: Limits = Limits()
    rooms: Rooms = Rooms()


SETTINGS: Final = tuple(name for name in Config.__struct_fields__ if name not in ("limits", "rooms"))
LIMITS: Final = (*Limits.__struct_fields__, *Rooms.__struct_fields__)
"""The keys of `[limits]`; a person need not know which part of the server keeps to which."""


def make_config(
    file: str | None, settings: Mapping[str, Any], limits: Mapping[str, Any], usual: Mapping[str, Any] | None = None
) -> Config:
    """The config of a file (its path; None: no file), with settings and limits of the command line on top.

    `usual`: settings that hold where neither of them says anything else.
    """
    in_file, limits_in_file = _read(file) if file is not None else ({}, {})
    where = f"{file}: " if file is not None else ""
    _check_keys(in_file, SETTINGS, where, "setting")
    _check_keys(limits_in_file, LIMITS, f"{where}limits.", "limit")
    _check_keys(limits, LIMITS, "--limit ", "limit")
    both = {**limits_in_file, **limits}
    config = _converted(Config, {**(usual or {}), **in_file, **settings}, where)
    return msgspec.structs.replace(
        config,
        limits=_converted(Limits, {k: v for k, v in both.items() if k in Limits.__struct_fields__}, where),
        rooms=_converted(Rooms, {k: v for k, v in both.items() if k in Rooms.__struct_fields__}, where),
    )


def data_path(config: Config) -> Path | None:
    """Where the database is; None: there is none."""
    if config.data is False:
        return None
    return usual_data_path() if config.data is True else Path(config.data)


def usual_data_path() -> Path:
    """Where the database of this user's servers is, if nothing else is said."""
    from platformdirs import user_data_path

    return user_data_path("una", appauthor=False) / "una.db"


def _read(file: str) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        data = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"The config {file} cannot be read: {(error.strerror or 'it failed').lower()}.") from None
    except UnicodeDecodeError:
        raise BadConfig(f"The config {file} cannot be read: it is no UTF-8 text.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadConfig(f"The config {file} is no TOML: {error}.") from None
    limits = data.pop("limits", {})
    if not isinstance(limits, dict):
        raise BadConfig(f"{file}: limits must be a table: a line [limits], then one limit a line.")
    return data, limits


def _check_keys(given: Iterable[str], known: tuple[str, ...], where: str, what: str) -> None:
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
            raise BadConfig(f"{where}{key[:40]!r} is no {what}; {hint}")


def _converted(form: type[_Form], values: dict[str, Any], where: str) -> _Form:
    """The values as the form wants them; they are looked at one by one, to name the one that does not fit."""
    info = mi.type_info(form)
    assert isinstance(info, mi.StructType)
    types = {field.name: field.type for field in info.fields}
    hints = msgspec.structs.fields(form)
    for field in hints:
        if field.name in values:
            try:
                msgspec.convert(values[field.name], field.type)
            except msgspec.ValidationError:
                value = values[field.name]
                shown = str(value).lower() if isinstance(value, bool) else repr(value)[:40]
                raise BadConfig(
                    f"{where}{field.name} cannot be {shown}; allowed: {_in_words(types[field.name])}."
                ) from None
    return msgspec.convert(values, form)


def _in_words(type_: mi.Type) -> str:
    if isinstance(type_, mi.Metadata):
        return _in_words(type_.type)
    if isinstance(type_, mi.UnionType):
        return ", or ".join(_in_words(t) for t in type_.types if not isinstance(t, mi.NoneType))
    if isinstance(type_, mi.LiteralType):
        return "one of " + ", ".join(map(str, type_.values))
    if isinstance(type_, mi.BoolType):
        return "true or false"
    if isinstance(type_, mi.IntType):
        return f"a whole number from {type_.ge} to {type_.le}"
    if isinstance(type_, mi.FloatType):
        return f"a number above {type_.gt:g} and up to {type_.le:g}"
    if isinstance(type_, mi.StrType):
        return f"a text of {type_.min_length} to {type_.max_length} characters"
    if isinstance(type_, mi.DictType):
        return "a table of rules and their values"
    raise TypeError(f"no words for {type_!r}")
