"""The scripted table: it speaks the protocol over loopback to the real client, and follows the lessons.

It judges by what the lesson lists, not by rules. The position is a `View` into which it folds what it tells, so that
the client may ask for the state whenever it wants.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import trio
from msgspec import Struct

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action, Play
from una_protocol.codec import encode
from una_protocol.connection import Problem, ServerConnection
from una_protocol.text import clean
from una_protocol.version import SUPPORTED
from una_protocol.view import View, fold

from ..i18n import _
from .lesson import YOU, Lesson, Step, view_of
from .lessons import LESSONS

TABLE: Final = "lessons"
LIMITS: Final = m.Limits(65536, 50, 100)
KEEPALIVE_S: Final = 86_400
"""The teacher only speaks when spoken to, and the learner may think for as long as they like."""
_CHUNK: Final = 65536


class Gone(Exception):
    """The client has left."""


class School:
    """One learner at the table. `passed` is called with the number of each lesson that is done; `pause` makes the
    teacher slow enough to be followed; `typed`: the learner types commands.
    """

    def __init__(
        self, first: int, passed: Callable[[int], None], pause: Callable[[float], Awaitable[None]], *, typed: bool
    ) -> None:
        self.first = first
        self._passed = passed
        self._pause = pause
        self._typed = typed
        self._name = ""
        self._view: View | None = None
        self._turn: m.TurnNow | None = None

    async def serve(self, stream: trio.SocketStream) -> None:
        """Teach whoever has connected, until they leave."""
        try:
            await self._teach(_Line(stream))
        except (Gone, trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            await trio.aclose_forcefully(stream)

    async def _teach(self, line: _Line) -> None:
        hello = await line.take()
        if not isinstance(hello, m.Hello):
            raise Gone
        self._name = hello.name
        line.accept()
        version = SUPPORTED[-1]
        welcome = m.Welcome(hello.id, version, 0, "una-learn", "learn", False, [], 0, LIMITS, KEEPALIVE_S, 0, [])
        await line.send(welcome)
        while not isinstance(request := await line.take(), m.Join):
            await self._answer(line, request)
        await line.send(m.Ok(request.id, table=f"lesson-{self.first}", seat=YOU))
        for number in range(self.first, len(LESSONS) + 1):
            await self._lesson(line, number, LESSONS[number - 1])
            self._passed(number)
        await self._say(line, _("That was the last lesson. Now play: una play, or una host for others."))
        while True:
            await self._answer(line, await line.take())

    async def _lesson(self, line: _Line, number: int, lesson: Lesson) -> None:
        teacher, title = _("Teacher"), _("Lesson {title}").format(title=_(lesson.title))
        self._view = view_of(lesson, number, self._name, teacher, title, seq=1)
        self._turn = None
        await line.send(self._view)
        for step in lesson.steps:
            for event in step.before:
                await self._tell(line, event)
                await self._pause(0.7)
            await self._step(line, step)
        await self._say(line, _(lesson.done))
        await self._pause(2.5)

    async def _step(self, line: _Line, step: Step) -> None:
        view = self._need_view()
        called = tuple(player.seat for player in view.players if player.una)
        await self._say(line, _(step.says) + " " + _(step.typed if self._typed else step.keys))
        await self._tell(line, ev.Turn(YOU, view.turn + 1, step.phase, step.pending, step.catchable, called))
        self._turn = m.TurnNow(
            view.table, view.turn, view.seq, step.phase, step.legal, len(step.legal) - 1, can_una=step.can_una
        )
        await line.send(self._turn)
        while True:
            request = await line.take()
            if not isinstance(request, m.Act):
                await self._answer(line, request)
                continue
            if request.do in step.right:
                break
            if not _listed(request.do, step):
                await line.send(m.Err("not_now", _(step.wrong), "no", request.id))
            else:
                await line.send(m.Ok(request.id))
            await self._say(line, _(step.wrong))
            await line.send(self._turn)
        await line.send(m.Ok(request.id))
        self._turn = None
        for event in step.then or _just_laid(request.do):
            await self._tell(line, event)
            await self._pause(0.4)

    async def _tell(self, line: _Line, event: ev.Event) -> None:
        view = self._need_view()
        fold(view, view.seq + 1, event)
        await line.send(m.Ev(view.table, view.seq, event))

    async def _say(self, line: _Line, text: str) -> None:
        await line.send(m.Said(text, _("Teacher"), self._need_view().table))

    def _need_view(self) -> View:
        if self._view is None:
            raise Gone
        return self._view

    async def _answer(self, line: _Line, request: Any) -> None:
        """What is asked beside the lesson."""
        view = self._view
        if isinstance(request, m.Leave):
            if view is not None:
                await line.send(m.Ok(request.id), m.Ev(view.table, view.seq + 1, ev.Left(self._name, YOU)))
            raise Gone
        if isinstance(request, m.GetState) and view is not None:
            await line.send(m.Ok(request.id), view, *([self._turn] if self._turn is not None else []))
        elif isinstance(request, m.Say):
            said = m.Said(clean(request.text), self._name, request.table)
            await line.send(m.Ok(request.id), said)
        elif isinstance(request, m.Lobby):
            await line.send(m.Ok(request.id, tables=[]))
        elif hasattr(request, "id"):
            await line.send(m.Err("not_now", "Not in a lesson.", "no", request.id))


def _listed(action: Action, step: Step) -> bool:
    """Whether the lesson lists the action, with una or without."""
    if isinstance(action, Play):
        action = Play(action.card, action.color, action.swap_with)
    return action in step.legal


def _just_laid(action: Action) -> Iterator[ev.Event]:
    if isinstance(action, Play):
        color: Any = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}.get(action.card[0], action.color)
        yield ev.Played(YOU, action.card, color)


class _Line:
    """The connection: requests in, messages out."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._wire = ServerConnection()
        self._found: list[Any] = []

    def accept(self) -> None:
        """The hello was good."""
        self._wire.accept()

    async def take(self) -> Any:
        """The next request; Gone where none can come."""
        while not self._found:
            chunk = await self._stream.receive_some(_CHUNK)
            if not chunk:
                raise Gone
            for item in self._wire.receive(bytes(chunk)):
                if isinstance(item, Problem):
                    await self._stream.send_all(item.send)
                    if item.close:
                        raise Gone
                else:
                    self._found.append(item)
        return self._found.pop(0)

    async def send(self, *messages: Struct) -> None:
        """Send them in one go."""
        await self._stream.send_all(b"".join(map(encode, messages)))
