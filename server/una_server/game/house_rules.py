"""House rules as a file: TOML with a `profile` and a table of `[options]` on top of it."""

from __future__ import annotations

import tomllib
from typing import Final

from .options import Options, make_options, overrides_of

_KEYS: Final = ("profile", "options", "title")


def load_house_rules(text: str) -> tuple[str, dict[str, object], Options]:
    """The profile, what differs from it, and all options; BadOption or ValueError with one plain sentence."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"This is no TOML file: {error}.") from None
    for key in data:
        if key not in _KEYS:
            raise ValueError(f"There is no {key!r} in house rules; they have a profile and a table named [options].")
    profile, overrides = data.get("profile", "una"), data.get("options", {})
    if not isinstance(overrides, dict):
        raise ValueError("The options of house rules must be a table: a line [options], then one option a line.")
    if not isinstance(profile, str):
        raise ValueError("The profile of house rules must be a name in quotes.")
    options = make_options(profile, overrides)
    return profile, overrides_of(profile, options), options
