"""Sentences: there is one for everything that can happen, for every refusal, and none lets a foreign text do harm."""

from __future__ import annotations

import string
from typing import Any, get_args

import pytest

from tests.client.kit import cards
from una_client import words
from una_client.mirror import LogEntry, Note, Who
from una_client.sentences import entry_text, event_text, said_text, score_text
from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.actions import Action, Catch, Challenge, Draw, Pass, Play, Una, Wish
from una_protocol.cards import COLOR, Card
from una_protocol.errors import BYES, ERRORS

NASTY = "\x1b]0;x\x07\x1b[2J\u202eevil\u0000\x9b31m{0}\n"
EVENTS: list[tuple[Any, str]] = [
    (ev.Joined("Bo", 1), "Bo sat down."),
    (ev.Joined("Ann", 0), "You sat down."),
    (ev.Joined("bot-Ada", 2, bot=True, level="normal"), "The house bot bot-Ada (normal) sat down."),
    (ev.Joined("Deep", 2, bot=True), "The bot Deep sat down."),
    (ev.Joined("Eve"), "Eve watches."),
    (ev.Left("Bo", 1), "Bo left the table."),
    (ev.Left("Ann", 0, "kicked"), "You were removed from the table."),
    (ev.Left("Bo", 1, "gone"), "Bo was away for too long."),
    (ev.Left("Eve"), "Eve watches no longer."),
    (ev.Lost(1), "Bo lost the connection."),
    (ev.Back(0), "You play your seat again."),
    (ev.Away(1), "A house bot plays for Bo now."),
    (ev.Host(0), "You are the host now."),
    (ev.Host(None), "The table has no host."),
    (ev.OptionsSet("una", {"jump_in": True}, 4, 0, 0, "bot", 15, True, False),
     "The rules of the table are now: una, jump_in True."),
    (ev.Ready(1), "Bo is ready."),
    (ev.Paused(1, want=True, on=True), "Bo asks for a pause. The table is paused."),
    (ev.Paused(1, want=False, on=True), "Bo wants to go on."),
    (ev.Accused(1, 0, ms=20_000), "You accuse Bo of advising. Vote: yes or no."),
    (ev.Accused(0, 1), "Bo accuses you of advising. Vote: yes or no."),
    (ev.Accused(1, 2, open=False, guilty=True), "Bo was found guilty of advising."),
    (ev.Voted(1), "Bo voted."),
    (ev.Dealer(1, ((0, Card("R3")), (1, Card("G9")))),
     "A new match begins. Bo deals. Drawn for the deal: Ann: red 3, Bo: green 9."),
    (ev.Dealt(2, 0, (7, 7, 7), 86, tuple(cards("W B2 R7"))), "Round 2. You dealt. Your hand: red 7, blue 2, wild."),
    (ev.Top(Card("W+4"), 86, back=True), "The first card was wild draw four; it goes back into the pile."),
    (ev.Top(Card("R7"), 86, "red"), "The first card is red 7."),
    (ev.Turn(1, 3, "turn"), "It is Bo's turn."),
    (ev.Played(1, Card("R7"), "red"), "Bo played red 7."),
    (ev.Played(0, Card("W"), "green"), "You played wild and chose green."),
    (ev.Played(1, Card("RS"), "red", una=True), "Bo played red skip. Bo said una."),
    (ev.Played(1, Card("RS"), "red", jump=True), "Bo jumped in with red skip."),
    (ev.Played(1, Card("R7"), "red", swap_with=0, counts=(3, 4, 5), hand=tuple(cards("Y1 G3"))),
     "Bo played red 7. Bo swapped hands with you. Your hand: green 3, yellow 1."),
    (ev.Played(1, Card("R0"), "red", counts=(3, 4, 5)), "Bo played red 0. All hands were passed on."),
    (ev.Drew(1, 1, "turn", 60), "Bo drew 1 card."),
    (ev.Drew(1, 4, "pending", 60), "Bo took 4 cards."),
    (ev.Drew(0, 2, "una", 60, tuple(cards("R1 R2"))), "You drew 2 cards for the forgotten una: red 1, red 2."),
    (ev.Drew(1, 0, "pending", 0), "There was no card for Bo to draw."),
    (ev.Passed(0), "You passed."),
    (ev.Skipped(1), "Bo is skipped."),
    (ev.Reversed(-1), "The direction turned."),
    (ev.Wished(1, "blue"), "Bo wished blue."),
    (ev.UnaCalled(1), "Bo said una."),
    (ev.Caught(0, 1), "Bo caught you: you forgot to say una."),
    (ev.Challenged(0, 1, guilty=True), "You challenged the draw four of Bo. It was not allowed."),
    (ev.Shown(1, 0, tuple(cards("B7"))), "The hand of Bo: blue 7."),
    (ev.Shown(0, 1), "Bo saw your hand."),
    (ev.Reshuffled(1), "The discards were shuffled: 1 card to draw from."),
    (ev.Timeout(0), "Your time is up."),
    (ev.RoundOver(1, ((), (), ()), (0, 62, 0), (0, 62, 0), False), "Bo won the round: 62 points."),
    (ev.RoundOver(None, ((), (), ()), (0, 0, 0), (0, 0, 0), True),
     "The round is over: nobody can play or draw any more."),
    (ev.MatchOver((0,), (9, 0, 0)), "You won the match."),
    (ev.MatchOver((), (0, 0, 0)), "The match is over without a winner."),
    (ev.MatchOver((0, 1), (0, 0, 0)), "The match is over. Winners: Ann, Bo."),
    (ev.UnknownEvent("sang"), "Something happened that this version of una does not know."),
]  # fmt: skip
WHO = Who({0: "Ann", 1: "Bo", 2: "Cy"}, you=0)


