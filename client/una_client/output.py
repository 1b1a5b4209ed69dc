"""Standard output, where it leaves us: a full disk or a closed stream ends the program with one sentence."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Final

from .i18n import _

_UNWRITTEN: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE)


def written(run: Callable[[], int]) -> int:
    """Run, and see that all that was said got out; the exit status."""
    _open_what_is_closed()
    try:
        try:
            return run()
        finally:  # not left to the interpreter, which would tell of it in words of its own
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in _UNWRITTEN:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has nowhere to go
        if error.errno != errno.EPIPE:  # else its reader has gone: nobody is there to tell
            reason = _("it is closed") if error.errno == errno.EBADF else (error.strerror or "").lower()
            print(_("The output cannot be written: {reason}.").format(reason=reason), file=sys.stderr)
        return 1


def _open_what_is_closed() -> None:
    """Open what was closed when we were started: the next file or socket would take its number, and Python has None
    for it. Nothing comes from such an input, and writing to such an output fails, as it does anywhere.
    """
    for name, mode, flags in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8", closefd=False))
