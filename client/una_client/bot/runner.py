"""Plays at a table over the network: goes there, hands each decision to a player, sends what was chosen.

The player (`player.py`: a class; `program.py`: a program of its own) never deals with seats, ids or lost connections.
What it gets wrong is answered here: an old turn is dropped, a refused choice is replaced by the default move, so that
nobody waits for a faulty bot. An exception of the bot itself ends the run (`BotFailed`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio
from msgspec import Struct

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action, Catch
from una_protocol.bot import Bot
from una_protocol.messages import _Request as Request
from una_protocol.view import View

from ..link import Link, Reconnected, Reconnecting
from ..mirror import Mirror, TableMirror
from ..sentences import event_text, score_text
from ..session import Closed, RequestRefused, SessionLost
from ..words import error_text
from .player import BotFailed as BotFailed
from .player import ClassPlayer, Player

_TRY_NEXT: Final = ("arranged", "table_full", "no_such_table", "wrong_password", "already_started")
"""Refusals after which a bot without a given table looks for another one."""


class Plan(Struct, frozen=True):
    """What the bot shall do: play at `table` (None: the first with a free seat), `matches` of them (None: for ever).

    `create`: open this table instead; where it seats house bots, begin at once. `ranked`: let the arena seat it, match
    after match; rated under the name where there is a `key`.
    """

    table: str | None = None
    password: str | None = None
    matches: int | None = None
    create: m.Create | None = None
    ranked: bool = False
    key: str | None = None


class Outcome(Struct, frozen=True):
    """How it went: matches played to their end and won; `lost` is a sentence if the connection was lost for good."""

    matches: int
    won: int
    lost: str | None = None


class Runner:
    """One bot at one table."""

    def __init__(self, bot: Bot | Player, link: Link, plan: Plan, name: str, tell: Callable[[str], None]) -> None:
        self._player = ClassPlayer(bot) if isinstance(bot, Bot) else bot
        self._link = link
        self._plan = plan
        self._tell = tell
        self._mirror = Mirror(name)
        self._table: str | None = None
        self._sent: dict[int, Request] = {}
        self._answered = trio.Event()
        self._done: tuple[str, int] | None = None
        """Table and turn of the last act that the server did: asked for once more, it is only what is on the way."""
        self._due: m.TurnNow | None = None
        self._played = self._won = 0
        self._lost: str | None = None

    @property
    def outcome(self) -> Outcome:
        """How it went so far."""
        return Outcome(self._played, self._won, self._lost)

    @property
    def table(self) -> TableMirror | None:
        """The table where the bot sits."""
        return None if self._table is None else self._mirror.tables.get(self._table)

    async def run(self) -> int:
        """Play until the matches are played (0), the table is gone (0), or the connection is gone for good (1)."""
        await self._enter()
        async for message in self._link.incoming:
            if isinstance(message, Closed):
                self._lost = message.reason
                self._tell(message.reason)
                return 1
            if isinstance(message, Reconnecting):
                self._mirror.disconnected()
            elif isinstance(message, Reconnected):
                if not message.resumed:
                    self._mirror.forget()
                    self._sent.clear()
                    self._answered.set()
                    self._table = self._due = self._done = None
                    await self._enter()
                elif self._plan.ranked:  # a server that has begun anew does not know who waited
                    self.send(self._queue())
            elif await self._take(message):
                return 0
            if self._due is not None and not self._link.incoming.statistics().current_buffer_used:
                turn, self._due = self._due, None  # only now: what has come meanwhile may have made it stale
                await self._decide(turn)
        return 1

    def leave(self) -> None:
        """Give the seat up, so that the others need not wait for it."""
        if self._table is not None:
            self._link.send(m.Leave(0, self._table))

    async def break_off(self) -> None:
        """The same at once, before Ctrl-C or a bot that fails ends the run. Nothing can be sent after it."""
        self.leave()
        if self._link.session is not None:
            with trio.CancelScope(shield=True):
                await self._link.session.flush()

    # -- the way to a table

    def _queue(self) -> m.Queue:
        """Ask for matches; not for one too many."""
        last = self._plan.matches is not None and self._played + 1 >= self._plan.matches
        return m.Queue(0, not (last and self._table is not None), self._plan.key)

    async def _enter(self) -> None:
        if self._plan.ranked:
            await self._link.request(self._queue())
        elif self._plan.create is not None:
            self._table = (await self._link.request(self._plan.create)).table
            if self._plan.create.bots and self._table is not None:
                await self._link.request(m.Start(0, self._table))
        elif self._plan.table is not None:
            await self._link.request(m.Join(0, self._plan.table, password=self._plan.password))
        else:
            answer = await self._link.request(m.Lobby(0, subscribe=True))
            await self._choose_table(answer.tables or [])

    async def _choose_table(self, rows: list[m.TableRow]) -> None:
        """Sit down at the first table with a free seat that has not begun; if there is none, wait for one."""
        for row in rows:
            if row.phase in ("waiting", "over") and row.taken < row.seats and not row.password:
                try:
                    await self._link.request(m.Join(0, row.id))
                except RequestRefused as refused:
                    if refused.err.code not in _TRY_NEXT:
                        raise
                else:
                    self._table = row.id
                    self._link.send(m.Lobby(0, subscribe=False))
                    return

    # -- messages

    async def _take(self, message: object) -> bool:
        """Handle one message; whether that was the last."""
        if isinstance(message, m.LobbyNow):
            if self._table is None and self._plan.table is None and self._plan.create is None and not self._plan.ranked:
                await self._choose_table(message.tables)
            return False
        for request in self._mirror.handle(message, trio.current_time()).requests:
            self._link.send(request)
        table = self._mirror.tables.get(getattr(message, "table", None) or "")
        if isinstance(message, m.Ev):
            return table is not None and await self._after_event(message, table)
        if isinstance(message, m.TurnNow):
            self._due = message
            return False
        if isinstance(message, View):
            self._table = message.table
            if self._plan.ranked:
                if not self._queue().on:
                    self.send(self._queue())
            elif message.stage == "waiting":
                self.send(m.SetReady(0, message.table))
        elif isinstance(message, m.Ok):
            done = self._answer_to(message)
            if isinstance(done, m.Act) and done.turn is not None:
                self._done = done.table, done.turn
        elif isinstance(message, m.Err):
            await self._refused(message)
        await self._told(message, table)
        return False

    async def _after_event(self, message: m.Ev, table: TableMirror) -> bool:
        event = message.e
        if table.gone is not None:
            return not self._plan.ranked or self._left(table)
        await self._told(message, table)
        if isinstance(event, ev.RoundOver) and not event.match_over and not self._plan.ranked:
            self.send(m.SetReady(0, message.table))
        return isinstance(event, ev.MatchOver) and self._match_over(table, event)

    async def _told(self, message: object, table: TableMirror | None) -> None:
        answer = await self._player.told(message, table)
        if answer is not None and table is not None:
            self.send(m.Act(0, table.view.table, answer))

    def _left(self, table: TableMirror) -> bool:
        """The seat at a ranked table is gone: after the match, or because the bot was away for too long."""
        self._mirror.tables.pop(table.view.table, None)
        self._table = self._due = None
        if table.view.stage != "over":
            self._tell("The match was lost: the bot was away for too long.")
            self.send(self._queue())
        return False

    def _match_over(self, table: TableMirror, event: ev.MatchOver) -> bool:
        self._played += 1
        self._won += table.view.you in event.winners
        who = table.who
        self._tell(f"{event_text(event, who)} {score_text(event.scores, who, final=True)}")
        if self._plan.matches is not None and self._played >= self._plan.matches:
            self.leave()
            return True
        if not self._plan.ranked:
            self.send(m.Rematch(0, table.view.table))
        return False

    # -- decisions

    async def _decide(self, turn: m.TurnNow) -> None:
        table = self._mirror.tables.get(turn.table)
        if table is None or table.turn is not turn or self._done == (turn.table, turn.turn):
            return  # it is stale; or its state is on the way, and the turn comes again after it
        if not self._link.connected:
            return  # the connection was lost behind it, and the turn comes again with the next one
        if any(isinstance(request, m.Act) and request.turn == turn.turn for request in self._sent.values()):
            return  # asked again after a lost connection; the link has sent the answer again too
        chosen = await self._player.decide(turn, table)
        if chosen is not None:
            self.send(m.Act(0, turn.table, chosen, turn=turn.turn))

    def play_default(self, turn: m.TurnNow) -> None:
        """Do what the server would do when the time is over."""
        self.send(m.Act(0, turn.table, turn.legal[turn.default], turn=turn.turn))

    def send(self, request: Request) -> None:
        """Send a request; what the server refuses is dealt with here."""
        id = self._link.send(request)
        if id is not None:
            self._sent[id] = request

    async def room(self) -> None:
        """Wait while as much is unanswered as may be sent in half a second: a move shall not wait longer behind it."""
        while len(self._sent) >= max(1, self._link.welcome.limits.rate // 2):
            self._answered = trio.Event()
            await self._answered.wait()

    def _answer_to(self, message: m.Ok | m.Err) -> Request | None:
        """The request that is answered by this, if it is one of ours."""
        self._answered.set()
        return None if message.re is None else self._sent.pop(message.re, None)

    async def _refused(self, err: m.Err) -> None:
        request = self._answer_to(err)
        if request is None:
            return
        if err.retry in ("same", "later"):
            if _waited_for(request):
                await trio.sleep((err.after_ms or 100) / 1000)
                self.send(request)
        elif isinstance(request, m.Act) and request.turn is not None:
            self._replace(request.do, request.turn, err)
        # else a catch that failed, or a rematch too early

    def _replace(self, do: Action, number: int, err: m.Err) -> None:
        """So that nobody waits for a faulty bot; unless another turn has come meanwhile, which has its own answer."""
        turn = None if self.table is None else self.table.turn
        if turn is not None and turn.turn == number:
            self._tell(f"{error_text(err)} ({err.code}; {do}): the default move is played instead.")
            if do != turn.legal[turn.default]:
                self.play_default(turn)


def _waited_for(request: Request) -> bool:
    """Whether the match goes on by it. Nobody waits for chat or for a catch, nor shall a move wait for them."""
    if isinstance(request, m.Act):
        return not isinstance(request.do, Catch)
    return isinstance(request, m.SetReady | m.Queue | m.Rematch)


async def play(bot: Bot | Player, link: Link, plan: Plan, name: str, tell: Callable[[str], None]) -> Outcome:
    """Let the bot play over the link. RequestRefused where it cannot get to the table."""
    runner = Runner(bot, link, plan, name, tell)
    try:
        await runner.run()
    except SessionLost as lost:
        tell(str(lost))
        return Outcome(runner.outcome.matches, runner.outcome.won, str(lost))
    except BaseException:
        await runner.break_off()
        raise
    return runner.outcome
