"""The UI thread: order, errors and ends, each way round; always joined, never left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import trio
import trio.lowlevel
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import DummyOutput

from una_client.tui.thread import Ui, UiFailed, UiGone, open_ui


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    yield
    # trio keeps idle workers for a while; it names those that work after what they do
    assert not [thread for thread in threading.enumerate() if "_thread_main" in thread.name]


@contextmanager
def application() -> Iterator[tuple[Application[None], PipeInput, dict[str, Any]]]:
    """An application that emits x, quits on q, and breaks on e; `box["ui"]` must be set."""
    box: dict[str, Any] = {}
    keys = KeyBindings()

    @keys.add("x")
    def _emit(event: KeyPressEvent) -> None:
        box["ui"].emit("x")

    @keys.add("q")
    def _quit(event: KeyPressEvent) -> None:
        event.app.exit()

    @keys.add("e")
    def _fail(event: KeyPressEvent) -> None:
        raise KeyError("binding")

    with create_pipe_input() as pipe:
        layout = Layout(Window(FormattedTextControl("hello")))
        app: Application[None] = Application(layout=layout, key_bindings=keys, input=pipe, output=DummyOutput())
        yield app, pipe, box


async def received(ui: Ui[Any]) -> list[Any]:
    """Everything that the UI emits until it ends."""
    return [value async for value in ui.events]


async def test_values_both_ways() -> None:
    with application() as (app, pipe, box):
        async with open_ui(app) as ui:
            box["ui"] = ui
            assert await ui.wait_call(lambda: get_app() is app) is True
            name = await ui.wait_call(lambda: threading.current_thread().name)
            assert "_thread_main" in name  # by this name the test below looks for threads that were left behind
            pipe.send_text("xx")
            assert [await ui.events.receive() for _ in range(2)] == ["x", "x"]


async def test_calls_keep_their_order_also_before_the_start() -> None:
    with application() as (app, _pipe, _box):
        got: list[int] = []
        async with open_ui(app) as ui:
            for n in range(2000):
                ui.call(got.append, n)
                if n % 100 == 0:
                    await trio.lowlevel.checkpoint()
            await ui.wait_call(lambda: None)
        assert got == list(range(2000))


async def test_values_keep_their_order() -> None:
    with application() as (app, _pipe, _box):
        async with open_ui(app) as ui:
            ui.call(lambda: list(map(ui.emit, range(1000))))
            assert [await ui.events.receive() for _ in range(1000)] == list(range(1000))


async def test_the_user_quits() -> None:
    with application() as (app, pipe, _box):
        async with open_ui(app) as ui:
            await ui.wait_call(lambda: None)
            pipe.send_text("q")
            assert await received(ui) == []
            with pytest.raises(UiGone):
                ui.call(print)
            with pytest.raises(UiGone):
                await ui.wait_call(print)
            ui.stop()


async def failure(do: Callable[[Application[None], PipeInput, Ui[Any]], object]) -> UiFailed:
    """What comes out when `do` breaks a running application."""
    with application() as (app, pipe, _box):
        try:
            async with open_ui(app) as ui:
                await ui.wait_call(lambda: None)
                do(app, pipe, ui)
                await received(ui)
        except UiFailed as failed:
            assert not app.is_running
            return failed
    pytest.fail("it did not fail")


async def fail() -> None:
    """A task that fails."""
    raise KeyError("task")


def fail_now() -> None:
    """A call that fails."""
    raise KeyError("call")


BREAKS: dict[str, Callable[[Application[None], PipeInput, Ui[Any]], object]] = {
    "binding": lambda app, pipe, ui: pipe.send_text("e"),
    "call": lambda app, pipe, ui: ui.call(fail_now),
    "task": lambda app, pipe, ui: ui.call(lambda: app.create_background_task(fail())),
}


@pytest.mark.parametrize("how", BREAKS)
async def test_an_error_in_the_ui_comes_out(how: str) -> None:
    failed = await failure(BREAKS[how])
    assert isinstance(failed.__cause__, KeyError)
    assert how in str(failed)


async def test_a_closed_input_ends_it() -> None:
    failed = await failure(lambda app, pipe, ui: pipe.close())
    assert isinstance(failed.__cause__, EOFError)


async def test_an_error_of_a_waited_call_goes_to_the_caller_only() -> None:
    with application() as (app, _pipe, _box):
        async with open_ui(app) as ui:
            with pytest.raises(ZeroDivisionError):
                await ui.wait_call(lambda: 1 // 0)
            assert await ui.wait_call(lambda: 7) == 7


async def test_an_error_in_trio_ends_the_ui_and_comes_out_alone() -> None:
    with application() as (app, _pipe, _box):
        with pytest.raises(RuntimeError, match="mine"):
            async with open_ui(app):
                raise RuntimeError("mine")
        assert not app.is_running


async def test_cancelling_ends_the_ui() -> None:
    with application() as (app, _pipe, _box):
        with trio.move_on_after(0.1) as scope:
            async with open_ui(app) as ui:
                await received(ui)
        assert scope.cancelled_caught
        assert not app.is_running


async def test_opening_and_closing_at_once_many_times() -> None:
    for _time in range(20):
        with application() as (app, _pipe, _box):
            async with open_ui(app):
                pass
            assert not app.is_running
