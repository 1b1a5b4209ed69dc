"""The bot interface: one method, and the view it gets.

    class MyBot(Bot):
        def choose(self, view):
            return view.legal[view.default]

A bot never sees more than its seat may know. Whoever runs it (the client's runner, a server's house bots, an arena)
makes the view and sends the action.
"""

from __future__ import annotations

from collections.abc import Awaitable

from .actions import Action
from .cards import Card, Color
from .events import Event
from .view import Player, View


class BotView:
    """What a bot decides by: the table as its seat knows it, and the choices it has.

    `table` is the whole `View`; the properties are short cuts to what bots ask most. Whoever makes the view may work
    out all of it but `legal` and `ms` when first asked (an arena does, for speed), so it is to be read before the
    answer is given; what is kept for later is `table`.
    """

    __slots__ = ("_can_una", "_default", "_table", "legal", "ms")

    def __init__(
        self, table: View, legal: tuple[Action, ...], default: int, can_una: bool = False, ms: int | None = None
    ) -> None:
        self._table = table
        self._default = default
        self._can_una = can_una
        self.legal = legal
        """All choices: one of them is the answer (a `Play` may be replaced by one with `una=True`)."""
        self.ms = ms
        """The time left to decide, in milliseconds; None: no limit."""

    @property
    def table(self) -> View:
        """Everything my seat may know."""
        return self._table

    @property
    def default(self) -> int:
        """The index in `legal` of what is done when the time is over."""
        return self._default

    @property
    def can_una(self) -> bool:
        """Whether a `Play` may carry `una=True` now (U6)."""
        return self._can_una

    @property
    def seat(self) -> int:
        """My seat number."""
        return self.table.you if self.table.you is not None else -1

    @property
    def hand(self) -> list[Card]:
        """My cards, in the order they came."""
        return self.table.hand or []

    @property
    def drawn(self) -> Card | None:
        """The card just drawn that may be laid now, in phase `drawn`."""
        return self.table.drawn

    @property
    def phase(self) -> str:
        """`wish`, `turn`, `drawn` or `penalty`."""
        return self.table.phase

    @property
    def top(self) -> Card | None:
        """The card to be matched."""
        return self.table.top

    @property
    def color(self) -> Color | None:
        """The colour in force; None where anything fits."""
        return self.table.color

    @property
    def pending(self) -> int:
        """The sum of draw cards not yet taken."""
        return self.table.pending

    @property
    def players(self) -> list[Player]:
        """Everybody at the table, me included, by seat number."""
        return self.table.players

    @property
    def next_player(self) -> Player | None:
        """Who is next after me in the direction of play and still has cards."""
        others = [p for p in self.players if p.cards and p.seat != self.seat]
        if not others:
            return None
        direction = self.table.direction
        return min(others, key=lambda p: (p.seat - self.seat) * direction % 10)


class Bot:
    """Subclass this and write `choose`. The other methods are optional hooks."""

    def choose(self, view: BotView) -> Action | Awaitable[Action]:
        """What to do now: an entry of `view.legal` (a `Play` may be replaced by one with `una=True`)."""
        raise NotImplementedError

    def watch(self, view: View, event: Event) -> Action | Awaitable[Action | None] | None:
        """Told of every event, after it was folded into `view`; may answer with a `Catch` or `Una` to send.

        A newer server may send events of kinds unknown here: they come as `UnknownEvent` and are to be ignored.
        """
        return None


class AsyncBot(Bot):
    """A bot whose methods wait for something, under trio. Whoever runs a `Bot` takes these too.

    While `choose` waits, what happens at the table waits as well: `view` does not change under its hands.
    """

    async def choose(self, view: BotView) -> Action:
        """As `Bot.choose`."""
        raise NotImplementedError

    async def watch(self, view: View, event: Event) -> Action | None:
        """As `Bot.watch`."""
        return None
