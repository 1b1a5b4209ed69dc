"""What the screens show, as immutable values: the world as the network knows it, and where the user stands in it.

The trio side makes a new `World` whenever something came in; the UI thread alone holds the `Model` around it and
changes it by `update.press`, `update.see` and `update.submit`. Nothing here draws, sends, waits or reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from una_protocol.actions import Action, Challenge, Play
from una_protocol.cards import Card, Color
from una_protocol.messages import TableRow, TurnNow
from una_protocol.messages import _Request as Request
from una_protocol.view import View

from ..reasons import can_jump_in
from . import hand

GUARD_S = 0.3
"""So long a dialog that opened by itself ignores keys, so that no key typed for something else answers it."""


NOTE_S = 3.0
"""So long the prompt line says why a key did nothing."""


class Where(Enum):
    """Where keys apply: the screens, the dialogs, the input line, everywhere."""

    LOBBY = "lobby"
    WAITING = "waiting"
    PLAY = "play"
    SCORE = "score"
    WATCH = "watch"
    COLOR = "colour"
    SEAT = "seat"
    CHALLENGE = "challenge"
    WHICH = "which"
    CONFIRM = "confirm"
    FORM = "form"
    HELP = "help"
    INPUT = "input"
    LOST = "lost"
    ALWAYS = "always"


# -- the world --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log or the chat; `text` is made, not yet cleaned."""

    clock: str
    text: str
    kind: Literal["event", "chat", "turn", "error"] = "event"


@dataclass(frozen=True, slots=True)
class Four:
    """The draw four that may be challenged: who laid it, and the colour in force before."""

    seat: int
    before: Color | None


@dataclass(frozen=True, slots=True)
class Retrying:
    """The connection is lost: how often we tried, when (monotonic seconds) we try again, and why it was lost."""

    attempt: int = 0
    next_at: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """Everything that came from the network. `view` is this world's own copy; times are monotonic seconds.

    `frozen`: seconds left while the table is paused. `sent`: our action that is not yet confirmed.
    """

    where: str = ""
    me: str = ""
    lost: Retrying | None = None
    lobby: tuple[TableRow, ...] = ()
    view: View | None = None
    turn: TurnNow | None = None
    deadline: float | None = None
    limit: float | None = None
    frozen: float | None = None
    sent: Action | None = None
    log: tuple[LogLine, ...] = ()
    four: Four | None = None
    rounds: tuple[tuple[int, ...], ...] = ()


# -- what the user is asked -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PickColor:
    """Which colour to wish; `card` None: for the wild that was turned up first. Nothing is sent before the pick."""

    card: Card | None
    at: int = 0


