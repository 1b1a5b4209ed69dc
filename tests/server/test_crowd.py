"""A crowd that does anything at any time: no request goes without its one answer, no event is lost, nothing fails."""

from __future__ import annotations

import logging
import random
from typing import Any

import msgspec
import pytest

from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Catch, Play, Wish
from una_protocol.cards import COLORS, DECK
from una_protocol.codec import decode_answer
from una_protocol.framing import FrameReader
from una_protocol.view import View, fold
from una_server.lobby import Lobby
from una_server.place import Place
from una_server.rooms import Rooms
from una_server.seeds import NumberedSeeds
from una_server.session import Session

NAMES = ("Ann", "Ben", "Cem", "Dan", "Eve", "Fay")


class Peer:
    peer = "127.0.0.1"


class Wire:
    """What a session believes to be its link; reads along as a client would."""

    closing = False
    transport = Peer()

    def __init__(self) -> None:
        self.answers: dict[int, int] = {}
        self.views: dict[str, View] = {}
        self.turns: list[m.TurnNow] = []

    def send(self, frame: bytes) -> None:
        for body in FrameReader(1 << 20).feed(frame):
            self._read(decode_answer(body))

    def _read(self, message: Any) -> None:
        if isinstance(message, m.Ok | m.Err) and message.re is not None:
            self.answers[message.re] = self.answers.get(message.re, 0) + 1
            assert not isinstance(message, m.Err) or message.code != "internal"
        elif isinstance(message, View):
            self.views[message.table] = message
        elif isinstance(message, m.Ev):
            view = self.views.get(message.table)
            if view is not None:
                assert message.seq == view.seq + 1
                fold(view, message.seq, message.e)
        elif isinstance(message, m.TurnNow):
            view = self.views[message.table]
            assert (message.turn, message.seq, view.turn_seat) == (view.turn, view.seq, view.you)
            self.turns.append(message)


class Crowd:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lobby = Lobby(Rooms(tables=4, tables_per_session=3, chat_rate=1000), NumberedSeeds(seed))
        self.now = 100.0
        self.sessions: list[Session] = []
        for name in NAMES:
            session = self.lobby.book.enter(m.Hello(1, [1], name, bot=name == "Fay"), self.now)
            session.link = Wire()  # type: ignore[assignment]
            self.sessions.append(session)

    def step(self) -> None:
        self.now += self.chance.choice((0.0, 0.01, 0.3, 2.0))
        kind = self.chance.random()
        session = self.chance.choice(self.sessions)
        wire: Any = session.link
        if kind < 0.06:
            self._drop_or_return(session)
        elif kind < 0.25:
            for place in list(self.lobby.hall.places.values()):
                deadline = place.table.deadline
                if deadline is not None and deadline <= self.now:
                    place.alarm.ring(self.now)
        elif wire is not None:
            message = self._act(wire) if kind < 0.8 else self._anything()
            message.id = session.last_id + 1
            self.lobby.received(session, message, self.now)

    def _drop_or_return(self, session: Session) -> None:
        if session.link is not None:
            session.link, session.seen = None, self.now
            self.lobby.presence.disconnected(session, self.now)
            return
        wire = Wire()
        session.link = wire  # type: ignore[assignment]
        self.lobby.presence.connected(session, {}, True, self.now)
        seats = {
            table_id for table_id in session.tables if self._place(table_id).table.seat_of(session.key) is not None
        }
        assert seats <= set(wire.views)

    def _place(self, table_id: str) -> Place:
        return self.lobby.hall.places[table_id]

    def _act(self, wire: Wire) -> Any:
        if not wire.turns or self.chance.random() < 0.1:
            return self._anything()
        turn = wire.turns[-1]
        do = self.chance.choice(turn.legal)
        if isinstance(do, Play) and turn.can_una and self.chance.random() < 0.5:
            do = msgspec.structs.replace(do, una=True)
        return m.Act(0, turn.table, do, turn.turn)

    def _anything(self) -> Any:
        pick = self.chance.choice
        table = pick([*self.lobby.hall.places, "none"])
        seat = self.chance.randrange(6)
        card, color = pick(DECK), pick((None, *COLORS))
        do = pick(
            (Play(card, color, seat), Play(card, color), DRAW, PASS, Wish(COLORS[0]), CHALLENGE, UNA, Catch(seat))
        )
        return pick(
            (
                lambda: m.Create(
                    0, "T", pick(("una", "classic", "traditional", "official")), bots=["easy"], turn_s=pick((0, 3))
                ),
                lambda: m.Create(0, "T", options={"jump_in": True, "seven_zero": True}, bots=["normal", "easy"]),
                lambda: m.Join(0, table),
                lambda: m.Join(0, table, seat=seat),
                lambda: m.Watch(0, table),
                lambda: m.Leave(0, table) if self.chance.random() < 0.2 else m.Ping(0),
                lambda: m.SetOptions(0, table, seats=seat + 2, away=pick(("bot", "wait", "leave"))),
                lambda: m.BotSeat(0, table, add="easy"),
                lambda: m.BotSeat(0, table, remove=seat),
                lambda: m.Kick(0, table, seat) if self.chance.random() < 0.2 else m.Ping(0),
                lambda: m.Start(0, table),
                lambda: m.SetReady(0, table),
                lambda: m.Rematch(0, table),
                lambda: m.Auto(0, table, pick((True, False))),
                lambda: m.Pause(0, table, pick((True, False, False))),
                lambda: m.Act(0, table, do, pick((None, seat))),
                lambda: m.Accuse(0, table, seat),
                lambda: m.Vote(0, table, seat, True),
                lambda: m.Say(0, "hello", pick((None, table))),
                lambda: m.GetState(0, table),
                lambda: m.Lobby(0, subscribe=True),
                lambda: m.Describe(0, "errors"),
            )
        )()


@pytest.mark.parametrize("seed", range(12))
def test_a_crowd_that_does_anything(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    crowd = Crowd(seed)
    with caplog.at_level(logging.ERROR):
        for _ in range(3000):
            crowd.step()
    assert not caplog.records, caplog.text
    for session in crowd.sessions:
        wire: Any = session.link
        if wire is not None:
            assert set(wire.answers.values()) <= {1}
            for table_id, view in wire.views.items():
                place = crowd.lobby.hall.places.get(table_id)
                if place is not None and session.key in place.table.members:
                    now = place.table.view_for(session.key, crowd.now)
                    now.ms = view.ms = None
                    assert view == now
