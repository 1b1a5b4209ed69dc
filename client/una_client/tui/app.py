"""The trio side of the full screen: connection and mirror on one hand, the UI thread on the other."""

from __future__ import annotations

import copy
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import trio
from msgspec import structs
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.cards import WILD_DRAW_FOUR, Card

from ..commands import Quit as QuitCommand
from ..commands import Refusal, Send, Situation, help_lines, parse
from ..goal import Goal, UiOptions, arrive
from ..i18n import _
from ..link import Link, LinkMessage, Reconnected, Reconnecting, reach
from ..mirror import LogEntry, Mirror, TableMirror
from ..sentences import entry_text
from ..session import Closed, RequestRefused, SessionLost
from ..words import error_text
from . import cards
from .model import Four, Intent, LogLine, Quit, Redraw, Retrying, RetryNow, Say, Suspend, World
from .theme import Caps, find_depth, needs_ascii
from .thread import Ui, UiFailed, UiGone, open_ui
from .window import Screen

DONE: Final = 0
FAILED: Final = 1
LOG_LENGTH: Final = 500
SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
RESIZED: Final[int | None] = getattr(signal, "SIGWINCH", None)
_UNTOLD: Final = (ev.Voted, ev.OptionsSet)
_CAPS: Final = Caps()


async def run_tui(goal: Goal, options: UiOptions, *, input: Input | None = None, output: Output | None = None) -> int:
    """Play in full screen until the user quits or the connection is gone for good; the exit status.

    ConnectFailed and RequestRefused where the goal cannot be reached at all; the terminal is untouched then.
    """
    caps = Caps(options.ascii or needs_ascii(sys.stdout.encoding), find_depth(options.color))
    ending = ""
    try:
        async with reach(goal) as link:
            front = Front(goal, link)
            await front.arrive()
            screen = Screen(
                caps, lambda intent: ui.emit(intent), bell=options.bell, theme=options.theme, input=input, output=output
            )
            async with open_ui(screen.app) as ui:
                await front.run(ui, screen)
            screen.app.output.set_title("")
            screen.app.output.flush()
            ending, status = front.ending, front.status
    except UiFailed as failed:
        if os.environ.get("UNA_DEBUG") == "1":
            raise
        if isinstance(failed.__cause__, EOFError):  # the terminal is gone
            return DONE
        ending = _("The screen failed: {error}. (UNA_DEBUG=1 shows more.)").format(error=failed)
        status = FAILED
    if ending:
        print(ending, file=sys.stderr)
    return status


