"""The list of servers: what is shown of what was found, favourites, and where one goes from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.client.tui import scenes
from tests.client.tui.scenes import NOW
from una_client.finder import Found
from una_client.goal import Goal
from una_client.tui.favourites import Favourites
from una_client.tui.lookout import Lookout, server_rows
from una_client.tui.model import Again, Back, GoTo, Input, Intent, Keep, Model, Quit, Rescan, World
from una_client.tui.update import ask_for, press, see


def found(name: str, host: str, **changes: Any) -> Found:
    """A server that has just answered."""
    values: dict[str, Any] = {
        "id": name, "name": name, "addresses": (host, "::1"), "port": 4820, "players": 1, "tables": 2,
        "password": False, "majors": (1,), "server": "una-lan/0.1", "last_seen": 100.0, "answers": True,
    }  # fmt: skip
    return Found(**(values | changes))


def test_rows() -> None:
    rows = server_rows(
        [
            found("Office", "10.0.0.2"), found("Attic", "10.0.0.3", majors=(9,)), found("Cellar", "10.0.0.4"),
            found("Old", "10.0.0.5", last_seen=90.0), found("Gone", "10.0.0.6", gone=True),
        ],
        ["10.0.0.4", "una.lan:5000"],
        101.0,
    )  # fmt: skip
    assert [(row.name, row.favourite, row.fits, row.faded, row.silent) for row in rows] == [
        ("", True, "yes", False, True),
        ("Cellar", True, "yes", False, False),
        ("Office", False, "yes", False, False),
        ("Old", False, "yes", True, False),
        ("Attic", False, "too_new", False, False),
    ]
    assert rows[0].address == "una.lan:5000"


def test_favourites_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "una" / "favourites.txt"
    favourites = Favourites(path, ["lan-pc", "no address!"])
    assert "now" in favourites.toggle("10.0.0.2:5000")
    assert "config" in favourites.toggle("lan-pc")
    assert Favourites(path, ["lan-pc"]).addresses == ["lan-pc", "10.0.0.2:5000"]
    assert "any more" in favourites.toggle("10.0.0.2:5000")
    assert Favourites(path).addresses == []
    path.write_bytes(b"\xff\xfe\n")
    assert Favourites(path).addresses == []


def test_keys() -> None:
    model = scenes.servers()
    assert press(model, "enter", NOW)[1] == (GoTo("192.168.1.20"),)
    assert press(model, "f", NOW)[1] == (Keep("192.168.1.20"),)
    assert press(model, "r", NOW)[1] == (Rescan(),)
    assert press(model, "q", NOW)[1] == (Quit(),)
    old = press(press(model, "j", NOW)[0], "down", NOW)[0]
    assert "too old" in press(old, "enter", NOW)[0].note
    typing = press(model, "a", NOW)[0]
    assert typing.input == Input("address")
    assert press(replace(typing, typed=" lan-pc "), "enter", NOW)[1] == (GoTo("lan-pc"),)
    assert press(scenes.lobby(), "escape", NOW)[1] == (Back(),)
    assert press(scenes.connecting(), "escape", NOW)[1] == (Back(),)
    own = scenes.lobby()
    assert "no list" in press(replace(own, world=replace(own.world, home=False)), "escape", NOW)[0].note


def test_the_marked_server_stays_marked() -> None:
    model = scenes.servers()
    rows = (replace(model.world.servers[0], address="10.9.9.9"), *model.world.servers)
    model = see(model, replace(model.world, servers=rows), NOW)
    assert model.world.servers[model.server].address == "192.168.1.20"


def test_what_the_server_asks_for() -> None:
    model = ask_for(scenes.servers(), Input("server-password", "lan"), "Wrong.", NOW)
    assert model.input is not None
    assert model.input.secret
    assert press(replace(model, typed="x"), "enter", NOW)[1] == (Again(password="x"),)
    model = ask_for(scenes.servers(), Input("nick"), "", NOW)
    assert press(replace(model, typed="Bo"), "enter", NOW)[1] == (Again(name="Bo"),)
    typing = replace(scenes.servers(), input=Input("chat"), draft="x")
    assert ask_for(typing, Input("nick"), "", NOW).input == Input("chat")


async def choose(*intents: Intent, goal: Goal, tmp_path: Path) -> tuple[Goal | None, list[World], list[str]]:
    """What a stay at the list leads to."""
    worlds: list[World] = []
    told: list[str] = []
    lookout = Lookout(goal, Favourites(tmp_path / "f"), worlds.append, told.append, "Trouble.", port=9)
    chosen: list[Goal] = []

    async def stay() -> None:
        chosen.append(await lookout.choose())

    with trio.move_on_after(1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stay)
            await trio.sleep(0.05)
            for intent in intents:
                lookout.do(intent)
    return (chosen[0] if chosen else None), worlds, told


@pytest.mark.parametrize(
    ("intent", "want"),
    [
        (GoTo("lan-pc:5000/den"), Goal(host="lan-pc", port=5000, name="Ann", do="join", table="den")),
        (GoTo("lan-pc"), Goal(host="lan-pc", name="Ann")),
        (Again(password="x"), Goal(host="old", name="Ann", password="x")),
        (Again(name="Bo"), Goal(host="old", name="Bo")),
    ],
)
async def test_where_it_goes(intent: Intent, want: Goal, tmp_path: Path) -> None:
    goal, worlds, _told = await choose(intent, goal=Goal(host="old", name="Ann"), tmp_path=tmp_path)
    assert goal == want
    assert (worlds[0].trouble, worlds[0].at_servers, worlds[0].home) == ("Trouble.", True, True)


async def test_a_wrong_address_is_told(tmp_path: Path) -> None:
    goal, _worlds, told = await choose(
        GoTo("::bad::"), Again(name="x"), goal=Goal(host="", name="A"), tmp_path=tmp_path
    )
    assert goal is None
    assert len(told) == 1


def test_why_a_password_is_asked_for_again_is_not_swept_away_by_the_list() -> None:
    model = ask_for(scenes.servers(), Input("server-password", "lan"), "The password is missing or wrong.", NOW)
    model = see(model, replace(model.world, trouble="The password is missing or wrong."), NOW)
    assert model.note == "The password is missing or wrong."


def test_a_new_trouble_is_not_hidden_by_a_note() -> None:
    model = Model(scenes.servers().world, note="Not your turn.", note_until=NOW + 3)
    assert see(model, scenes.trouble().world, NOW).note == ""
