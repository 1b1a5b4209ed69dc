"""Line mode: text is only ever added, commands come from standard input. For screen readers, pipes, plain terminals.

`run_plain` connects, arrives at the goal, and then two tasks share one mirror: messages in, and commands in. What is
written is made by `narrator`, what is typed is understood by `commands`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import Final

import trio
from msgspec import structs

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.text import clean
from una_protocol.view import View

from . import ladder_text, narrator
from .commands import Intent, Mute, Quit, Refusal, Send, Show, Situation, hand_order, help_lines, parse
from .goal import Goal, UiOptions, arrive
from .i18n import _
from .line_io import stdin_lines, write_line
from .link import Link, LinkMessage, Reconnected, Reconnecting, reach
from .mirror import Mirror
from .session import Closed, RequestRefused, SessionLost
from .words import error_text

DONE: Final = 0
FAILED: Final = 1

Write = Callable[[str], None]


async def run_plain(
    goal: Goal, options: UiOptions, *, lines: AsyncGenerator[str, None] | None = None, write: Write = write_line
) -> int:
    """Play in line mode until the user quits, the connection is gone for good, or (`auto`) the match is over.

    Returns the exit status. ConnectFailed and RequestRefused where the goal cannot be reached at all.
    """
    async with reach(goal) as link:
        plain = Plain(goal, options, link, write)
        await plain.arrive()
        return await plain.run(stdin_lines() if lines is None else lines)


class Plain:
    """One run of the line mode: the mirror, and what was told already."""

    def __init__(self, goal: Goal, options: UiOptions, link: Link, write: Write) -> None:
        self.goal = goal
        self.options = options
        self.link = link
        self.mirror = Mirror(goal.name)
        self.status = DONE
        self._write = write
        self._narrator = narrator.Narrator(hints=not goal.auto)
        self._auto = self._ends_with_match = goal.auto
        self._asked: tuple[str, int] | None = None
        self._table: str | None = None
        self._leaving: type | None = None
        self._muted: set[str] = set()
        self._listing: int | None = None
        self._over = trio.Event()

    async def arrive(self) -> None:
        """Go where the goal is; in the lobby, read out the tables."""
        answer = await arrive(self.link, self.goal)
        if answer is not None:
            self.mirror.handle(answer, trio.current_time())
            self._tell(self._lobby())

    async def run(self, lines: AsyncGenerator[str, None]) -> int:
        """Until there is a reason to end; the exit status."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read_messages)
            nursery.start_soon(self._read_commands, lines)
            await self._over.wait()
            nursery.cancel_scope.cancel()
        return self.status

    def _tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)

    def _end(self, status: int) -> None:
        self.status = status
        self._over.set()

    # -- messages in

    async def _read_messages(self) -> None:
        async for message in self.link.incoming:
            if self._over.is_set():
                return  # what came after the end is not told: the same game has the same text
            if isinstance(message, Reconnecting | Reconnected | Closed):
                await self._connection(message)
            else:
                self._message(message)

    async def _connection(self, message: Reconnecting | Reconnected | Closed) -> None:
        self._tell(self._narrator.flush())
        if isinstance(message, Closed):
            self._tell([message.reason])
            self._end(FAILED)
        elif isinstance(message, Reconnecting):
            self.mirror.disconnected()
            if message.attempt == 1:
                self._tell([message.reason + " " + _("Trying to connect again.")])
        else:
            self._tell([_("Connected again.")])
            self._asked = None
            if not message.resumed:
                self._tell([_("The server does not know us any more; your seat is lost.")])
                self.mirror.forget()
                await self._arrive_anew()

    async def _arrive_anew(self) -> None:
        if self.goal.do == "create":
            self.goal = structs.replace(self.goal, do="lobby")
        try:
            await self.arrive()
        except RequestRefused as refused:
            self._tell([error_text(refused.err)])
        except SessionLost:
            pass  # it is tried again

    def _message(self, message: LinkMessage) -> None:
        if isinstance(message, m.Said) and message.sender in self._muted:
            return
        if isinstance(message, m.Bye):
            return  # the reason comes once more, with the end of the connection
        known = self._rows()
        handled = self.mirror.handle(message, trio.current_time())
        for request in handled.requests:
            self.link.send(request)
        for entry in handled.entries:
            if self.goal.auto and isinstance(entry.what, ev.Away) and entry.what.seat == entry.who.you:
                continue  # as was asked for; when it comes is chance, and the same game has the same text
            table = None if entry.table is None else self.mirror.tables.get(entry.table)
            self._tell(self._narrator.tell(entry, None if table is None else table.view))
        if isinstance(message, m.Ev):
            self._after_event(message)
        elif isinstance(message, View):
            self._after_state(message)
        elif isinstance(message, m.TurnNow):
            self._ask()
        elif isinstance(message, m.Ok) and message.ladder is not None:
            self._tell(ladder_text.sentences(message.ladder))
        elif isinstance(message, m.Ok) and message.re == self._listing:
            self._tell(self._lobby())
        elif isinstance(message, m.LobbyNow) and self.mirror.view is None and self._rows() != known:
            self._tell([_("The list of tables has changed. Type tables to hear it.")])

    def _after_event(self, message: m.Ev) -> None:
        table = self.mirror.tables.get(message.table)
        if table is None:
            return
        if isinstance(message.e, ev.MatchOver) and table.view.stage == "over":
            self._match_over(table.view)
        elif table.gone is not None:
            del self.mirror.tables[message.table]
            self.mirror.current = self._table = None
            if self.goal.own_server or self._ends_with_match:
                self._end(DONE if table.gone == "left" else FAILED)
            else:
                self.link.send(m.Lobby(0, subscribe=True))
                self._tell([_("You are in the lobby. Type tables, help or quit.")])

    def _match_over(self, view: View) -> None:
        if self._ends_with_match:
            if view.you is not None and not self.goal.own_server:
                self.link.send(m.Leave(0, view.table))
            self._end(DONE)
        elif view.you is not None:
            self._tell([_("Type rematch for another match, leave, or quit.")])

    def _after_state(self, view: View) -> None:
        if self._table == view.table:
            return
        self._table = view.table
        if self.goal.start and view.round == 0:
            return  # it begins at once
        if view.stage == "waiting":
            self._tell(narrator.waiting_lines(view, self.goal.where))
        elif not self._auto:
            self._tell(narrator.table_lines(self.mirror.tables[view.table], trio.current_time()))

    def _ask(self) -> None:
        table = self.mirror.table
        if self._auto or table is None or table.turn is None or self._asked == (table.view.table, table.turn.turn):
            return
        self._asked = (table.view.table, table.turn.turn)
        self._tell(self._narrator.flush())
        self._tell(narrator.turn_lines(table, trio.current_time()))

    def _tables(self) -> list[str]:
        """The tables as far as they are known; at a table nobody keeps us informed, and the server is asked."""
        at_table = self.mirror.view is not None
        if not at_table and self.mirror.lobby is not None:
            return self._lobby()
        self._listing = self._send(Send(m.Lobby(0, subscribe=not at_table)))
        return []

    def _rows(self) -> list[str]:
        return [row.id for row in self.mirror.lobby or ()]

    def _lobby(self) -> list[str]:
        return narrator.lobby_lines(self.mirror.lobby or [], self.goal.where)

    # -- commands in

    async def _read_commands(self, lines: AsyncGenerator[str, None]) -> None:
        async with aclosing(lines):
            async for line in lines:
                self.command(line)
                if self._over.is_set():
                    return
        view = self.mirror.view
        if self._ends_with_match or (self._auto and view is not None and view.stage != "over"):
            self._ends_with_match = True
        elif self.goal.do != "watch":  # nobody can decide any more
            if view is not None:
                self.link.send(m.Leave(0, view.table))
            self._end(DONE)

    def command(self, line: str) -> None:
        """Do what one line says."""
        view = self.mirror.view
        situation = Situation(view, self.mirror.turn, hand_order(view) if view else (), self.mirror.lobby or ())
        intent = parse(line, situation)
        if (question := self._question(intent, view)) is not None:
            self._tell([question])
        elif isinstance(intent, Refusal):
            self._tell([intent.reason])
        elif isinstance(intent, Quit):
            self._end(DONE)
        elif isinstance(intent, Mute):
            self._tell([self._muted_now(intent)])
        elif isinstance(intent, Show):
            self._tell(self._shown(intent, situation))
        else:
            self._send(intent)

    def _muted_now(self, mute: Mute) -> str:
        if (mute.name in self._muted) == mute.on:
            return _("That is so already.")
        self._muted ^= {mute.name}
        text = _("What {name} says is not shown any more.") if mute.on else _("You hear {name} again.")
        return text.format(name=clean(mute.name))

    def _question(self, intent: Intent, view: View | None) -> str | None:
        """What to ask before a running game is left: it takes the same command twice."""
        asked, self._leaving = self._leaving, None
        leaving = intent.request if isinstance(intent, Send) else intent
        if view is None or view.you is None or view.stage != "playing" or not isinstance(leaving, m.Leave | Quit):
            return None
        if asked is type(leaving):
            return None
        self._leaving = type(leaving)
        if isinstance(leaving, m.Leave):
            return _("A round is running. Type leave once more to give up your seat.")
        if self.goal.own_server:
            return _("A round is running. Type quit once more to end the game.")
        return _("A round is running. Type quit once more; your seat is kept for a while.")

    def _send(self, intent: Send) -> int | None:
        if isinstance(intent.request, m.Auto):
            self._auto = intent.request.on
            self._ends_with_match = self._auto and self._ends_with_match
            self._narrator.hints = not self._auto
        id = self.link.send(intent.request)
        if id is None:
            self._tell([_("There is no connection to the server just now.")])
        else:
            self.mirror.sent(id, intent.request)
        return id

    def _shown(self, show: Show, situation: Situation) -> list[str]:
        table = self.mirror.table
        if show.what == "help":
            return help_lines(situation)
        if show.what == "tables":
            return self._tables()
        if table is None:
            return [_("You are not at a table.")]
        if show.what == "hand":
            return narrator.hand_lines(table.view)
        if show.what == "score":
            return narrator.score_lines(table.view)
        now = trio.current_time()
        return narrator.table_lines(table, now) + narrator.turn_lines(table, now)
