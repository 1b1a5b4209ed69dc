"""One prompt_toolkit application in one worker thread, beside trio in the main thread.

    async with open_ui(app) as ui:
        ui.call(function, *args)                # runs in the UI thread; never blocks, keeps the order
        await ui.wait_call(function, *args)     # the same, with its result
        ui.emit(value)                          # in the UI thread: hands a value to trio
        async for value in ui.events: ...       # in trio; ends when the application ends

Leaving the block by any way ends the application, which restores the terminal, and joins the thread. What failed in
the UI thread is raised from the block as `UiFailed`. It knows no game.
"""

from __future__ import annotations

import asyncio
import contextvars
import math
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Generic, TypeVar

import outcome
import trio
from prompt_toolkit.application import Application

Value = TypeVar("Value")
Result = TypeVar("Result")


class UiGone(Exception):
    """The application has ended: the call will not run."""


class UiFailed(Exception):
    """The application ended by an error, which is the cause of this one."""


class Ui(Generic[Value]):
    """The way between the two threads. Made by `open_ui`."""

    def __init__(self, app: Application[None]) -> None:
        self.app = app
        self.error: BaseException | None = None
        self._token = trio.lowlevel.current_trio_token()
        self._send, self.events = trio.open_memory_channel[Value](math.inf)
        self._waiters: set[trio.Event] = set()
        self._lock = threading.Lock()  # guards the next three
        self._loop: asyncio.AbstractEventLoop | None = None
        self._backlog: list[Callable[[], None]] = []
        self._ended = False

    # -- from the UI thread to trio

    def emit(self, value: Value) -> None:
        """Hand a value to trio; in order, never blocks."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._emit, value)

    def _emit(self, value: Value) -> None:
        # an exception here would end trio as an internal error
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            self._send.send_nowait(value)

    # -- from trio to the UI thread

    def call(self, function: Callable[..., object], *args: object) -> None:
        """Run the function in the UI thread, after all earlier ones. UiGone when the application has ended."""

        def in_ui() -> None:
            # get_app() finds the application only within the application's own context
            (self.app.context or contextvars.copy_context()).copy().run(function, *args)

        with self._lock:
            if self._ended:
                raise UiGone
            if self._loop is None:
                self._backlog.append(in_ui)
            else:
                self._loop.call_soon_threadsafe(in_ui)

    async def wait_call(self, function: Callable[..., Result], *args: object) -> Result:
        """Run the function in the UI thread and wait for its result."""
        done = trio.Event()
        box: list[outcome.Outcome[Result]] = []
        self._waiters.add(done)

        def run() -> None:
            box.append(outcome.capture(function, *args))
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(done.set)

        try:
            self.call(run)
            await done.wait()
        finally:
            self._waiters.discard(done)
        if not box:
            raise UiGone
        return box[0].unwrap()

    def stop(self) -> None:
        """Ask the application to end; at any time, from any thread, any number of times."""

        def end() -> None:
            future = self.app.future
            # exit() raises where the application is not running or has a result already
            if self.app.is_running and future is not None and not future.done():
                self.app.exit()

        with suppress(UiGone):
            self.call(end)

    # -- the worker thread

    def _thread_main(self) -> None:
        async def run() -> None:
            asyncio.get_running_loop().set_exception_handler(self._on_loop_error)
            await self.app.run_async(
                pre_run=self._publish_loop,
                handle_sigint=False,  # trio owns the signals
                set_exception_handler=False,  # the default one waits for Enter, and hides the error
            )

        try:
            asyncio.run(run())
        finally:
            with self._lock:
                self._ended = True
                self._loop = None

    def _publish_loop(self) -> None:
        # runs as pre_run: from here on the application has its future, so that a stop() is not lost
        loop = asyncio.get_running_loop()
        with self._lock:  # the backlog is flushed inside the lock, or a later call would overtake it
            self._loop = loop
            for function in self._backlog:
                loop.call_soon(function)
            self._backlog.clear()

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context.get("message", "asyncio error"))
        future = self.app.future
        if future is not None and not future.done():
            future.set_exception(error)  # errors of key bindings and calls end the application
        else:
            loop.default_exception_handler(context)

    async def _run_thread(self) -> None:
        try:
            # not abandoned on cancel: the terminal must be restored before anything else happens
            await trio.to_thread.run_sync(self._thread_main, abandon_on_cancel=False, limiter=trio.CapacityLimiter(1))
        except Exception as error:  # noqa: BLE001 - raised again by open_ui, as the cause of UiFailed
            self.error = error
        finally:
            self._send.close()
            for waiter in list(self._waiters):
                waiter.set()


@asynccontextmanager
async def open_ui(app: Application[None]) -> AsyncIterator[Ui[Any]]:
    """Run the application in a thread while the block runs."""
    ui: Ui[Any] = Ui(app)
    error: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ui._run_thread)
        try:
            yield ui
        except Exception as raised:  # noqa: BLE001 - raised again below, outside of the nursery's group
            error = raised
        finally:
            ui.stop()
    if ui.error is not None and (error is None or isinstance(error, UiGone)):
        raise UiFailed(str(ui.error) or type(ui.error).__name__) from ui.error
    if error is not None:
        raise error
