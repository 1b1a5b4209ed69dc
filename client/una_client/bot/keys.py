"""The secret by which a bot's name in a ladder is its own: a line in a file, made by chance where there is none.

One key serves for all bots of a user: an entry of the ladder belongs to a name and a key.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import Final

SHORTEST: Final = 16
LONGEST: Final = 128


class BadKey(Exception):
    """The key cannot be read or kept; one plain sentence says why."""


def usual_path() -> Path:
    """Where the key is if nothing else is said."""
    from platformdirs import user_data_path

    return user_data_path("una", appauthor=False) / "ladder.key"


def key_in(path: Path) -> str:
    """The key of this file, which is made where there is none; BadKey."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadKey(f"The key file {path} cannot be read: it is no plain file.")
        with path.open(encoding="ascii") as file:
            key = file.read(2 * LONGEST).strip()
    except FileNotFoundError:
        return _made(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        raise BadKey(f"The key file {path} cannot be read: {reason.lower()}.") from None
    if not (SHORTEST <= len(key) <= LONGEST and key.isprintable()):
        raise BadKey(f"The key file {path} must hold one line of {SHORTEST} to {LONGEST} characters.")
    return key


def _made(path: Path) -> str:
    key = secrets.token_urlsafe(24)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(key + "\n")
        try:
            os.link(draft, path)  # whole or not at all, and never over the key of another
        finally:
            draft.unlink()
    except FileExistsError:  # another bot of the same user was faster
        return key_in(path)
    except OSError as error:
        raise BadKey(f"The key file {path} cannot be written: {(error.strerror or 'it failed').lower()}.") from None
    return key
