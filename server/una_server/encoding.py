"""Views and actions as numbers, for learning agents. Fixed sizes, whatever the rules and the number of players.

**Actions** are numbers below `ACTIONS` (200):

    0–51     lay a coloured card: red, green, blue, yellow, each 0–9, skip, reverse, draw two
    52–55    lay a wild card and wish red, green, blue, yellow;   56–59  the same with a wild draw four
    60–95    lay a seven and swap hands (H2): red, green, blue, yellow, each with the seat 1–9 places after mine
    96–191   the same 96, with a call of una (U6)
    192      draw, or take the pending cards      193  pass      194  challenge
    195–198  wish red, green, blue, yellow        199  catch whoever forgot to call

**A view** is `SIZE` (225) numbers, none below 0 nor above `HIGHEST`:

    0–53     how often I hold each card: the coloured ones as above, then wild, wild draw four
    54–107   the top: 1 at its card               108–161  the card just drawn that may be laid now: 1 at its card
    162–166  the colour in force: 1 at red, green, blue, yellow, or none
    167–170  the phase: 1 at wish, turn, drawn, or penalty
    171      pending cards     172  1 if the wish is served     173  1 if play goes in joining order
    174      cards in the draw pile
    175–224  for each seat from mine on in joining order, ten of them: 1 if somebody plays there, number of cards,
             1 if una is called, 1 if it can be caught, score divided by 100

The module needs nothing but the protocol; `Bot` classes can use it on the `BotView` that they get.
"""

from __future__ import annotations

from typing import Final

from una_protocol.actions import CHALLENGE, DRAW, PASS, Action, Catch, Play, Wish
from una_protocol.bot import BotView
from una_protocol.cards import COLOR, COLORS, WILD, WILD_DRAW_FOUR, Card, Color

CARDS: Final[tuple[Card, ...]] = tuple(COLOR)
"""The 54 cards in the order of the numbers."""
_PLACE: Final = {card: place for place, card in enumerate(CARDS)}
_COLOR_PLACE: Final[dict[Color | None, int]] = {color: place for place, color in enumerate(COLORS)} | {None: 4}
_PHASES: Final = ("wish", "turn", "drawn", "penalty")
_SEATS: Final = 10

_SWAPS: Final = 60
_WITH_UNA: Final = 96
_DRAW: Final = 192
_PASS: Final = 193
_CHALLENGE: Final = 194
_WISH: Final = 195
_CATCH: Final = 199
ACTIONS: Final = 200
"""How many actions there are."""

_TOP: Final = 54
_DRAWN: Final = 108
_COLOR: Final = 162
_PHASE: Final = 167
_REST: Final = 171
_PLAYERS: Final = 175
_PER_PLAYER: Final = 5
SIZE: Final = _PLAYERS + _SEATS * _PER_PLAYER
"""How many numbers a view is."""
HIGHEST: Final = 400.0
"""No number of a view is greater."""


def number_of(action: Action, seat: int) -> int:
    """The number of an action of this seat."""
    if type(action) is Play:
        return _number_of_play(action, seat)
    if type(action) is Wish:
        return _WISH + COLORS.index(action.color)
    if type(action) is Catch:
        return _CATCH
    return {DRAW: _DRAW, PASS: _PASS, CHALLENGE: _CHALLENGE}[action]


def _number_of_play(action: Play, seat: int) -> int:
    own = COLOR[action.card]
    if action.swap_with is not None and own is not None:
        number = _SWAPS + 9 * COLORS.index(own) + (action.swap_with - seat) % _SEATS - 1
    elif action.color is not None:
        number = 52 + 4 * (action.card == WILD_DRAW_FOUR) + COLORS.index(action.color)
    else:
        number = _PLACE[action.card]
    return number + _WITH_UNA * action.una


def action_of(number: int, seat: int, caught: int | None = None) -> Action:
    """The action of a number; `caught`: the seat that a catch means. ValueError where there is no such action."""
    if 0 <= number < _DRAW:
        return _play(number % _WITH_UNA, seat, number >= _WITH_UNA)
    if _WISH <= number < _CATCH:
        return Wish(COLORS[number - _WISH])
    if number == _CATCH and caught is not None:
        return Catch(caught)
    simple: dict[int, Action] = {_DRAW: DRAW, _PASS: PASS, _CHALLENGE: CHALLENGE}
    if number not in simple:
        raise ValueError(f"{number} is the number of no action")
    return simple[number]


def _play(number: int, seat: int, una: bool) -> Play:
    if number < 52:
        return Play(CARDS[number], una=una)
    if number < _SWAPS:
        return Play(WILD if number < 56 else WILD_DRAW_FOUR, COLORS[number % 4], una=una)
    color, places = divmod(number - _SWAPS, 9)
    return Play(Card("RGBY"[color] + "7"), swap_with=(seat + places + 1) % _SEATS, una=una)


def allowed(view: BotView, catch: int | None = None) -> list[int]:
    """The numbers of everything that may be done; `catch`: a seat that may be caught by the one that decides."""
    seat = view.seat
    numbers = [number_of(action, seat) for action in view.legal]
    if view.can_una:
        numbers += [number + _WITH_UNA for number in numbers if number < _WITH_UNA]
    return [*numbers, _CATCH] if catch is not None else numbers


def encode(view: BotView) -> list[float]:
    """The view as numbers."""
    table = view.table
    numbers = [0.0] * SIZE
    for card in view.hand:
        numbers[_PLACE[card]] += 1
    if view.top is not None:
        numbers[_TOP + _PLACE[view.top]] = 1
    if view.drawn is not None:
        numbers[_DRAWN + _PLACE[view.drawn]] = 1
    numbers[_COLOR + _COLOR_PLACE[view.color]] = 1
    if view.phase in _PHASES:
        numbers[_PHASE + _PHASES.index(view.phase)] = 1
    rest = (table.pending, table.wish_served, table.direction == 1, table.draw_pile)
    numbers[_REST : _REST + len(rest)] = map(float, rest)
    _encode_players(view, numbers)
    return numbers


def _encode_players(view: BotView, numbers: list[float]) -> None:
    table = view.table
    for player in table.players:
        if player.status != "left":
            start = _PLAYERS + _PER_PLAYER * ((player.seat - view.seat) % _SEATS)
            caught = player.seat in table.catchable
            score = min(player.score / 100, HIGHEST)
            numbers[start : start + _PER_PLAYER] = [1.0, player.cards, player.una, caught, score]


__all__ = ["ACTIONS", "CARDS", "HIGHEST", "SIZE", "action_of", "allowed", "encode", "number_of"]
