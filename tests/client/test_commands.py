"""The text commands: what is typed, against what may be done now, gives a request or the reason why not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client.kit import a_turn, a_view, cards
from una_client import i18n
from una_client.commands import (
    COMMANDS,
    Intent,
    Mute,
    Quit,
    Refusal,
    Send,
    Show,
    Situation,
    hand_order,
    help_lines,
    parse,
)
from una_client.playing import find_card, find_color
from una_client.reasons import why_not
from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Play, Wish
from una_protocol.cards import COLOR, COLORS, Card
from una_protocol.view import Accusation, Player

WILDS = [Play(Card("W"), color) for color in COLORS]
OPEN = a_turn(Play(Card("B9")), Play(Card("Y7")), *WILDS, DRAW)


def situation(turn: m.TurnNow | None = OPEN, **fields: Any) -> Situation:
    """Ann's hand reads: 1 red 3, 2 green 2, 3 blue 9, 4 yellow 7, 5 wild."""
    view = a_view(**fields)
    return Situation(view, turn, hand_order(view))


def act(do: Action, turn: int | None = 41) -> Send:
    return Send(m.Act(0, "k3f", do, turn=turn))


@pytest.mark.parametrize(
    ("line", "do"),
    [
        ("3", Play(Card("B9"))),
        ("play 3", Play(Card("B9"))),
        ("/play 3", Play(Card("B9"))),
        ("p b9", Play(Card("B9"))),
        ("blue 9", Play(Card("B9"))),
        ("PLAY Blue 9", Play(Card("B9"))),
        ("bl 9", None),
        ("5 green", Play(Card("W"), "green")),
        ("wild gr", Play(Card("W"), "green")),
        ("w green", Play(Card("W"), "green")),
        ("play wild green", Play(Card("W"), "green")),
        ("draw", DRAW),
        ("take", DRAW),
    ],
)
def test_a_move_that_may_be_made_is_sent_for_the_turn_that_was_seen(line: str, do: Action | None) -> None:
    intent = parse(line, situation())
    assert intent == act(do) if do is not None else isinstance(intent, Refusal)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("2", "The green 2 does not match the blue 7."),
        ("red 3", "The red 3 does not match the blue 7."),
        ("yellow 1", "You do not hold yellow 1."),
        ("9", "There is no such number: your cards go from 1 to 5."),
        ("5", "Name the colour with it, like: wild green."),
        ("3 red", "A coloured card takes no wish."),
        ("3 una", "Una goes with a card only when you lay your second-to-last one."),
        ("3 quickly", "quickly is not understood here: a colour, with NAME, or una may follow the card."),
        ("play", "Name a card: its number, or like red 7."),
        ("green", "Name a card: its number, or like red 7."),
        ("green 99", "Name a card: its number, or like red 7."),
        ("pass", "You can pass only after drawing, or when there is nothing to draw."),
        ("wish green", "There is no colour to wish now; a wild card is laid with its colour."),
        ("challenge", "There is nothing to challenge."),
        ("accept", "There is nothing to accept."),
        ("catch", "There is nobody to catch."),
        ("catch Bo", "Bo cannot be caught."),
        ("catch Zoe", "Nobody of this name plays here: Ann, Bo, Cy."),
        ("una", "Una is called with two cards before laying one, or with one card left."),
        ("rematch", "The match is not over yet."),
        ("accuse Bo", "This table has no rule against advising."),
        ("vote yes", "There is nothing to vote on."),
        ("auto maybe", "Say on or off."),
        ("say", "Say what?"),
        ("join 1", "You are at a table; leave it first."),
        ("dance", "There is no command dance. Type help for the list."),
    ],
)
def test_a_move_that_may_not_be_made_is_answered_with_the_reason(line: str, reason: str) -> None:
    assert parse(line, situation()) == Refusal(reason)


