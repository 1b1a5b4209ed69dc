"""Reading a record through the child process, and choosing how to show it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from una_protocol.text import clean

from ..front import DONE, FAILED, USAGE, wants_plain
from ..goal import UiOptions
from ..i18n import _
from .film import Film, read_film


def run_replay(
    files: Sequence[str], seat: str | None, speed: float, options: UiOptions, *, check: bool, plain: bool
) -> int:
    """Show the record, or only check the records; the exit status."""
    if check or len(files) > 1:
        return subprocess.call([sys.executable, "-m", "una_server", "replay", *files])
    film = load(files[0])
    if isinstance(film, str):
        print(film, file=sys.stderr)
        return FAILED
    if seat is not None:
        found = find_seat(film, seat)
        if found is None:
            names = ", ".join(map(clean, film.names.values()))
            print(_("Nobody of this name plays here: {names}.").format(names=names), file=sys.stderr)
            return USAGE
        film.seat = found
    if plain or wants_plain():
        from .lines import run_lines

        return run_lines(film, speed)
    from .screen import run_screen

    run_screen(film, speed, options)
    return DONE


def load(file: str) -> Film | str:
    """The film of a record; a str is the reason why there is none."""
    line = [sys.executable, "-m", "una_server", "replay", "--steps", "--", file]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        reasons = done.stderr.strip().splitlines()
        return clean(reasons[-1], 200) if reasons else _("The record cannot be read.")
    try:
        return read_film(done.stdout.splitlines())
    except ValueError as error:
        return _("The record cannot be read: {reason}").format(reason=clean(str(error)))


def find_seat(film: Film, wanted: str) -> int | None:
    """The seat meant by a name, its beginning, or a number from 1."""
    if wanted.isascii() and wanted.isdigit():
        return int(wanted) - 1 if 1 <= int(wanted[:6]) <= len(film.names) else None
    named = [seat for seat, name in film.names.items() if name.casefold() == wanted.casefold()]
    begins = [seat for seat, name in film.names.items() if name.casefold().startswith(wanted.casefold())]
    return named[0] if named else begins[0] if len(begins) == 1 and wanted else None
