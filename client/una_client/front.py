"""From a goal to a running front end: chooses line mode or full screen, and makes one sentence of what goes wrong.

This is where the command line ends and trio begins; importing it is slow, so the command line does that late.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from typing import Final, NoReturn

import trio
from msgspec import structs

from una_protocol.messages import Err
from una_protocol.text import check_name, clean

from . import i18n
from .goal import Goal, UiOptions
from .i18n import _
from .mirror import Mirror
from .plain import run_plain
from .play import LOOPBACK, Own, ServerFailed, own_server
from .session import ConnectFailed, RequestRefused, SessionLost
from .stats import Tally
from .words import error_text, reason_text

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
_NOBODY: Final = "Player"


def fail(sentence: str, status: int = FAILED) -> NoReturn:
    """One plain sentence on standard error, and out."""
    print(sentence, file=sys.stderr)
    sys.exit(status)


def valid_name(wanted: str | None) -> str:
    """The name asked for, if it may be one (else out with a sentence); by default the login name, made valid."""
    if wanted is not None:
        try:
            return check_name(wanted)
        except ValueError as error:
            reason = reason_text(error)
            fail(_("The name {name} cannot be used: {reason}").format(name=clean(wanted, 40), reason=reason), USAGE)
    return login_name()


def login_name() -> str:
    """The login name, made valid."""
    import getpass

    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _NOBODY
    letters = "".join(char for char in login if char.isalnum() or char in "-_.'")[:16]
    try:
        return check_name(letters.capitalize() if letters.islower() else letters)
    except ValueError:
        return _NOBODY


def run_goal(goal: Goal, options: UiOptions, *, plain: bool, own: Own | None = None) -> int:
    """Reach the goal in the chosen front end; the exit status. `own`: on a server of our own, of this kind."""
    i18n.use(options.lang)

    async def run() -> int:
        if own is None:
            return await front_end(goal, options, plain)
        async with own_server(own) as port:
            return await front_end(structs.replace(goal, host=LOOPBACK, port=port), options, plain)

    return run_trio(run)


def run_trio(main: Callable[[], Awaitable[int]]) -> int:
    """Run to an exit status; what people can do something about ends with one sentence, not a traceback."""
    try:
        return trio.run(main)
    except BaseException as raised:  # looked at, and raised again where it is none of ours
        error = _alone(raised)
        if isinstance(error, RequestRefused):
            fail(error_text(error.err), _status(error.err))
        if isinstance(error, ServerFailed):
            fail(str(error), error.status)
        if isinstance(error, ConnectFailed):
            fail(str(error), _status(error.err))
        if isinstance(error, SessionLost):
            fail(str(error))
        if isinstance(error, BrokenPipeError):  # the reader of our output has gone: nobody is there to tell
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return DONE
        if isinstance(error, KeyboardInterrupt | OSError):
            raise error from None
        raise


def _status(err: Err | None) -> int:
    """A value that was typed wrongly is a matter of usage, wherever it was found."""
    return USAGE if err is not None and err.code in ("bad_option", "bad_name") else FAILED


def _alone(error: BaseException) -> BaseException:
    """The one error in groups of one; a Ctrl-C wherever it is."""
    while isinstance(error, BaseExceptionGroup):
        interrupts = error.subgroup(KeyboardInterrupt)
        if len(error.exceptions) > 1 and interrupts is None:
            return error
        error = (interrupts or error).exceptions[0]
    return error


async def front_end(goal: Goal, options: UiOptions, plain: bool, *, counted: bool = True) -> int:
    """Run the front end that is wanted; the exit status. `counted`: its matches go into the user's statistics."""
    Mirror.observers[:] = [Tally()] if counted and not goal.auto else []  # what a bot plays for us is no match of ours
    if plain:
        return await run_plain(goal, options)
    from .tui import keys
    from .tui.app import run_tui

    told = [_with_place(problem, options) for problem in keys.use(options.keys)]
    for problem in told:
        print(problem, file=sys.stderr)
    options = structs.replace(options, problems=(*options.problems, *told))
    status: int = await run_tui(goal, options)
    return status


def _with_place(problem: str, options: UiOptions) -> str:
    """The sentence about a key of the user's, with the place of the action that it names."""
    named = sorted((problem.index(action), place) for action, place in options.key_places.items() if action in problem)
    return f"{named[0][1]}: {problem}" if named else problem


def wants_plain() -> bool:
    """Whether there is no terminal to draw on."""
    return not (sys.stdout.isatty() and sys.stdin.isatty()) or os.environ.get("TERM") == "dumb"