@pytest.mark.parametrize("line", ["3", "draw", "pass", "challenge", "wish red", "play wild red"])
def test_on_another_turn_nothing_is_sent(line: str) -> None:
    assert parse(line, situation(None, turn_seat=1)) == Refusal("Not your turn: it is Bo's.")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"you": None, "hand": None}, "You are only watching."),
        ({"stage": "between"}, "No round is running."),
        ({"paused": True}, "The table is paused."),
    ],
)
def test_where_nobody_can_draw(fields: dict[str, Any], reason: str) -> None:
    assert parse("draw", situation(**fields)) == Refusal(reason)


def test_after_drawing_play_means_the_drawn_card() -> None:
    turn = a_turn(Play(Card("B9")), PASS, phase="drawn")
    drawn = situation(turn, drawn=Card("B9"), phase="drawn")
    assert parse("play", drawn) == act(Play(Card("B9")))
    assert parse("keep", drawn) == act(PASS)
    assert parse("4", drawn) == Refusal("You have drawn: only the drawn card may be laid now.")
    assert parse("draw", drawn) == Refusal("You have drawn already: play the drawn card, or pass.")
    wild = situation(a_turn(*WILDS, PASS, phase="drawn"), drawn=Card("W"), phase="drawn")
    assert parse("play blue", wild) == act(Play(Card("W"), "blue"))


def test_pending_cards() -> None:
    pending = situation(a_turn(DRAW, phase="penalty"), phase="penalty", pending=2)
    assert parse("take", pending) == act(DRAW)
    assert parse("blue 9", pending) == Refusal("2 cards are pending: blue 9 does not answer them.")
    doubted = situation(a_turn(CHALLENGE, DRAW, phase="penalty"), phase="penalty", pending=4)
    assert parse("challenge", doubted) == act(CHALLENGE)
    assert parse("accept", doubted) == act(DRAW)


def test_a_wish_for_a_wild_turned_up_first() -> None:
    wish = situation(a_turn(*(Wish(color) for color in COLORS), phase="wish"), phase="wish")
    assert parse("wish red", wish) == act(Wish("red"))
    assert parse("red", wish) == act(Wish("red"))
    assert parse("3", wish) == Refusal("Wish a colour first: wish red, green, blue or yellow.")


def test_a_wish_to_be_served_first() -> None:
    served = situation(top=Card("W"), color="green", wish_served=False, options={"serve_wish": True})
    assert parse("1", served) == Refusal("The wish must be served first: only green fits.")
    later = situation(top=Card("W"), color="green")
    assert parse("1", later) == Refusal("The red 3 does not match the wished colour, green.")


def test_una_goes_with_the_second_to_last_card() -> None:
    view = {"hand": cards("B9 R3"), "drawn": None}
    turn = a_turn(Play(Card("B9")), DRAW, can_una=True)
    assert parse("blue 9 una", situation(turn, **view)) == act(Play(Card("B9"), una=True))
    assert parse("una", situation(turn, **view)) == act(UNA, None)
    assert parse("una", situation(None, turn_seat=1, hand=cards("R3"))) == act(UNA, None)


def test_a_seven_names_whom_to_swap_with() -> None:
    sevens = situation(a_turn(Play(Card("Y7"), swap_with=1), Play(Card("Y7"), swap_with=2), DRAW))
    assert parse("yellow 7 with bo", sevens) == act(Play(Card("Y7"), swap_with=1))
    assert parse("4", sevens) == Refusal("Name the player to swap hands with, like: yellow 7 with NAME.")
    assert parse("4 with Ann", sevens) == Refusal("You cannot swap hands with this player.")


def test_an_illegal_card_is_asked_about_where_it_costs() -> None:
    dear = situation(options={"illegal_card_penalty": 2})
    refusal = parse("red 3", dear)
    assert isinstance(refusal, Refusal)
    assert refusal.reason.endswith("With the word anyway it is laid all the same, and you draw 2 cards.")
    assert parse("red 3 anyway", dear) == act(Play(Card("R3")))
    assert isinstance(parse("yellow 1 anyway", dear), Refusal)


