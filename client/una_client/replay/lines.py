"""A record in line mode: Enter goes on, words do the rest; without anybody who types, all of it is told at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from una_protocol.text import clean

from .. import narrator
from ..front import DONE
from ..i18n import _, mark
from ..line_io import write_line
from ..mirror import TableMirror
from ..playing import find_number, means
from ..words import card_names, seat_name
from .film import ALL, Film

Write = Callable[[str], None]


def run_lines(film: Film, speed: float, write: Write = write_line) -> int:
    """Until the end of the input, or `quit`; the exit status."""
    teller = Teller(film, write)
    teller.begin()
    if not sys.stdin.isatty():
        teller.play(lambda: None)
        return DONE
    write(_("Type Enter for the next step, a number, back, play, as NAME, all, hand, table, quit."))
    for line in sys.stdin:
        if not teller.command(line, lambda: time.sleep(1 / speed)):
            break
    return DONE


class Teller:
    """Tells steps; each step is told once when it is gone to."""

    def __init__(self, film: Film, write: Write) -> None:
        self.film = film
        self.write = write

    def begin(self) -> None:
        """Which record it is, and the deal."""
        record = self.film.record
        names = ", ".join(clean(name) for name in self.film.names.values())
        self.write(
            _("Round {number} ({name}), rules {profile}: {names}.").format(
                number=record["round"], name=clean(record["table"]), profile=clean(record["profile"]), names=names
            )
        )
        self.tell(0)
        self.hands()

    def tell(self, at: int) -> None:
        """What happened at a step."""
        teller = narrator.Narrator(hints=False)
        lines = [line for entry in self.film.entries(at) for line in teller.tell(entry, self.film.steps[at].view)]
        lines += teller.flush()
        for seat, cards in self.film.drawn_cards(at):
            lines.append(_("Drawn by {name}: {cards}.").format(name=self._name(seat), cards=card_names(cards)))
        for line in lines:
            self.write(line)

    def hands(self) -> None:
        """The hand, or all hands."""
        step, seats = self.film.step, self.film.names if self.film.seat is ALL else [self.film.seat]
        for seat in seats:
            cards = card_names(step.hands[seat])
            self.write(_("The hand of {name}: {cards}.").format(name=self._name(seat), cards=cards))

    def play(self, wait: Callable[[], None]) -> None:
        """All steps that are left."""
        while self.film.go(self.film.at + 1):
            self.tell(self.film.at)
            wait()

    def command(self, line: str, wait: Callable[[], None]) -> bool:
        """Do what the line says; False where it says that this is the end."""
        words = line.split()
        number = find_number(words[0]) if words else None
        if not words or means(words[0], mark("next")):
            self._go(self.film.at + 1)
        elif number is not None:
            self._go(number)
        elif means(words[0], mark("back")):
            self._go(self.film.at - 1)
        elif means(words[0], mark("play")):
            self.play(wait)
        elif means(words[0], mark("all")):
            self.film.seat = ALL
            self.hands()
        elif means(words[0], mark("as")):
            self._as(" ".join(words[1:]))
        elif means(words[0], mark("hand")):
            self.hands()
        elif means(words[0], mark("table")):
            for told in narrator.table_lines(TableMirror(self.film.view(self.film.seat)), 0.0):
                self.write(told)
        elif means(words[0], mark("quit")) or words[0] == "q":
            return False
        else:
            self.write(_("Type Enter for the next step, a number, back, play, as NAME, all, hand, table, quit."))
        return True

    def _go(self, to: int) -> None:
        if self.film.go(to):
            self.write(_("Step {n} of {all}.").format(n=self.film.at, all=self.film.last))
            self.tell(self.film.at)
        else:
            self.write(_("This is the first step.") if to < 0 else _("The record ends here."))

    def _as(self, wanted: str) -> None:
        from .command import find_seat

        seat = find_seat(self.film, wanted)
        if seat is None:
            names = ", ".join(map(clean, self.film.names.values()))
            self.write(_("Nobody of this name plays here: {names}.").format(names=names))
            return
        self.film.seat = seat
        self.hands()

    def _name(self, seat: int) -> str:
        return seat_name(self.film.names, seat)
