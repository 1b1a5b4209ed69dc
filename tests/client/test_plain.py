"""Line mode: the transcript of a scripted game, and what it says in the other places."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
import trio

from tests.client.kit import Peer, a_turn, a_view, an_ev, cards, serving
from una_client import i18n, narrator
from una_client.goal import Goal, UiOptions
from una_client.mirror import LogEntry, Mirror, Who
from una_client.plain import run_plain
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, Play
from una_protocol.cards import COLORS, Card
from una_protocol.view import Player

WILDS = [Play(Card("W"), color) for color in COLORS]


class Reader:
    """Collects what is written; types a line once a text was written since the line before."""

    def __init__(self, *typed: tuple[str, str], eof: bool = False) -> None:
        self.lines: list[str] = []
        self._typed = typed
        self._eof = eof
        self._news = trio.Event()

    def write(self, line: str) -> None:
        self.lines.append(line)
        self._news.set()
        self._news = trio.Event()

    async def input(self) -> AsyncGenerator[str, None]:
        seen = 0
        for after, line in self._typed:
            while not any(after in written for written in self.lines[seen:]):
                await self._news.wait()
            seen = len(self.lines)
            yield line
        if not self._eof:
            await trio.sleep_forever()


async def play(port: int, reader: Reader, **goal: Any) -> int:
    given: dict[str, Any] = {"host": "127.0.0.1", "port": port, "name": "Ann", "do": "join", "table": "k3f", **goal}
    with trio.fail_after(10):
        return await run_plain(Goal(**given), UiOptions(), lines=reader.input(), write=reader.write)


async def sit_down(peer: Peer, **view: Any) -> None:
    await peer.welcome()
    join = await peer.take()
    await peer.send(m.Ok(join.id, table="k3f", seat=0), a_view(**view))


async def test_a_game_as_it_is_read_out() -> None:
    async def script(peer: Peer) -> None:
        await sit_down(peer)
        await peer.send(a_turn(Play(Card("B9")), Play(Card("Y7")), *WILDS, DRAW, ms=24_000))
        act = await peer.take()
        assert act.do == Play(Card("W"), "green")
        await peer.send(
            m.Ok(act.id, seq=12),
            an_ev(11, ev.Played(0, Card("W"), "green")),
            an_ev(12, ev.Turn(1, 42, "turn")),
            an_ev(13, ev.Played(1, Card("G+2"), "green", pending=2)),
            an_ev(14, ev.UnaCalled(1)),
            an_ev(15, ev.Turn(2, 43, "penalty", pending=2)),
            m.Said("\x1b[31mhm", "Bo", "k3f"),
            an_ev(16, ev.Drew(2, 2, "pending", 58)),
            an_ev(17, ev.Turn(0, 44, "turn")),
            a_turn(DRAW, turn=44),
        )
        act = await peer.take()
        await peer.send(
            an_ev(18, ev.Drew(0, 1, "turn", 57, tuple(cards("G4")))),
            an_ev(19, ev.Turn(0, 45, "drawn")),
            a_turn(Play(Card("G4")), PASS, turn=45, phase="drawn"),
        )
        act = await peer.take()
        await peer.send(
            an_ev(20, ev.Passed(0)),
            an_ev(21, ev.Turn(1, 46, "turn")),
            an_ev(22, ev.Played(1, Card("G1"), "green")),
            an_ev(23, ev.RoundOver(1, (tuple(cards("R3 W")), (), tuple(cards("R1"))), (0, 54, 0), (0, 54, 0), True)),
            an_ev(24, ev.MatchOver((1,), (0, 54, 0))),
        )
        await peer.take()

    reader = Reader(
        ("Type a number", "2"),
        ("does not match", "5 green"),
        ("Type draw", "draw"),
        ("Type play or pass", "pass"),
        ("rematch", "quit"),
    )
    async with serving(script) as port:
        assert await play(port, reader) == 0
    assert reader.lines == [
        "It is your turn.",
        "Top card: blue 7. Draw pile: 60 cards.",
        "1. You: 5 cards, 0 points, host.",
        "2. Bo: 4 cards, 0 points.",
        "3. Cy: 6 cards, 0 points, bot.",
        "Your turn. Top card: blue 7. You have 5 cards, 3 playable.",
        "3 blue 9. 4 yellow 7. 5 wild.",
        "24 seconds. Type a number, draw, hand, table, say TEXT, help.",
        "The green 2 does not match the blue 7.",
        "You played wild and chose green. Next: Bo.",
        "Bo played green draw two. Bo said una. Next: Cy.",
        "Bo says: [31mhm",
        "Cy took 2 cards.",
        "Your turn. Top card: green draw two. You have 4 cards, 0 playable.",
        "Type draw.",
        "You drew 1 card: green 4.",
        "You drew green 4 and may play it. Top card: green draw two. You have 5 cards, 1 playable.",
        "3 green 4.",
        "Type play or pass.",
        "You passed. Next: Bo.",
        "Bo played green 1. Bo has 2 cards.",
        "Bo won the round: 54 points.",
        "You still held red 3, wild.",
        "Cy still held red 1.",
        "Bo won the match.",
        "Final scores: you 0, Bo 54, Cy 0.",
        "Type rematch for another match, leave, or quit.",
    ]


async def test_auto_asks_for_nothing_and_ends_with_the_match() -> None:
    left: list[Any] = []

    async def script(peer: Peer) -> None:
        await sit_down(peer)
        auto = await peer.take()
        assert auto == m.Auto(auto.id, "k3f", on=True)
        await peer.send(
            m.Ok(auto.id),
            a_turn(DRAW),
            an_ev(11, ev.Away(0)),
            an_ev(12, ev.Drew(0, 1, "turn", 59, tuple(cards("R1")))),
            an_ev(13, ev.Turn(1, 42, "turn")),
            an_ev(14, ev.MatchOver((0,), (9, 0, 0))),
        )
        left.append(await peer.take())

    reader = Reader(eof=True)
    async with serving(script) as port:
        assert await play(port, reader, auto=True) == 0
    assert reader.lines == [
        "You drew 1 card: red 1. Next: Bo.",
        "You won the match.",
        "Final scores: you 9, Bo 0, Cy 0.",
    ]
    assert isinstance(left[0], m.Leave)


async def test_whoever_lets_the_house_play_for_a_while_is_told_and_stays() -> None:
    after: list[Any] = []

    async def script(peer: Peer) -> None:
        await sit_down(peer)
        auto = await peer.take()
        assert auto == m.Auto(auto.id, "k3f", on=True)
        await peer.send(an_ev(11, ev.Away(0)), m.Ok(auto.id), an_ev(12, ev.MatchOver((0,), (9, 0, 0))))
        after.append(await peer.take())

    reader = Reader(("Cy", "auto"), ("Type rematch", "quit"))
    async with serving(script) as port:
        assert await play(port, reader) == 0
    assert reader.lines[5:] == [
        "A house bot plays for you now.",
        "You won the match.",
        "Final scores: you 9, Bo 0, Cy 0.",
        "Type rematch for another match, leave, or quit.",
    ]
    assert after == [None], "and keeps the seat"


async def test_the_end_of_the_input_leaves() -> None:
    left: list[Any] = []

    async def script(peer: Peer) -> None:
        await sit_down(peer, stage="waiting", round=0, players=[Player(0, "Ann")])
        left.append(await peer.take())

    reader = Reader(("help", "table"), eof=True)
    async with serving(script) as port:
        assert await play(port, reader) == 0
    assert reader.lines[:4] == [
        "You are in the waiting room: Kitchen, rules una.",
        f"Others join with: una join 127.0.0.1:{port}/k3f",
        "1. You: 0 points, host.",
        "Type bot to seat a house bot, start to begin, help for more.",
    ]
    assert isinstance(left[0], m.Leave)


async def test_from_the_lobby_to_a_table_and_back() -> None:
    row = m.TableRow("k3f", "Kitchen", "una", 4, 2, "waiting", password=True)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        lobby = await peer.take()
        await peer.send(m.Ok(lobby.id, tables=[row]))
        refused = await peer.take()
        await peer.send(m.Err("table_full", "", "no", re=refused.id))
        join = await peer.take()
        await peer.send(m.Ok(join.id, seat=0), a_view(stage="waiting", players=[Player(0, "Ann")], host=None))
        leave = await peer.take()
        await peer.send(an_ev(11, ev.Left("Ann", 0)), m.Ok(leave.id, seq=11))
        lobby = await peer.take()
        await peer.send(m.Ok(lobby.id, tables=[]))
        await peer.take()

    reader = Reader(("Type join", "join 1"), ("no free seat", "1"), ("Type ready", "leave"), ("lobby", "quit"))
    async with serving(script) as port:
        assert await play(port, reader, do="lobby", table=None) == 0
    assert reader.lines == [
        f"1 table at 127.0.0.1:{port}.",
        "1. Kitchen: 2 of 4 seats taken, waiting for players, rules una, password needed.",
        "Type join and a number, watch and a number, or new.",
        "Where a password is needed, type it too: join 1 password TEXT.",
        "There is no free seat, or no room for another table.",
        "You are in the waiting room: Kitchen, rules una.",
        f"Others join with: una join 127.0.0.1:{port}/k3f",
        "1. You: 0 points.",
        "Type ready when you are; the host starts.",
        "You left the table.",
        "You are in the lobby. Type tables, help or quit.",
    ]


async def test_the_tables_are_asked_for_at_a_table() -> None:
    row = m.TableRow("k3f", "Kitchen", "una", 4, 2, "waiting")

    async def script(peer: Peer) -> None:
        await sit_down(peer, stage="waiting", round=0, players=[Player(0, "Ann")])
        asked = await peer.take()
        assert asked == m.Lobby(asked.id, subscribe=False)
        await peer.send(m.Ok(asked.id, tables=[row]))
        await peer.take()

    reader = Reader(("Type bot", "tables"), ("Type join and", "quit"))
    async with serving(script) as port:
        assert await play(port, reader) == 0
    assert reader.lines[-3:-1] == [
        f"1 table at 127.0.0.1:{port}.",
        "1. Kitchen: 2 of 4 seats taken, waiting for players, rules una.",
    ]


async def test_a_farewell_is_told_once() -> None:
    async def script(peer: Peer) -> None:
        await sit_down(peer)
        await peer.send(m.Bye("ended", "", reconnect=False))

    reader = Reader()
    async with serving(script) as port:
        assert await play(port, reader) == 1
    assert reader.lines[-1] == "The server has ended, and the game with it."
    assert reader.lines.count(reader.lines[-1]) == 1


@pytest.mark.parametrize(
    ("word", "own", "question"),
    [
        ("leave", False, "A round is running. Type leave once more to give up your seat."),
        ("quit", False, "A round is running. Type quit once more; your seat is kept for a while."),
        ("quit", True, "A round is running. Type quit once more to end the game."),
    ],
)
async def test_a_running_game_is_left_only_when_asked_twice(word: str, own: bool, question: str) -> None:
    async def script(peer: Peer) -> None:
        await sit_down(peer)
        if isinstance(await peer.take(), m.Leave):
            await peer.send(an_ev(11, ev.Left("Ann", 0)))
            await peer.take()

    reader = Reader(("Cy", word), ("once more", "score"), ("You: 0", word), ("once more", word), ("lobby", "quit"))
    async with serving(script) as port:
        assert await play(port, reader, own_server=own) == 0
    assert reader.lines.count(question) == 2


async def test_a_lost_server_of_ones_own_is_the_end() -> None:
    async def script(peer: Peer) -> None:
        await sit_down(peer)

    reader = Reader()
    async with serving(script) as port:
        assert await play(port, reader, own_server=True) == 1
    assert reader.lines[-1] == "The server closed the connection."


# -- what is read out, piece by piece


def told(turn: m.TurnNow, **view: Any) -> list[str]:
    mirror = Mirror("Ann")
    mirror.handle(a_view(**view), now=0.0)
    mirror.handle(turn, now=0.0)
    assert mirror.table is not None
    return narrator.turn_lines(mirror.table, 0.0)


@pytest.mark.parametrize(
    ("turn", "view", "first", "last"),
    [
        (a_turn(DRAW, phase="penalty"), {"pending": 4}, "Your turn, and 4 cards are pending: take them.", "Type take."),
        (
            a_turn(Play(Card("B9")), DRAW, phase="penalty"),
            {"pending": 2},
            "Your turn, and 2 cards are pending: take them, or answer.",
            "Type a number, or take.",
        ),
        (a_turn(CHALLENGE, DRAW, phase="penalty"), {"pending": 4}, "Your turn", "Type challenge or accept."),
        (a_turn(PASS), {}, "Your turn.", "Type pass."),
        (a_turn(phase="wish"), {}, "Your turn: wish a colour.", "Type red, green, blue or yellow."),
        (
            a_turn(Play(Card("B9")), DRAW, can_una=True),
            {},
            "Your turn.",
            "Type a number and una (like: 1 una), draw, hand, table, help.",
        ),
        (a_turn(DRAW), {"top": Card("W"), "color": "green"}, "Your turn. Top card: wild, colour green.", "Type draw."),
        (
            a_turn(DRAW),
            {"top": Card("W+4"), "color": None},
            "Your turn. Top card: wild draw four; any colour fits.",
            "Type draw.",
        ),
    ],
)
def test_what_is_expected_comes_first_and_what_to_type_last(
    turn: m.TurnNow, view: dict[str, Any], first: str, last: str
) -> None:
    lines = told(turn, **view)
    assert lines[0].startswith(first)
    assert lines[-1] == last


def told_of_turns(*turns: ev.Turn, **view: Any) -> list[str]:
    teller, lines = narrator.Narrator(), []
    for turn in turns:
        lines += teller.tell(LogEntry(turn, Who({0: "Ann", 1: "Bo", 2: "Cy"}, 0)), a_view(**view))
    return lines


def test_who_may_catch_is_told_once() -> None:
    turns = ev.Turn(2, 42, "turn", catchable=(1,)), ev.Turn(0, 43, "turn", catchable=(1,)), ev.Turn(0, 44, "turn")
    anyone = {"options": {"una_catcher": "anyone"}}
    assert "Bo did not say una: type catch." in told_of_turns(turns[0], **anyone)
    assert told_of_turns(turns[0]) == ["Next: Cy."], "only the next player may catch"
    assert told_of_turns(turns[1]) == ["Bo did not say una: type catch."]
    assert sum("did not say" in line for line in told_of_turns(*turns, **anyone)) == 1
    assert told_of_turns(ev.Turn(1, 42, "turn", catchable=(0,)))[1].startswith("You did not say una: type una")


def test_hand_table_scores_and_lobby() -> None:
    view = a_view(
        watchers=["Eve\x1b[2J"], direction=-1, pending=2, paused=True,
        players=[Player(0, "Ann", score=5), Player(1, "Bo", cards=1, score=62, una=True, status="away")],
    )  # fmt: skip
    mirror = Mirror("Ann")
    mirror.handle(view, now=0.0)
    assert mirror.table is not None
    assert narrator.hand_lines(view) == ["You have 5 cards.", "1 red 3. 2 green 2. 3 blue 9. 4 yellow 7. 5 wild."]
    lines = narrator.table_lines(mirror.table, 0.0)
    assert "2. Bo: 1 card, 62 points, said una, away, a bot plays." in lines
    assert "Watching: Eve[2J." in lines
    assert {"Play goes backwards.", "Pending: 2 cards.", "The table is paused."} <= set(lines)
    assert narrator.score_lines(view) == ["Bo: 62 points.", "You: 5 points."]
    assert narrator.lobby_lines([], "here") == ["There is no table at here yet. Type new to open one."]
    assert narrator.hand_lines(a_view(you=None, hand=None)) == ["You are only watching."]


def test_a_hand_is_dealt_out_loud_in_the_order_of_its_numbers() -> None:
    hand = cards("BR R5 B7 W B9 Y0 G3")
    (dealt,) = narrator.Narrator().tell(
        LogEntry(ev.Dealt(1, 1, (7, 7, 7), 86, tuple(hand)), Who({0: "Ann", 1: "Bo", 2: "Cy"}, 0)), None
    )
    read = dealt.removesuffix(".").partition("Your hand: ")[2].split(", ")
    _count, numbered = narrator.hand_lines(a_view(hand=hand))
    assert numbered == " ".join(f"{number} {name}." for number, name in enumerate(read, 1))


@pytest.mark.parametrize("make", [narrator.hand_lines, narrator.score_lines])
def test_nothing_moves_the_cursor(make: Callable[[Any], list[str]]) -> None:
    view = a_view(players=[Player(0, "\x1b[2J\r"), Player(1, "\u202eoB", score=3)])
    assert all(line.isprintable() for line in make(view))


def test_the_waiting_room_says_what_can_be_typed_there() -> None:
    room = {"stage": "waiting", "round": 0, "host": 1}
    assert narrator.waiting_lines(a_view(**room | {"host": 0}), "here")[-1].startswith("Type bot to seat a house bot")
    assert narrator.waiting_lines(a_view(**room), "here")[-1] == "Type ready when you are; the host starts."
    watching = narrator.waiting_lines(a_view(**room, you=None, hand=None, watchers=["Eve"]), "here")
    assert watching[-1] == "You are watching. Type sit to take a seat, leave to go."


@pytest.mark.parametrize(("lang", "name"), [("en", "Ann's table"), ("de", "Tisch von Ann")])
def test_a_name_that_says_table_is_not_called_one_again(lang: str, name: str) -> None:
    i18n.use(lang)
    try:
        mirror = Mirror("Ann")
        mirror.handle(a_view(name=name, stage="waiting", round=0), now=0.0)
        assert mirror.table is not None
        lines = narrator.waiting_lines(mirror.table.view, "here")[:1] + narrator.table_lines(mirror.table, 0.0)[:1]
    finally:
        i18n.use("en")
    word = name.split()[-1 if lang == "en" else 0].casefold()
    assert [line.casefold().count(word) for line in lines] == [1, 1]


async def test_ends_of_matches_that_are_not_ours_mean_nothing() -> None:
    async def server(peer: Peer) -> None:
        await peer.welcome()
        await peer.take()
        await peer.send(m.Ok(2, table="k3f"), a_view(), m.Ev("zzz", 11, ev.MatchOver((0,), (1,))))
        await peer.send(an_ev(3, ev.MatchOver((0,), (1, 2, 3))), a_turn())
        await peer.take()

    reader = Reader(("It is your turn", "quit"), ("A round is running", "quit"))
    async with serving(server) as port:
        assert await play(port, reader) == 0
    assert not any("match" in line for line in reader.lines)


async def test_who_is_muted_is_not_heard() -> None:
    async def server(peer: Peer) -> None:
        await peer.welcome()
        await peer.take()
        await peer.send(m.Ok(2, table="k3f"), a_view())
        await peer.take()
        await peer.send(m.Said("one", "Bo", "k3f"), m.Said("two", "Cy", "k3f"))
        await peer.take()

    reader = Reader(
        ("It is your turn", "mute bo"), ("not shown", "mute Bo"), ("already", "say x"), ("two", "unmute bo"),
        ("again", "quit"), ("A round is running", "quit"),
    )  # fmt: skip
    async with serving(server) as port:
        assert await play(port, reader) == 0
    said = [line for line in reader.lines if "says" in line]
    assert said == ["What Bo says is not shown any more.", "Cy says: two"]
