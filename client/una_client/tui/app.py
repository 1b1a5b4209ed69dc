"""The trio side of the full screen: from the list of servers to a server and back, signals, and the way to the UI."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import trio
from msgspec import structs
from prompt_toolkit.input import Input as TerminalInput
from prompt_toolkit.output import Output

from una_protocol.version import DEFAULT_PORT

from ..goal import Goal, UiOptions
from ..i18n import _
from ..link import reach
from ..session import ConnectFailed, RequestRefused, SessionLost
from ..words import error_text
from .favourites import Favourites
from .lookout import Lookout, connecting
from .model import Back, Input, Intent, Quit, World
from .theme import Caps, find_depth, needs_ascii
from .thread import Ui, UiFailed, UiGone, open_ui
from .visit import End, Visit
from .window import Screen

FAILED: Final = 1
SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
RESIZED: Final[int | None] = getattr(signal, "SIGWINCH", None)


async def run_tui(
    goal: Goal, options: UiOptions, *, input: TerminalInput | None = None, output: Output | None = None,
    favourites: Favourites | None = None, port: int = DEFAULT_PORT,
) -> int:  # fmt: skip
    """Play in full screen until the user quits; the exit status.

    A goal without a host begins at the list of servers, which looks at UDP port `port`. What goes wrong on the way to
    a server is told there. On a server of our own there is no such list: ConnectFailed and RequestRefused come out.
    """
    depth = "none" if options.theme == "mono" else find_depth(options.color)
    caps = Caps(options.ascii or needs_ascii(sys.stdout.encoding), depth)
    program: Program | None = None
    end = End()
    try:
        screen = Screen(
            caps, lambda intent: ui.emit(intent), bell=options.bell, theme=options.theme, mouse=options.mouse,
            input=input, output=output,
        )  # fmt: skip
        async with open_ui(screen.app) as ui:
            program = Program(goal, ui, screen, favourites or Favourites.of_user(options.favourites), port)
            if options.problems:
                ui.call(screen.tell, options.problems[0])
            end = await program.run()
        screen.app.output.set_title("")
        screen.app.output.flush()
    except UiFailed as failed:
        if os.environ.get("UNA_DEBUG") == "1":
            raise
        if isinstance(failed.__cause__, EOFError):  # the terminal is gone
            return 0
        sentence = _("The screen failed: {error}. (UNA_DEBUG=1 shows more.)").format(error=failed)
        end = End(status=FAILED, sentence=sentence)
    if end.sentence:
        print(end.sentence, file=sys.stderr)
    return end.status


class Program:
    """One run: a list of servers and visits to them, until there is a reason to end."""

    def __init__(self, goal: Goal, ui: Ui[Intent], screen: Screen, favourites: Favourites, port: int) -> None:
        self._goal = goal
        self._ui = ui
        self._screen = screen
        self._favourites = favourites
        self._port = port
        self._end: End | None = None
        self._over = trio.Event()
        self._do: Callable[[Intent], None] = lambda intent: None

    async def run(self) -> End:
        """Until the end. What nobody here can do anything about comes out alone, not in a group."""
        error: Exception | None = None
        async with trio.open_nursery() as nursery, _signals() as received:
            nursery.start_soon(self._read_intents)
            nursery.start_soon(self._read_signals, received)
            try:
                async with trio.open_nursery() as travel:
                    travel.start_soon(self._ended, travel.cancel_scope)
                    await self._travel()
            except* (ConnectFailed, RequestRefused, SessionLost) as group:
                error = _first(group)
            nursery.cancel_scope.cancel()
        if error is not None:
            raise error
        return self._end or End()

    async def _ended(self, scope: trio.CancelScope) -> None:
        await self._over.wait()
        scope.cancel()

    def _stop(self, end: End) -> None:
        if self._end is None:
            self._end = end
            self._over.set()

    # -- where we are

    async def _travel(self) -> None:
        goal, trouble = self._goal, ""
        while True:
            if not goal.host or trouble:
                goal = await self._look_out(goal, trouble)
            end = await self._visit(goal)
            if end.quit:
                self._stop(end)
                return
            # a visit that the user ended is no trouble, but leads to the list all the same
            goal, trouble = (goal, end.sentence) if end.sentence else (structs.replace(goal, host=""), "")

    async def _look_out(self, goal: Goal, trouble: str) -> Goal:
        lookout = Lookout(goal, self._favourites, self._show, self._tell, trouble, port=self._port)

        def do(intent: Intent) -> None:
            if isinstance(intent, Quit):
                self._stop(End())
            else:
                lookout.do(intent)

        self._do = do
        return await lookout.choose()

    async def _visit(self, goal: Goal) -> End:
        """Go to the server and stay there; a sentence in the answer tells why that did not work."""
        home = not goal.own_server
        with trio.CancelScope() as scope:
            self._do = lambda intent: self._while_connecting(intent, scope)
            self._show(connecting(goal, home, time.monotonic()))
            try:
                async with reach(goal) as link:
                    visit = Visit(
                        goal, link, show=self._show, tell=self._tell, ask=self._ask, rules=self._rules, home=home
                    )
                    await visit.arrive()
                    self._do = visit.do
                    return await visit.stay()
            except ConnectFailed as failed:
                if not home:
                    raise
                code = failed.err.code if failed.err is not None else ""
                if code == "wrong_password":
                    self._ask(Input("server-password", goal.where), str(failed) if goal.password else "")
                elif code in ("name_taken", "bad_name"):
                    self._ask(Input("nick"), str(failed))
                return End(quit=False, sentence=str(failed))
            except RequestRefused as refused:
                if not home:
                    raise
                return End(quit=False, sentence=error_text(refused.err))
            except SessionLost as lost:
                if not home:
                    raise
                return End(quit=False, sentence=str(lost))
        return End(quit=False)

    def _while_connecting(self, intent: Intent, scope: trio.CancelScope) -> None:
        if isinstance(intent, Back):
            scope.cancel()
        elif isinstance(intent, Quit):
            self._stop(End())

    # -- from and to the screen

    async def _read_signals(self, received: AsyncIterator[int]) -> None:
        async for number in received:
            if number == RESIZED:
                self._call(self._screen.resized)
            else:
                self._stop(End(status=128 + number))

    async def _read_intents(self) -> None:
        async for intent in self._ui.events:
            self._do(intent)
        self._stop(End())

    def _show(self, world: World) -> None:
        self._call(self._screen.see, world)

    def _tell(self, note: str) -> None:
        self._call(self._screen.tell, note)

    def _ask(self, input: Input, note: str) -> None:
        self._call(self._screen.ask, input, note)

    def _rules(self, profile: str, options: dict[str, Any]) -> None:
        self._call(self._screen.take_rules, profile, options)

    def _call(self, function: Callable[..., object], *args: object) -> None:
        try:
            self._ui.call(function, *args)
        except UiGone:
            self._stop(End())


def _first(group: BaseExceptionGroup[Any]) -> Exception:
    """The first error itself of a group of groups."""
    error: Any = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    found: Exception = error
    return found


@asynccontextmanager
async def _signals() -> AsyncIterator[AsyncIterator[int]]:
    with trio.open_signal_receiver(*SIGNALS, *(() if RESIZED is None else (RESIZED,))) as received:
        yield received
