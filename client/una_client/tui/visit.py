"""A stay at one server: what comes in goes into the mirror and becomes a `World`; what the user wants goes out."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import trio
from msgspec import Struct, structs

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.cards import Card

from .. import ladder_text
from ..commands import Mute as MuteCommand
from ..commands import Quit as QuitCommand
from ..commands import Refusal, Send, Situation, help_lines, parse
from ..goal import Goal, arrive
from ..i18n import _
from ..link import Link, LinkMessage, Reconnected, Reconnecting
from ..mirror import Mirror, TableMirror
from ..session import Closed, RequestRefused, SessionLost
from ..words import error_text
from . import house_rules
from .layout import remote
from .logs import Logs
from .model import (
    Back,
    Input,
    Intent,
    MoreTables,
    Mute,
    Quit,
    ReadLadder,
    ReadRules,
    Redraw,
    Rescan,
    Retrying,
    RetryNow,
    SaveLog,
    Say,
    Suspend,
    World,
)
from .offers import Offers
from .picture import Picture


class End(Struct, frozen=True):
    """How a visit ended: `quit` the program with this status and sentence, or (`home`) back to the servers."""

    quit: bool = True
    status: int = 0
    sentence: str = ""


class Visit:
    """One visit. `show` gets each new world, `tell` a sentence for the prompt line, `ask` what the server wants to
    know, `rules` house rules that were read.
    """

    def __init__(
        self,
        goal: Goal,
        link: Link,
        *,
        show: Callable[[World], None],
        tell: Callable[[str], None],
        ask: Callable[[Input, str], None],
        rules: Callable[[str, dict[str, Any]], None],
        home: bool = True,
    ) -> None:
        self.goal = goal
        self.link = link
        self.mirror = Mirror(goal.name)
        self.ended: End | None = None
        self._show_world, self._tell, self._ask, self._take_rules = show, tell, ask, rules
        self._home = home
        self._auto = goal.auto
        self._logs = Logs()
        self._lost: Retrying | None = None
        self._held_until: float | None = None
        self._offers = Offers(link)
        self._picture = Picture(link, self.mirror, self._offers, self._logs, home=home)
        self._leaving: str | None = None
        self._over = trio.Event()

    async def arrive(self) -> None:
        """Go where the goal is; where that is refused, to the server's list of tables, with the reason."""
        try:
            answer = await arrive(self.link, self.goal)
        except RequestRefused as refused:
            if self.goal.own_server or self.goal.do == "lobby":
                raise
            wanted, self.goal = self.goal, structs.replace(self.goal, do="lobby", table=None)
            answer = await arrive(self.link, self.goal)
            self._refused(wanted, refused.err)
        if answer is not None:
            self._offers.first_page(answer)
            self.mirror.handle(answer, trio.current_time())
        self._offers.ask()

    def _refused(self, wanted: Goal, err: m.Err) -> None:
        if err.code == "wrong_password" and wanted.table is not None:
            self._ask(Input("password", wanted.table, wanted.do == "watch"), error_text(err))
        else:
            self._tell(error_text(err))

    async def stay(self) -> End:
        """Until there is a reason to go."""
        self._show()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read_messages)
            await self._over.wait()
            nursery.cancel_scope.cancel()
        return self.ended or End()

    def end(self, end: End) -> None:
        """There is a reason to go."""
        if self.ended is None:
            self.ended = end
            self._over.set()

    # -- from the network

    async def _read_messages(self) -> None:
        async for message in self.link.incoming:
            if isinstance(message, Reconnecting | Reconnected | Closed):
                await self._connection(message)
            elif not self._offers.take(message):
                self._message(message)
            if not self.link.incoming.statistics().current_buffer_used:
                self._show()  # once for all that came together

    async def _connection(self, message: Reconnecting | Reconnected | Closed) -> None:
        now = time.monotonic()
        if isinstance(message, Closed):
            self.end(End(quit=not self._home, status=1, sentence=message.reason))
        elif isinstance(message, Reconnecting):
            self.mirror.disconnected()
            if self._lost is None:
                self._held_until = now + self.link.welcome.resume_s
            self._lost = Retrying(message.attempt, now + message.wait_s, message.reason, self._held_until)
        else:
            self._lost = None
            if not message.resumed:
                self.mirror.forget()
                await self._arrive_anew()
                text = _("The server does not know us any more; your seat is lost.")
                self._logs.add(self.mirror.current, text, "error")
                self._tell(text)

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
        if isinstance(message, m.Said) and message.sender in self._logs.muted:
            return
        if isinstance(message, m.Ev):
            self._picture.note(message)
        handled = self.mirror.handle(message, trio.current_time(), time.strftime("%H:%M"))
        for request in handled.requests:
            self.link.send(request)
        for entry in handled.entries:
            if not (isinstance(entry.what, ev.Left) and self._is_gone(entry.table)):  # that we go, we know
                self._logs.enter(entry, self.mirror.current)
        if isinstance(message, m.Err):
            self._tell(error_text(message))
        elif isinstance(message, m.Ok) and message.ladder is not None:
            for line in ladder_text.sentences(message.ladder):
                self._logs.add(self.mirror.current, line)
        elif isinstance(message, m.Ev):
            self._after_event(message)

    def _after_event(self, message: m.Ev) -> None:
        table = self.mirror.tables.get(message.table)
        if table is None:
            return
        if table.gone is not None:
            self._gone(message.table, table)
        elif isinstance(message.e, ev.MatchOver) and table.view.stage == "over" and self._auto:
            if table.view.you is not None and not self.goal.own_server:
                self.link.send(m.Leave(0, message.table))
            self.end(End())

    def _gone(self, id: str, table: TableMirror) -> None:
        """We are no longer at the table: back to the list of tables, or out, if the table was all there was.

        Where a table was closed under a watcher after its match (an arena does so at once), the score stays on the
        screen until the watcher goes.
        """
        if self.goal.own_server:
            self.end(End())
            return
        self.link.send(m.Lobby(0, subscribe=True))
        if table.gone != "left":
            self._tell(_("You were removed from the table."))
        if table.view.you is not None or table.view.stage != "over" or self._leaving == id:
            self._forget(id)

    def _forget(self, id: str) -> None:
        del self.mirror.tables[id]
        self.mirror.current = None
        self._picture.drop(id)
        self._logs.drop(id)

    # -- to the screen

    def _show(self) -> None:
        self._show_world(self._picture.world(self.goal, self._lost))

    # -- from the user

    def do(self, intent: Intent) -> None:
        """What the user wants."""
        match intent:
            case Quit():
                self.end(End())
            case Back():
                self.end(End(quit=not self._home))
            case RetryNow():
                self.link.hurry()
            case Say(text=text, cards=held):
                self._say(text, held)
            case Mute(name=name):
                self._mute(name)
            case MoreTables():
                self._offers.next_page(self.mirror.lobby_next)
            case ReadLadder(more=more):
                self._offers.read_ladder(more)
            case Rescan():
                self._offers.forget_pages()
                self._send(m.Lobby(0, subscribe=True))
            case ReadRules(path=path):
                self._read_rules(path)
            case SaveLog():
                self._tell(house_rules.save_log(self._logs.of(self.mirror.current)))
            case Redraw() | Suspend():
                pass
            case m.Leave(table=table) if self._is_gone(table):
                self._forget(table)
                self._show()
            case m._Request():
                self._send(intent)

    def _is_gone(self, table: str | None) -> bool:
        """Whether only its last picture is here: we are not at that table any more."""
        known = self.mirror.tables.get(table or "")
        return known is not None and known.gone is not None

    def _send(self, request: m._Request) -> None:
        if isinstance(request, m.Auto):
            self._auto = request.on and self._auto
        elif isinstance(request, m.Leave):
            self._leaving = request.table
        id = self.link.send(request)
        if id is None:
            self._tell(_("There is no connection to the server just now."))
        else:
            self.mirror.sent(id, request)

    def _read_rules(self, path: str) -> None:
        try:
            self._take_rules(*house_rules.read(path))
        except house_rules.BadFile as bad:
            self._tell(str(bad))

    def _mute(self, name: str) -> None:
        self._logs.muted ^= {name}
        text = _("What {name} says is not shown any more.") if name in self._logs.muted else _("You hear {name} again.")
        self._logs.add(self.mirror.current, text.format(name=remote(name)))
        self._show()

    def _say(self, text: str, held: tuple[Card, ...]) -> None:
        view = self.mirror.view
        if not text.startswith("/"):
            self._send(m.Say(0, text, table=view.table if view is not None else None))
            return
        command = parse(text, Situation(view, self.mirror.turn, held, self._offers.tables(self.mirror.lobby)))
        if isinstance(command, Send):
            self._send(command.request)
        elif isinstance(command, Refusal):
            self._tell(command.reason)
        elif isinstance(command, QuitCommand):
            self.end(End())
        elif isinstance(command, MuteCommand):
            if (command.name in self._logs.muted) == command.on:
                self._tell(_("That is so already."))
            else:
                self._mute(command.name)
        elif command.what == "help":
            for line in help_lines(Situation(view, self.mirror.turn)):
                self._logs.add(self.mirror.current, line)
            self._show()
        else:
            self._tell(_("It is on the screen already."))
