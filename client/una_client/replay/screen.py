"""A record in full screen: the table as it is played on, with the keys of a player of films instead of a player's.

The picture comes from the same functions as in a game; only the prompt, the input line and the hints are our own.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output

from una_protocol import events as ev

from ..goal import UiOptions
from ..i18n import _
from ..sentences import entry_text
from ..tui import cards
from ..tui.layout import Line, Size, fit, fit_text, remote, text_width
from ..tui.model import LogLine, Model, World
from ..tui.mouse import add_mouse
from ..tui.screens.frame import render
from ..tui.theme import Caps, color_depth, find_depth, make_style, needs_ascii
from .film import ALL, Film

SLOWEST, FASTEST = 0.25, 64.0
KEYS = (
    *("right", "left", "home", "end", "pageup", "pagedown", "enter", "tab", "escape", "c-c"), *"hlaq +-123456789",
)  # fmt: skip


@dataclass
class Projector:
    """The film, how fast it runs, and whether it does."""

    film: Film
    speed: float = 1.0
    running: bool = False

    def key(self, key: str) -> bool:
        """Do what a key means; False where it means the end."""
        film = self.film
        if key in ("right", "l", "enter", " ", "left", "h", "home", "end", "pageup", "pagedown"):
            far = {"left": -1, "h": -1, "pageup": -10, "pagedown": 10}.get(key, 1)
            if key == " ":
                self.running = not self.running and film.at < film.last
            else:
                self.running = False
                film.go(0 if key == "home" else film.last if key == "end" else film.at + far)
        elif key in ("+", "-"):
            self.speed = min(FASTEST, max(SLOWEST, self.speed * (2 if key == "+" else 0.5)))
        elif key == "a":
            film.seat = ALL
        elif key == "tab":
            seats = [ALL, *sorted(film.names)]
            film.seat = seats[(seats.index(film.seat) + 1) % len(seats)]
        elif key.isdigit():
            film.seat = int(key) - 1 if int(key) - 1 in film.names else film.seat
        return key not in ("q", "c-c", "escape")

    def tick(self) -> None:
        """The next step, while it runs."""
        if self.running and not self.film.go(self.film.at + 1):
            self.running = False


def picture(projector: Projector, size: Size, caps: Caps, now: float) -> list[Line]:
    """The screen: `size.height` lines."""
    film = projector.film
    seat = film.step.view.turn_seat if film.seat is ALL else film.seat  # all hands: that of whoever is on turn
    view = film.view(seat)
    world = World(me="", view=view, turn=film.turn(seat), log=_log(film, caps))
    lines = render(Model(world), size, caps, now)
    if len(lines) < 4:
        return lines
    lines[-4] = fit([("class:prompt.turn", " " + caps.text(_state(projector)))], size.width)
    lines[-2] = fit([("class:dim", " " + caps.text(_bar(film, size.width - 2, caps)))], size.width)
    lines[-1] = fit(_hints(projector, size.width, caps), size.width)
    return lines


def _state(projector: Projector) -> str:
    film = projector.film
    seat, speed = film.step.view.turn_seat if film.seat is ALL else film.seat, f"{projector.speed:g}"
    who = remote(film.names[seat]) if seat is not None else _("nobody")
    if film.seat is ALL:
        text = _("Step {n} of {all}, all hands, now that of {who}. Speed {speed}.")
    else:
        text = _("Step {n} of {all}, as {who} saw it. Speed {speed}.")
    text = text.format(n=film.at, all=film.last, who=who, speed=speed)
    return ("▶ " if projector.running else "○ ") + text


def _bar(film: Film, width: int, caps: Caps) -> str:
    done = round(width * film.at / max(1, film.last))
    return fit_text(caps.signs.bar * done + caps.signs.no_bar * (width - done), width)


def _hints(projector: Projector, width: int, caps: Caps) -> Line:
    pause = _("stop") if projector.running else _("run")
    hints = [
        ("←→", _("step")), ("Space", pause), ("+-", _("speed")), ("Tab 1-9", _("seat")), ("a", _("all hands")),
        ("Home End", _("ends")), ("q", _("quit")),
    ]  # fmt: skip
    while sum(text_width(caps.text(_(key)) + label) + 3 for key, label in hints) > width and len(hints) > 1:
        del hints[-2]  # the last one, the way out, stays
    line: Line = []
    for key, label in hints:
        line += [("", "  " if line else " "), ("class:hint.key", caps.text(_(key))), ("class:hint", f" {label}")]
    return line


def _log(film: Film, caps: Caps) -> tuple[LogLine, ...]:
    """What happened up to here; a few hundred lines at most."""
    lines = []
    for at in range(max(0, film.at - 200), film.at + 1):
        for entry in film.entries(at):
            if not isinstance(entry.what, ev.Turn):
                text = entry_text(entry, lambda card: cards.label(card, caps))
                lines.append(LogLine(f"{at:>3}", text, "turn" if at == film.at else "event"))
    return tuple(lines)


def run_screen(
    film: Film, speed: float, options: UiOptions, *, input: Input | None = None, output: Output | None = None
) -> None:
    """Show the film until the viewer quits."""
    caps = Caps(options.ascii or needs_ascii(sys.stdout.encoding), find_depth(options.color))
    projector = Projector(film, speed)
    bindings = KeyBindings()
    add_mouse(bindings)

    def draw() -> StyleAndTextTuples:
        size = app.output.get_size()
        lines = picture(projector, Size(size.columns, size.rows), caps, time.monotonic())
        text: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            text += [("", "\n")] if number else []
            text += line
        return text

    app: Application[None] = Application(
        layout=Layout(Window(FormattedTextControl(draw, focusable=True), always_hide_cursor=True)),
        key_bindings=bindings,
        style=make_style(caps.depth, options.theme),
        color_depth=color_depth(caps.depth),
        full_screen=True,
        input=input,
        output=output,
    )
    app.ttimeoutlen = app.timeoutlen = 0.05
    for key in KEYS:

        def pressed(_event: object, key: str = key) -> None:
            if projector.key(key):
                app.invalidate()
            else:
                app.exit()

        bindings.add(key)(pressed)

    async def run_on() -> None:
        while True:
            await asyncio.sleep(1 / projector.speed)
            if projector.running:
                projector.tick()
                app.invalidate()

    def begin() -> None:
        app.create_background_task(run_on())

    app.run(pre_run=begin)