@dataclass(frozen=True, slots=True)
class PickSeat:
    """With whom to swap hands."""

    card: Card
    seats: tuple[int, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class AskChallenge:
    """Challenge the draw four or accept it. Opens by itself, at `opened`."""

    opened: float


@dataclass(frozen=True, slots=True)
class AskWhich:
    """`c` may mean two things now: challenge, or catch the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Confirm:
    """A question answered by yes or no; `then` is sent on yes. `asked` tells a second Ctrl-C from the first."""

    question: str
    consequence: str
    then: tuple[Intent, ...]
    asked: float = 0.0


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a form: a name, what may be chosen, which of it is chosen, and each choice in words."""

    name: str
    label: str
    choices: tuple[str | int, ...]
    at: int = 0
    words: tuple[str, ...] = ()

    @property
    def value(self) -> str | int:
        """What is chosen."""
        return self.choices[self.at]

    @property
    def shown(self) -> str:
        """What is chosen, in words."""
        return self.words[self.at] if self.words else str(self.value)


@dataclass(frozen=True, slots=True)
class Form:
    """Settings to choose, for a new table (`table` is its name) or the rules of this one."""

    kind: Literal["create", "options"]
    fields: tuple[Field, ...]
    name: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class Help:
    """The keys of the place where help was asked for; `at` is the first row shown where not all fit."""

    place: Where
    at: int = 0


Dialog = PickColor | PickSeat | AskChallenge | AskWhich | Confirm | Form | Help

DIALOG_PLACE: dict[type, Where] = {
    PickColor: Where.COLOR,
    PickSeat: Where.SEAT,
    AskChallenge: Where.CHALLENGE,
    AskWhich: Where.WHICH,
    Confirm: Where.CONFIRM,
    Form: Where.FORM,
    Help: Where.HELP,
}


@dataclass(frozen=True, slots=True)
class Input:
    """What the input line is used for; `about` is the table that a password is asked for."""

    kind: Literal["chat", "name", "password"]
    about: str = ""
    watch: bool = False


# -- what the user wants ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class RetryNow:
    """Try to connect at once."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line typed into the chat; one that begins with / is a command, which numbers the cards as the screen did."""

    text: str
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Redraw:
    """Draw the whole screen anew."""


@dataclass(frozen=True, slots=True)
class Suspend:
    """Stop until the shell continues us. The seat is kept by the server's rule for those who are away."""


Intent = Request | Quit | RetryNow | Say | Redraw | Suspend
"""What update functions ask for: requests are sent as they are, with a fresh id."""


# -- the model --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """The world, and where the user stands in it.

    `selected` is the place in the sorted hand, `armed` says that una goes out with the next card, `note` is why the
    last key did nothing, shown until `note_until` (the prompt must say again what is expected). `scroll` counts log
    lines back from the newest, `seen` is how many there were when scrolling began, `draft` is what was typed and not
    sent, `answered` the turn whose dialog has opened by itself already.
    """

    world: World = field(default_factory=World)
    selected: int = 0
    sort: hand.Order = "color"
    armed: bool = False
    dialog: Dialog | None = None
    input: Input | None = None
    draft: str = ""
    note: str = ""
    note_until: float = 0.0
    row: int = 0
    scroll: int = 0
    seen: int = 0
    answered: int = -1
    last_cancel: float = -10.0

    @property
    def view(self) -> View | None:
        """The table we are at."""
        return self.world.view

    @property
    def place(self) -> Where:
        """Which screen is shown."""
        view = self.view
        if view is None:
            return Where.LOBBY
        if view.stage == "waiting":
            return Where.WAITING
        if view.stage in ("between", "over"):
            return Where.SCORE if view.result is not None else Where.WAITING
        return Where.PLAY if view.you is not None and view.hand is not None else Where.WATCH

    @property
    def places(self) -> tuple[Where, ...]:
        """Where keys apply now, the most particular first."""
        if self.input is not None:
            return (Where.INPUT, Where.ALWAYS)
        if self.dialog is not None:
            return (DIALOG_PLACE[type(self.dialog)], Where.ALWAYS)
        if self.world.lost is not None:
            return (Where.LOST, Where.ALWAYS)
        return (self.place, Where.ALWAYS)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The own hand in the order of the screen."""
        view = self.view
        return hand.ordered(tuple(view.hand or ()), self.sort) if view is not None else ()

    @property
    def card(self) -> Card | None:
        """The selected card."""
        cards = self.cards
        return cards[min(self.selected, len(cards) - 1)] if cards else None

    @property
    def my_turn(self) -> bool:
        """Whether we owe a decision and have not sent it."""
        return self.world.turn is not None and self.world.sent is None

    @property
    def legal(self) -> tuple[Action, ...]:
        """What we may do now; nothing while an action is on its way."""
        return tuple(self.world.turn.legal) if self.world.turn is not None and self.world.sent is None else ()

    @property
    def may_challenge(self) -> bool:
        """Whether a draw four can be challenged now."""
        return any(isinstance(action, Challenge) for action in self.legal)

    @property
    def catchable(self) -> tuple[int, ...]:
        """The seats that we may try to catch."""
        view = self.view
        if view is None or view.you is None or view.stage != "playing":
            return ()
        return tuple(seat for seat in view.catchable if seat != view.you)

    def plays(self, card: Card) -> tuple[Play, ...]:
        """The ways to lay the card now, a jump-in too."""
        listed = tuple(action for action in self.legal if isinstance(action, Play) and action.card == card)
        view = self.view
        if not listed and view is not None and self.world.sent is None and can_jump_in(view, self.world.turn, card):
            return (Play(card),)
        return listed


Step = tuple[Model, tuple[Intent, ...]]
"""What a key leads to: the model after it, and what is to be sent."""
