"""The key table: every entry does something or says why not; hints are keys that work; the rules of dialogs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.client.tui import scenes
from tests.client.tui import test_screens as screens
from tests.client.tui.scenes import NOW
from una_client import i18n
from una_client.tui.actions import ACTIONS
from una_client.tui.acts_play import color_letters
from una_client.tui.expects import sentence
from una_client.tui.keymap import KEYMAP, Key
from una_client.tui.keys import find, help_entries, hints, keymap_with, keys_markdown, use, working
from una_client.tui.layout import plain, text_width
from una_client.tui.model import (
    AskChallenge,
    AskWhich,
    Back,
    Confirm,
    Four,
    Help,
    Input,
    Intent,
    Model,
    PickColor,
    PickSeat,
    Quit,
    Redraw,
    RetryNow,
    Say,
    Where,
)
from una_client.tui.theme import Caps
from una_client.tui.update import press, see, tell
from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Play, Wish
from una_protocol.cards import Card


def which() -> Model:
    """Challenge, or catch?"""
    table = scenes.view(top=Card("W+4"), color="green", pending=4, phase="penalty", catchable=[2])
    return Model(scenes.world(table, [CHALLENGE, DRAW], four=Four(1, "blue")), dialog=AskWhich(2))


def form() -> Model:
    """A form for a new table."""
    model = replace(scenes.lobby(), input=Input("name"), typed="Den")
    return press(model, "enter", NOW)[0]


SCENES: dict[Where, Callable[[], Model]] = {
    Where.LOBBY: scenes.lobby,
    Where.WAITING: scenes.waiting,
    Where.PLAY: scenes.my_turn,
    Where.SCORE: scenes.score,
    Where.WATCH: scenes.watching,
    Where.COLOR: scenes.picking,
    Where.SEAT: scenes.swapping,
    Where.CHALLENGE: scenes.challenged,
    Where.WHICH: which,
    Where.CONFIRM: scenes.leaving,
    Where.FORM: form,
    Where.HELP: scenes.helping,
    Where.INPUT: lambda: replace(scenes.my_turn(), input=Input("chat"), draft="hi"),
    Where.LOST: scenes.lost,
    Where.SERVERS: scenes.servers,
    Where.CONNECTING: scenes.connecting,
    Where.VOTE: scenes.voting,
    Where.MENU: scenes.menu,
    Where.HISTORY: scenes.history,
    Where.LADDER: lambda: scenes.ladder(at=2),
    Where.ALWAYS: scenes.my_turn,
}


UNMARKED = (
    "seat-key", "color-key", "help-up", "menu-number", "history-last", "form-page-up", "server-up", "row-up",
    "ladder-up",
)  # fmt: skip
"""These may do nothing without a word: a number that nobody has, the end of a list."""


def acts(intents: tuple[Intent, ...]) -> list[tuple[Action, int | None]]:
    """The actions sent, with their turn numbers."""
    return [(intent.do, intent.turn) for intent in intents if isinstance(intent, m.Act)]


# -- the table --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", KEYMAP, ids=lambda entry: f"{entry.action}-{entry.keys[0]}")
def test_every_entry_does_something_or_says_why_not(entry: Key) -> None:
    assert entry.action in ACTIONS
    for place in entry.where:
        model = SCENES[place]()
        for key in entry.keys:
            if key == "?" and model.input is not None:
                continue
            assert find(model, key) is not None
            after, intents = press(model, key, NOW)
            at_the_edge = "select" in entry.action or "row" in entry.action or "scroll" in entry.action
            unmarked = entry.action in (
                "seat-key",
                "color-key",
                "help-up",
                "menu-number",
                "history-last",
                "form-page-up",
            )
            unmarked |= entry.action == "server-up"
            assert after != model or intents or after.note or at_the_edge or unmarked


def test_every_action_is_in_the_table() -> None:
    assert {entry.action for entry in KEYMAP} == set(ACTIONS)


def test_no_key_means_two_things_in_one_place() -> None:
    for place in Where:
        keys = [key for entry in KEYMAP if place in entry.where for key in entry.keys]
        twice = {key for key in keys if keys.count(key) > 1}
        assert twice <= {"s"}, place  # the host starts, a watcher sits down


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_hints_are_keys_that_work_and_the_help_is_never_cut(width: int) -> None:
    for place, make in SCENES.items():
        model = make()
        line = hints(model, width, Caps())
        assert text_width("".join(plain([line]))) <= width
        shown = [text for style, text in line if style == "class:hint.key"]
        assert set(shown) <= {entry.names() for entry in working(model)}, place
        if model.input is None:
            assert shown[-1] == "?"


def test_what_the_table_says_does_not_work_does_nothing() -> None:
    for make in SCENES.values():
        model = make()
        for entry in KEYMAP:
            reason = entry.why_not(model)
            if reason is None or find(model, entry.keys[0]) is not entry:
                continue
            after, intents = press(model, entry.keys[0], NOW)
            assert intents == ()
            assert after == tell(model, reason, NOW)
            assert reason.endswith((".", ":")), reason


@pytest.mark.parametrize("name", screens.SCENES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_each_key_that_a_screen_shows_has_an_effect(name: str, width: int) -> None:
    model = screens.SCENES[name]()
    shown = {text for style, text in hints(model, width, Caps()) if style == "class:hint.key"}
    assert shown
    for entry in working(model):
        if not entry.hint(model) or entry.names() not in shown:
            continue
        for key in entry.keys:
            if find(model, key) is not entry:
                continue  # another entry has it here, and is tested for itself
            after, intents = press(model, key, NOW)
            assert after != model or intents or after.note or entry.action in UNMARKED, (name, entry.action, key)


def test_keys_of_ones_own() -> None:
    made, problems = keymap_with({"draw": "z", "play": ["Enter", "f2"], "history": "ctrl-y", "chat": ["t", "Space"]})
    assert problems == ["chat: the key   is ready already."]
    by_action = {entry.action: entry.keys for entry in made}
    assert (by_action["draw"], by_action["play"]) == (("z",), ("enter", "f2"))
    assert by_action["history"] == ("c-y",)
    assert by_action["chat"] == ("t", "/")


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"fly": "z"}, "no action fly"),
        ({"draw": "hyper-x"}, "no key hyper-x"),
        ({"draw": "ctrl-c"}, "no key ctrl-c"),
        ({"draw": []}, "at least one key"),
        ({"draw": "n"}, "the key n is keep already"),
        ({"draw": "?"}, "the key ? is help already"),
        ({"help": "d"}, "the key d is draw already"),
        ({"select-number": "z"}, "numbers or letters"),
        ({"send": "x"}, ""),
    ],
)
def test_keys_that_cannot_be(overrides: dict[str, str | list[str]], words: str) -> None:
    made, problems = keymap_with(overrides)
    assert made == KEYMAP
    assert [words in problem for problem in problems] == ([True] if words else [])


def test_the_users_keys_are_in_force_everywhere() -> None:
    try:
        assert use({"draw": "z", "help": "f3"}) == []
        assert acts(press(scenes.my_turn(), "z", NOW)[1]) == [(DRAW, 12)]
        assert press(scenes.my_turn(), "d", NOW) == (scenes.my_turn(), ())
        assert "z draw" in "".join(plain([hints(scenes.my_turn(), 120, Caps())]))
        assert ("z", "draw, or take +2 +4") in help_entries(Where.PLAY)
    finally:
        use({})


def test_help_and_readme_come_from_the_table() -> None:
    text = keys_markdown()
    for place in (Where.PLAY, Where.COLOR, Where.LOBBY):
        for keys, what in help_entries(place):
            assert what in text
            assert all(f"`{key}`" in text for key in keys.split() if key != "…")
    assert press(scenes.my_turn(), "?", NOW)[0].dialog == Help(Where.PLAY)
    assert press(scenes.helping(), "?", NOW)[0].dialog is None


@pytest.mark.parametrize(
    ("scene", "place"),
    [
        (scenes.picking, Where.COLOR), (scenes.swapping, Where.SEAT), (scenes.challenged, Where.CHALLENGE),
        (scenes.voting, Where.VOTE), (scenes.leaving, Where.CONFIRM), (scenes.form, Where.FORM),
        (lambda: scenes.form("options"), Where.FORM), (scenes.menu, Where.MENU), (scenes.history, Where.HISTORY),
        (scenes.ladder, Where.LADDER),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["?", "escape", "c-c"])
def test_help_tells_the_keys_of_a_dialog_which_is_there_again_after_it(
    scene: Callable[[], Model], place: Where, key: str
) -> None:
    before = scene()
    helped = press(before, "?", NOW + 1)[0]
    assert helped.dialog == Help(place, under=before.dialog)
    assert press(helped, key, NOW + 1)[0].dialog == before.dialog


def test_what_is_not_asked_any_more_is_not_under_the_help() -> None:
    helped = press(scenes.picking(), "?", NOW)[0]
    assert see(helped, scenes.others_turn().world, NOW).dialog == Help(Where.COLOR)
    assert see(press(scenes.ladder(), "?", NOW)[0], scenes.my_turn().world, NOW).dialog == Help(Where.LADDER)


# -- the hand ---------------------------------------------------------------------------------------------------


def test_moving_along_the_hand() -> None:
    model = scenes.my_turn()
    for key, place in (("left", 1), ("l", 2), ("end", 8), ("right", 8), ("home", 0), ("h", 0), ("7", 6), ("9", 8)):
        model, intents = press(model, key, NOW)
        assert (model.selected, intents) == (place, ())
    model, intents = press(model, "0", NOW)
    assert (model.selected, intents) == (8, ())
    assert "9 cards" in model.note


def test_tab_goes_to_cards_that_fit() -> None:
    model = replace(scenes.my_turn(), selected=0)
    seen = []
    for _time in range(4):
        model = press(model, "tab", NOW)[0]
        seen.append(model.card)
    assert seen == ["Y7", "B7", "W", "W+4"]
    assert press(model, "s-tab", NOW)[0].card == "W"


def test_sorting_keeps_the_card() -> None:
    model = press(scenes.my_turn(), "s", NOW)[0]
    assert model.sort == "rank"
    assert model.card == "Y7"
    assert model.cards[0] == "G2"


def test_digits_never_play() -> None:
    for key in "1234567890":
        assert press(scenes.my_turn(), key, NOW)[1] == ()


# -- the turn ---------------------------------------------------------------------------------------------------


def test_play_sends_the_card_with_the_turn_that_was_shown() -> None:
    model, intents = press(scenes.my_turn(), "enter", NOW)
    assert acts(intents) == [(Play(Card("Y7")), 12)]
    assert model.world.sent == Play(Card("Y7"))
    again, intents = press(model, "enter", NOW)
    assert intents == ()
    assert "waiting for the server" in again.note


def test_a_card_that_does_not_fit_says_why() -> None:
    model, intents = press(replace(scenes.my_turn(), selected=4), "p", NOW)
    assert intents == ()
    assert model.note == "▲ 2 does not match ■ 7."


def test_not_your_turn() -> None:
    for key in ("p", "d"):
        model, intents = press(scenes.others_turn(), key, NOW)
        assert intents == ()
        assert "Not your turn" in model.note


def test_a_wrong_card_under_a_penalty_is_asked_about() -> None:
    table = scenes.view(options=scenes.OPTIONS | {"illegal_card_penalty": 2})
    model, intents = press(Model(scenes.world(table), selected=4), "p", NOW)
    assert intents == ()
    assert isinstance(model.dialog, Confirm)
    assert "2 cards" in model.dialog.consequence
    assert press(model, "enter", NOW)[1] == ()
    assert press(model, "n", NOW)[0].dialog is None
    assert acts(press(model, "y", NOW)[1]) == [(Play(Card("G2")), 12)]
    later = scenes.view(options=table.options, turn=13)
    assert see(model, scenes.world(later), NOW).dialog is None


def test_jumping_in() -> None:
    table = scenes.view(turn_seat=1, options=scenes.OPTIONS | {"jump_in": True})
    model = Model(scenes.world(table), selected=6)
    assert acts(press(model, "p", NOW)[1]) == [(Play(Card("B7")), 12)]
    assert press(replace(model, selected=2), "p", NOW)[1] == ()


def test_draw_and_keep() -> None:
    assert acts(press(scenes.my_turn(), "d", NOW)[1]) == [(DRAW, 12)]
    assert acts(press(scenes.drawn(), "n", NOW)[1]) == [(PASS, 12)]
    assert "p plays the drawn card" in press(scenes.drawn(), "d", NOW)[0].note
    assert "no drawn card" in press(scenes.my_turn(), "n", NOW)[0].note


def test_taking_is_called_taking() -> None:
    assert "take 6" in "".join(plain([hints(scenes.pending(), 80, Caps())]))


# -- una --------------------------------------------------------------------------------------------------------


def test_una_is_armed_with_two_cards_and_goes_out_with_the_card() -> None:
    table = scenes.view(hand=("R3", "Y7"))
    model = Model(scenes.world(table), selected=1)
    model, intents = press(model, "u", NOW)
    assert (model.armed, intents) == (True, ())
    assert press(model, "u", NOW)[0].armed is False
    assert acts(press(model, "p", NOW)[1]) == [(Play(Card("Y7"), una=True), 12)]


def test_una_goes_out_with_a_wild_too() -> None:
    model = Model(scenes.world(scenes.view(hand=("R3", "W"))), selected=1)
    for key in ("u", "p"):
        model, intents = press(model, key, NOW)
        assert intents == ()
    assert acts(press(model, "2", NOW)[1]) == [(Play(Card("W"), "yellow", una=True), 12)]


def test_una_is_sent_at_once_with_one_card() -> None:
    model = Model(scenes.world(scenes.view(hand=("R3",), turn_seat=1)))
    assert acts(press(model, "u", NOW)[1]) == [(UNA, None)]


def test_una_with_many_cards_says_why_not() -> None:
    assert "two cards before" in press(scenes.my_turn(), "u", NOW)[0].note


def test_an_armed_una_does_not_outlive_the_turn() -> None:
    model = replace(scenes.two_cards(), armed=True)
    assert not see(model, scenes.world(scenes.view(hand=("R3", "Y7"), turn_seat=1, turn=13)), NOW).armed


# -- challenge and catch ----------------------------------------------------------------------------------------


def test_catch() -> None:
    assert acts(press(scenes.two_cards(), "c", NOW)[1]) == [(Catch(2), None)]
    assert "nobody" in press(scenes.my_turn(), "c", NOW)[0].note


def challenge_world(**changes: Any) -> Model:
    """Before the world in which the draw four is on us."""
    table = scenes.view(top=Card("W+4"), color="green", pending=4, phase="penalty", turn=13, **changes)
    return see(scenes.others_turn(), scenes.world(table, [CHALLENGE, DRAW], four=Four(1, "blue")), NOW)


def test_the_challenge_opens_by_itself_and_ignores_reflexes() -> None:
    model = challenge_world()
    assert isinstance(model.dialog, AskChallenge)
    for key in ("enter", "a", "c", "p"):
        assert press(model, key, NOW + 0.29) == (model, ())
    assert press(model, "enter", NOW + 0.31)[1] == ()
    assert acts(press(model, "c", NOW + 0.31)[1]) == [(CHALLENGE, 13)]
    assert acts(press(model, "a", NOW + 0.31)[1]) == [(DRAW, 13)]


def test_the_hand_can_be_looked_at_before_the_answer() -> None:
    model = press(challenge_world(), "h", NOW + 1)[0]
    assert model.dialog is None
    assert press(model, "left", NOW + 1)[0].dialog is None
    assert acts(press(model, "c", NOW + 1)[1]) == [(CHALLENGE, 13)]
    assert acts(press(model, "a", NOW + 1)[1]) == [(DRAW, 13)]


def test_the_challenge_does_not_steal_the_chat() -> None:
    typing = replace(scenes.others_turn(), input=Input("chat"), draft="hel")
    model = see(typing, challenge_world().world, NOW)
    assert (model.dialog, model.input, model.draft) == (None, Input("chat"), "hel")
    model = press(model, "escape", NOW + 5)[0]
    assert model.dialog == AskChallenge(NOW + 5)
    assert model.draft == "hel"


def test_both_challenge_and_catch_are_asked_about() -> None:
    model = press(challenge_world(catchable=[2]), "h", NOW + 1)[0]
    model, intents = press(model, "c", NOW + 1)
    assert (model.dialog, intents) == (AskWhich(2), ())
    assert acts(press(model, "1", NOW + 1)[1]) == [(CHALLENGE, 13)]
    assert acts(press(model, "2", NOW + 1)[1]) == [(Catch(2), None)]
    assert press(model, "escape", NOW + 1)[0].dialog is None


# -- pickers ----------------------------------------------------------------------------------------------------


def test_a_wild_asks_first_and_sends_nothing() -> None:
    model, intents = press(replace(scenes.my_turn(), selected=7), "enter", NOW)
    assert intents == ()
    assert isinstance(model.dialog, PickColor)
    back, intents = press(model, "escape", NOW)
    assert (back.dialog, intents) == (None, ())
    assert "W" in back.cards
    assert acts(press(replace(back, selected=2), "p", NOW)[1]) == [(Play(Card("Y7")), 12)]


@pytest.mark.parametrize(
    ("key", "color"),
    [("1", "red"), ("2", "yellow"), ("3", "green"), ("4", "blue"), ("r", "red"), ("y", "yellow"), ("g", "green"),
     ("b", "blue")],
)  # fmt: skip
def test_picking_a_colour(key: str, color: str) -> None:
    assert acts(press(scenes.picking(), key, NOW)[1]) == [(Play(Card("W"), color), 12)]  # type: ignore[arg-type]


def test_the_letters_of_the_colours_are_those_of_the_language() -> None:
    assert color_letters() == {"red": "r", "yellow": "y", "green": "g", "blue": "b"}
    before = i18n._current
    try:
        i18n.use("de")
        if i18n._current is not before:
            assert color_letters() == {"red": "r", "yellow": "e", "green": "g", "blue": "b"}
            assert acts(press(scenes.picking(), "e", NOW)[1]) == [(Play(Card("W"), "yellow"), 12)]
    finally:
        i18n._current = before


def test_picking_with_arrows() -> None:
    model = press(scenes.picking(), "down", NOW)[0]
    assert acts(press(model, "enter", NOW)[1]) == [(Play(Card("W"), "green"), 12)]
    model = press(press(model, "up", NOW)[0], "up", NOW)[0]
    assert acts(press(model, "enter", NOW)[1]) == [(Play(Card("W"), "red"), 12)]


def test_the_first_wild_asks_for_its_colour() -> None:
    table = scenes.view(top=Card("W"), color=None, phase="wish")
    legal: list[Action] = [Wish("red"), Wish("green"), Wish("blue"), Wish("yellow")]
    model = see(Model(), scenes.world(table, legal), NOW)
    assert isinstance(model.dialog, PickColor)
    assert acts(press(model, "4", NOW)[1]) == [(Wish("blue"), 12)]


def test_a_swapping_seven_asks_for_the_partner() -> None:
    model = replace(scenes.swapping(), dialog=None)
    model, intents = press(model, "p", NOW)
    assert intents == ()
    assert isinstance(model.dialog, PickSeat)
    assert acts(press(model, "3", NOW)[1]) == [(Play(Card("Y7"), swap_with=3), 12)]
    assert acts(press(model, "enter", NOW)[1]) == [(Play(Card("Y7"), swap_with=1), 12)]
    assert press(model, "9", NOW)[1] == ()


def test_a_question_closes_when_its_turn_is_gone() -> None:
    for model in (scenes.picking(), scenes.swapping(), scenes.challenged(), which()):
        table = scenes.view(turn_seat=1, turn=13)
        assert see(model, scenes.world(table), NOW).dialog is None


# -- chat, log, leaving -----------------------------------------------------------------------------------------


def test_chat() -> None:
    model, _ = press(scenes.my_turn(), "t", NOW)
    assert model.input == Input("chat")
    for key in ("p", "d", "q", "1", "?"):
        assert press(model, key, NOW) == (model, ())
    model = replace(model, draft="hello")
    assert press(model, "escape", NOW)[0].draft == "hello"
    after, intents = press(model, "enter", NOW)
    assert (after.input, after.draft, intents) == (None, "", (Say("hello"),))
    assert press(scenes.my_turn(), "/", NOW)[0].draft == "/"
    assert press(replace(model, draft="  "), "enter", NOW)[1] == ()


def test_scrolling_keeps_its_place_when_news_come() -> None:
    model = press(scenes.my_turn(), "pageup", NOW)[0]
    assert model.scroll == 4
    model = press(model, "j", NOW)[0]
    assert model.scroll == 3
    news = replace(model.world, log=(*model.world.log, *scenes.LOG[:2]))
    assert see(model, news, NOW).scroll == 5
    assert press(model, "pagedown", NOW)[0].scroll == 0


def test_leaving_asks_once_in_a_round_only() -> None:
    model, intents = press(scenes.my_turn(), "q", NOW)
    assert intents == ()
    assert isinstance(model.dialog, Confirm)
    assert press(model, "enter", NOW)[1] == ()
    assert press(model, "y", NOW)[1] == (m.Leave(0, "k3f"),)
    assert press(scenes.waiting(), "q", NOW)[1] == (m.Leave(0, "k3f"),)
    assert press(scenes.watching(), "q", NOW)[1] == (m.Leave(0, "k3f"),)
    assert press(scenes.score(True), "q", NOW)[1] == (m.Leave(0, "k3f"),)
    assert isinstance(press(scenes.score(), "q", NOW)[0].dialog, Confirm)
    assert press(scenes.lobby(), "q", NOW)[1] == (Quit(),)


def test_ctrl_c_cancels_then_asks_then_quits() -> None:
    assert press(scenes.picking(), "c-c", NOW)[0].dialog is None
    typing = replace(scenes.my_turn(), input=Input("chat"), draft="x")
    after = press(typing, "c-c", NOW)[0]
    assert (after.input, after.draft) == (None, "")
    asked, intents = press(scenes.my_turn(), "c-c", NOW)
    assert intents == ()
    assert isinstance(asked.dialog, Confirm)
    assert press(asked, "c-c", NOW + 1.9)[1] == (Quit(),)
    assert press(asked, "c-c", NOW + 2.1)[1] == ()
    assert press(asked, "y", NOW + 5)[1] == (Quit(),)


def test_redraw_and_retry() -> None:
    assert press(scenes.my_turn(), "c-l", NOW)[1] == (Redraw(),)
    assert press(scenes.lost(), "enter", NOW)[1] == (RetryNow(),)
    assert press(scenes.lost(), "q", NOW)[1] == (Back(),)
    assert press(scenes.lost(), "p", NOW) == (scenes.lost(), ())


# -- tables -----------------------------------------------------------------------------------------------------


def test_the_lobby() -> None:
    model = scenes.lobby()
    assert press(model, "enter", NOW)[1] == (m.Join(0, "k3f"),)
    model = press(model, "down", NOW)[0]
    assert press(model, "w", NOW)[1] == (m.Watch(0, "a2b"),)
    model = press(press(model, "j", NOW)[0], "j", NOW)[0]
    assert model.row == 2
    asked, intents = press(model, "enter", NOW)
    assert (asked.input, intents) == (Input("password", "c4d"), ())
    assert press(replace(asked, typed="x"), "enter", NOW)[1] == (m.Join(0, "c4d", password="x"),)
    assert press(replace(asked, typed="x"), "escape", NOW)[0].typed == ""
    assert press(scenes.lobby(0), "enter", NOW)[0].note


def test_a_new_table() -> None:
    model = form()
    for key in ("right", "down", "left", "down", "right", "right", "down", "left", "down", "right"):
        model = press(model, key, NOW)[0]
    made = m.Create(0, "Den", profile="classic", seats=3, turn_s=15, una_grace_ms=1500, bots=["easy", "easy"])
    assert press(model, "enter", NOW)[1] == (made,)
    assert press(model, "escape", NOW)[1] == ()


def test_the_waiting_room() -> None:
    host = scenes.waiting()
    assert press(host, "s", NOW)[1] == (m.Start(0, "k3f"),)
    assert press(host, " ", NOW)[1] == (m.SetReady(0, "k3f"),)
    assert press(host, "b", NOW)[1] == (m.BotSeat(0, "k3f", add="normal"),)
    assert press(host, "x", NOW)[1] == (m.BotSeat(0, "k3f", remove=2),)
    rules = press(press(host, "e", NOW)[0], "right", NOW)[0]
    assert press(rules, "enter", NOW)[1] == (m.SetOptions(0, "k3f", profile="una", options={}),)
    for key in ("s", "b", "x", "e"):
        after, intents = press(scenes.waiting(1), key, NOW)
        assert intents == ()
        assert "host" in after.note


def test_between_rounds() -> None:
    assert press(scenes.score(), " ", NOW)[1] == (m.SetReady(0, "k3f"),)
    assert "not over" in press(scenes.score(), "r", NOW)[0].note
    assert press(scenes.score(True), "r", NOW)[1] == (m.Rematch(0, "k3f"),)


def test_sitting_down_from_watching() -> None:
    assert "taken" in press(scenes.watching(), "s", NOW)[0].note
    table = scenes.view(you=None, turn_seat=1, seats=5)
    assert press(Model(scenes.world(table)), "s", NOW)[1] == (m.Join(0, "k3f"),)
    waiting = scenes.waiting(1)
    assert waiting.view is not None
    waiting.view.you = None
    assert press(waiting, "s", NOW)[1] == (m.Join(0, "k3f"),)
    assert "s sit" in "".join(plain([hints(waiting, 80, Caps())]))


# -- news -------------------------------------------------------------------------------------------------------


def test_the_selected_card_stays_selected() -> None:
    model = replace(scenes.others_turn(), selected=3)
    table = scenes.view(hand=("R3", "R+2", "Y7", "R1", "Y9", "GS", "G2", "B7", "W", "W+4"), turn_seat=1)
    assert see(model, scenes.world(table), NOW).card == "Y9"


def test_a_turn_begins_on_a_card_that_fits_and_a_drawn_card_is_selected() -> None:
    model = replace(scenes.others_turn(), selected=0)
    model = see(model, scenes.world(scenes.view(turn=13)), NOW)
    assert model.card == "Y7"
    assert see(model, replace(scenes.drawn().world), NOW).card == "B9"


def test_a_refusal_is_told_until_the_next_key() -> None:
    model = tell(scenes.my_turn(), "Too late.", NOW)
    assert sentence(model, Caps(), NOW + 1)[1] == "! Too late."
    assert "YOUR TURN" in sentence(model, Caps(), NOW + 4)[1]  # the prompt must not hide for long what is expected
    assert press(model, "left", NOW)[0].note == ""


def test_a_bluff_is_called_a_bluff() -> None:
    model = replace(scenes.my_turn(), selected=8)
    assert "is a bluff, you hold ■ BLUE" in sentence(model, Caps(), NOW)[1]
    honest = Model(scenes.world(scenes.view(hand=("R3", "W+4"))), selected=1)
    assert "bluff" not in sentence(honest, Caps(), NOW)[1]
