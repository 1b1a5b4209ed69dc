"""What the screens show, as an immutable value: the world as the network knows it, and where the user stands in it.

The UI thread alone holds the `Model` around a `World` and changes it by `update`. Nothing here draws, sends, waits or
reads a clock. The values of the world are in `world`, what the user is asked in `asks`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from una_protocol.actions import Action, Challenge, Play
from una_protocol.cards import Card
from una_protocol.messages import _Request as Request
from una_protocol.view import View

from ..reasons import can_jump_in
from . import hand
from .asks import AskChallenge as AskChallenge
from .asks import AskVote as AskVote
from .asks import AskWhich as AskWhich
from .asks import Confirm as Confirm
from .asks import Dialog as Dialog
from .asks import Field as Field
from .asks import Form as Form
from .asks import Help as Help
from .asks import History as History
from .asks import Input as Input
from .asks import Item as Item
from .asks import Ladder as Ladder
from .asks import Menu as Menu
from .asks import PickColor as PickColor
from .asks import PickSeat as PickSeat
from .world import Catalogue as Catalogue
from .world import Four as Four
from .world import LogLine as LogLine
from .world import Retrying as Retrying
from .world import ServerRow as ServerRow
from .world import World as World

GUARD_S = 0.3
"""So long a dialog that opened by itself ignores keys, so that no key typed for something else answers it."""
NOTE_S = 3.0
"""So long the prompt line says why a key did nothing."""


class Where(Enum):
    """Where keys apply: the screens, the dialogs, the input line, everywhere."""

    SERVERS = "servers"
    LOBBY = "lobby"
    WAITING = "waiting"
    PLAY = "play"
    SCORE = "score"
    WATCH = "watch"
    COLOR = "colour"
    SEAT = "seat"
    CHALLENGE = "challenge"
    VOTE = "vote"
    WHICH = "which"
    CONFIRM = "confirm"
    FORM = "form"
    MENU = "menu"
    HELP = "help"
    HISTORY = "history"
    LADDER = "ladder"
    INPUT = "input"
    LOST = "lost"
    CONNECTING = "connecting"
    ALWAYS = "always"


DIALOG_PLACE: dict[type, Where] = {
    PickColor: Where.COLOR,
    PickSeat: Where.SEAT,
    AskChallenge: Where.CHALLENGE,
    AskVote: Where.VOTE,
    AskWhich: Where.WHICH,
    Confirm: Where.CONFIRM,
    Form: Where.FORM,
    Menu: Where.MENU,
    Help: Where.HELP,
    History: Where.HISTORY,
    Ladder: Where.LADDER,
}


# -- what the user wants ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class Back:
    """Back to the list of servers."""


@dataclass(frozen=True, slots=True)
class GoTo:
    """Connect to this address, `host[:port][/table]`; what was typed is judged by whoever connects."""

    address: str


@dataclass(frozen=True, slots=True)
class Again:
    """Connect to the same place again, with a password or under another name."""

    password: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Rescan:
    """Forget the servers that were found and look again; in a lobby, list its tables again."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Make the server a favourite, or no longer."""

    address: str


@dataclass(frozen=True, slots=True)
class MoreTables:
    """The next page of the list of tables."""


@dataclass(frozen=True, slots=True)
class ReadLadder:
    """Ask for the ladder anew, or for its next page."""

    more: bool = False


@dataclass(frozen=True, slots=True)
class ReadRules:
    """Read house rules from this file, for the form."""

    path: str


@dataclass(frozen=True, slots=True)
class Mute:
    """Do not show any more (or again) what this person says."""

    name: str


@dataclass(frozen=True, slots=True)
class SaveLog:
    """Write the log to a file."""


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


Intent = (
    Request | Quit | Back | GoTo | Again | Rescan | Keep | MoreTables | ReadLadder | ReadRules | Mute | SaveLog
    | RetryNow | Say | Redraw | Suspend
)  # fmt: skip
"""What update functions ask for: requests are sent as they are, with a fresh id."""


# -- the model --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """The world, and where the user stands in it.

    `selected` is the place in the sorted hand, `armed` says that una goes out with the next card, `note` is why the
    last key did nothing, shown until `note_until` (the prompt must say again what is expected). `row` is the marked
    table, `server` the marked server. `scroll` counts log lines back from the newest, `seen` is how many there were
    when scrolling began, `draft` is what was typed into the chat and not sent, `typed` what stands in another input
    line, `answered` the turn whose dialog has opened by itself already, `voted` the same for an accusation. `level` is
    that of the bots added next. `clicked`: what was clicked last, and when.
    """

    world: World = field(default_factory=World)
    selected: int = 0
    sort: hand.Order = "color"
    armed: bool = False
    dialog: Dialog | None = None
    input: Input | None = None
    form: Form | None = None
    draft: str = ""
    typed: str = ""
    note: str = ""
    note_until: float = 0.0
    row: int = 0
    server: int = 0
    level: str = "normal"
    scroll: int = 0
    seen: int = 0
    answered: int = -1
    voted: tuple[int, int] | None = None
    last_cancel: float = -10.0
    mouse: bool = False
    clicked: tuple[str, float] = ("", -10.0)

    @property
    def view(self) -> View | None:
        """The table we are at."""
        return self.world.view

    @property
    def line(self) -> str:
        """What stands in the input line."""
        return self.draft if self.input is None or self.input.kind == "chat" else self.typed

    @property
    def place(self) -> Where:
        """Which screen is shown."""
        view = self.view
        if view is None:
            return Where.SERVERS if self.world.at_servers else Where.LOBBY
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
        if self.world.connecting is not None:
            return (Where.CONNECTING, Where.ALWAYS)
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
    def may_vote(self) -> bool:
        """Whether an accusation waits for our vote."""
        view = self.view
        asked = view.accusation if view is not None else None
        return asked is not None and view is not None and view.you not in (asked.seat, asked.by, None, *asked.voted)

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
