"""Planted leaks: each a small fault of a kind that real servers have had, for the oracle to find.

Each is a context manager that makes the server tell too much while it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest import mock

from msgspec import structs

from una_protocol import events as ev
from una_protocol import messages as m
from una_server.game import Split, flow, legal, turn_actions
from una_server.game.round import Round
from una_server.table import clock, playing, table, views
from una_server.table.playing import turn_message
from una_server.table.state import TableState

Leaky = Callable[[], AbstractContextManager[None]]
LEAKS: dict[str, Leaky] = {}


def _planted(leak: Callable[[], Iterator[None]]) -> Callable[[], Iterator[None]]:
    LEAKS[leak.__name__] = contextmanager(leak)
    return leak


def _hand_on_turn(state: TableState) -> list[str]:
    round = state.round
    return [] if round is None else [str(card) for card in round.hands[round.turn]]


@_planted
def padding_by_hand() -> Iterator[None]:
    """The length of a `state` depends on the wild cards of whoever is on turn."""
    real = views.view_of

    def view_of(state: TableState, you: int | None) -> Any:
        view = real(state, you)
        view.name += " " * sum(card.startswith("W") for card in _hand_on_turn(state))
        return view

    with mock.patch.object(table, "view_of", view_of):
        yield


@_planted
def shared_legal_list() -> Iterator[None]:
    """Everybody who asks for the state gets the pending decision, whoever owes it."""

    def turn_for(self: table.Table, key: str, now: float) -> m.TurnNow | None:
        self.now = now
        pending = turn_message(self)
        return pending[1] if pending is not None else None

    with mock.patch.object(table.Table, "turn_for", turn_for):
        yield


@_planted
def ids_of_cards() -> Iterator[None]:
    """Players come with something that was made from their cards."""
    real = views._players

    def players(state: TableState) -> Any:
        found = real(state)
        round = state.round
        if round is not None:
            for player in found:
                if player.seat < len(round.hands):
                    player.score += sum(hash(card) % 97 for card in round.hands[player.seat])
        return found

    with mock.patch.object(views, "_players", players):
        yield


@_planted
def error_text() -> Iterator[None]:
    """A refusal explains too much."""
    real = TableState.answer

    def answer(self: TableState, key: str, body: m.Ok | m.Err) -> None:
        if isinstance(body, m.Err):
            body.msg += f" ({' '.join(_hand_on_turn(self))} is on turn)"
        real(self, key, body)

    with mock.patch.object(TableState, "answer", answer):
        yield


@_planted
def can_play_hint() -> Iterator[None]:
    """No clock runs for somebody who can only draw."""
    real = TableState.tell

    def tell(self: TableState, happening: Any) -> None:
        if isinstance(happening, ev.Turn) and self.round is not None and len(turn_actions(self.round)) == 1:
            happening = structs.replace(happening, ms=0)
        real(self, happening)

    with mock.patch.object(TableState, "tell", tell):
        yield


@_planted
def broadcast_draw() -> Iterator[None]:
    """Everybody is told which cards were drawn."""

    def tell_drawn(self: Round, seat: int, cards: list[Any], why: ev.DrawReason, told: list[Any]) -> None:
        told.append(ev.Drew(seat, len(cards), why, len(self.draw_pile), tuple(cards)))

    with mock.patch.object(Round, "tell_drawn", tell_drawn):
        yield


@_planted
def penalty_draw_in_the_open() -> Iterator[None]:
    """Only the cards of one rare kind of draw are told to all: those for a forgotten una."""
    real = Round.tell_drawn

    def tell_drawn(self: Round, seat: int, cards: list[Any], why: ev.DrawReason, told: list[Any]) -> None:
        if why == "una":
            told.append(ev.Drew(seat, len(cards), why, len(self.draw_pile), tuple(cards)))
        else:
            real(self, seat, cards, why, told)

    with mock.patch.object(Round, "tell_drawn", tell_drawn):
        yield


@_planted
def judged_hand_for_all() -> Iterator[None]:
    """The hand that was challenged is shown to the whole table."""

    def split(public: Any, own: dict[int, Any]) -> Any:
        return Split(next(iter(own.values())) if isinstance(public, ev.Shown) else public, own)

    with mock.patch.object(flow, "Split", split):
        yield


@_planted
def verdict_before_the_challenge() -> Iterator[None]:
    """Whether a draw four is a bluff can be seen in the state before anybody doubts it."""
    real = views.view_of

    def view_of(state: TableState, you: int | None) -> Any:
        view = real(state, you)
        round = state.round
        if round is not None and round.evidence is not None and round.evidence.guilty:
            view.winners = []
        return view

    with mock.patch.object(table, "view_of", view_of):
        yield


@_planted
def what_the_default_move_drew() -> Iterator[None]:
    """After a timeout everybody sees what the default move drew."""
    real = TableState.tell

    def tell(self: TableState, happening: Any) -> None:
        late = any(isinstance(told, ev.Timeout) for _, told in self.out.events)
        if late and isinstance(happening, Split):
            happening = next(iter(happening.own.values()))
        real(self, happening)

    with mock.patch.object(TableState, "tell", tell):
        yield


@_planted
def catchable_by_hand() -> Iterator[None]:
    """Who holds a wild card as the last one is not among the catchable."""
    real = legal.catchable

    def catchable(round: Round) -> tuple[int, ...]:
        return tuple(seat for seat in real(round) if not round.hands[seat][0].startswith("W"))

    with mock.patch.object(playing, "catchable", catchable):
        yield


@_planted
def former_owners_cards() -> Iterator[None]:
    """Who sits down on a seat can ask for what was told to its owner before."""

    def since(self: table.Table, key: str, seq: int) -> Any:
        if not self.log or self.log[0][0] > seq + 1 or seq > self.seq:
            return None
        return [(told, self.event_for(happening, key)) for told, happening in self.log if told > seq]

    with mock.patch.object(table.Table, "since", since):
        yield


@_planted
def resumed_as_if_seated() -> Iterator[None]:
    """A watcher who comes back is taken for the first seat."""

    def event_for(self: table.Table, happening: Any, key: str) -> Any:
        seat = self.seat_by_key.get(key, 0)
        return happening.for_seat(seat) if isinstance(happening, Split) else happening

    with mock.patch.object(table.Table, "event_for", event_for):
        yield


@_planted
def drawn_card_in_every_state() -> Iterator[None]:
    """The card just drawn stands in everybody's state."""
    real = views.view_of

    def view_of(state: TableState, you: int | None) -> Any:
        view = real(state, you)
        if state.round is not None:
            view.drawn = state.round.drawn
        return view

    with mock.patch.object(table, "view_of", view_of):
        yield