def test_a_jump_in_carries_the_public_turn_number() -> None:
    view = a_view(turn_seat=1, turn=50, hand=cards("B7 R3"), options={"jump_in": True})
    jump = Situation(view, None, hand_order(view))
    assert parse("blue 7", jump) == act(Play(Card("B7")), 50)
    assert parse("red 3", jump) == Refusal("Not your turn: it is Bo's.")


def test_catching() -> None:
    one = situation(None, turn_seat=2, catchable=[1])
    assert parse("catch", one) == act(Catch(1), None)
    assert parse("catch b", one) == act(Catch(1), None)
    assert parse("catch #2", one) == act(Catch(1), None)
    two = situation(None, turn_seat=0, catchable=[1, 2])
    assert parse("catch", two) == Refusal("Catch whom? Bo, Cy")


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("hand", Show("hand")),
        ("table", Show("table")),
        ("", Show("table")),
        ("score", Show("score")),
        ("help", Show("help")),
        ("?", Show("help")),
        ("quit", Quit()),
        ("say hi  all", Send(m.Say(0, "hi all", table="k3f"))),
        ("ready", Send(m.SetReady(0, "k3f"))),
        ("start", Send(m.Start(0, "k3f"))),
        ("bot", Send(m.BotSeat(0, "k3f", add="normal"))),
        ("bot easy", Send(m.BotSeat(0, "k3f", add="easy"))),
        ("bot remove Cy", Send(m.BotSeat(0, "k3f", remove=2))),
        ("auto on", Send(m.Auto(0, "k3f", on=True))),
        ("auto off", Send(m.Auto(0, "k3f", on=False))),
        ("pause", Send(m.Pause(0, "k3f", on=True))),
        ("pause off", Send(m.Pause(0, "k3f", on=False))),
        ("kick Bo", Send(m.Kick(0, "k3f", 1))),
        ("leave", Send(m.Leave(0, "k3f"))),
        ("sit", Send(m.Join(0, "k3f"))),
    ],
)
def test_the_other_commands(line: str, intent: Intent) -> None:
    assert parse(line, situation()) == intent


def test_a_house_bot_may_be_called_without_its_prefix() -> None:
    players = [Player(0, "Ann", cards=5), Player(1, "bot-Ada", bot=True, level="hard"), Player(2, "bot-Al", bot=True)]
    at_home = situation(players=players)
    assert parse("kick ada", at_home) == parse("kick bot-ada", at_home) == Send(m.Kick(0, "k3f", 1))
    assert parse("kick an", at_home) == Send(m.Kick(0, "k3f", 0))
    assert parse("kick a", at_home) == Send(m.Kick(0, "k3f", 0)), "people come first"
    assert parse("kick bot", at_home) == Refusal("More than one player is meant: Ann, bot-Ada, bot-Al.")


def test_accusing_and_voting() -> None:
    strict = situation(options={"advice_penalty": 2}, accusation=Accusation(2, 1))
    assert parse("accuse bo", strict) == Send(m.Accuse(0, "k3f", 1))
    assert parse("vote yes", strict) == Send(m.Vote(0, "k3f", 2, guilty=True))
    assert parse("vote no", strict) == Send(m.Vote(0, "k3f", 2, guilty=False))
    assert parse("vote", strict) == Refusal("Vote yes (guilty) or no.")


@pytest.mark.parametrize("line", ["start", "bot", "kick Bo"])
def test_some_things_only_the_host_may_do(line: str) -> None:
    refusal = parse(line, situation(host=1))
    assert isinstance(refusal, Refusal)
    assert refusal.reason.startswith("Only the host")


def test_in_the_lobby() -> None:
    rows = [m.TableRow("k3f", "Kitchen", "una", 4, 3, "waiting"), m.TableRow("x1", "Attic", "una", 4, 3, "waiting")]
    lobby = Situation(rows=rows)
    assert parse("join 2", lobby) == Send(m.Join(0, "x1"))
    assert parse("1", lobby) == Send(m.Join(0, "k3f"))
    assert parse("watch kitchen", lobby) == Send(m.Watch(0, "k3f"))
    assert parse("new My table", lobby) == Send(m.Create(0, "My table"))
    assert parse("", lobby) == Show("tables")
    assert parse("say hi", lobby) == Send(m.Say(0, "hi"))
    assert parse("join 3", lobby) == Refusal("There is no such table. Type tables for the list.")
    assert parse("draw", lobby) == Refusal("You are not at a table.")
    assert isinstance(parse("red 7", lobby), Refusal)


