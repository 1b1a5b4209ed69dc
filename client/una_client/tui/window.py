"""The prompt_toolkit application: draws what `screens` make of the model, and feeds keys to `update`.

A `Screen` lives in the UI thread; trio reaches it only through `thread.Ui.call`, and hears of it only by `emit`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input as TerminalInput
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    DynamicContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.processors import ConditionalProcessor, PasswordProcessor
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from ..goal import Bell
from ..i18n import _
from . import update
from .keys import table
from .layout import Line, Size, hit, text_width
from .model import Input, Intent, Model, Redraw, Suspend, Where, World
from .mouse import add_mouse
from .prompt import input_prefix
from .screens.frame import render
from .theme import Caps, color_depth, make_style
from .timing import next_change
from .update import worth_hearing

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

BELL_EVERY_S: Final = 5.0
ESCAPE_S: Final = 0.05
"""Esc begins the codes of other keys too: so long we wait whether one follows. The default, 0.5 s, feels broken."""
LONGEST_LINE: Final = 200


class Screen:
    """What the user sees. `emit` is called with each intent."""

    def __init__(
        self,
        caps: Caps,
        emit: Callable[[Intent], None],
        *,
        bell: Bell = "turn",
        theme: str = "default",
        mouse: bool = False,
        input: TerminalInput | None = None,
        output: Output | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.caps = caps
        self.emit = emit
        self.model = Model(World(at_servers=True), mouse=mouse)  # nothing is known yet
        self._bell = bell
        self._clock = clock
        self._rang = -BELL_EVERY_S
        self._timer: asyncio.TimerHandle | None = None
        self._drawn: tuple[Model, Size, int] | None = None
        self._lines: list[Line] = []
        self._typing = Condition(lambda: self.model.input is not None)
        self.buffer = Buffer(multiline=False, on_text_changed=self._typed)
        self._main = Window(self._control(self._body, focusable=True), always_hide_cursor=True)
        self._field = Window(self._buffer_control(), height=1)
        self.app: Application[None] = Application(
            layout=Layout(self._layout(), focused_element=self._main),
            key_bindings=self._bindings(),
            style=make_style(caps.depth, theme),
            color_depth=color_depth(caps.depth),
            full_screen=True,
            mouse_support=Condition(lambda: self.model.mouse),
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = self.app.timeoutlen = ESCAPE_S

    # -- what trio calls

    def see(self, world: World) -> None:
        """The world has changed."""
        old = self.model.world
        self._set(update.see(self.model, world, self._clock()))
        if (world.turn is not None) != (old.turn is not None):
            self._entitle(world.turn is not None)
        if world.turn is not None and old.turn is None:
            self._ring("turn")
        elif worth_hearing(old, world):
            self._ring("all")

    def resized(self) -> None:
        """The terminal has another size now. In a thread prompt_toolkit looks only twice a second for that, and misses
        what happens in the first half.
        """
        self.app.renderer.erase(leave_alternate_screen=False)
        self.app.invalidate()

    def tell(self, note: str) -> None:
        """Say why something was refused."""
        self._set(update.tell(self.model, note, self._clock()))

    def ask(self, input: Input, note: str) -> None:
        """The server wants to know something."""
        self._set(update.ask_for(self.model, input, note, self._clock()))

    def take_rules(self, profile: str, options: dict[str, Any]) -> None:
        """House rules were read from a file."""
        self._set(update.take_rules(self.model, profile, options))

    # -- changes of the model

    def press(self, key: str) -> None:
        """A key was pressed."""
        self._do(*update.press(self.model, key, self._clock()))

    def click(self, column: int, row: int) -> None:
        """The mouse was clicked there."""
        what = hit(self._rows(), column, row)
        if what is not None:
            self._do(*update.click(self.model, what, self._clock()))

    def _do(self, model: Model, intents: tuple[Intent, ...]) -> None:
        self._set(model)
        for intent in intents:
            if isinstance(intent, Redraw):
                self.app.renderer.clear()
            elif isinstance(intent, Suspend):
                self.app.suspend_to_background()
            else:
                self.emit(intent)

    def _typed(self, buffer: Buffer) -> None:
        if len(buffer.text) > LONGEST_LINE:
            buffer.text = buffer.text[:LONGEST_LINE]
        if self.model.input is None or buffer.text == self.model.line:
            return
        if self.model.input.kind == "chat":
            self.model = replace(self.model, draft=buffer.text)
        else:
            self.model = replace(self.model, typed=buffer.text)

    def _set(self, model: Model) -> None:
        if model is self.model:
            return
        before, self.model = self.model, model
        if before.input != model.input:
            if model.input is not None:
                self.buffer.text = model.line
                self.buffer.cursor_position = len(model.line)
            self.app.layout.focus(self._main if model.input is None else self._field)
        self.app.invalidate()
        self._keep_time()

    def _keep_time(self) -> None:
        """Draw when something on the screen changes by the time, and never otherwise."""
        wait = next_change(self.model, self._clock())
        if wait is None:
            return
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            if self._timer.when() <= loop.time() + wait:
                return
            self._timer.cancel()
        self._timer = loop.call_later(wait, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.app.invalidate()
        self._keep_time()

    def _entitle(self, ours: bool) -> None:
        """The window's title says whether it is our turn."""
        sign = "*" if self.caps.ascii else "▶"
        self.app.output.set_title(f"{sign} una: " + _("your turn") if ours else "una")
        self.app.output.flush()

    def _ring(self, why: Bell) -> None:
        """Ring, if the user wants to hear of this, and not too often."""
        now = self._clock()
        if self._bell == "never" or (why == "all" and self._bell != "all") or now - self._rang < BELL_EVERY_S:
            return
        self._rang = now
        self.app.output.bell()
        self.app.output.flush()

    # -- drawing

    def _rows(self) -> list[Line]:
        size, now = self.app.output.get_size(), self._clock()
        drawn = (self.model, Size(size.columns, size.rows), self.app.render_counter)  # three windows show one picture
        if self._drawn is None or drawn[0] is not self._drawn[0] or drawn[1:] != self._drawn[1:]:
            self._drawn, self._lines = drawn, render(*drawn[:2], self.caps, now)
        return self._lines

    def _body(self) -> StyleAndTextTuples:
        return _joined(self._rows()[:-2])

    def _control(self, text: Callable[[], StyleAndTextTuples], *, focusable: bool = False) -> FormattedTextControl:
        return Clickable(self, text, focusable) if focusable else FormattedTextControl(text, show_cursor=False)

    def _buffer_control(self) -> BufferControl:
        secret = Condition(lambda: self.model.input is not None and self.model.input.secret)
        return BufferControl(self.buffer, input_processors=[ConditionalProcessor(PasswordProcessor(), secret)])

    def _layout(self) -> HSplit:
        prefix = DynamicContainer(
            lambda: Window(
                self._control(lambda: [("class:prompt.turn", input_prefix(self.model))]),
                width=text_width(input_prefix(self.model)),
                height=1,
            )
        )
        idle = Window(self._control(lambda: _joined(self._rows()[-2:-1])), height=1)
        return HSplit(
            [
                self._main,
                ConditionalContainer(VSplit([prefix, self._field]), self._typing),
                ConditionalContainer(idle, ~self._typing),
                Window(self._control(lambda: _joined(self._rows()[-1:])), height=1),
            ]
        )

    # -- keys

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        add_mouse(bindings)
        everywhere = {key for entry in table() if Where.ALWAYS in entry.where for key in entry.keys if len(key) > 1}
        typing = {key for entry in table() if Where.INPUT in entry.where for key in entry.keys} | everywhere
        for key in {key for entry in table() for key in entry.keys}:
            bindings.add(key, filter=~self._typing)(self._pressed(key))
            if key in typing:
                bindings.add(key, filter=self._typing)(self._pressed(key))
        # Alt and a letter comes as Esc and the letter: it must not leave the line and then be taken for a game key
        bindings.add("escape", Keys.Any)(lambda event: None)
        bindings.add(Keys.BracketedPaste, filter=~self._typing)(lambda event: None)
        return bindings

    def _pressed(self, key: str) -> Callable[[KeyPressEvent], None]:
        def handler(event: KeyPressEvent) -> None:
            self.press(key)

        return handler


class Clickable(FormattedTextControl):
    """The main part of the screen: tells the screen where it was clicked."""

    def __init__(self, screen: Screen, text: Callable[[], StyleAndTextTuples], focusable: bool) -> None:
        super().__init__(text, focusable=focusable, show_cursor=False)
        self._screen = screen

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """A click counts when the button goes up; the wheel scrolls the log."""
        kind = mouse_event.event_type
        if kind is MouseEventType.MOUSE_UP and mouse_event.button is MouseButton.LEFT:
            self._screen.click(mouse_event.position.x, mouse_event.position.y)
        elif kind is MouseEventType.SCROLL_UP:
            self._screen.press("pageup")
        elif kind is MouseEventType.SCROLL_DOWN:
            self._screen.press("pagedown")
        return None


def _joined(lines: list[Line]) -> StyleAndTextTuples:
    pieces: StyleAndTextTuples = []
    for line in lines:
        pieces += line
        pieces.append(("", "\n"))
    return pieces[:-1]
