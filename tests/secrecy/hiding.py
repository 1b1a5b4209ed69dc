"""The second world's cards: those of the first, with everything the viewer may not know put elsewhere.

Before each command the hidden cards of the first world (other hands, the draw pile) are dealt out anew to the second,
so that the command has the same public course there. Some cards must stay for that: what is about to be laid, what the
viewer is about to draw or to be given. And some facts must hold, which the rules make public: that a drawn card fits,
that nothing in a hand did. These are found by trying: the engine is asked whether the course is the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from una_protocol.actions import Challenge, Play
from una_protocol.cards import COLOR, FACE, Card
from una_server.game import default_action
from una_server.game.cardset import BIT, FOUR_BIT, set_of
from una_server.game.match import Match
from una_server.game.round import Evidence, Round
from una_server.game.shuffle import SeededShuffler

from .tracer import Mask, Op, Tracer, plays_alike, public, turned_up

Slot = tuple[int, int]
"""A seat (or `PILE`) and a place in its hand."""
PILE = -1

_TRIES = ("any", "any", "any", "alike", "alike", "alike", "kept", "kept")
"""How to shuffle: freely; only among cards that fit alike; so, and without the cards that are drawn."""


class Hiding(NamedTuple):
    """How the second world begins a command: its round (None: as it is), a mask for a deal, how many cards differ."""

    round: Round | None
    mask: Mask | None
    moved: int


def hide(tracer: Tracer, running: Match | None, viewer: int | None, by_clock: bool, chance: random.Random) -> Hiding:
    """Another place for the hidden cards. `running`: the first world's match before the command."""
    ops = tracer.ops
    if ops and ops[0].action is None:
        return _hide_deal(tracer, viewer, chance)
    before = tracer.before or running
    if before is None or before.round is None or before.round.over:
        return Hiding(None, None, 0)

    def by_default(match: Match, op: Op) -> bool:
        """A default move is chosen by the engine from the cards there: it must be the same one."""
        state = match.round
        chosen = by_clock and state is not None and not state.over and op.seat == state.turn and not tracer.moves
        if not chosen or op.action is None or type(op.action).__name__ in ("Catch", "Penalty", "Leave"):
            return True
        assert state is not None
        return default_action(state) == op.action

    whole = [op for op in ops if op.action is not None]
    if len(whole) == len(ops):
        pins = _pins(before.round, ops, viewer)
        for how in _TRIES if ops else _TRIES[:1]:
            match = before.copy()
            assert match.round is not None
            moved = _permute(match.round, viewer, pins, how, ops, chance)
            if moved and plays_alike(match.copy(), ops, viewer, by_default):
                return Hiding(match.round, None, moved)
    return Hiding(before.round.copy(), None, 0)


# -- a running round -------------------------------------------------------------------------------------------------


def _pins(state: Round, ops: Sequence[Op], viewer: int | None) -> set[Slot]:
    """The cards that must stay where they are."""
    pins: set[Slot] = set()

    def pin_hand(seat: int) -> None:
        pins.update((seat, place) for place in range(len(state.hands[seat])))

    for op in ops:
        action = op.action
        if isinstance(action, Play):
            if not op.refused and action.card in state.hands[op.seat]:
                pins.add((op.seat, state.hands[op.seat].index(action.card)))
            if viewer is not None and op.seat == viewer and action.swap_with is not None and action.swap_with >= 0:
                if action.swap_with < len(state.hands):
                    pin_hand(action.swap_with)
            elif viewer is not None and action.swap_with == viewer:
                pin_hand(op.seat)
            elif viewer in state.order and state.rules.options.seven_zero and FACE.get(action.card) == "0":
                assert viewer is not None
                pin_hand(state.before[viewer])
        elif isinstance(action, Challenge) and op.seat == viewer and state.evidence is not None:
            pin_hand(state.evidence.seat)
    if ops and ops[-1].after.over:  # the round is over: all hands are shown
        for seat in state.order:
            pin_hand(seat)
        _pin_drawn(state, ops, pins)
    elif viewer is not None and any(len(op.hands[viewer]) > len(state.hands[viewer]) for op in ops):
        _pin_drawn(state, ops, pins)
    return pins


def _pin_drawn(state: Round, ops: Sequence[Op], pins: set[Slot]) -> None:
    """Whatever leaves the pile stays in its order; after a reshuffle that is all of it."""
    size = len(state.draw_pile)
    after = ops[-1].after
    first = after.pile if after.pile < size and len(after.discards) >= len(state.discards) else 0
    pins.update((PILE, place) for place in range(first, size))


