"""A person at the full-screen client: reads the screen, and presses the keys that the prompt line names.

It knows what a player knows from looking, and nothing else. What it sees is compared with the truth by whoever calls.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from tests.e2e.terminal import Terminal
from una_protocol.cards import Card

SIGNS: Final = {"●": "R", "◆": "Y", "▲": "G", "■": "B", "★": ""}
FACES: Final = {"Ø": "S", "⇄": "R"}
CARD: Final = r"([●◆▲■★])\s*(\+2|\+4|\d|Ø|⇄|W)"
BOXED: Final = re.compile(rf"[│┊║]{CARD}")
CHIP: Final = re.compile(rf"(?:\[\d+\]|\d ){CARD}")

REACTIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("Choose a colour for|choose the colour to begin", ("1",)),
    ("Challenge or accept|c challenges, a accepts", ("c", "a")),
    ("swap hands", ("1",)),
    ("u first", ("u",)),
    ("u calls una", ("u",)),
    ("c catches", ("c",)),
    ("Enter plays|Enter, then a colour|Enter passes it on|Enter chooses|p plays it", ("Enter",)),
    ("Tab goes", ("Tab",)),
    ("d draws|d takes", ("d",)),
    ("n passes", ("n",)),
)
"""What the prompt line says, and the keys it asks for: the first that fits counts; of two, now one, now the other."""


class Person:
    """Plays a match by looking. `looks` is called before each decision, with the screen at rest."""

    def __init__(self, terminal: Terminal, looks: Callable[[Person], None]) -> None:
        self.terminal = terminal
        self.pressed: Counter[str] = Counter()
        self.looked = 0
        self._looks = looks

    # -- seeing ------------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """The line that says what is expected."""
        return self.terminal.lines[-4].strip()

    @property
    def hints(self) -> str:
        """The keys that work now."""
        return self.terminal.lines[-1].strip()

    def hand(self) -> list[Card]:
        """The cards of the hand as they are drawn, as texts in order; the label above them says the same number."""
        lines = self.terminal.lines
        start = next(i for i, line in enumerate(lines) if line.startswith("  Your hand ("))
        drawn = "\n".join(lines[start + 1 : -4])
        found = BOXED.findall(drawn) or CHIP.findall(drawn)
        cards = ["W+4" if face == "+4" else SIGNS[sign] + FACES.get(face, face) for sign, face in found]
        count = re.search(r"\((\d+) cards?\)", lines[start])
        assert count is not None
        assert "are shown" in lines[start] or int(count[1]) == len(cards), lines[start:]
        return sorted(Card(card) for card in cards)

    def asked(self) -> bool:
        """Whether a dialog is open; it leaves the hand to be seen, and lies over the table."""
        return any("╔═ " in line for line in self.terminal.lines)

    def my_decision(self) -> bool:
        """Whether the prompt asks for a move."""
        return self.prompt.startswith("▶")

    # -- playing -----------------------------------------------------------------------------------------------

    def play_to_the_end(self, timeout: float = 150.0) -> None:
        """Play until the screen says that the match is over."""
        end = time.monotonic() + timeout
        while "The match is over" not in self.prompt:
            assert time.monotonic() < end, f"the match is not over after {timeout:g} s"
            self.terminal.settle(0.02)
            self._step()

    def _step(self) -> None:
        if "Space ready" in self.hints:
            self._press("Space")
            return
        if self.my_decision():
            self._looks(self)
            self.looked += 1
        for words, keys in REACTIONS:
            if re.search(words, self.prompt) and (self.my_decision() or self.prompt.startswith("!")):
                self._press(keys[self.pressed.total() % len(keys)])
                return
        if self.prompt.startswith("! ") and "Tab next" in self.hints:  # an alarm, or why a key did nothing
            self._press("Tab")
            return
        self.terminal.read(0.1)

    def _press(self, key: str) -> None:
        """Press a key, and wait a little for the screen to answer."""
        before = self.terminal.text
        self.terminal.press(key)
        self.pressed[key] += 1
        end = time.monotonic() + 0.5
        while self.terminal.text == before and time.monotonic() < end:
            self.terminal.read(0.05)
