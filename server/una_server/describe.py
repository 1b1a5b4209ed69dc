"""What `describe` tells: the protocol's own catalogue, and what this server adds to it – rules, options, house bots."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import to_builtins

from una_protocol.catalogue import Part, describe

from . import __version__
from .bots import LEVELS, NAMES
from .game import OPTION_SPECS, PROFILES


@cache
def described(part: str | None) -> Part | None:
    """A part of the catalogue, or without `part` the list of parts; None: there is no such part."""
    return describe(part, extra())


@cache
def extra() -> dict[str, Part]:
    """The parts that are this server's."""
    return {
        "options": {"options": [_option(name) for name in OPTION_SPECS]},
        "profiles": {"profiles": {name: to_builtins(options) for name, options in PROFILES.items()}},
        "bots": {"levels": list(LEVELS), "names": list(NAMES)},
        "server": {"name": "una-lan", "version": __version__},
    }


def whole_catalogue() -> dict[str, Part]:
    """All parts by name."""
    parts = described(None) or {}
    return {name: described(name) or {} for name in parts["parts"]}


def _option(name: str) -> dict[str, Any]:
    spec = OPTION_SPECS[name]
    row: dict[str, Any] = {"name": name, "kind": spec.kind, "allowed": spec.allowed, "source": spec.source}
    if spec.kind == "choice":
        row["choices"] = list(spec.choices)
    elif spec.kind == "number":
        row |= {"low": spec.low, "high": spec.high}
    return row | {"default": getattr(PROFILES["una"], name)}
