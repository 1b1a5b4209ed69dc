"""What a lesson is: a position, and steps that each say what to do, what is right, and what follows. Data, no I/O."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from una_protocol import events as ev
from una_protocol.actions import Action
from una_protocol.cards import COLOR, Card, Color
from una_protocol.view import Player, View

YOU: Final = 0
TEACHER: Final = 1
OPTIONS: Final[dict[str, Any]] = {
    "hand_size": 7, "draw_four": "bluff", "una_penalty": 2, "una_catcher": "anyone", "target_score": 0,
    "play_drawn": True, "voluntary_draw": True, "two_player_reverse": "skip", "scoring": "winner",
}  # fmt: skip


class Step(Struct, frozen=True, kw_only=True):
    """One decision of the learner.

    `says`: what it is about; `keys` and `typed`: what to do in full screen and in line mode; `wrong`: what is said to
    another choice. `before` happens first (moves of the teacher), `then` after the right choice.
    """

    says: str
    keys: str
    typed: str
    wrong: str
    legal: tuple[Action, ...]
    right: tuple[Action, ...]
    then: tuple[ev.Event, ...]
    before: tuple[ev.Event, ...] = ()
    phase: Any = "turn"
    pending: int = 0
    catchable: tuple[int, ...] = ()
    can_una: bool = False


class Lesson(Struct, frozen=True, kw_only=True):
    """A position and its steps; `done` is said at the end."""

    title: str
    hand: tuple[Card, ...]
    top: Card
    teacher_cards: int
    steps: tuple[Step, ...]
    done: str
    color: Color | None = None
    said_una: bool = False


def view_of(lesson: Lesson, number: int, name: str, teacher: str, title: str, seq: int) -> View:
    """The table as the lesson begins."""
    return View(
        table=f"lesson-{number}",
        seq=seq,
        name=title,
        profile="una",
        options=OPTIONS,
        seats=2,
        stage="playing",
        host=TEACHER,
        players=[
            Player(YOU, name, cards=len(lesson.hand), una=lesson.said_una),
            Player(TEACHER, teacher, bot=True, cards=lesson.teacher_cards),
        ],
        round=number,
        dealer=TEACHER,
        top=lesson.top,
        color=lesson.color or COLOR[lesson.top],
        draw_pile=60,
        phase="turn",
        turn_seat=TEACHER if lesson.steps[0].before else YOU,
        turn=1000 * number,
        you=YOU,
        hand=list(lesson.hand),
    )