@_planted
def watchers_see_a_hand() -> Iterator[None]:
    """Watchers are shown the hand of the seat on turn."""
    real = views.view_of

    def view_of(state: TableState, you: int | None) -> Any:
        view = real(state, you)
        if you is None and state.round is not None:
            view.hand = list(state.round.hands[state.round.turn])
        return view

    with mock.patch.object(table, "view_of", view_of):
        yield


@_planted
def bots_think_by_their_cards() -> Iterator[None]:
    """A house bot with more to choose from takes longer."""
    real = clock._think_s

    def think(state: TableState) -> float:
        round = state.round
        return real(state) + (0 if round is None else len(turn_actions(round)) / 100)

    with mock.patch.object(clock, "_think_s", think):
        yield


@_planted
def sizes_of_colors() -> Iterator[None]:
    """The deal tells how many blue cards there are in each hand, by the order of a list nobody looks at."""
    real = views.view_of

    def view_of(state: TableState, you: int | None) -> Any:
        view = real(state, you)
        if state.round is not None:
            hands = state.round.hands
            order = sorted(view.players, key=lambda player: sum(card.startswith("B") for card in hands[player.seat]))
            view.players = [structs.replace(player) for player in order]
        return view

    with mock.patch.object(table, "view_of", view_of):
        yield