@pytest.mark.parametrize(
    "line", ["with", "7 with", "\x1b[2J", "-1", "99999999999999999999", "²", "play " * 50, "🂡", "#"]
)
def test_nonsense_is_refused_and_never_breaks(line: str) -> None:
    assert isinstance(parse(line, situation()), Refusal)
    assert isinstance(parse(line, Situation()), Refusal)


def test_every_card_can_be_named_in_notation_and_in_words() -> None:
    for card in COLOR:
        assert find_card([card.lower()]) == (card, 1)
    assert find_card(["wild", "draw", "four", "red"]) == (Card("W+4"), 3)
    assert find_card(["yellow", "draw", "two"]) == (Card("Y+2"), 3)
    assert find_card(["red", "+2"]) == (Card("R+2"), 2)
    assert [find_color(word) for word in ("red", "GR", "b", "", "purple")] == ["red", "green", None, None, None]


def test_the_hand_is_ordered_by_colour_with_wilds_last() -> None:
    assert hand_order(a_view(hand=cards("W Y7 R3 W+4 R+2 R0"))) == cards("R0 R3 R+2 Y7 W W+4")


def test_help_lists_each_command_of_the_place_once() -> None:
    table, lobby = help_lines(situation()), help_lines(Situation())
    assert "draw: draw a card, or take the pending ones." in table
    assert len(table) + len(lobby) == len(COMMANDS) + sum(command.where == "any" for command in COMMANDS)
    names = [name for command in COMMANDS for name in command.names.split()]
    assert len(names) == len(set(names))


def test_reasons_are_shared() -> None:
    assert why_not(a_view(), OPEN, Card("B9")) is None
    assert why_not(a_view(), OPEN, Card("W+4")) == "You do not hold wild draw four."
    held = a_view(hand=cards("W+4 B1"))
    assert why_not(held, OPEN, Card("W+4")) == "The wild draw four is not allowed while you hold a card that fits."


def test_a_table_with_a_password() -> None:
    lobby = Situation(rows=[m.TableRow("k3f", "Kitchen", "una", 4, 1, "waiting", password=True)])
    assert parse("join 1", lobby) == Send(m.Join(0, "k3f"))
    assert parse("join 1 password se:cret", lobby) == Send(m.Join(0, "k3f", password="se:cret"))
    assert parse("watch Kitchen password x", lobby) == Send(m.Watch(0, "k3f", password="x"))


def test_muting() -> None:
    assert parse("mute bo", situation()) == Mute("Bo", True)
    assert parse("unmute Zed Zee", situation()) == Mute("Zed Zee", False)
    assert isinstance(parse("mute", Situation()), Refusal)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("draw", "ziehen"), ("pass", "passen"), ("play 3", "legen 3"), ("5 green", "5 grün"),
        ("wild green", "farbwahl grün"),
        ("blue 9", "blau 9"), ("blue 9", "Blau 9"), ("help", "hilfe"), ("quit", "ende"), ("table", "tisch"),
        ("say hi", "sag hi"), ("auto off", "auto aus"), ("pause", "pause an"), ("mute Bo", "stumm Bo"),
        ("kick Bo", "entfernen Bo"),
        ("bot remove Cy", "bot weg Cy"), ("leave", "verlassen"), ("draw", "draw"), ("green 2", "grün 2"),
    ],
)  # fmt: skip
def test_commands_in_german_mean_the_same(english: str, german: str) -> None:
    wanted = parse(english, situation())
    i18n.use("de")
    try:
        found = parse(german, situation())
        assert type(found) is type(wanted)
        assert isinstance(found, Refusal) or found == wanted
        names = [name for command in COMMANDS for name in i18n._(command.names).split()]
        assert len(set(names)) == len(names)
    finally:
        i18n.use("en")
