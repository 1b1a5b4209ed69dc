"""What the user is asked, as immutable values: pickers, questions, forms, menus, the help, the input line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from una_protocol.cards import Card

if TYPE_CHECKING:
    from .model import Intent, Where

Value = bool | int | str


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
class AskVote:
    """Whether the accused is guilty of advising. Opens by itself, at `opened`."""

    seat: int
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
    """One line of a form: a name, what may be chosen, which of it is chosen, and each choice in words.

    Without choices it is a text, typed into the input line; `option`: it is a rule, whose value the profile sets.
    """

    name: str
    label: str
    choices: tuple[Value, ...] = ()
    at: int = 0
    words: tuple[str, ...] = ()
    text: str = ""
    option: bool = False

    @property
    def value(self) -> Value:
        """What is chosen, or typed."""
        return self.choices[self.at] if self.choices else self.text

    @property
    def shown(self) -> str:
        """What is chosen, in words."""
        if not self.choices:
            return "*" * len(self.text) if self.name == "password" else self.text
        return self.words[self.at] if self.words else str(self.value)


@dataclass(frozen=True, slots=True)
class Form:
    """Settings to choose, for a new table (`name`) or the rules of this one (`before` is what they were)."""

    kind: Literal["create", "options"]
    fields: tuple[Field, ...]
    name: str = ""
    at: int = 0
    before: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a menu: what it says, and what is sent; `ask`: a question that comes before."""

    label: str
    then: tuple[Intent, ...]
    ask: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """What else can be done at the table."""

    items: tuple[Item, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Help:
    """The keys of the place where help was asked for; `at` is the first row shown where not all fit.

    `under` is the dialog that it was asked for in, which is there again after it.
    """

    place: Where
    at: int = 0
    under: Dialog | None = None


@dataclass(frozen=True, slots=True)
class History:
    """All messages; `up` lines above the newest."""

    up: int = 0


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of the arena; `at` is the marked row."""

    at: int = 0


Dialog = (
    PickColor | PickSeat | AskChallenge | AskVote | AskWhich | Confirm | Form | Menu | Help | History | Ladder
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Input:
    """What the input line is used for; `about` is the table that a password is asked for, or the field of the form."""

    kind: Literal["chat", "name", "password", "address", "server-password", "nick", "field"]
    about: str = ""
    watch: bool = False

    @property
    def secret(self) -> bool:
        """Whether what is typed must not be seen."""
        return self.kind in ("password", "server-password") or (self.kind == "field" and self.about == "password")
