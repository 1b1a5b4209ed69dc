"""What one viewer knows of a table: the `state` message, and the fold that keeps it true event by event.

The server builds a `View` from its own state (an allow-list, field by field); a client builds the same by folding the
events it was sent. Both give equal values whenever a `state` can be sent, clocks (`ms`) aside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import Struct, structs

from . import events as ev
from .cards import Card, Color


class Player(Struct, omit_defaults=True):
    """One seat as everybody sees it. A seat left in a running match stays listed, as `left`, until the next match."""

    seat: int
    name: str
    bot: bool = False
    level: str | None = None
    cards: int = 0
    score: int = 0
    status: ev.SeatStatus = "here"
    ready: bool = False
    una: bool = False


class Accusation(Struct, omit_defaults=True):
    """An open vote (P2): `by` accuses `seat`; `voted` lists who has voted, not how."""

    seat: int
    by: int
    voted: list[int] = []


class View(Struct, omit_defaults=True, tag_field="t", tag="state"):
    """Everything one viewer may know of a table: the `state` message.

    `phase` is the table's (`waiting`, `between`, `over`) or, while a round runs, the round's: `wish`, `turn`, `drawn`,
    `penalty`; `stage` is always the table's. `ms`: time left for the decision, or until the next round is dealt.
    `you`, `hand`, `drawn` only for a seated viewer.
    """

    table: str
    seq: int
    name: str
    profile: str
    options: dict[str, Any]
    seats: int
    turn_s: int = 0
    una_grace_ms: int = 0
    away: str = "bot"
    between_s: int = 15
    public: bool = True
    password: bool = False
    stage: Literal["waiting", "playing", "between", "over"] = "waiting"
    host: int | None = None
    players: list[Player] = []
    watchers: list[str] = []
    paused: bool = False
    asked: list[int] = []
    accusation: Accusation | None = None
    round: int = 0
    dealer: int | None = None
    direction: int = 1
    top: Card | None = None
    color: Color | None = None
    wish_served: bool = True
    pending: int = 0
    draw_pile: int = 0
    phase: str = "over"
    turn_seat: int | None = None
    turn: int = 0
    catchable: list[int] = []
    result: ev.RoundOver | None = None
    winners: list[int] | None = None
    ms: int | None = None
    you: int | None = None
    hand: list[Card] | None = None
    drawn: Card | None = None

    def player(self, seat: int) -> Player | None:
        """The player at `seat`, or None."""
        return next((player for player in self.players if player.seat == seat), None)

    def name_of(self, seat: int) -> str:
        """The name of whoever sits (or sat) at `seat`; not cleaned: see `una_protocol.text.clean`."""
        player = self.player(seat)
        return player.name if player else f"seat {seat + 1}"

    @property
    def my_turn(self) -> bool:
        """Whether the viewer owes the decision."""
        return self.you is not None and self.turn_seat == self.you and self.stage == "playing"


def fold(view: View, seq: int, event: ev.Event) -> View:
    """Bring `view` (changed in place, and returned) from the seq before up to `seq` by what happened.

    A kind of event that is not known changes nothing but `seq`.
    """
    view.seq = seq
    change = _CHANGES.get(type(event))
    if change is not None:
        change(view, event)
    return view


def _joined(view: View, e: ev.Joined) -> None:
    if e.seat is None:
        view.watchers.append(e.name)
        return
    view.players = [p for p in view.players if p.seat != e.seat]
    view.players.append(Player(e.seat, e.name, e.bot, e.level))
    view.players.sort(key=lambda p: p.seat)


def _left(view: View, e: ev.Left) -> None:
    if e.draw_pile is not None:
        view.draw_pile = e.draw_pile
    if e.seat is None:
        if e.name in view.watchers:
            view.watchers.remove(e.name)
        return
    if view.stage in ("playing", "between"):
        for player in view.players:
            if player.seat == e.seat:
                player.status, player.cards, player.ready, player.una = "left", 0, False, False
    else:
        view.players = [p for p in view.players if p.seat != e.seat]
    view.asked = [seat for seat in view.asked if seat != e.seat]


def _status(status: ev.SeatStatus) -> Callable[[View, Any], None]:
    def change(view: View, e: ev.Lost | ev.Back | ev.Away) -> None:
        player = view.player(e.seat)
        if player is not None:
            player.status = status
            player.ready = player.ready and status != "lost"

    return change


def _host(view: View, e: ev.Host) -> None:
    view.host = e.seat


def _options(view: View, e: ev.OptionsSet) -> None:
    for name in e.__struct_fields__:
        setattr(view, name, getattr(e, name))


def _ready(view: View, e: ev.Ready) -> None:
    player = view.player(e.seat)
    if player is not None:
        player.ready = True


def _paused(view: View, e: ev.Paused) -> None:
    if e.on != view.paused:
        view.paused, view.asked = e.on, []
    else:
        view.asked = [seat for seat in view.asked if seat != e.seat]
        if e.want != view.paused:
            view.asked = sorted({*view.asked, e.seat})


def _accused(view: View, e: ev.Accused) -> None:
    view.accusation = Accusation(e.seat, e.by, []) if e.open else None


def _voted(view: View, e: ev.Voted) -> None:
    if view.accusation is not None:
        view.accusation.voted.append(e.seat)


def _dealer(view: View, e: ev.Dealer) -> None:
    view.players = [p for p in view.players if p.status != "left"]
    for player in view.players:
        player.score = 0
    view.stage, view.dealer, view.round = "playing", e.seat, 0
    view.result = view.winners = None


def _dealt(view: View, e: ev.Dealt) -> None:
    view.stage, view.round, view.dealer, view.draw_pile = "playing", e.round, e.dealer, e.draw_pile
    for player in view.players:
        player.cards = e.counts[player.seat] if player.seat < len(e.counts) else 0
        player.ready = player.una = False
    view.direction, view.top, view.color, view.wish_served, view.pending = 1, None, None, True, 0
    view.result = view.winners = None
    view.hand = list(e.hand) if e.hand is not None else None
    view.drawn = None


def _top(view: View, e: ev.Top) -> None:
    view.draw_pile = e.draw_pile
    view.top = None if e.back else e.card
    view.color = None if e.back else e.color


def _turn(view: View, e: ev.Turn) -> None:
    view.turn_seat, view.turn, view.phase, view.pending, view.ms = e.seat, e.turn, e.phase, e.pending, e.ms
    view.catchable = list(e.catchable)
    for player in view.players:
        player.una = player.seat in e.called
    if e.phase != "drawn" or e.seat != view.you:
        view.drawn = None


def _played(view: View, e: ev.Played) -> None:
    view.top, view.color, view.pending = e.card, e.color, e.pending
    view.wish_served = not (e.card.startswith("W") and view.options.get("serve_wish"))
    if e.jump:
        view.turn_seat = e.seat
    player = view.player(e.seat)
    if player is not None:
        player.cards -= 1
    if e.seat == view.you and view.hand is not None and e.card in view.hand:
        view.hand.remove(e.card)
    if e.counts is not None:
        for player in view.players:
            player.cards = e.counts[player.seat] if player.seat < len(e.counts) else 0
    if e.hand is not None:
        view.hand = list(e.hand)


def _drew(view: View, e: ev.Drew) -> None:
    view.draw_pile = e.draw_pile
    player = view.player(e.seat)
    if player is not None:
        player.cards += e.n
    if e.why in ("pending", "challenge"):
        view.pending = 0
    if e.cards is not None and view.hand is not None:
        view.hand.extend(e.cards)
        if e.why == "turn" and e.cards:
            view.drawn = e.cards[-1]


def _reversed(view: View, e: ev.Reversed) -> None:
    view.direction = e.direction


def _wished(view: View, e: ev.Wished) -> None:
    view.color, view.wish_served = e.color, not view.options.get("serve_wish")


def _reshuffled(view: View, e: ev.Reshuffled) -> None:
    view.draw_pile = e.draw_pile


def _round_over(view: View, e: ev.RoundOver) -> None:
    view.stage, view.phase, view.turn_seat, view.pending = "between", "over", None, 0
    view.catchable, view.drawn, view.accusation = [], None, None
    view.ms = e.between_ms
    for player in view.players:
        player.una = player.ready = False
        player.score = e.scores[player.seat] if player.seat < len(e.scores) else 0
    view.result = structs.replace(e, between_ms=None)


def _match_over(view: View, e: ev.MatchOver) -> None:
    view.stage, view.winners = "over", list(e.winners)
    view.paused, view.asked = False, []


_CHANGES: Final[dict[type, Callable[[View, Any], None]]] = {
    ev.Joined: _joined,
    ev.Left: _left,
    ev.Lost: _status("lost"),
    ev.Back: _status("here"),
    ev.Away: _status("away"),
    ev.Host: _host,
    ev.OptionsSet: _options,
    ev.Ready: _ready,
    ev.Paused: _paused,
    ev.Accused: _accused,
    ev.Voted: _voted,
    ev.Dealer: _dealer,
    ev.Dealt: _dealt,
    ev.Top: _top,
    ev.Turn: _turn,
    ev.Played: _played,
    ev.Drew: _drew,
    ev.Reversed: _reversed,
    ev.Wished: _wished,
    ev.Reshuffled: _reshuffled,
    ev.RoundOver: _round_over,
    ev.MatchOver: _match_over,
}
