"""The process that plays: it gets games by number through a pipe, and sends back what came of each.

Here, and nowhere else in the arena, the code of strangers runs: classes within this process, programs as its children.
Whatever they do to it, who waits at the other end of the pipe (`crew`) sees to it that the run goes on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from io import TextIOWrapper
from multiprocessing.connection import Connection
from typing import Final, NoReturn, cast

import msgspec
from msgspec import Struct

from .competitors import BadCompetitor
from .game import Played
from .records import CannotRecord
from .run import Run, company_of, play_game
from .watchdog import Pulse

MB: Final = 1 << 20
LOADING_S: Final = 30.0
"""How long a process may take to load all that plays; many of them load at once."""


class Task(Struct):
    """Play these games, from `start` up to `stop`. `without`: the competitors that have lost them already, and why."""

    start: int
    stop: int
    without: dict[int, str] = {}


class Ready(Struct, tag=True):
    """All that plays is loaded; or a sentence, where it is not."""

    fault: str | None = None


class Done(Struct, tag=True):
    """A game is over."""

    game: int
    played: Played


class Broke(Struct, tag=True):
    """The game that was to be played now came to no end: a bot has spoilt more than itself. The process ends."""

    why: str


class Failed(Struct, tag=True):
    """The run cannot go on. The process ends."""

    why: str


Told = Ready | Done | Broke | Failed


def work(run: Run, pipe: Connection, pulse: Pulse) -> None:
    """Play until the pipe ends."""
    _keep_apart(run.memory)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        company = company_of(run)
    except BadCompetitor as bad:
        pipe.send_bytes(msgspec.msgpack.encode(Ready(str(bad))))
        return
    pipe.send_bytes(msgspec.msgpack.encode(Ready()))
    own = os.getpid()
    try:
        while True:
            task = msgspec.msgpack.decode(pipe.recv_bytes(), type=Task)
            for game in range(task.start, task.stop):
                told: Told
                try:
                    told = Done(game, play_game(run, company, game, task.without, pulse))
                except CannotRecord as error:
                    told = Failed(str(error))
                except BaseException as error:  # noqa: BLE001
                    told = Broke(f"the game broke: {type(error).__name__}: {error}")
                if os.getpid() != own:
                    os._exit(0)  # a bot has forked; one of the two is enough
                pipe.send_bytes(msgspec.msgpack.encode(told))
                if not isinstance(told, Done):
                    return
    except (EOFError, OSError):
        pass
    finally:
        company.close()


def _keep_apart(memory: int) -> None:
    """Ctrl-C is the main process's business, and so is its standard output; memory is everybody's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        os.setpgid(0, 0)
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = memory * MB if most == resource.RLIM_INFINITY else min(memory * MB, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    os.dup2(2, 1)
    cast(TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)  # the process may be ended at any time


def _end_with_parent() -> NoReturn:
    """End, with whatever bots have started here, when the main process is gone and could not see to it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