class Front:
    """One run: what is known, and where it ends. `ending` is the last sentence for the user, after the screen."""

    def __init__(self, goal: Goal, link: Link) -> None:
        self.goal = goal
        self.link = link
        self.mirror = Mirror(goal.name)
        self.status = DONE
        self.ending = ""
        self._auto = goal.auto
        self._log: tuple[LogLine, ...] = ()
        self._lost: Retrying | None = None
        self._four: Four | None = None
        self._rounds: tuple[tuple[int, ...], ...] = ()
        self._limit: tuple[float | None, float | None] = (None, None)
        self._over = trio.Event()
        self._ui: Ui[Intent] | None = None
        self._screen: Screen | None = None

    async def arrive(self) -> None:
        """Go where the goal is."""
        answer: Any = await arrive(self.link, self.goal)
        if answer is not None:
            self.mirror.handle(answer, trio.current_time())

    async def run(self, ui: Ui[Intent], screen: Screen) -> None:
        """Until there is a reason to end."""
        self._ui, self._screen = ui, screen
        self._show()
        async with trio.open_nursery() as nursery, _signals() as received:
            nursery.start_soon(self._read_messages)
            nursery.start_soon(self._read_intents, ui)
            nursery.start_soon(self._read_signals, received)
            await self._over.wait()
            nursery.cancel_scope.cancel()

    def _end(self, status: int = DONE, ending: str = "") -> None:
        if not self._over.is_set():
            self.status, self.ending = status, ending
            self._over.set()

    async def _read_signals(self, received: AsyncIterator[int]) -> None:
        async for number in received:
            if number == RESIZED and self._screen is not None:
                self._call(self._screen.resized)
            else:
                self._end(128 + number)

    # -- from the network

    async def _read_messages(self) -> None:
        async for message in self.link.incoming:
            if isinstance(message, Reconnecting | Reconnected | Closed):
                await self._connection(message)
            else:
                self._message(message)
            if not self.link.incoming.statistics().current_buffer_used:
                self._show()  # once for all that came together

    async def _connection(self, message: Reconnecting | Reconnected | Closed) -> None:
        if isinstance(message, Closed):
            self._end(FAILED, message.reason)
        elif isinstance(message, Reconnecting):
            self.mirror.disconnected()
            self._lost = Retrying(message.attempt, time.monotonic() + message.wait_s, message.reason)
        else:
            self._lost = None
            if not message.resumed:
                self.mirror.forget()
                self._add(_("The server does not know us any more; your seat is lost."), "error")
                await self._arrive_anew()

    async def _arrive_anew(self) -> None:
        if self.goal.do == "create":  # the same table is not made twice
            self.goal = structs.replace(self.goal, do="lobby")
        try:
            await self.arrive()
        except RequestRefused as refused:
            self._tell(error_text(refused.err))
            self.link.send(m.Lobby(0, subscribe=True))
        except SessionLost:
            pass  # it is tried again

    def _message(self, message: LinkMessage) -> None:
        if isinstance(message, m.Ev):
            self._note_event(message)
        handled = self.mirror.handle(message, trio.current_time(), time.strftime("%H:%M"))
        for request in handled.requests:
            self.link.send(request)
        for entry in handled.entries:
            self._log_entry(entry)
        if isinstance(message, m.Err):
            self._tell(error_text(message))
        elif isinstance(message, m.Ev):
            self._after_event(message)

    def _note_event(self, message: m.Ev) -> None:
        """Remember what the view does not hold, before the event changes it."""
        table, event = self.mirror.tables.get(message.table), message.e
        if isinstance(event, ev.Played):
            before = table.view.color if table is not None else None
            self._four = Four(event.seat, before) if event.card == WILD_DRAW_FOUR else None
        elif isinstance(event, ev.Dealer):
            self._rounds = ()
        elif isinstance(event, ev.RoundOver):
            self._rounds = (*self._rounds, event.points)

    def _after_event(self, message: m.Ev) -> None:
        table = self.mirror.tables.get(message.table)
        if table is not None and table.gone is not None:
            self._gone(message.table, table)
        elif isinstance(message.e, ev.MatchOver) and self._auto:
            if table is not None and table.view.you is not None and not self.goal.own_server:
                self.link.send(m.Leave(0, message.table))
            self._end(DONE)

    def _gone(self, id: str, table: TableMirror) -> None:
        """We are no longer at the table: back to the list of tables, or out, if the table was all there was."""
        del self.mirror.tables[id]
        self.mirror.current, self._four, self._rounds = None, None, ()
        if self.goal.own_server:
            self._end(DONE)
        else:
            self.link.send(m.Lobby(0, subscribe=True))
            if table.gone != "left":
                self._tell(_("You were removed from the table."))

    # -- the log

    def _log_entry(self, entry: LogEntry) -> None:
        what = entry.what
        if isinstance(what, _UNTOLD) or (isinstance(what, ev.Turn) and what.seat != entry.who.you):
            return
        if isinstance(what, ev.Turn) and self._log and self._log[-1].kind == "turn":
            return  # the same decision again, or the next one of the same turn
        if isinstance(what, ev.Dealt | ev.Played):  # the hand is on the screen
            entry = structs.replace(entry, what=structs.replace(what, hand=None))
        kind: Any = {m.Said: "chat", m.Err: "error", ev.Turn: "turn"}.get(type(what), "event")
        text = entry_text(entry, lambda card: cards.label(card, _CAPS))
        self._log = (*self._log[-LOG_LENGTH:], LogLine(entry.clock, text, kind))

    def _add(self, text: str, kind: Any = "event") -> None:
        self._log = (*self._log[-LOG_LENGTH:], LogLine(time.strftime("%H:%M"), text, kind))

    # -- to the screen

    def _show(self) -> None:
        if self._screen is not None:
            self._call(self._screen.see, self._world())

    def _tell(self, note: str) -> None:
        if self._screen is not None:
            self._call(self._screen.tell, note)

    def _call(self, function: Callable[..., object], *args: object) -> None:
        if self._ui is None:
            return
        try:
            self._ui.call(function, *args)
        except UiGone:
            self._end(DONE)

    def _world(self) -> World:
        table, now = self.mirror.table, trio.current_time()
        left = table.seconds_left(now) if table is not None else None
        deadline = None if left is None else time.monotonic() + left
        return World(
            where=self.goal.where,
            me=self.goal.name,
            lost=self._lost,
            lobby=tuple(self.mirror.lobby or ()),
            view=copy.deepcopy(table.view) if table is not None else None,  # the mirror folds its own in place
            turn=table.turn if table is not None else None,
            deadline=deadline,
            limit=self._longest(table, left),
            frozen=table.frozen if table is not None else None,
            sent=table.sent.action if table is not None and table.sent is not None else None,
            log=self._log,
            four=self._four,
            rounds=self._rounds,
        )

    def _longest(self, table: TableMirror | None, left: float | None) -> float | None:
        """What a full clock means: the most that was left since this deadline was set."""
        deadline = table.deadline if table is not None else None
        if left is None or deadline != self._limit[0]:
            self._limit = (deadline, left)
        return self._limit[1]

    # -- from the user

    async def _read_intents(self, ui: Ui[Intent]) -> None:
        async for intent in ui.events:
            self._do(intent)
        self._end(DONE)

    def _do(self, intent: Intent) -> None:
        if isinstance(intent, Quit):
            self._end(DONE)
        elif isinstance(intent, RetryNow):
            self.link.hurry()
        elif isinstance(intent, Say):
            self._say(intent.text, intent.cards)
        elif not isinstance(intent, Redraw | Suspend):
            self._send(intent)

    def _send(self, request: m._Request) -> None:
        if isinstance(request, m.Auto):
            self._auto = request.on and self._auto
        id = self.link.send(request)
        if id is None:
            self._tell(_("There is no connection to the server just now."))
        else:
            self.mirror.sent(id, request)

    def _say(self, text: str, held: tuple[Card, ...]) -> None:
        view = self.mirror.view
        if not text.startswith("/"):
            self._send(m.Say(0, text, table=view.table if view is not None else None))
            return
        command = parse(text, Situation(view, self.mirror.turn, held, self.mirror.lobby or ()))
        if isinstance(command, Send):
            self._send(command.request)
        elif isinstance(command, Refusal):
            self._tell(command.reason)
        elif isinstance(command, QuitCommand):
            self._end(DONE)
        elif command.what == "help":
            for line in help_lines(Situation(view, self.mirror.turn)):
                self._add(line)
            self._show()
        else:
            self._tell(_("It is on the screen already."))


@asynccontextmanager
async def _signals() -> AsyncIterator[AsyncIterator[int]]:
    with trio.open_signal_receiver(*SIGNALS, *(() if RESIZED is None else (RESIZED,))) as received:
        yield received
