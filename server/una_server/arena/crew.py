"""Plays a run: which game is when, in processes of their own (`worker`), and what becomes of a game that breaks one.

A process that dies, or whose bot does not come back and cannot be interrupted, is replaced. Whoever was asked last has
lost that game, which is played again without it. Who fails in each of the first games (`Plan.trial`) is not asked
again: nobody shall wait thousands of times for who never answers. No clock decides but that of a bot's own time, so
any number of processes gives the same results.

House bots alone need no process of their own.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Final, cast

import msgspec

from .competitors import BadCompetitor
from .game import Played
from .records import CannotRecord
from .run import GameResult, Run, company_of, play_game
from .worker import LOADING_S, Broke, Done, Failed, Ready, Task, Told, work

SLICE: Final = 60
"""A process gets about so many games at a time."""
PATIENCE_S: Final = 5.0
"""So much longer than allowed a call may take before its process is ended."""
PARTING_S: Final = 2.0
"""How long a process may take to end when all is played."""
NOT_ASKED: Final = "not asked again"
_LOOK_S: Final = 0.2


class RunFailed(Exception):
    """The run cannot go on, and no bot is to blame; the text is one sentence."""


_DIED: Final = Broke("the process died")
_STUCK: Final = Broke("no answer, and no way to interrupt it")


def play(run: Run, jobs: int, progress: Callable[[int], None]) -> Generator[GameResult, None, None]:
    """All games in order. `progress` is told of each. BadCompetitor, CannotRecord, RunFailed."""
    for game, played in _games(run, jobs):
        progress(1)
        yield GameResult(run.deal_of(game), run.seating(game), played)


def _games(run: Run, jobs: int) -> Iterator[tuple[int, Played]]:
    games, trial = run.plan.deals * run.plan.seats, run.plan.trial * run.plan.seats
    if jobs == 1 and all(one.kind == "house" for one in run.competitors):
        company = company_of(run)
        for game in range(games):
            yield game, play_game(run, company, game, {})
        return
    with Crew(run, jobs) as crew:
        well: set[int] = set()
        for game, played in crew.play(range(trial), {}):
            yield game, played
            well |= {index for index, one in zip(run.seating(game), played.seats, strict=True) if not one.failed}
        out = dict.fromkeys(set(range(run.plan.competitors)) - well, NOT_ASKED)
        yield from crew.play(range(trial, games), out)


class Crew:
    """Some processes that play. BadCompetitor where they cannot load what is to play."""

    def __init__(self, run: Run, jobs: int) -> None:
        self._run = run
        self._jobs = jobs
        self._workers: list[_Worker] = []

    def __enter__(self) -> Crew:
        try:
            for _ in range(self._jobs):
                self._workers.append(_Worker(self._run))  # whoever is there when it fails is ended
            for worker in self._workers:
                worker.load()
        except BaseException:
            self._end(0)
            raise
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._end(PARTING_S if kind is None else 0)

    def _end(self, patience: float) -> None:
        for worker in self._workers:
            worker.pipe.close()
        ends = monotonic() + patience
        for worker in self._workers:
            worker.end(ends)

    def play(self, games: range, without: dict[int, str]) -> Iterator[tuple[int, Played]]:
        """These games in order, whoever plays them when. `without`: the competitors that lose all of them, and why."""
        step = max(1, SLICE // self._run.plan.seats) * self._run.plan.seats
        tasks = deque(Task(first, min(first + step, games.stop), without) for first in games[::step])
        done: dict[int, Played] = {}
        following = games.start
        while following < games.stop:
            for worker in self._workers:
                if worker.task is None and tasks:
                    worker.give(tasks.popleft())
            for worker in self._to_look_at():
                told = worker.hear()
                if isinstance(told, Done):
                    done[told.game] = told.played
                elif told is not None:
                    tasks.extendleft(self._again(worker, told.why))
            while following in done:
                yield following, done.pop(following)
                following += 1

    def _to_look_at(self) -> list[_Worker]:
        """Who has something to tell, or has been silent for too long."""
        busy = {worker.pipe: worker for worker in self._workers if worker.task is not None}
        heard = [busy[cast(Connection, pipe)] for pipe in wait(list(busy), _LOOK_S)]
        return heard + [worker for worker in busy.values() if worker not in heard and worker.stuck()]

    def _again(self, worker: _Worker, why: str) -> list[Task]:
        """What is to be played again, the last first, when a process is lost: its game without whoever spoilt it."""
        task = worker.task
        assert task is not None
        guilty = self._guilty(task, worker.asked)
        if not guilty:
            raise RunFailed(f"The run was broken off, and no bot is to blame: {why}. Is there enough memory?")
        self._workers[self._workers.index(worker)] = _Worker(self._run)
        worker.end(0)
        game = Task(task.start, task.start + 1, task.without | dict.fromkeys(guilty, why))
        return [game] if game.stop == task.stop else [Task(game.stop, task.stop, task.without), game]

    def _guilty(self, task: Task, seat: int) -> set[int]:
        """Whose code ran: of whoever was asked last. Where that has none there, it was some thread of another."""
        seating = self._run.seating(task.start)
        classes = {index for index in seating if self._run.competitors[index].kind == "class"} - task.without.keys()
        return {seating[seat]} if 0 <= seat < len(seating) and seating[seat] in classes else classes


class _Worker:
    """A process, and the other end of its pipe. `task`: what it has still to play."""

    def __init__(self, run: Run) -> None:
        context = multiprocessing.get_context("spawn")
        os.environ.setdefault("PYTHONHASHSEED", "0")  # a bot may go through a set, and shall do so alike each time
        self.task: Task | None = None
        self._pulse = context.RawArray("d", (0.0, -1.0, LOADING_S))
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(run, theirs, self._pulse))
        self._process.start()
        theirs.close()
        self._seen: list[float] = []
        self._changed = 0.0
        classes = [one.name for one in run.competitors if one.kind == "class"]
        self._who = classes[0] if len(classes) == 1 else "One of the competitors"

    def load(self) -> None:
        """Wait until it has loaded what is to play. BadCompetitor."""
        if not wait([self.pipe], LOADING_S):
            raise BadCompetitor(f"{self._who} does not finish loading within {LOADING_S:g} s.")
        told = self._told()
        if not isinstance(told, Ready):
            raise BadCompetitor(f"{self._who} ends the process that loads it.")
        if told.fault is not None:
            raise BadCompetitor(told.fault)

    def give(self, task: Task) -> None:
        """Let it play this."""
        self.task = task
        self._changed = monotonic()
        with contextlib.suppress(OSError):  # it has died: then there is nothing to hear
            self.pipe.send_bytes(msgspec.msgpack.encode(task))

    def hear(self) -> Done | Broke | None:
        """The next game that it has played; None: it has only begun; or why there is none, and the process is lost."""
        if not self.pipe.poll():
            return _STUCK
        told, task = self._told(), self.task
        if isinstance(told, Failed):
            raise CannotRecord(told.why)
        if isinstance(told, Ready):
            return None
        if isinstance(told, Done) and task is not None and told.game == task.start:
            self.task = Task(task.start + 1, task.stop, task.without) if task.start + 1 < task.stop else None
            return told
        return told if isinstance(told, Broke) else _DIED

    def _told(self) -> Told | None:
        try:
            return msgspec.msgpack.decode(self.pipe.recv_bytes(), type=Told)
        except (EOFError, OSError, msgspec.MsgspecError):
            return None

    def stuck(self) -> bool:
        """Whether a call takes far longer than it may."""
        seen: list[float] = self._pulse[:]
        if seen != self._seen:
            self._seen, self._changed = seen, monotonic()
        return monotonic() - self._changed > seen[2] + PATIENCE_S

    @property
    def asked(self) -> int:
        """The seat that was asked last; -1: none yet."""
        return int(self._pulse[1])

    def end(self, ends: float) -> None:
        """End it, and whatever bots have started there; until then it may end itself."""
        wait([self._process.sentinel], max(0.0, ends - monotonic()))
        if hasattr(os, "killpg") and self._process.pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self.pipe.close()
