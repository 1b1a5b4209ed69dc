"""Situations to draw and to press keys in: models made by hand, without a server."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from una_client.tui import menus
from una_client.tui.model import (
    AskChallenge,
    AskVote,
    Confirm,
    Four,
    Help,
    History,
    Ladder,
    LogLine,
    Menu,
    Model,
    PickColor,
    PickSeat,
    Retrying,
    ServerRow,
    World,
)
from una_client.tui.model import Where as Where
from una_client.tui.update import press
from una_client.tui.world import Catalogue, Fresh, Highlights, OptionInfo
from una_protocol.actions import CHALLENGE, DRAW, PASS, Action, Play
from una_protocol.cards import COLOR, COLORS, Card
from una_protocol.events import RoundOver
from una_protocol.messages import LadderRow, Leave, TableRow, TurnNow
from una_protocol.view import Accusation, Player, View

NOW = 100.0
NAMES = ("Jakob", "Mia", "bot-Otto", "Jonas", "Li 李明", "Aleksandra-Maria", "bot-Ida", "Ben", "Zoë", "Ulf")
HAND = ("R3", "R+2", "Y7", "Y9", "GS", "G2", "B7", "W", "W+4")
OPTIONS: dict[str, Any] = {
    "hand_size": 7, "target_score": 500, "una_penalty": 2, "stack_draw_two": "any", "stack_draw_four": "four",
    "draw_four": "bluff", "failed_challenge_extra": 2, "voluntary_draw": True, "play_drawn": True, "jump_in": False,
}  # fmt: skip
LOG = (
    LogLine("12:40", "Mia played ● 7."),
    LogLine("12:40", "bot-Otto played ■ 7. bot-Otto called una."),
    LogLine("12:40", "Jonas lost the connection."),
    LogLine("12:41", "Mia says: nice one, Otto", "chat"),
    LogLine("12:41", "It is your turn.", "turn"),
)


CATALOGUE = Catalogue(
    {"una": OPTIONS | {"target_score": 0, "draw_four": "free", "stack_draw_two": "any", "advice_penalty": 0},
     "official": OPTIONS | {"advice_penalty": 0}},
    (
        OptionInfo("hand_size", tuple(range(1, 21))), OptionInfo("target_score", (0, 100, 200, 500)),
        OptionInfo("una_penalty", tuple(range(21))), OptionInfo("stack_draw_two", ("none", "two", "any")),
        OptionInfo("stack_draw_four", ("none", "four", "any")), OptionInfo("draw_four", ("free", "strict", "bluff")),
        OptionInfo("advice_penalty", (0, 1, 2)), OptionInfo("jump_in", (False, True)),
    ),
    ("easy", "normal", "hard"),
)  # fmt: skip


def cards(*texts: str) -> list[Card]:
    """Cards by their texts."""
    return [Card(text) for text in texts]


def players(count: int = 4) -> list[Player]:
    """Players with different numbers of cards and states."""
    made = [Player(seat, NAMES[seat], cards=(9, 4, 1, 6, 12)[seat % 5], score=(120, 85, 210, 40, 0)[seat % 5])
            for seat in range(count)]  # fmt: skip
    if count > 3:
        made[2].bot, made[2].level, made[2].una = True, "normal", True
        made[3].status = "lost"
    return made


def view(hand: Sequence[str] | None = HAND, count: int = 4, **changes: Any) -> View:
    """A round in which seat 0 is the viewer and it is their turn on a blue 7."""
    table = View(
        "k3f", 40, "Kitchen", "official", dict(OPTIONS), max(count, 4), stage="playing", host=0, players=players(count),
        round=2, dealer=1, top=Card("B7"), color="blue", draw_pile=61, phase="turn", turn_seat=0, turn=12, you=0,
        hand=None if hand is None else cards(*hand),
    )  # fmt: skip
    table.players[0].cards = len(hand or ())
    for name, value in changes.items():
        setattr(table, name, value)
    return table


def legal_for(table: View) -> list[Action]:
    """What fits, roughly as the engine says it: enough to draw and to press keys."""
    found: list[Action] = []
    for card in dict.fromkeys(table.hand or []):
        if COLOR[card] is None:
            found += [Play(card, color) for color in COLORS]
        elif COLOR[card] == table.color or (table.top is not None and card[1:] == table.top[1:]):
            found.append(Play(card))
    return [*found, DRAW]


def world(table: View | None = None, legal: list[Action] | None = None, **changes: Any) -> World:
    """The world around a view; on our turn with what may be done."""
    values: dict[str, Any] = {"where": "192.168.1.20", "me": "Jakob", "view": table, "log": LOG, "home": True}
    if table is not None and table.my_turn:
        choices = tuple(legal_for(table) if legal is None else legal)
        can_una = len(table.hand or []) == 2 and any(isinstance(do, Play) for do in choices)
        values["turn"] = TurnNow(table.table, table.turn, table.seq, table.phase, choices, len(choices) - 1, can_una)
        values |= {"deadline": NOW + 24, "limit": 30.0}
    return World(**(values | changes))


def my_turn(**changes: Any) -> Model:
    """On turn, with the yellow 7 selected."""
    return Model(world(view(**changes)), selected=2)


def readme() -> Model:
    """The picture in the README: a game against two house bots that turned around."""
    texts = ("The first card is ● 1.", "It is your turn.", "You played ● 4.", "bot-Ada played ● 9.",
             "bot-Otto played ● ⇄.", "The direction turned.", "bot-Ada played ● 7.", "It is your turn.")  # fmt: skip
    table = view(
        ("G9", "G+2", "B2", "B7", "BS", "W"), top=Card("R7"), color="red", direction=-1, draw_pile=86,
        players=[Player(0, "Ann", cards=6), Player(1, "bot-Ada", cards=5, score=122), Player(2, "bot-Otto", cards=6)],
    )  # fmt: skip
    log = tuple(LogLine("20:15", text, "turn" if "your turn" in text else "event") for text in texts)
    return Model(world(table, me="Ann", deadline=None, limit=None, log=log), selected=3)


def others_turn() -> Model:
    """Mia is on turn."""
    return Model(world(view(turn_seat=1), deadline=NOW + 12, limit=30.0), selected=2)


def pending() -> Model:
    """Six cards are pending, one card answers."""
    table = view(hand=("R3", "R+2", "Y7", "Y9", "GS"), top=Card("Y+2"), color="yellow", pending=6, phase="penalty")
    return Model(world(table, [Play(Card("R+2")), DRAW]), selected=1)


def drawn() -> Model:
    """A card was drawn that fits."""
    table = view(hand=("R3", "B9"), phase="drawn", drawn=Card("B9"))
    return Model(world(table, [Play(Card("B9")), PASS]), selected=1)


def two_cards() -> Model:
    """Two cards left, one fits, and Otto forgot to call."""
    table = view(hand=("R3", "Y7"), catchable=[2])
    table.players[2].una = False
    return Model(world(table), selected=1)


def challenged() -> Model:
    """Mia laid a draw four on us."""
    table = view(top=Card("W+4"), color="green", pending=4, phase="penalty")
    model = Model(world(table, [CHALLENGE, DRAW], four=Four(1, "blue")), selected=2)
    return Model(model.world, selected=2, dialog=AskChallenge(NOW - 1), answered=12)


def picking() -> Model:
    """A wild waits for its colour."""
    return Model(world(view()), selected=7, dialog=PickColor(Card("W"), 1))


def swapping() -> Model:
    """A seven waits for a partner."""
    table = view(options=OPTIONS | {"seven_zero": True})
    legal: list[Action] = [Play(Card(card), swap_with=seat) for card in ("Y7", "B7") for seat in (1, 2, 3)]
    return Model(world(table, [*legal, DRAW]), selected=2, dialog=PickSeat(Card("Y7"), (1, 2, 3), 1))


def leaving() -> Model:
    """Asked whether to leave."""
    ask = Confirm("Leave the game?", "Your hand goes under the draw pile; you cannot come back.", (Leave(0, "k3f"),))
    return Model(world(view()), selected=2, dialog=ask)


def helping() -> Model:
    """The help for a round."""
    return Model(world(view()), selected=2, dialog=Help(Where.PLAY))


def waiting(host: int = 0, ready: bool = False) -> Model:
    """Before the match."""
    table = view(stage="waiting", phase="over", turn_seat=None, hand=None, round=0, top=None, color=None, host=host)
    table.players = [
        Player(0, "Jakob", ready=ready),
        Player(1, "Mia", ready=True),
        Player(2, "bot-Otto", True, "normal"),
    ]
    table.seats, table.watchers, table.turn_s = 6, ["Lena"], 30
    log = (LogLine("12:38", "Mia sat down."), LogLine("12:39", "Mia says: stacking off today?", "chat"))
    return Model(world(table, log=log))


def score(over: bool = False) -> Model:
    """After a round: Otto went out."""
    table = view(stage="over" if over else "between", phase="over", turn_seat=None, hand=cards("R3", "R+2", "Y7"))
    hands: list[list[Card]] = [cards("R3", "R+2", "Y7"), cards("B1", "GS", "W"), [], cards("Y9", "G2", "B4", "BR")]
    table.result = RoundOver(2, tuple(map(tuple, hands)), (0, 0, 136, 0), (120, 85, 346, 40), over)
    for player, total in zip(table.players, (120, 85, 346, 40), strict=True):
        player.score, player.una = total, False
    table.winners = [2] if over else None
    rounds = ((120, 0, 210, 0), (0, 85, 0, 40), (0, 0, 136, 0))
    marks = Highlights((3, 14), (0, 4), ((1, 2),), 48, 1, 372.0)
    return Model(world(table, rounds=rounds, highlights=marks, deadline=None if over else NOW + 15, limit=15.0))


def watching() -> Model:
    """Somebody who only looks on."""
    table = view(turn_seat=1, you=None)
    table.hand = None
    return Model(world(table, deadline=NOW + 19, limit=30.0))


def lobby(count: int = 3) -> Model:
    """A list of tables."""
    rows = [
        TableRow("k3f", "Kitchen", "official", 6, 3, "waiting", host="Mia"),
        TableRow("a2b", "Stackers", "una", 4, 4, "playing", {"jump_in": True}, 3, 2, host="Ann"),
        TableRow("c4d", "Bots only", "classic", 8, 2, "waiting", watching=1, password=True, host="Ben"),
    ]
    rows += [TableRow(f"t{n}", f"Table {n}", "una", 4, n % 5, "waiting") for n in range(count - 3)]
    return Model(world(lobby=tuple(rows[:count]), log=(LogLine("12:30", "Mia says: anybody for a game?", "chat"),)))


def ladder(count: int = 5, *, at: int = 0, more: bool = False) -> Model:
    """The ladder of an arena, over its list of tables."""
    names = ("Deep Thought", "Ann's bot", "李明", "Otto", "Zoë")
    rows = tuple(
        LadderRow(n + 1, names[n % 5], 2345 - 91 * n, 3000 - 50 * n, 300, 40 - n, 20 - n // 2, 4321 - 100 * n, 0)
        for n in range(count)
    )
    model = lobby()
    return replace(model, world=replace(model.world, ladder=rows, more_ladder=more), dialog=Ladder(at))


def copied(model: Model) -> Model:
    """A model that shares nothing with the first."""
    return copy.deepcopy(model)


def many_cards(count: int = 30) -> Model:
    """A large hand, the last card selected."""
    deck = [card for card in COLOR for _copy in range(2)]
    return Model(world(view(hand=tuple(map(str, deck[:: max(1, len(deck) // count)][:count])))), selected=count - 1)


def ten_players() -> Model:
    """A full table."""
    return Model(world(view(count=10)), selected=2)


def servers(count: int = 4) -> Model:
    """The servers around here: a favourite, one that fits, one that is silent, one that is too old."""
    rows = (
        ServerRow("una.lan", silent=True, favourite=True),
        ServerRow("192.168.1.20", "Living room", 3, 1, version="una-lan/0.1"),
        ServerRow("10.0.4.7:5000", "Office 3rd floor", 11, 3, True, "una-lan/0.2", faded=True),
        ServerRow("192.168.1.44", "old-pi", version="una-lan/0.0", fits="too_old"),
        *(ServerRow(f"10.0.0.{n}", f"Server {n}", n, n) for n in range(count - 4)),
    )
    return Model(World(me="Jakob", at_servers=True, home=True, servers=rows[:count]), server=1)


def trouble() -> Model:
    """Back at the list, since the server is gone."""
    model = servers()
    return replace(model, world=replace(model.world, trouble="Nothing listens at una.lan."))


def connecting() -> Model:
    """On the way to a server."""
    return Model(World(me="Jakob", where="una.lan", at_servers=True, home=True, connecting=("una.lan", NOW - 1)))


def lost() -> Model:
    """The connection is lost while we play."""
    model = my_turn()
    retrying = Retrying(3, NOW + 4, "Closed.", NOW + 52)
    return replace(model, world=replace(model.world, turn=None, deadline=None, lost=retrying))


def voting() -> Model:
    """Jonas is accused, and our vote is asked for."""
    table = view(turn_seat=1, options=OPTIONS | {"advice_penalty": 2}, accusation=Accusation(3, 1))
    return Model(world(table, vote_deadline=NOW + 20), dialog=AskVote(3, NOW - 1), voted=(1, 3))


def stacked_challenge() -> Model:
    """A draw four that can be challenged, and answered by another."""
    model = challenged()
    legal: list[Action] = [*(Play(Card("W+4"), color) for color in COLORS), CHALLENGE, DRAW]
    table = view(top=Card("W+4"), color="green", pending=4, phase="penalty")
    return replace(model, world=world(table, legal, four=Four(1, "blue")))


def menu() -> Model:
    """What else the host can do."""
    table = view(options=OPTIONS | {"advice_penalty": 2})
    table.watchers = ["Lena"]
    model = Model(world(table), selected=2)
    return replace(model, dialog=Menu(menus.items(model)))


def history() -> Model:
    """All messages of a long game."""
    log = tuple(LogLine(f"12:{n:02}", f"Mia played ● {n % 10}.") for n in range(40))
    return Model(world(view(), log=log), selected=2, dialog=History(12))


def form(kind: str = "create") -> Model:
    """The form for a new table, or for the rules of one; all rules are known."""
    model = lobby() if kind == "create" else waiting()
    model = replace(model, world=replace(model.world, catalogue=CATALOGUE))
    if kind == "options":
        return press(model, "e", NOW)[0]
    return press(replace(press(model, "n", NOW)[0], typed="Jakob's table"), "enter", NOW)[0]


def fresh() -> Model:
    """A card was just laid, two were just drawn, and one is on its way."""
    model = my_turn()
    news = Fresh(NOW - 0.5, (Card("Y9"), Card("GS")), NOW - 0.5)
    before = (Card("R7"), Card("R4"), Card("R+2"))
    return replace(model, world=replace(model.world, fresh=news, before=before, sent=Play(Card("Y7")), sent_at=NOW - 1))


def alarm() -> Model:
    """Otto has just forgotten una."""
    table = view(turn_seat=1, catchable=[2])
    table.players[2].una = False
    return Model(world(table, grace=(NOW + 0.5, 0.75)), selected=2)


def scrolled() -> Model:
    """The log is scrolled back, and something new was said."""
    return replace(my_turn(), scroll=3, seen=2)


def many_waiting() -> Model:
    """Ten sit at the table before the match."""
    model = waiting()
    assert model.view is not None
    model.view.players = [Player(seat, NAMES[seat], ready=seat % 2 == 0) for seat in range(10)]
    model.view.seats = 10
    return model


def many_scores() -> Model:
    """A round of ten is over; some hold very many cards."""
    table = view(count=10, stage="between", phase="over", turn_seat=None)
    hands = tuple(tuple(cards(*HAND[: seat % 9])) * (1 + seat) for seat in range(10))
    table.result = RoundOver(9, (*hands[:9], ()), (*(0 for _seat in range(9)), 1234), tuple(range(0, 1000, 100)), False)
    for player in table.players:
        player.score = player.seat * 100
    rounds = tuple(tuple(seat * 11 + n for seat in range(10)) for n in range(20))
    return Model(world(table, rounds=rounds, deadline=NOW + 15, limit=15.0))


def many_watched() -> Model:
    """A full table, watched."""
    table = view(count=10, turn_seat=4, you=None, seats=10, hand=None)
    return Model(world(table, deadline=NOW + 19, limit=30.0))


def many_challenged() -> Model:
    """A draw four at a full table, with a hand of thirty."""
    model = many_cards(30)
    assert model.view is not None
    table = view(tuple(map(str, model.cards)), 10, top=Card("W+4"), color="green", pending=4, phase="penalty")
    asked = AskChallenge(NOW - 1)
    return Model(world(table, [CHALLENGE, DRAW], four=Four(5, "blue")), selected=20, dialog=asked, answered=12)
