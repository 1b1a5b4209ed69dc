"""What a seat in the arena sees: the `BotView` of a round played here, with everything worked out only when asked.

The short cuts read the round directly, so that a bot that looks at little costs little; `table` builds the whole
`View`. Both show what the seat may know and nothing else, and equal what a client would have folded from the events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from una_protocol.actions import Action
from una_protocol.bot import BotView
from una_protocol.cards import Card, Color
from una_protocol.view import Player, View

from ..game import OPTION_SPECS, Match, Options, Round, can_una, catchable, default_action


class Setting:
    """What is the same in all games of a run: the rules, and how the arena's table is called."""

    def __init__(self, profile: str, options: Options) -> None:
        self.profile = profile
        self.options = options
        self.values: dict[str, Any] = {name: getattr(options, name) for name in OPTION_SPECS}


class Scene:
    """One game as its players see it: who sits where, and how many events and decisions there have been."""

    def __init__(self, setting: Setting, match: Match, names: Sequence[str]) -> None:
        self.setting = setting
        self.match = match
        self.names = names
        self.gone: set[int] = set()
        self.seq = 0
        self.turn = 0

    def view(self, you: int) -> View:
        """The `state` for a seat."""
        match, setting = self.match, self.setting
        round = match.round
        view = View(
            table="arena",
            seq=self.seq,
            name="arena",
            profile=setting.profile,
            options=dict(setting.values),
            seats=len(self.names),
            away="default",
            between_s=0,
            stage="playing",
            players=self.players(),
            round=match.number,
            dealer=match.dealer,
            turn=self.turn,
            you=you,
        )
        if round is None:
            return view
        view.direction, view.dealer = round.direction, round.dealer
        view.top, view.color, view.wish_served = round.top, round.color, round.wish_served
        view.draw_pile, view.pending, view.phase = len(round.draw_pile), round.pending, round.phase
        view.turn_seat, view.catchable = round.turn, list(catchable(round))
        view.hand = list(round.hands[you])
        if round.phase == "drawn" and round.turn == you:
            view.drawn = round.drawn
        return view

    def players(self) -> list[Player]:
        """Everybody at the table."""
        round, scores = self.match.round, self.match.scores
        return [
            Player(
                seat=seat,
                name=name,
                bot=True,
                cards=len(round.hands[seat]) if round is not None else 0,
                score=scores[seat],
                status="left" if seat in self.gone else "here",
                una=round is not None and seat in round.called,
            )
            for seat, name in enumerate(self.names)
        ]


class RoundView(BotView):
    """The decision of the seat on turn. To be read before the answer is given: the round goes on afterwards."""

    __slots__ = ("_made", "_round", "_scene", "_seat")

    def __init__(self, scene: Scene, round: Round, seat: int, legal: tuple[Action, ...], ms: int | None) -> None:
        self.legal = legal
        self.ms = ms
        self._scene = scene
        self._round = round
        self._seat = seat
        self._made: View | None = None

    @property
    def table(self) -> View:
        """Everything my seat may know."""
        if self._made is None:
            self._made = self._scene.view(self._seat)
        return self._made

    @property
    def default(self) -> int:
        """The index in `legal` of what is done when the time is over."""
        return self.legal.index(default_action(self._round))

    @property
    def can_una(self) -> bool:
        """Whether a `Play` may carry `una=True` now (U6)."""
        return can_una(self._round, self._seat)

    @property
    def seat(self) -> int:
        """My seat number."""
        return self._seat

    @property
    def hand(self) -> list[Card]:
        """My cards, in the order they came."""
        return list(self._round.hands[self._seat])

    @property
    def drawn(self) -> Card | None:
        """The card just drawn that may be laid now, in phase `drawn`."""
        return self._round.drawn if self._round.phase == "drawn" else None

    @property
    def phase(self) -> str:
        """`wish`, `turn`, `drawn` or `penalty`."""
        return self._round.phase

    @property
    def top(self) -> Card | None:
        """The card to be matched."""
        return self._round.top

    @property
    def color(self) -> Color | None:
        """The colour in force; None where anything fits."""
        return self._round.color

    @property
    def pending(self) -> int:
        """The sum of draw cards not yet taken."""
        return self._round.pending

    @property
    def players(self) -> list[Player]:
        """Everybody at the table, me included, by seat number."""
        return self.table.players if self._made is not None else self._scene.players()

    @property
    def next_player(self) -> Player | None:
        """Who is next after me in the direction of play and still has cards."""
        following = self._round.after[self._seat]
        return self.players[following] if following != self._seat else None
