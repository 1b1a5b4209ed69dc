"""The codes of mice, as prompt_toolkit reads them, but for those that are none.

What looks like the code of a mouse need not be one: text that is pasted, or sent over a line that loses bytes, may hold
`ESC [ 3 1 m`. prompt_toolkit would fail at it, and with it the whole screen.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.key_binding.key_bindings import Binding
from prompt_toolkit.keys import Keys

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


def add_mouse(bindings: KeyBindings) -> None:
    """Bind the codes of mice; a code that cannot be read does nothing."""
    for known in load_mouse_bindings().bindings:
        if known.keys == (Keys.Vt100MouseEvent,):
            _add(bindings, known)


def _add(bindings: KeyBindings, known: Binding) -> None:
    @bindings.add(Keys.Vt100MouseEvent)
    def _(event: KeyPressEvent) -> NotImplementedOrNone:
        with contextlib.suppress(ValueError, LookupError):
            return known.handler(event)
        return NotImplemented
