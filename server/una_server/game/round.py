"""The state of one round: cards, whose turn it is, what is pending, who forgot to call una.

This module owns the state and the small changes that several rules share (drawing, refilling, moving the turn). What
the actions do is told in `laying` and `flow`, what may be done in `legal`. Changes happen in place; `copy` is for those
who need the old state too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from una_protocol.cards import Card, Color
from una_protocol.events import DrawReason, Drew, Reshuffled, RoundPhase

from .cardset import BIT, FOUR_BIT, set_of
from .happening import Happening, Split
from .rules import Rules, matching
from .shuffle import Shuffler


class Evidence(NamedTuple):
    """What a challenge is judged by (D5): who laid the draw four, the rest of that hand, and whether it was a bluff."""

    seat: int
    hand: tuple[Card, ...]
    guilty: bool


class Round:
    """One round. Seats are table seat numbers; lists by seat have an entry for each number up to the highest."""

    __slots__ = (
        "after",
        "before",
        "began",
        "called",
        "color",
        "dealer",
        "direction",
        "discards",
        "doubled",
        "draw_pile",
        "drawn",
        "evidence",
        "fits",
        "forgot",
        "hands",
        "held",
        "matching",
        "order",
        "over",
        "passes",
        "pending",
        "phase",
        "rules",
        "shuffled",
        "shuffler",
        "top",
        "turn",
        "winner",
        "wish_served",
    )

    def __init__(
        self,
        rules: Rules,
        order: Sequence[int],
        hands: Sequence[Sequence[Card]],
        draw_pile: Sequence[Card],
        discards: Sequence[Card],
        shuffler: Shuffler,
        dealer: int,
    ) -> None:
        self.rules = rules
        self.order: tuple[int, ...] = tuple(order)
        """The seats taking part, in joining order."""
        self.began = len(self.order)
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.held = [set_of(hand) for hand in hands]
        """By seat: the hand as a set."""
        self.doubled = [set_of(card for card in hand if hand.count(card) > 1) for hand in hands]
        """By seat: the set of those cards that the hand has more than once. It spares a search when one is laid."""
        self.draw_pile = list(draw_pile)
        """The last card is drawn next."""
        self.discards = list(discards)
        """The last card is the top."""
        self.shuffler = shuffler
        self.shuffled: list[tuple[Card, ...]] = []
        """Every shuffle of the round, the deck first, each in the order of drawing."""
        self.top: Card = self.discards[-1] if self.discards else Card("")
        self.color: Color | None = None
        self.wish_served = True
        self.pending = 0
        self.direction = 1
        self.turn = self.order[0]
        self.phase: RoundPhase = "turn"
        self.drawn: Card | None = None
        """The card that was drawn this turn and may be laid now."""
        self.fits = 0
        """The set of cards that may be laid at this moment, whoever holds them."""
        self.matching = 0
        """The set of cards that fit the top (T1, W1), pending and drawn cards aside."""
        self.called: set[int] = set()
        """The seats whose call of una holds."""
        self.forgot: int | None = None
        """The seat that laid its second-to-last card without a call, until the window closes (U3).

        It can be caught while it holds one card. Laying closes older windows, so there is never a second one.
        """
        self.evidence: Evidence | None = None
        """There, while the draw four just laid may be challenged."""
        self.passes = 0
        """How many in a row had nothing to lay and nothing to draw (T5).

        After that, only a card laid or a hand left brings cards to draw again.
        """
        self.over = False
        self.winner: int | None = None
        self.seat_neighbours()

    # -- whole states ---------------------------------------------------------------------------------------------

    def copy(self) -> Round:
        """An independent copy."""
        other = Round.__new__(Round)
        for name in Round.__slots__:
            setattr(other, name, getattr(self, name))
        other.hands = [hand[:] for hand in self.hands]
        for name in ("held", "doubled", "draw_pile", "discards", "shuffled", "after", "before", "called"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def fingerprint(self) -> tuple[object, ...]:
        """All of the state as one comparable value."""
        return tuple(
            repr(sorted(value) if isinstance(value, set) else value)
            for name in Round.__slots__
            if (value := getattr(self, name)) is not self.rules and value is not self.shuffler
        )

    # -- seats and turns ------------------------------------------------------------------------------------------

    def seat_neighbours(self) -> None:
        """Work out `after` and `before`: by seat, the neighbour in the direction of play, and the other one."""
        self.after = [-1] * len(self.hands)
        self.before = [-1] * len(self.hands)
        for place, seat in enumerate(self.order):
            following = self.order[(place + self.direction) % len(self.order)]
            self.after[seat] = following
            self.before[following] = seat

    def reverse(self) -> None:
        """T6: turn the direction."""
        self.direction = -self.direction
        self.after, self.before = self.before, self.after

    def match(self, color: Color | None, wish_served: bool) -> None:
        """The colour in force is this one: by a card turned up, or a wish."""
        self.color = color
        self.wish_served = wish_served
        self.matching = matching(self.top, color, wish_served)

    def open_turn(self, seat: int) -> None:
        """It is this seat's turn, with nothing drawn; pending cards are pending for it."""
        self.turn = seat
        self.drawn = None
        if self.pending:
            self.phase = "penalty"
            self.fits = self.rules.answers[self.top, self.color]
        else:
            self.phase = "turn"
            self.fits = self.matching

    def end_turn(self) -> None:
        """The turn ends without a card: an open call is void (U2), the window closes (U3), the next seat's turn."""
        if self.called:
            self.void_call(self.turn)
        self.forgot = None
        self.open_turn(self.after[self.turn])

    def finish(self, winner: int | None) -> None:
        """The round is over; None: blocked (E4)."""
        self.winner = winner
        self.phase = "over"
        self.over = True
        self.pending = 0
        self.fits = 0
        self.drawn = self.forgot = self.evidence = None

    def void_call(self, seat: int) -> None:
        """U2: a call holds on only with one card left."""
        if seat in self.called and len(self.hands[seat]) != 1:
            self.called.discard(seat)

    def playable(self, seat: int) -> int:
        """The set of cards this seat could lay now, if it is its turn (T1, T3, D3, D4, W1)."""
        held = self.held[seat]
        cards = held & self.fits
        if cards & FOUR_BIT and self.rules.strict and held & self.rules.guards[self.top, self.color]:
            cards ^= FOUR_BIT
        return cards

    # -- cards ----------------------------------------------------------------------------------------------------

    @property
    def can_draw(self) -> bool:
        """Whether there is a card to draw, in the pile or by refilling it."""
        return bool(self.draw_pile) or len(self.discards) > 1

    def refill(self, told: list[Happening]) -> bool:
        """T5: all discards but the top become the draw pile; False if there are none."""
        if len(self.discards) < 2:
            return False
        self.shuffle_pile(self.discards[:-1])
        del self.discards[:-1]
        told.append(Reshuffled(len(self.draw_pile)))
        return True

    def shuffle_pile(self, cards: Sequence[Card]) -> None:
        """These cards, shuffled, are the draw pile."""
        pile = self.shuffler(cards, len(self.shuffled))
        self.shuffled.append(tuple(pile))
        self.draw_pile = list(reversed(pile))

    def draw_cards(self, seat: int, number: int, why: DrawReason, told: list[Happening]) -> None:
        """The seat draws so many cards, or as many as there are (T5); told with a `Drew`."""
        cards: list[Card] = []
        while len(cards) < number and (self.draw_pile or self.refill(told)):
            cards.append(self.draw_pile.pop())
        self.gain(seat, cards)
        self.tell_drawn(seat, cards, why, told)

    def gain(self, seat: int, cards: Sequence[Card]) -> None:
        """The cards come to the end of the hand; with more cards a call is void."""
        hand = self.hands[seat]
        for card in cards:
            hand.append(card)
            bit = BIT[card]
            if self.held[seat] & bit:
                self.doubled[seat] |= bit
            else:
                self.held[seat] |= bit
        if cards and seat in self.called:
            self.called.discard(seat)

    def tell_drawn(self, seat: int, cards: list[Card], why: DrawReason, told: list[Happening]) -> None:
        """The `Drew` in its two forms."""
        number, left = len(cards), len(self.draw_pile)
        own = Drew(seat, number, why, left, tuple(cards))
        told.append(Split(Drew(seat, number, why, left), {seat: own}))

    def remove(self, seat: int, card: Card) -> None:
        """The card's first occurrence leaves the hand."""
        hand, bit = self.hands[seat], BIT[card]
        hand.remove(card)
        if not self.doubled[seat] & bit:
            self.held[seat] ^= bit
        elif hand.count(card) == 1:
            self.doubled[seat] ^= bit
