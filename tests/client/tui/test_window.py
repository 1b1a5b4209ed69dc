"""The application on a pipe and a made-up terminal: keys in, intents and pictures out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import trio
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.client.tui import scenes
from una_client.goal import Bell
from una_client.tui.model import Intent, LogLine, Model, Quit, Say, Where
from una_client.tui.theme import Caps
from una_client.tui.thread import Ui, open_ui
from una_client.tui.update import worth_hearing
from una_client.tui.window import Screen
from una_protocol import messages as m
from una_protocol.actions import Play
from una_protocol.cards import Card


class Output(DummyOutput):
    """An output of 80 by 24 that counts bells and keeps titles."""

    def __init__(self) -> None:
        self.bells = 0
        self.titles: list[str] = []
        self.written: list[str] = []

    def get_size(self) -> TerminalSize:
        """The size of the made-up terminal."""
        return TerminalSize(rows=24, columns=80)

    def bell(self) -> None:
        """Count."""
        self.bells += 1

    def set_title(self, title: str) -> None:
        """Keep."""
        self.titles.append(title)

    def write(self, data: str) -> None:
        """Keep."""
        self.written.append(data)


class Run:
    """A running screen."""

    def __init__(self, ui: Ui[Any], screen: Screen, pipe: PipeInput, output: Output) -> None:
        self.ui, self.screen, self.pipe, self.output = ui, screen, pipe, output

    async def until(self, test: Callable[[Model], object]) -> Model:
        """Wait until the model is so."""
        with trio.fail_after(5):
            while True:
                model: Model = await self.ui.wait_call(lambda: self.screen.model)
                if test(model):
                    return model
                await trio.sleep(0.01)

    async def intent(self) -> Intent:
        """The next intent."""
        with trio.fail_after(5):
            value: Intent = await self.ui.events.receive()
            return value


@asynccontextmanager
async def running(model: Model, *, bell: Bell = "turn") -> AsyncIterator[Run]:
    """A screen that shows the model's world."""
    output = Output()
    with create_pipe_input() as pipe:
        screen = Screen(
            Caps(False, "none"), lambda intent: ui.emit(intent), bell=bell, input=pipe, output=output,
            clock=lambda: scenes.NOW,
        )  # fmt: skip
        async with open_ui(screen.app) as ui:
            await ui.wait_call(screen.see, model.world)
            yield Run(ui, screen, pipe, output)


@pytest.mark.parametrize("code", ["31m", "0m", "<1;2M", ";;;M", "<;;m", "Mabc", "<9;9;9m"])
async def test_what_only_looks_like_the_code_of_a_mouse_does_nothing(code: str) -> None:
    async with running(scenes.my_turn()) as run:
        await run.until(lambda model: model.card == "Y7")
        run.pipe.send_text(f"\x1b[{code}\r")
        assert await run.intent() == m.Act(0, "k3f", Play(Card("Y7")), turn=12)


async def test_playing_by_keys() -> None:
    async with running(scenes.my_turn()) as run:
        await run.until(lambda model: model.card == "Y7")
        run.pipe.send_text("\x1b[C\x1b[D\r")
        assert await run.intent() == m.Act(0, "k3f", Play(Card("Y7")), turn=12)
        await run.until(lambda model: model.world.sent == Play(Card("Y7")))


async def test_typing_never_plays() -> None:
    async with running(scenes.my_turn()) as run:
        run.pipe.send_text("t")
        await run.until(lambda model: model.input is not None)
        run.pipe.send_text("pdq1?\x1bp")  # Alt-p must not leave the line and play
        await run.until(lambda model: model.draft == "pdq1?")
        run.pipe.send_text("\r")
        assert await run.intent() == Say("pdq1?")


async def test_the_draft_survives_esc_and_news() -> None:
    async with running(scenes.others_turn()) as run:
        run.pipe.send_text("thalf")
        await run.until(lambda model: model.draft == "half")
        for n in range(200):
            run.ui.call(run.screen.see, replace(scenes.my_turn().world, where=str(n)))
        model = await run.until(lambda model: model.world.where == "199")
        assert (model.draft, model.input is not None) == ("half", True)
        run.pipe.send_text("\x1b")
        await run.until(lambda model: model.input is None)
        assert "half" in "".join(text for _style, text in run.screen._rows()[-2])
        run.pipe.send_text("t way")
        await run.until(lambda model: model.draft == "half way")