@pytest.mark.parametrize(("event", "text"), EVENTS)
def test_what_happened_is_told(event: Any, text: str) -> None:
    assert event_text(event, WHO) == text


def test_every_kind_of_event_has_a_sentence() -> None:
    assert {type(event) for event, _ in EVENTS} >= set(get_args(ev.Event))


@pytest.mark.parametrize("why", get_args(ev.DrawReason))
@pytest.mark.parametrize("seat", [0, 1])
def test_every_reason_to_draw_has_a_sentence(why: Any, seat: int) -> None:
    assert "2 cards" in event_text(ev.Drew(seat, 2, why, 9), WHO)


@pytest.mark.parametrize("code", [*ERRORS, "from_the_future"])
def test_every_error_has_a_sentence(code: str) -> None:
    text = words.error_text(m.Err(code, "because {x}", "no"))
    assert text[0].isupper()
    assert "{msg}" not in text


@pytest.mark.parametrize("code", [*BYES, *ERRORS, "from_the_future"])
def test_every_farewell_has_a_sentence(code: str) -> None:
    assert words.bye_text(m.Bye(code, "because", reconnect=False)).strip()


def test_all_54_cards_have_names_of_their_own() -> None:
    names = {words.card_name(card) for card in COLOR}
    assert len(names) == 54
    assert {"red 7", "blue draw two", "wild draw four", "yellow reverse"} <= names


def test_phases_stages_statuses_and_colours() -> None:
    assert all(words.phase_name(phase) != phase for phase in get_args(ev.RoundPhase))
    assert all(words.stage_name(stage) != stage for stage in get_args(m.TablePhase))
    assert [words.status_name(status) for status in ("here", "lost")] == ["here", "connection lost"]
    assert words.color_name(None) == "any colour"
    assert words.seat_name({}, 4) == "seat 5"
    assert words.seat_name({}, None) == "nobody"


def test_choices_have_names() -> None:
    actions: list[Action] = [
        Play(Card("R7")), Play(Card("W"), "red"), Play(Card("R7"), swap_with=1), Draw(), Pass(), Wish("blue"),
        Challenge(), Una(), Catch(1),
    ]  # fmt: skip
    texts = [words.action_name(action, WHO.names) for action in actions]
    assert texts[:3] == ["play red 7", "play wild and choose red", "play red 7 and swap with Bo"]
    assert len(set(texts)) == len(actions)


@pytest.mark.parametrize("event", [event for event, _ in EVENTS])
def test_hostile_names_come_out_clean(event: Any) -> None:
    who = Who(dict.fromkeys(range(10), NASTY), you=7)
    if "name" in event.__struct_fields__:
        event = type(event)(**{f: getattr(event, f) for f in event.__struct_fields__} | {"name": NASTY})
    assert_harmless(event_text(event, who))


def test_hostile_texts_come_out_clean() -> None:
    assert_harmless(said_text(m.Said(NASTY, NASTY, watcher=True)))
    assert_harmless(entry_text(LogEntry(m.Said(NASTY, NASTY))))
    assert_harmless(words.error_text(m.Err("bad_option", NASTY, "no")))
    assert_harmless(words.error_text(m.Err("new", NASTY, "no")))
    assert_harmless(entry_text(LogEntry(m.Bye("new", NASTY, reconnect=False))))
    assert_harmless(words.card_name(Card(NASTY)))
    assert_harmless(event_text(ev.OptionsSet(NASTY, {NASTY: NASTY}, 4, 0, 0, "bot", 15, True, False), WHO))
    assert entry_text(LogEntry(Note("Back."))) == "Back."


def assert_harmless(text: str) -> None:
    allowed = set(string.printable) - set("\r\n\t\x0b\x0c") | {"…"}
    assert set(text) <= allowed


def test_scores() -> None:
    assert score_text((120, 85, 0), WHO) == "Scores: you 120, Bo 85, Cy 0."
