"""Somebody who plays: the client's own session, link and mirror, with chance in the place of a person."""

from __future__ import annotations

import random
from typing import Any, Protocol

import trio
from msgspec import structs

from una_client.link import Link, Reconnected, Reconnecting, keep_connected
from una_client.mirror import Mirror
from una_client.session import Closed, ConnectFailed
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import UNA, Catch, Play
from una_protocol.view import View

from .ledger import Ledger


class Ground(Protocol):
    """Where players play: what they share."""

    ledger: Ledger

    @property
    def calm(self) -> bool:
        """Whether the storm is over."""

    async def dial(self, host: str, port: int, where: str) -> trio.abc.Stream:
        """A connection to the server, if it is up."""

    async def table_of(self, number: int) -> str:
        """The id of a table, once it is open."""

    def opened(self, number: int, table: str) -> None:
        """The host has opened it."""


class Player:
    """One client. `watches`: it takes no seat. `create`: it opens the table, as its host."""

    def __init__(
        self, name: str, ground: Ground, number: int, chance: random.Random, create: m.Create | None, watches: bool
    ) -> None:
        self.name = name
        self.ground = ground
        self.number = number
        self.chance = chance
        self.create = create
        self.watches = watches
        self.mirror = Mirror(name)
        self.matches = 0
        self.connected = False
        self.table = ""
        self._link: Link | None = None
        self._nursery: trio.Nursery | None = None
        self._sent: dict[int, Any] = {}

    async def run(self) -> None:
        """Connect, as often as it takes, and play until cancelled."""
        ground = self.ground
        while True:
            try:
                async with (
                    keep_connected("sim", 4820, self.name, dial=ground.dial, jitter=self.chance.uniform) as link,
                    trio.open_nursery() as nursery,
                ):
                    self._link, self._nursery = link, nursery
                    self.connected = True
                    nursery.start_soon(self._enter)
                    nursery.start_soon(self._go_on)
                    async for message in link.incoming:
                        self._take(message)
                    nursery.cancel_scope.cancel()
            except ConnectFailed:
                await trio.sleep(self.chance.uniform(0.2, 2))
            self.connected = False
            self.mirror.forget()
            self._sent.clear()

    # -- what comes ------------------------------------------------------------------------------------------------

    def _take(self, message: object) -> None:
        ledger = self.ground.ledger
        ledger.heard(self.name, message)
        if isinstance(message, Reconnecting | Closed):
            self.connected = False
            self.mirror.disconnected()
            return
        if isinstance(message, Reconnected):
            self.connected = True
            seats = {seat.table for seat in self._link.welcome.seats} if self._link is not None else set()
            if not message.resumed:
                self._sent.clear()
            if not message.resumed or self.table not in seats:
                self.mirror.forget()  # nobody waits for a watcher, nor for ever for a seat between matches
            self._later(self._enter)
            return
        handled = self.mirror.handle(message, trio.current_time())
        for request in handled.requests:
            ledger.violated(f"{self.name} has a gap and asks for the state")
            self._send(request)
        if isinstance(message, m.Ok):
            self._done(message)
        elif isinstance(message, m.Err):
            self._refused(message)
        elif isinstance(message, m.TurnNow):
            self._later(self._decide, message)
        elif isinstance(message, m.Ev):
            self._event(message)
        elif isinstance(message, View) and message.stage in ("waiting", "over"):
            self._later(self._begin)

    def _done(self, ok: m.Ok) -> None:
        request = self._sent.pop(ok.re, None)
        self.ground.ledger.acknowledged(self.name, request, ok)
        if isinstance(request, m.Create) and ok.table is not None:
            self.table = ok.table
            self.ground.opened(self.number, ok.table)

    def _refused(self, err: m.Err) -> None:
        request = self._sent.pop(err.re if err.re is not None else -1, None)
        self.ground.ledger.refused(self.name, request, err)
        if isinstance(request, m.Join | m.Watch) and err.code == "already_started":
            self._send(m.GetState(0, self.table))  # perhaps we are there still; else we try again
        if isinstance(request, m.Join | m.Watch | m.Create):
            if err.code == "no_such_table":
                self.table = ""
            self._later(self._enter)
        elif err.retry == "later" and isinstance(request, m.Act) and request.turn is not None:
            self._later(self._again, request, (err.after_ms or 500) / 1000)

    def _event(self, message: m.Ev) -> None:
        event = message.e
        if isinstance(event, ev.RoundOver) and not event.match_over:
            self._send(m.SetReady(0, message.table))
        elif isinstance(event, ev.MatchOver):
            self.matches += 1
            self._later(self._begin)
        elif isinstance(event, ev.Joined | ev.Left):
            self._later(self._begin)
        elif isinstance(event, ev.Turn) and event.catchable and self.chance.random() < 0.4:
            self._later(self._catch, message.table, event.catchable[0])

    # -- what is done ----------------------------------------------------------------------------------------------

    def _later(self, do: Any, *args: Any) -> None:
        assert self._nursery is not None
        self._nursery.start_soon(do, *args)

    def _send(self, request: Any) -> None:
        if self._link is not None:
            id_ = self._link.send(request)
            if id_ is not None:
                self._sent[id_] = request
                self.ground.ledger.sent(self.name, id_, request)

    @property
    def _seated(self) -> bool:
        table = self.mirror.tables.get(self.table)
        return table is not None and table.gone is None

    async def _enter(self) -> None:
        """Get to the table, unless that has been done."""
        await trio.sleep(self.chance.uniform(0.3, 1.5))
        if self._seated or any(isinstance(request, m.Join | m.Watch | m.Create) for request in self._sent.values()):
            return
        if self.create is not None and not self.table:
            self._send(structs.replace(self.create))
            return
        self.table = await self.ground.table_of(self.number)
        self._send((m.Watch if self.watches else m.Join)(0, self.table))

    async def _go_on(self) -> None:
        """What the server had to refuse for a while is asked for again."""
        while True:
            await trio.sleep(10)
            await self._enter()
            await self._begin()
            table = self.mirror.tables.get(self.table)
            me = table.view.player(table.view.you) if table is not None and table.view.you is not None else None
            if table is not None and me is not None and table.gone is None:
                if table.view.paused:
                    self._send(m.Pause(0, self.table, on=False))
                if me.status == "away":
                    self._send(m.Auto(0, self.table, on=False))

    async def _begin(self) -> None:
        """The host starts a match, as long as the storm lasts, or none was played."""
        await trio.sleep(self.chance.uniform(0.5, 2))
        table = self.mirror.tables.get(self.table)
        if self.watches or table is None or not self.connected:
            return
        view = table.view
        if view.stage == "over" and self.ground.calm:
            return
        if view.stage in ("waiting", "over") and sum(player.status != "left" for player in view.players) >= 2:
            if view.host == view.you:
                self._send(m.Start(0, self.table) if view.stage == "waiting" else m.Rematch(0, self.table))
        elif view.stage == "between":
            self._send(m.SetReady(0, self.table))

    async def _decide(self, turn: m.TurnNow) -> None:
        await trio.sleep(self.chance.expovariate(2))
        table = self.mirror.tables.get(turn.table)
        if table is None or table.turn is not turn or not self.connected:
            return
        if any(isinstance(request, m.Act) and request.turn == turn.turn for request in self._sent.values()):
            return  # it is on its way already, and sent again by the link
        plays = [action for action in turn.legal if isinstance(action, Play)]
        do: Any = self.chance.choice(plays if plays and self.chance.random() < 0.8 else turn.legal)
        if isinstance(do, Play) and turn.can_una and self.chance.random() < 0.6:
            do = Play(do.card, do.color, do.swap_with, una=True)
        self._send(m.Act(0, turn.table, do, turn.turn))
        odd = self.chance.random()
        if odd < 0.05:
            self._send(m.Act(0, turn.table, do, turn.turn))  # a double click: the second must not count
        elif odd < 0.10:
            self._send(m.GetState(0, turn.table))
        elif odd < 0.14:
            self._send(m.Say(0, "hm", turn.table))
        elif odd < 0.20:
            self._send(m.Act(0, turn.table, UNA))
        elif odd < 0.21 and not self.ground.calm:
            self._send(m.Auto(0, turn.table, on=True))
        elif odd < 0.22 and not self.ground.calm:
            self._send(m.Pause(0, turn.table, on=True))
        elif odd < 0.225 and not self.ground.calm:
            self._send(m.Leave(0, turn.table))

    async def _again(self, act: m.Act, wait: float) -> None:
        await trio.sleep(wait)
        table = self.mirror.tables.get(act.table)
        if table is not None and table.turn is not None and table.turn.turn == act.turn and self.connected:
            self._send(act)

    async def _catch(self, table: str, seat: int) -> None:
        await trio.sleep(self.chance.expovariate(1))
        mirror = self.mirror.tables.get(table)
        if mirror is not None and mirror.view.you not in (None, seat):
            self._send(m.Act(0, table, Catch(seat)))
