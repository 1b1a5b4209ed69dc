"""Forms, menus, votes, house rules from a file, messages: what their keys lead to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.client.tui import scenes
from tests.client.tui.scenes import NOW
from una_client.tui import forms, house_rules
from una_client.tui.model import (
    AskVote,
    Confirm,
    Field,
    Form,
    History,
    Input,
    LogLine,
    Menu,
    Model,
    MoreTables,
    Mute,
    ReadRules,
    SaveLog,
)
from una_client.tui.offers import Offers
from una_client.tui.update import click, press, see, take_rules
from una_protocol import messages as m
from una_protocol.actions import Play
from una_protocol.cards import Card


def at(model: Model, name: str) -> Model:
    """The form with this field marked."""
    form = model.dialog
    assert isinstance(form, Form)
    return replace(model, dialog=replace(form, at=[field.name for field in form.fields].index(name)))


def field(model: Model, name: str) -> Field:
    """The field of the form."""
    assert isinstance(model.dialog, Form)
    return next(field for field in model.dialog.fields if field.name == name)


def keys(model: Model, *pressed: str) -> Model:
    """The model after these keys."""
    for key in pressed:
        model = press(model, key, NOW)[0]
    return model


def test_every_rule_can_be_chosen() -> None:
    model = keys(at(scenes.form(), "jump_in"), "right")
    model = keys(at(model, "stack_draw_two"), "left")
    model = keys(at(model, "away"), "right")
    model = keys(at(model, "public"), "right")
    (made,) = press(model, "enter", NOW)[1]
    assert isinstance(made, m.Create)
    assert made.options == {"jump_in": True, "stack_draw_two": "two"}
    assert (made.name, made.away, made.public, made.profile) == ("Jakob's table", "wait", False, "una")


def test_another_profile_brings_its_rules() -> None:
    model = keys(at(scenes.form(), "jump_in"), "right")
    model = keys(at(model, "profile"), "right")
    assert field(model, "jump_in").value is False
    assert field(model, "draw_four").value == "bluff"
    (made,) = press(model, "enter", NOW)[1]
    assert isinstance(made, m.Create)
    assert (made.profile, made.options) == ("official", {})


def test_only_what_was_changed_is_sent() -> None:
    model = scenes.form("options")
    assert press(model, "enter", NOW)[1] == ()
    model = keys(at(model, "turn_s"), "right")
    assert press(model, "enter", NOW)[1] == (m.SetOptions(0, "k3f", turn_s=60),)
    model = keys(at(scenes.form("options"), "jump_in"), "right")
    (changed,) = press(model, "enter", NOW)[1]
    assert isinstance(changed, m.SetOptions)
    assert changed.options is not None
    assert changed.options["jump_in"] is True


def test_a_password_is_typed_and_not_shown() -> None:
    model = keys(at(scenes.form(), "password"), "right")
    assert model.input == Input("field", "password")
    assert model.input is not None
    assert model.input.secret
    model = keys(replace(model, typed="secret"), "enter")
    assert field(model, "password").shown == "******"
    (made,) = press(model, "enter", NOW)[1]
    assert isinstance(made, m.Create)
    assert made.password == "secret"


def test_leaving_the_line_leads_back_to_the_form() -> None:
    model = keys(at(scenes.form(), "file"), "right")
    for key in ("escape", "c-c"):
        back = keys(replace(model, typed="x"), key)
        assert isinstance(back.dialog, Form)
        assert field(back, "file").text == ""
    helped = keys(scenes.form(), "?")
    assert isinstance(keys(helped, "?").dialog, Form)


def test_house_rules_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('profile = "official"\n[options]\njump_in = true\nextra = [1]\n')
    model = keys(at(scenes.form(), "file"), "right")
    model, intents = press(replace(model, typed=str(path)), "enter", NOW)
    assert intents == (ReadRules(str(path)),)
    model = take_rules(model, *house_rules.read(str(path)))
    assert (field(model, "profile").value, field(model, "jump_in").value) == ("official", True)
    (made,) = press(model, "enter", NOW)[1]
    assert isinstance(made, m.Create)
    assert (made.profile, made.options) == ("official", {"jump_in": True})
    assert take_rules(scenes.my_turn(), "una", {}) == scenes.my_turn()


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, "cannot be read"), (b"x = ", "no TOML"), (b"\xff", "no TOML"), (b"profile = 1", "names no profile"),
     (b"x" * 200_000, "too large")],
)  # fmt: skip
def test_files_that_are_no_house_rules(text: bytes | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(house_rules.BadFile, match=words):
        house_rules.read(str(path))


def test_the_log_is_saved(tmp_path: Path) -> None:
    said = house_rules.save_log((LogLine("12:00", "a\x1bb"),), tmp_path)
    (path,) = tmp_path.iterdir()
    assert path.read_text() == "12:00 ab\n"
    assert str(path) in said
    assert "cannot be saved" in house_rules.save_log((), tmp_path / "none")


def test_the_menu() -> None:
    model = keys(replace(scenes.menu(), dialog=None), "o")
    assert isinstance(model.dialog, Menu)
    assert press(model, "1", NOW)[1] == (m.Pause(0, "k3f", on=True),)
    assert press(model, "2", NOW)[1] == (m.Auto(0, "k3f", on=True),)
    asked = keys(model, "5")
    assert isinstance(asked.dialog, Confirm)
    assert press(asked, "y", NOW)[1] == (m.Kick(0, "k3f", 1),)
    assert press(model, "7", NOW)[1] == (Mute("Mia"),)
    assert press(keys(model, "down"), "enter", NOW)[1] == (m.Auto(0, "k3f", on=True),)
    assert keys(model, "escape").dialog is None
    away = scenes.view(paused=True)
    away.players[0].status = "away"
    model = keys(Model(scenes.world(away)), "o")
    assert press(model, "1", NOW)[1] == (m.Pause(0, "k3f", on=False),)
    assert press(model, "2", NOW)[1] == (m.Auto(0, "k3f", on=False),)
    assert "nothing more" in keys(scenes.waiting(1), "o").note or keys(scenes.waiting(1), "o").dialog is not None


def test_a_vote_opens_by_itself_and_ignores_reflexes() -> None:
    model = see(scenes.others_turn(), scenes.voting().world, NOW)
    assert model.dialog == AskVote(3, NOW)
    for key in ("y", "n", "enter"):
        assert press(model, key, NOW + 0.2) == (model, ())
    assert press(model, "enter", NOW + 1)[1] == ()
    assert press(model, "y", NOW + 1)[1] == (m.Vote(0, "k3f", 3, guilty=True),)
    assert press(model, "n", NOW + 1)[1] == (m.Vote(0, "k3f", 3, guilty=False),)
    later = keys(replace(model, dialog=AskVote(3, NOW - 1)), "escape")
    assert see(later, later.world, NOW).dialog is None  # it is asked once only
    assert press(keys(later, "o"), "1", NOW)[1] == (m.Vote(0, "k3f", 3, guilty=True),)
    assert see(model, scenes.others_turn().world, NOW).dialog is None


def test_a_draw_four_can_be_answered_by_a_card() -> None:
    model = keys(scenes.stacked_challenge(), "p")
    assert (model.dialog, model.card) == (None, "W+4")
    assert keys(scenes.challenged(), "p").note


def test_all_messages() -> None:
    model = keys(scenes.history(), "up", "pageup")
    assert model.dialog == History(23)
    assert keys(model, "home").dialog == History(39)
    assert keys(model, "end", "down").dialog == History(0)
    assert press(model, "x", NOW)[1] == (SaveLog(),)
    assert keys(model, "escape").dialog is None
    assert keys(scenes.my_turn(), "c-p").dialog == History()


def test_bots_of_a_level() -> None:
    model = keys(scenes.waiting(), "l")
    assert press(model, "b", NOW)[1] == (m.BotSeat(0, "k3f", add="hard"),)
    assert press(keys(model, "l"), "b", NOW)[1] == (m.BotSeat(0, "k3f", add="easy"),)


def test_clicks() -> None:
    model, intents = click(scenes.my_turn(), "card-6", NOW)
    assert (model.selected, intents) == (6, ())
    model, intents = click(model, "card-6", NOW + 0.3)
    assert intents == (m.Act(0, "k3f", Play(Card("B7")), turn=12),)
    _slow, intents = click(click(scenes.my_turn(), "card-6", NOW)[0], "card-6", NOW + 1)
    assert intents == ()
    assert click(scenes.lobby(), "row-1", NOW)[0].row == 1
    assert click(scenes.servers(), "server-0", NOW)[0].server == 0
    for blocked in (scenes.picking(), replace(scenes.my_turn(), input=Input("chat")), scenes.lobby()):
        assert click(blocked, "card-1", NOW)[0].selected == blocked.selected
    assert keys(scenes.my_turn(), "m").mouse


def test_more_tables_are_asked_for_at_the_end() -> None:
    model = scenes.lobby(40)
    model = replace(model, world=replace(model.world, more_tables=True))
    assert press(keys(model, "pagedown", "pagedown"), "pagedown", NOW)[1] == ()
    assert press(keys(model, "end", "up"), "down", NOW)[1] == (MoreTables(),)


def row(n: int) -> m.TableRow:
    """A table of the list."""
    return m.TableRow(f"t{n:03}", f"Table {n}", "una", 4, 1, "waiting")


def test_pages_are_put_together() -> None:
    sent: list[Any] = []

    def send(request: Any) -> int:
        sent.append(request)
        return len(sent)

    offers = Offers(SimpleNamespace(send=send))  # type: ignore[arg-type]
    first = [row(n) for n in range(3)]
    offers.take(m.LobbyNow(first, "t002"))
    assert offers.more
    offers.next_page("t002")
    offers.next_page("t002")
    assert sent == [m.Lobby(0, after="t002")]
    assert offers.take(m.Ok(1, tables=[row(3), row(4)], next="t004"))
    offers.take(m.LobbyNow(first, "t002"))
    assert [table.id for table in offers.tables(first)] == ["t000", "t001", "t002", "t003", "t004"]
    offers.next_page("t002")
    assert sent[1] == m.Lobby(0, after="t004")
    assert offers.take(m.Ok(2, tables=[row(5)]))
    assert not offers.more
    assert not offers.take(m.Ok(9))
    offers.forget_pages()
    assert offers.tables(first) == tuple(first)


def test_a_strange_catalogue_is_none() -> None:
    numbers = iter(range(1, 9))
    offers = Offers(SimpleNamespace(send=lambda request: next(numbers)))  # type: ignore[arg-type]
    offers.ask()
    for id in (1, 2, 3):
        assert offers.take(m.Ok(id, catalogue={"what": ["ever"]}))
    assert offers.catalogue is None
    assert forms.create("x", None).fields[0].choices == forms.PROFILES
