"""A hostile server: whatever it puts into any text, nothing is drawn but what shall be, and nothing breaks."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pyte
import pytest
import trio
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from tests.client import kit
from tests.client.tui import scenes
from tests.client.tui.test_screens import SCENES, SIZES
from una_client.goal import Goal, UiOptions
from una_client.tui import app
from una_client.tui.favourites import Favourites
from una_client.tui.layout import Size, plain, text_width
from una_client.tui.model import Model
from una_client.tui.screens.frame import render
from una_client.tui.theme import Caps
from una_client.tui.thread import open_ui
from una_client.tui.window import Screen
from una_protocol import events as ev
from una_protocol import messages as m

EVIL = {
    "control": "a\x1b[2J\x1b[1;1H\x07\x08\r\nb\tc\x00",
    "c1": "a\x9b31mb\x9d0;title\x9cc\x85d",
    "osc": "\x1b]52;c;aGVsbG8=\x07\x1b]0;owned\x07\x1b[?1049l\x1b[?1000h",
    "bidi": "a\u202e\u2066b\u200f\u061cc\u2028d",
    "joined": "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301\u0301\u0301\u0301\u0301 \u0301",
    "wide": "字" * 300,
    "long": "x" * 10_000,
    "marks": "o" + "\u0300" * 10_000,
    "private": "\ue000\U0010ffff\ud800\u2800",
    "empty": "",
    "braces": "{name}{0}%s\\",
}
KEPT = {"clock", "stage", "phase", "status", "kind", "fits", "why", "winner", "about"}
"""Fields that the codec lets have certain values only, and those that are ours."""


def poisoned(value: Any, evil: str, name: str = "") -> Any:
    """A copy of the value with `evil` for each text in it."""
    if isinstance(value, str):
        return value if name in KEPT or value in ("red", "green", "blue", "yellow") else evil
    if isinstance(value, list | tuple):
        items = [poisoned(one, evil, name) for one in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        # the names of options are looked up; a server can add what it likes
        return {**value, evil: evil, "jump_in": evil} if name == "options" else value
    if isinstance(value, msgspec.Struct):
        changed = {
            field: poisoned(getattr(value, field), evil, field)
            for field in value.__struct_fields__
            if not (field == "swap_with" or (field == "color" and evil))
        }
        return msgspec.structs.replace(value, **changed)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {
            field.name: poisoned(getattr(value, field.name), evil, field.name) for field in dataclasses.fields(value)
        }
        return dataclasses.replace(value, **changed)
    return value


def hostile(make: Callable[[], Model], evil: str) -> Model:
    """The scene, with the text in everything that came from the network."""
    model = make()
    return dataclasses.replace(model, world=poisoned(model.world, evil))


@pytest.mark.parametrize("kind", EVIL)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_screen_keeps_its_shape(kind: str, ascii_only: bool) -> None:
    for name, make in SCENES.items():
        model = hostile(make, EVIL[kind])
        for size in SIZES:
            rows = plain(render(model, size, Caps(ascii_only, "256"), scenes.NOW))
            assert [text_width(row) for row in rows] == [size.width] * size.height, name
            text = "".join(rows)
            assert not re.search("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u061c]", text), name


class Terminal:
    """A screen that is written into as a terminal would be."""

    def __init__(self) -> None:
        self.text = io.StringIO()
        self.output = Vt100_Output(self.text, lambda: TerminalSize(rows=24, columns=80), term="xterm-256color")
        self._fed = 0
        self.titles: list[str] = []
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self.screen)

    def lines(self) -> list[str]:
        """What is to be seen."""
        written = self.text.getvalue()[self._fed :]
        self._fed += len(written)
        # xterm's key settings look like colours to pyte
        self._stream.feed(re.sub(r"\x1b\[[>?][0-9;]*[a-zA-Z]", "", written))
        return [line.rstrip() for line in self.screen.display]


SAFE = re.compile(
    r"\x1b\[[0-9;]*[mHJKABCD]|\x1b\[\?(?:1|25|7|12|2004|1049)[hl]|\x1b\[6n|\x1b\]2;[^\x07\x1b]*\x07|\x1b\[0 q"
    r"|[\r\n\x08\x07]"
)
"""All that the client itself may send to the terminal."""


@pytest.mark.parametrize("kind", EVIL)
async def test_the_terminal_gets_nothing_but_our_own_codes(kind: str) -> None:
    terminal = Terminal()
    with create_pipe_input() as pipe:
        screen = Screen(Caps(False, "256"), print, bell="never", input=pipe, output=terminal.output)
        async with open_ui(screen.app) as ui:
            for make in (scenes.my_turn, scenes.lobby, scenes.waiting, scenes.score, scenes.servers, scenes.watching):
                await ui.wait_call(screen.see, make().world)
                await ui.wait_call(screen.see, poisoned(make().world, EVIL[kind]))
                await ui.wait_call(screen.app._redraw)
            await ui.wait_call(screen.see, scenes.my_turn().world)
            await ui.wait_call(screen.app._redraw)
            seen = terminal.lines()
            want = plain(render(screen.model, Size(80, 24), Caps(False, "256"), screen._clock()))
            assert [row.rstrip() for row in want][:-4] == seen[:-4]  # no line was moved or left behind
    left = SAFE.sub("", terminal.text.getvalue())
    assert not re.search("[\x00-\x1f\x7f-\x9f]", left), re.findall("[\x00-\x1f\x7f-\x9f].{0,20}", left)[:3]
    assert "owned" not in re.findall(r"\x1b\]2;([^\x07]*)\x07", terminal.text.getvalue())


@pytest.mark.parametrize("kind", ["control", "osc", "joined", "long", "braces"])
async def test_a_hostile_server_over_the_wire(kind: str, tmp_path: Any) -> None:
    evil = EVIL[kind][:4000]
    done = trio.Event()

    async def script(peer: kit.Peer) -> None:
        await peer.welcome(server=evil)
        request = await peer.take()
        row = m.TableRow(evil or "x", evil, evil, 4, 2, "waiting", {evil: evil}, host=evil)
        await peer.send(m.Ok(request.id, tables=[row], next=evil))
        view = poisoned(kit.a_view(), evil)
        view.table = "k3f"
        view.top = kit.a_view().top
        await peer.send(m.Said(evil, evil), m.LobbyNow([row]), view, m.Said(evil, evil, "k3f", True))
        await peer.send(
            kit.an_ev(11, ev.Joined(evil, 3)), kit.an_ev(12, ev.Left(evil, 3)),
            kit.an_ev(13, ev.Drew(1, 2, "turn", 50, None)), kit.an_ev(14, ev.Shown(1, 0, (evil, "W"))),  # type: ignore[arg-type]
            kit.an_ev(15, ev.Dealt(2, 0, (1, 1, 1), 50, (evil, "R7"))),  # type: ignore[arg-type]
            kit.an_ev(16, ev.RoundOver(1, ((evil,), (), ("W",)), (0, 3, 0), (0, 3, 0), False)),  # type: ignore[arg-type]
            m.Err("no_such_code", evil, "no", at=evil), m.Bye(evil, evil, False),
        )  # fmt: skip
        await done.wait()

    terminal = Terminal()
    with create_pipe_input() as pipe:
        async with kit.serving(script) as port, trio.open_nursery() as nursery:
            goal = Goal(host="127.0.0.1", port=port, name="Ann")
            ended = trio.Event()
            nursery.start_soon(_play, goal, pipe, terminal, tmp_path, ended)
            with trio.fail_after(10):
                while "The server closed the connection" not in "".join(terminal.lines()):  # noqa: ASYNC110
                    await trio.sleep(0.02)
                pipe.send_text("q")
                await ended.wait()
            done.set()
    left = SAFE.sub("", terminal.text.getvalue())
    assert not re.search("[\x00-\x1f\x7f-\x9f]", left), re.findall("[\x00-\x1f\x7f-\x9f].{0,20}", left)[:3]


async def _play(goal: Goal, pipe: PipeInput, terminal: Terminal, folder: Any, ended: trio.Event) -> None:
    favourites = Favourites(folder / "favourites.txt")
    status = await app.run_tui(
        goal, UiOptions(lang="en", color="256"), input=pipe, output=terminal.output, favourites=favourites, port=9
    )
    assert status == 0
    ended.set()
