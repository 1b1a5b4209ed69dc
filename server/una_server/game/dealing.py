"""Setting up: who deals first (G3), the deal (G2), and the card turned up first (F1, F2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from una_protocol.cards import COLOR, DECK, FACE, WILD_DRAW_FOUR, Card
from una_protocol.events import Dealer, Dealt, Event, Reshuffled, Reversed, Skipped, Top

from .happening import Happening, Split
from .options import Options, deck_for
from .round import Round
from .rules import rules_for
from .shuffle import Shuffler, shuffle


def choose_dealer(options: Options, seats: Sequence[int], seed: bytes) -> Dealer:
    """G3, `first_dealer`: who deals the first round, and the cards drawn for it."""
    if options.first_dealer == "random":
        return Dealer(shuffle(seats, seed, b"una first dealer")[0])
    drawn: list[tuple[int, Card]] = []
    drawing = list(seats)
    pile: list[Card] = []
    piles = 0
    while len(drawing) > 1:
        if len(pile) < len(drawing):
            pile = shuffle(DECK, seed, f"una dealer draw {piles}".encode())[::-1]
            piles += 1
        cards = [(seat, pile.pop()) for seat in drawing]
        drawn += cards
        highest = max(_worth(card) for _, card in cards)
        drawing = [seat for seat, card in cards if _worth(card) == highest]  # ties draw again
    return Dealer(drawing[0], tuple(drawn))


def _worth(card: Card) -> int:
    """A number counts its value, every other card 0."""
    return int(FACE[card]) if FACE[card].isdigit() else 0


def deal(
    options: Options, order: Sequence[int], size: int, dealer: int, number: int, shuffler: Shuffler
) -> tuple[Round, list[Happening]]:
    """A new round, dealt and with its first card turned up. `size`: the entries of lists by seat."""
    deck = shuffler(deck_for(options, len(order)), 0)
    starter = list(order).index(dealer) + 1
    dealt_to = [*order[starter:], *order[:starter]]
    players, cards = len(order), len(order) * options.hand_size
    hands: list[Sequence[Card]] = [()] * size
    for place, seat in enumerate(dealt_to):
        hands[seat] = deck[place:cards:players]  # one at a time, round the table
    state = Round(rules_for(options), order, hands, deck[cards:][::-1], (), shuffler, dealer)
    state.shuffled.append(tuple(deck))

    counts, left = tuple(map(len, hands)), len(state.draw_pile)
    own: dict[int, Event] = {seat: Dealt(number, dealer, counts, left, tuple(hands[seat])) for seat in state.order}
    told: list[Happening] = [Split(Dealt(number, dealer, counts, left), own)]
    _turn_up(state, told)
    return state, told


def _turn_up(state: Round, told: list[Happening]) -> None:
    """Turn up the first card, again where the option wants it, and let it take effect (F1, F2)."""
    wanted = state.rules.options.first_card
    while True:
        card = state.draw_pile.pop()
        others = any(left != WILD_DRAW_FOUR for left in state.draw_pile)
        back = card == WILD_DRAW_FOUR and wanted != "plain" and others
        told.append(Top(card, len(state.draw_pile) + back, COLOR[card], back))
        if back:
            state.shuffle_pile([*reversed(state.draw_pile), card])
            told.append(Reshuffled(len(state.draw_pile)))
            continue
        state.discards.append(card)
        if wanted != "number" or FACE[card].isdigit() or not others:
            break
    state.top = card
    state.match(COLOR[card], wish_served=True)
    state.open_turn(state.after[state.dealer])
    if wanted == "effect" and FACE[card] in _FIRST_EFFECTS:
        _FIRST_EFFECTS[FACE[card]](state, told)


def _draw_two(state: Round, told: list[Happening]) -> None:
    """Two cards are pending for the starter, who may stack where stacking is on (S3)."""
    state.pending = 2
    state.open_turn(state.turn)


def _reverse(state: Round, told: list[Happening]) -> None:
    """The direction turns; the dealer starts, and the player on the dealer's right is next (S3)."""
    state.reverse()
    told.append(Reversed(-1))
    state.open_turn(state.dealer)


def _skip(state: Round, told: list[Happening]) -> None:
    """The starter is skipped (S3)."""
    told.append(Skipped(state.turn))
    state.open_turn(state.after[state.turn])


def _wild(state: Round, told: list[Happening]) -> None:
    """The starter wishes a colour first (S3)."""
    state.phase = "wish"
    state.fits = 0


_FIRST_EFFECTS: Final[dict[str, Callable[[Round, list[Happening]], None]]] = {
    "+2": _draw_two,
    "R": _reverse,
    "S": _skip,
    "W": _wild,
}
"""F2: face of the first card -> its effect."""
