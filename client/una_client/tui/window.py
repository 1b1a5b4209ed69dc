"""The prompt_toolkit application: draws what `screens` make of the model, and feeds keys to `update`.

A `Screen` lives in the UI thread; trio reaches it only through `thread.Ui.call`, and hears of it only by `emit`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

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
from prompt_toolkit.output import Output

from ..i18n import _
from . import update
from .keys import KEYMAP
from .layout import Line, Size, text_width
from .model import Intent, Model, Redraw, Suspend, Where, World
from .prompt import input_prefix, seconds_left
from .screens.frame import render
from .theme import Caps, color_depth, make_style

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
        bell: bool = True,
        theme: str = "default",
        input: TerminalInput | None = None,
        output: Output | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.caps = caps
        self.emit = emit
        self.model = Model()
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
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = self.app.timeoutlen = ESCAPE_S

    # -- what trio calls

    def see(self, world: World) -> None:
        """The world has changed."""
        was_ours = self.model.world.turn is not None
        self._set(update.see(self.model, world, self._clock()))
        if (world.turn is not None) != was_ours:
            self._alarm(world.turn is not None)

    def resized(self) -> None:
        """The terminal has another size now. In a thread prompt_toolkit looks only twice a second for that, and misses
        what happens in the first half.
        """
        self.app.renderer.erase(leave_alternate_screen=False)
        self.app.invalidate()

    def tell(self, note: str) -> None:
        """Say why something was refused."""
        self._set(update.tell(self.model, note, self._clock()))

    # -- changes of the model

    def press(self, key: str) -> None:
        """A key was pressed."""
        model, intents = update.press(self.model, key, self._clock())
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
        if self.model.input is not None and buffer.text != self.model.draft:
            self.model = replace(self.model, draft=buffer.text)

    def _set(self, model: Model) -> None:
        if model is self.model:
            return
        before, self.model = self.model, model
        if before.input != model.input:
            if model.input is not None:
                self.buffer.text = model.draft
                self.buffer.cursor_position = len(model.draft)
            self.app.layout.focus(self._main if model.input is None else self._field)
        self.app.invalidate()
        self._keep_time()

    def _keep_time(self) -> None:
        """Draw once a second while something on the screen depends on the time, and never otherwise."""
        if self._timer is None and self._moves():
            self._timer = asyncio.get_running_loop().call_later(1.0, self._tick)

    def _moves(self) -> bool:
        world, now = self.model.world, self._clock()
        if self.model.note and now < self.model.note_until:
            return True
        if world.lost is not None:
            return world.lost.next_at is not None
        return world.frozen is None and bool(seconds_left(self.model, now))

    def _tick(self) -> None:
        self._timer = None
        self.app.invalidate()
        self._keep_time()

    def _alarm(self, ours: bool) -> None:
        output, now = self.app.output, self._clock()
        output.set_title("▶ una: " + _("your turn") if ours and not self.caps.ascii else "una")
        if ours and self._bell and now - self._rang >= BELL_EVERY_S:
            self._rang = now
            output.bell()
        output.flush()

    # -- drawing

    def _rows(self) -> list[Line]:
        size, now = self.app.output.get_size(), self._clock()
        drawn = (self.model, Size(size.columns, size.rows), int(now))
        if self._drawn is None or drawn[0] is not self._drawn[0] or drawn[1:] != self._drawn[1:]:
            self._drawn, self._lines = drawn, render(*drawn[:2], self.caps, now)
        return self._lines

    def _body(self) -> StyleAndTextTuples:
        return _joined(self._rows()[:-2])

    def _control(self, text: Callable[[], StyleAndTextTuples], *, focusable: bool = False) -> FormattedTextControl:
        return FormattedTextControl(text, focusable=focusable, show_cursor=False)

    def _buffer_control(self) -> BufferControl:
        secret = Condition(lambda: self.model.input is not None and self.model.input.kind == "password")
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
        everywhere = {key for entry in KEYMAP if Where.ALWAYS in entry.where for key in entry.keys} - {"?"}
        typing = {key for entry in KEYMAP if Where.INPUT in entry.where for key in entry.keys} | everywhere
        for key in {key for entry in KEYMAP for key in entry.keys}:
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


def _joined(lines: list[Line]) -> StyleAndTextTuples:
    pieces: StyleAndTextTuples = []
    for line in lines:
        pieces += line
        pieces.append(("", "\n"))
    return pieces[:-1]
