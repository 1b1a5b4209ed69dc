"""Players who hold the server to its word: over lost connections and restarts no answer is lost, none comes twice."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import msgspec
import trio

from una_protocol import messages as m
from una_protocol.codec import decode_answer
from una_protocol.framing import FrameReader
from una_protocol.view import View, fold

PAUSE_S = 0.01


class Group:
    """The players of one table, and what they agree on."""

    def __init__(self, name: str, size: int, stop: trio.Event, seed: int, **create: Any) -> None:
        self.name = name
        self.create = create
        self.table: str | None = None
        self.opened = trio.Event()
        self.stop = stop
        """Set: the match that runs is the last."""
        self.finished = trio.Event()
        self.players = [Player(self, f"{name}{number}", number == 0, seed * 100 + number) for number in range(size)]

    async def play(self, port: int) -> None:
        """Until the last match is over for everybody."""
        async with trio.open_nursery() as nursery:
            for player in self.players:
                nursery.start_soon(player.play, port)
            await self.finished.wait()
            with trio.fail_after(10):
                while any(player.waits for player in self.players):  # noqa: ASYNC110  # many reasons, one place
                    await trio.sleep(0.02)
            nursery.cancel_scope.cancel()

    def count(self) -> int:
        """How many actions were acknowledged."""
        return sum(len(player.acts) for player in self.players)


class Player:
    """One of them: plays at random, comes back whenever the connection is lost, asks again what was not answered."""

    def __init__(self, group: Group, name: str, host: bool, seed: int) -> None:
        self.group = group
        self.name = name
        self.host = host
        self.chance = random.Random(seed)
        self.session = ""
        self.view: View | None = None
        self.acts: set[int] = set()
        """The ids of actions that were acknowledged."""
        self.refused: list[m.Err] = []
        self.comebacks = 0
        self.promised = 0
        """The greatest seq of an acknowledgement."""
        self._id = 1
        self._asked: dict[int, dict[str, Any]] = {}
        self._answers: dict[int, tuple[str, Any]] = {}
        self._started = False
        self._stream: trio.SocketStream

    async def play(self, port: int) -> None:
        """Until the last match is over."""
        while True:
            try:
                self._stream = await trio.open_tcp_stream("127.0.0.1", port)
                async with self._stream:
                    await self._converse()
            except (OSError, EOFError, trio.BrokenResourceError, trio.ClosedResourceError):
                self.comebacks += 1
                await trio.sleep(0.05 + 0.05 * self.chance.random())

    async def _converse(self) -> None:
        hello: dict[str, Any] = {"t": "hello", "id": 1, "proto": [1], "name": self.name, "bot": True}
        if self.session:
            seen = {self.view.table: self.view.seq} if self.view is not None else {}
            hello["resume"] = {"session": self.session, "tables": seen}
        await self._send(hello)
        reader = FrameReader(1 << 20)
        while data := await self._stream.receive_some(65536):
            for body in reader.feed(data):
                message = decode_answer(body)
                if message is not None:
                    await self._hear(message)
        raise EOFError

    @property
    def waits(self) -> bool:
        """Whether something it asked for was not answered yet."""
        return bool(self._asked)

    async def _send(self, message: dict[str, Any]) -> None:
        body = msgpack.packb(message)
        await self._stream.send_all(len(body).to_bytes(4, "big") + body)

    async def ask(self, kind: str, **fields: Any) -> None:
        """Ask for something until it is answered, over as many connections as that takes."""
        self._id += 1
        message = self._asked[self._id] = {"t": kind, "id": self._id, **fields}
        await self._send(message)

    async def _hear(self, message: Any) -> None:
        match message:
            case m.Welcome():
                await self._welcomed(message)
            case m.Ok() | m.Err():
                await self._answered(message)
            case m.Bye():
                raise EOFError
            case m.PingNow():
                await self._send({"t": "pong"})
            case View():
                assert self.view is None or message.seq >= self.view.seq, "the table went back"
                assert message.seq >= self.promised, "what was acknowledged is lost"
                self.view = message
                await self._start()
            case m.Ev():
                await self._happened(message)
            case m.TurnNow():
                await self._decide(message)

    async def _welcomed(self, welcome: m.Welcome) -> None:
        self.session = welcome.session
        for message in list(self._asked.values()):
            await self._send(message)
        if not self._asked and self.view is None:
            if self.host:
                await self.ask("create", name=self.group.name, una_grace_ms=0, **self.group.create)
            else:
                await self.group.opened.wait()
                await self.ask("join", table=self.group.table)

    async def _answered(self, answer: m.Ok | m.Err) -> None:
        assert answer.re is not None, answer
        if isinstance(answer, m.Err) and answer.code in ("storage", "shutting_down"):
            await trio.sleep((answer.after_ms or 100) / 1000)
            await self._send(self._asked[answer.re])
            return
        asked = self._asked.pop(answer.re, None)
        given = self._answers.setdefault(answer.re, (type(answer).__name__, getattr(answer, "seq", None)))
        assert given == (type(answer).__name__, getattr(answer, "seq", None)), "a request has two different answers"
        if asked is None:
            return
        if isinstance(answer, m.Err):
            self.refused.append(answer)
        elif asked["t"] == "act":
            self.acts.add(answer.re)
        if isinstance(answer, m.Ok):
            self.promised = max(self.promised, answer.seq or 0)
            if asked["t"] == "create":
                self.group.table = answer.table
                self.group.opened.set()

    async def _happened(self, message: m.Ev) -> None:
        assert self.view is not None
        assert message.seq == self.view.seq + 1, "seq is dense"
        fold(self.view, message.seq, message.e)
        kind = type(message.e).__name__
        if kind == "Joined":
            await self._start()
        if kind == "MatchOver" and self.host:
            if self.group.stop.is_set():
                self.group.finished.set()
            else:
                await self.ask("rematch", table=self.view.table)

    async def _start(self) -> None:
        """The host begins when everybody is there."""
        if self._started or not self.host or self.view is None:
            return
        if sum(player.level is None for player in self.view.players) == len(self.group.players):
            self._started = True
            await self.ask("start", table=self.view.table)

    async def _decide(self, turn: m.TurnNow) -> None:
        assert self.view is not None
        assert turn.seq == self.view.seq
        if any(asked.get("turn") == turn.turn for asked in self._asked.values()):
            return  # asked before the connection was lost, and again by now
        await trio.sleep(self.chance.random() * PAUSE_S)
        do = msgpack.unpackb(msgspec.msgpack.encode(self.chance.choice(turn.legal)))
        await self.ask("act", table=turn.table, turn=turn.turn, do=do)