def _permute(
    state: Round, viewer: int | None, pins: set[Slot], how: str, ops: Sequence[Op], chance: random.Random
) -> int:
    """Put the hidden cards elsewhere; how many places have another card now."""
    drawn = _drawn_slot(state, viewer)
    slots: list[Slot] = [
        (seat, place) for seat in state.order if seat != viewer for place in range(len(state.hands[seat]))
    ]
    slots += [(PILE, place) for place in range(len(state.draw_pile))]
    if how == "kept":
        pins = set(pins)
        _pin_drawn(state, ops, pins)
    slots = [slot for slot in slots if slot not in pins and slot != drawn]
    cards = [_at(state, slot) for slot in slots]
    groups = {True: list(range(len(slots)))} if how == "any" else _by_fit(state, cards)
    moved = 0
    for places in groups.values():
        shuffled = places.copy()
        chance.shuffle(shuffled)
        for place, other in zip(places, shuffled, strict=True):
            moved += cards[place] != cards[other]
            _put(state, slots[place], cards[other])
    if drawn is not None and drawn not in pins:
        moved += _redraw(state, drawn, slots, chance)
    for seat in state.order:
        hand = state.hands[seat]
        state.held[seat] = set_of(hand)
        state.doubled[seat] = set_of(card for card in hand if hand.count(card) > 1)
    if state.evidence is not None and state.evidence.seat != viewer:
        seat, judged, guilty = state.evidence
        if not any(isinstance(op.action, Challenge) for op in ops):
            guilty = chance.random() < 0.5  # nobody knows yet
        state.evidence = Evidence(seat, tuple(state.hands[seat][: len(judged)]), guilty)
    return moved


def _by_fit(state: Round, cards: Sequence[Card]) -> dict[bool, list[int]]:
    groups: dict[bool, list[int]] = {}
    for place, card in enumerate(cards):
        groups.setdefault(bool(BIT[card] & (state.fits | state.matching)), []).append(place)
    return groups


def _drawn_slot(state: Round, viewer: int | None) -> Slot | None:
    """Where the drawn card is that somebody else may lay now."""
    if state.drawn is None or state.turn == viewer:
        return None
    hand = state.hands[state.turn]
    return (state.turn, len(hand) - 1 - hand[::-1].index(state.drawn))


def _redraw(state: Round, drawn: Slot, slots: Sequence[Slot], chance: random.Random) -> int:
    """Another drawn card, one that fits too: that it does is public."""
    own = state.rules.strict
    fitting = [
        slot
        for slot in slots
        if BIT[_at(state, slot)] & state.matching and not (own and BIT[_at(state, slot)] == FOUR_BIT)
    ]
    if not fitting or BIT[_at(state, drawn)] == FOUR_BIT:
        return 0
    other = chance.choice(fitting)
    card = _at(state, other)
    _put(state, other, _at(state, drawn))
    _put(state, drawn, card)
    moved = 2 * (card != state.drawn)
    state.drawn, state.fits = card, BIT[card]
    return moved


def _at(state: Round, slot: Slot) -> Card:
    seat, place = slot
    return state.draw_pile[place] if seat == PILE else state.hands[seat][place]


def _put(state: Round, slot: Slot, card: Card) -> None:
    seat, place = slot
    if seat == PILE:
        state.draw_pile[place] = card
    else:
        state.hands[seat][place] = card


def impose(state: Round, other: Round) -> None:
    """Give a round the hidden cards of another."""
    other = other.copy()
    for name in ("hands", "held", "doubled", "draw_pile", "drawn", "fits", "evidence"):
        setattr(state, name, getattr(other, name))


# -- a deal ----------------------------------------------------------------------------------------------------------


def _hide_deal(tracer: Tracer, viewer: int | None, chance: random.Random) -> Hiding:
    """Another deck, in which the viewer's cards, and those turned up, are where they were."""
    before, op = tracer.before, tracer.ops[0]
    assert before is not None
    dealer, order = op.after.dealer, op.after.order
    players, size = len(order), before.options.hand_size
    start = order.index(dealer) + 1
    dealt_to = [*order[start:], *order[:start]]
    kept = {players * size}
    if viewer in dealt_to:
        kept.update(range(dealt_to.index(viewer), players * size, players))
    for _ in range(4):
        seed = chance.random()

        def mask(cards: Sequence[Card], number: int, seed: float = seed) -> Sequence[Card]:
            changed = list(cards)
            stay = kept if number == 0 else {0}
            places = [place for place in range(len(changed)) if place not in stay]
            other = places.copy()
            random.Random(f"{seed} {number}").shuffle(other)
            for place, source in zip(places, other, strict=True):
                changed[place] = cards[source]
            return changed

        match = before.copy()
        real = SeededShuffler(match.seed, match.number + 1)
        told = match.deal(lambda cards, number, real=real, mask=mask: mask(real(cards, number), number))
        same_hand = viewer not in dealt_to or (
            match.round is not None and viewer is not None and tuple(match.round.hands[viewer]) == op.hands[viewer]
        )
        alike = public(match) == op.after and turned_up(told) == op.turned
        if alike and same_hand and len(tracer.ops) == 1:
            return Hiding(None, mask, len(COLOR))
    return Hiding(None, None, 0)
