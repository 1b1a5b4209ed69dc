"""Files of the user's: house rules in TOML are read, the log is written. What is wrong is one sentence."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any, Final

from una_protocol.text import clean

from ..i18n import _
from .world import LogLine

LONGEST: Final = 100_000


class BadFile(Exception):
    """The file cannot be used, for this reason: a sentence."""


def read(path: str) -> tuple[str, dict[str, Any]]:
    """The profile and the options that a file of house rules names; whether they can be is for the server to say."""
    try:
        with Path(path).expanduser().open("rb") as file:
            raw = file.read(LONGEST + 1)
        if len(raw) > LONGEST:
            raise BadFile(_("{path} is too large for a file of house rules.").format(path=clean(path, 60)))
        found = tomllib.loads(raw.decode())
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFile(_("{path} cannot be read: {reason}.").format(path=clean(path, 60), reason=reason)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise BadFile(_("{path} is no TOML: {reason}").format(path=clean(path, 60), reason=clean(str(error)))) from None
    profile, options = found.get("profile", "una"), found.get("options", {})
    if not isinstance(profile, str) or not isinstance(options, dict):
        raise BadFile(_("{path} names no profile and no [options].").format(path=clean(path, 60)))
    plain = {name: value for name, value in options.items() if isinstance(value, bool | int | str)}
    return profile, plain


def save_log(log: tuple[LogLine, ...], folder: Path | None = None) -> str:
    """Write the log beside us; the sentence that tells where, or why not."""
    path = (folder or Path.cwd()) / time.strftime("una-%Y%m%d-%H%M%S.log")
    try:
        path.write_text("".join(f"{line.clock} {clean(line.text)}\n" for line in log), encoding="utf-8")
    except OSError as error:
        return _("The messages cannot be saved: {reason}.").format(reason=error.strerror or str(error))
    return _("The messages are in {path}.").format(path=path)
