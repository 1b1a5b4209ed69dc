"""`una config`: where the file is, what is in force and why; and writing the file for the first time."""

from __future__ import annotations

import os
import sys
from typing import Any, Final

from . import config
from .i18n import _, mark
from .settings import BY_NAME, SETTINGS

_PLACE: Final = {
    (False, False): mark("{file} (not there yet; una config --init writes it)"),
    (False, True): "{file}",
    (True, False): mark("{file} was written."),
    (True, True): mark("{file} is there already, and was left as it is."),
}
"""What is said of the file, by whether it was to be written, and whether it was there before."""


def show(settled: dict[str, Any], *, init: bool = False) -> int:
    """Print it; the exit status. `init`: write the commented file first, where there is none."""
    found: config.Config = settled["config"]
    there = found.path.exists()
    if init and not there and not config.write(config.template(), found.path):
        print(_("{file} cannot be written.").format(file=found.path), file=sys.stderr)
        return 1
    print(_(_PLACE[init, there]).format(file=found.path))
    section = ""
    for setting in SETTINGS:
        if setting.section != section:
            section = setting.section
            print(f"\n[{section}]")
        value = settled[setting.name]
        print(f"{setting.name} = {_shown(value)}{_origin(setting.name, value, found)}")
    if found.keys:
        print("\n[keys]")
        print("\n".join(f"{action} = {keys}" for action, keys in found.keys.items()))
    if found.favourites:
        print("\nfavourites = " + ", ".join(found.favourites))
    return 0


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else "-" if value is None else str(value)


def _origin(name: str, value: object, found: config.Config) -> str:
    """Where the value comes from, where it is not the default."""
    setting = BY_NAME[name]
    if value == setting.default:
        return ""
    if found.values.get(name) == value:
        return "  (" + _("from the file") + ")"
    if os.environ.get(setting.env):
        return f"  ({setting.env})"
    return "  (" + _("from the command line") + ")"
