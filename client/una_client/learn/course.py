"""`una learn`: opens the school on loopback, sends the real client there, and remembers how far the learner came."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Final

import trio

from ..front import DONE, fail, front_end, run_trio, valid_name, wants_plain
from ..goal import Goal, UiOptions
from ..i18n import _
from ..play import LOOPBACK
from .lessons import LESSONS
from .school import TABLE, School

ROOM: Final = os.terminal_size((80, 24))
"""A smaller window shows no log, and there the teacher speaks."""


def run_course(wanted: int | None, name: str | None, options: UiOptions, *, plain: bool) -> int:
    """Teach from a lesson on, or from where the learner stopped; the exit status."""
    typed = plain or wants_plain()
    window = ROOM if typed else os.get_terminal_size(sys.stdout.fileno())  # not what COLUMNS says: what is there
    if not typed and (window.columns < ROOM.columns or window.lines < ROOM.lines):
        text = _("The lessons need a window of {w} by {h}; this one has {w2} by {h2}. With --plain any will do.")
        fail(text.format(w=ROOM.columns, h=ROOM.lines, w2=window.columns, h2=window.lines))
    school = School(wanted or next_lesson(), keep_passed, _no_pause if typed else trio.sleep, typed=typed)

    async def run() -> int:
        async with trio.open_nursery() as nursery:
            listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
            nursery.start_soon(trio.serve_listeners, school.serve, listeners)
            port = listeners[0].socket.getsockname()[1]
            goal = Goal(host=LOOPBACK, port=port, name=valid_name(name), do="join", table=TABLE, own_server=True)
            status = await front_end(goal, options, typed, counted=False)
            nursery.cancel_scope.cancel()
        return status

    return run_trio(run)


async def _no_pause(seconds: float) -> None:
    await trio.lowlevel.checkpoint()


def list_lessons() -> int:
    """Print the lessons, and which is next; the exit status."""
    following = next_lesson()
    for number, lesson in enumerate(LESSONS, 1):
        print(_(lesson.title) + ("  " + _("(next)") if number == following else ""))
    return DONE


# -- how far one came -------------------------------------------------------------------------------------------


def progress_path() -> Path:
    """Where it is kept."""
    from platformdirs import user_state_path

    return user_state_path("una") / "learn.json"


def next_lesson() -> int:
    """The lesson to go on with; the first one after the last."""
    try:
        passed = json.loads(progress_path().read_text(encoding="utf-8"))["passed"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 1
    return passed + 1 if isinstance(passed, int) and 0 <= passed < len(LESSONS) else 1


def keep_passed(number: int) -> None:
    """A lesson is done. What cannot be written is forgotten."""
    path = progress_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"passed": number}), encoding="utf-8")
    except OSError:
        return