async def test_a_paste_outside_of_the_line_is_no_key() -> None:
    async with running(scenes.my_turn()) as run:
        run.pipe.send_text("\x1b[200~pdq\x1b[201~h")
        await run.until(lambda model: model.selected == 1)
        assert run.screen.model.world.sent is None


async def test_bell_and_title_when_it_is_our_turn() -> None:
    async with running(scenes.others_turn()) as run:
        assert run.output.bells == 0
        await run.ui.wait_call(run.screen.see, scenes.my_turn().world)
        assert (run.output.bells, run.output.titles[-1]) == (1, "▶ una: your turn")
        await run.ui.wait_call(run.screen.see, scenes.others_turn().world)
        await run.ui.wait_call(run.screen.see, scenes.my_turn().world)
        assert run.output.bells == 1  # at most once in 5 s


async def test_no_bell() -> None:
    async with running(scenes.my_turn(), bell="never") as run:
        assert (run.output.bells, run.output.titles[-1]) == (0, "▶ una: your turn")


@pytest.mark.parametrize(("bell", "bells"), [("turn", 0), ("all", 1), ("never", 0)])
async def test_the_bell_for_chat_and_una(bell: Bell, bells: int) -> None:
    calm = scenes.others_turn()
    async with running(calm, bell=bell) as run:
        said = (*calm.world.log, LogLine("12:42", "Mia says: hello", "chat"), LogLine("12:42", "Mia passes."))
        await run.ui.wait_call(run.screen.see, replace(calm.world, log=said))
        assert run.output.bells == bells
    assert not worth_hearing(calm.world, replace(calm.world, log=(*calm.world.log, LogLine("12:42", "Mia passes."))))
    assert worth_hearing(calm.world, scenes.alarm().world)


async def test_clicks_select_and_play() -> None:
    async with running(scenes.my_turn()) as run:
        run.pipe.send_text("m")
        await run.until(lambda model: model.mouse)
        run.pipe.send_text("\x1b[<0;49;17M\x1b[<0;49;17m")
        await run.until(lambda model: model.card == "B7")
        run.pipe.send_text("\x1b[<0;49;17M\x1b[<0;49;17m")
        assert await run.intent() == m.Act(0, "k3f", Play(Card("B7")), turn=12)
        run.pipe.send_text("\x1b[<64;70;5M")  # the wheel
        await run.until(lambda model: model.scroll)


async def test_ctrl_c_twice_quits() -> None:
    async with running(scenes.my_turn()) as run:
        run.pipe.send_text("\x03\x03")
        assert await run.intent() == Quit()


async def test_help_from_the_chat() -> None:
    async with running(scenes.my_turn()) as run:
        run.pipe.send_text("t\x1bOP")
        model = await run.until(lambda model: model.dialog is not None)
        assert model.places[0] is Where.HELP
        run.pipe.send_text("\x1b")
        await run.until(lambda model: model.dialog is None)


async def test_nothing_is_drawn_while_nothing_changes() -> None:
    calm = scenes.my_turn()
    calm = replace(calm, world=replace(calm.world, deadline=None))
    async with running(calm) as run:
        await trio.sleep(0.2)
        before = len(run.output.written)
        await trio.sleep(1.2)
        assert len(run.output.written) == before
        await run.ui.wait_call(run.screen.see, scenes.my_turn().world)
        assert run.screen._timer is not None


async def test_a_password_is_not_shown() -> None:
    async with running(scenes.lobby()) as run:
        run.pipe.send_text("jj\rsecret")
        await run.until(lambda model: model.typed == "secret")
        await trio.sleep(0.1)
        assert "secret" not in "".join(run.output.written)
        run.pipe.send_text("\r")
        assert await run.intent() == m.Join(0, "c4d", password="secret")


@pytest.mark.parametrize("key", ["\x0c"])
async def test_redraw(key: str) -> None:
    async with running(scenes.my_turn()) as run:
        await trio.sleep(0.1)
        run.output.written.clear()
        run.pipe.send_text(key)
        await trio.sleep(0.2)
        assert any("Kitchen" in text for text in ["".join(run.output.written)])
