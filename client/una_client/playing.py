"""From words to a play: which card is meant, with which colour, swapped with whom, with una or not. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from una_protocol.actions import Play
from una_protocol.cards import COLOR, COLORS, FACE, Card, Color
from una_protocol.messages import TurnNow
from una_protocol.text import RESERVED_PREFIX
from una_protocol.view import View

from . import reasons
from .i18n import _, mark, ngettext
from .words import card_name, color_name, seat_name

_LONGEST_NAME: Final = 4
"""Words in the longest name of a card."""
_ENGLISH: Final = {"S": "skip", "R": "reverse", "+2": "draw two", "W": "wild", "W+4": "wild draw four"}


def find_color(word: str) -> Color | None:
    """The colour that the word names: in the user's language or in English, whole or from two letters on."""
    word = word.casefold()
    for color in COLORS:
        if word and any(
            name == word or (len(word) > 1 and name.startswith(word)) for name in (color, color_name(color).casefold())
        ):
            return color
    return None


def means(word: str, text: str) -> bool:
    """Whether the word is the text: in English, or in the user's language."""
    return word.casefold() in (text, _(text).casefold())


def find_number(word: str) -> int | None:
    """The number that the word is, where it is a small one."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 6 else None


def _card_texts(card: Card) -> set[str]:
    """Every way to write the card: its notation, its English name, its name in the user's language."""
    color, face = COLOR[card], FACE[card]
    texts = {str(card), card_name(card)}
    if color is None:
        texts |= {_ENGLISH[face], "wild +4" if face == "W+4" else "wild"}
        return {text.casefold() for text in texts} | ({"+4", "draw four"} if face == "W+4" else set())
    for name in (color, color_name(color)):
        texts |= {f"{name} {face}", f"{name} {_ENGLISH.get(face, face)}"}
    return {text.casefold() for text in texts}


def find_card(words: Sequence[str]) -> tuple[Card, int] | None:
    """The card that the first words name, and how many of them; None where they name none."""
    for length in range(min(_LONGEST_NAME, len(words)), 0, -1):
        text = " ".join(words[:length]).casefold()
        for card in COLOR:
            if text in _card_texts(card):
                return card, length
    return None


def parse_play(words: list[str], view: View, turn: TurnNow | None, hand: Sequence[Card]) -> Play | str | None:
    """The play that is meant; a str tells why it cannot be; None where the words name no card."""
    if not words or means(words[0], mark("anyway")):
        if view.drawn is None or turn is None:
            return None
        card, rest = view.drawn, words
    elif (number := find_number(words[0])) is not None:
        if not 1 <= number <= len(hand):
            return ngettext(
                "You have only {n} card.", "There is no such number: your cards go from 1 to {n}.", len(hand)
            ).format(n=len(hand))  # fmt: skip
        card, rest = hand[number - 1], words[1:]
    else:
        found = find_card(words)
        if found is None:
            color = find_color(words[0])
            if color is None or view.drawn is None or COLOR[view.drawn] is not None:
                return None
            found = view.drawn, 0  # "play green": the drawn wild card
        card, rest = found[0], words[found[1] :]
    extras = _parse_extras(rest, view)
    return extras if isinstance(extras, str) else _judge(card, *extras, view, turn)


def find_seat(words: Sequence[str], view: View) -> int | str:
    """The seat that is meant: by name (its beginning is enough where it is unique, `ada` for `bot-Ada`), or by number
    as `#2`.

    A str is the reason why nobody is.
    """
    wanted = " ".join(words).casefold()
    if not wanted:
        return _("Name a player.")
    players = [player for player in view.players if player.status != "left"]
    number = find_number(wanted[1:]) if wanted.startswith("#") else None
    if number is not None:
        found = [player for player in players if player.seat + 1 == number]
    else:
        found = (
            [player for player in players if player.name.casefold() == wanted]
            or [player for player in players if player.name.casefold().startswith(wanted)]
            or [player for player in players if player.name.casefold().startswith(RESERVED_PREFIX + wanted)]
        )
    if len(found) == 1:
        return found[0].seat
    names = ", ".join(seat_name(reasons.names_of(view), player.seat) for player in players)
    if found:
        return _("More than one player is meant: {names}.").format(names=names)
    return _("Nobody of this name plays here: {names}.").format(names=names)


def _parse_extras(words: list[str], view: View) -> tuple[Color | None, int | None, bool, bool] | str:
    """Colour, seat to swap with, una, and whether a card that does not fit shall be laid anyway."""
    color, seat, una, anyway = None, None, False, False
    rest = list(words)
    while rest:
        word = rest.pop(0).casefold()
        if word == "una":
            una = True
        elif means(word, mark("anyway")):
            anyway = True
        elif means(word, mark("with")):
            end = next((i for i, w in enumerate(rest) if w.casefold() == "una" or means(w, "anyway")), len(rest))
            named = find_seat(rest[:end], view)
            if isinstance(named, str):
                return named
            seat, rest = named, rest[end:]
        elif (found := find_color(word)) is not None:
            color = found
        else:
            return _("{word} is not understood here: a colour, with NAME, or una may follow the card.").format(
                word=word[:20]
            )
    return color, seat, una, anyway


def _judge(
    card: Card, color: Color | None, seat: int | None, una: bool, anyway: bool, view: View, turn: TurnNow | None
) -> Play | str:
    play = Play(card, color, seat, una)
    reason = reasons.why_not(view, turn, card)
    if reason is not None:
        penalty = view.options.get("illegal_card_penalty") or 0
        if not penalty or turn is None or turn.phase == "wish" or card not in (view.hand or ()):
            return reason
        if not anyway:
            return f"{reason} " + ngettext(
                "With the word anyway it is laid all the same, and you draw {n} card.",
                "With the word anyway it is laid all the same, and you draw {n} cards.",
                penalty,
            ).format(n=penalty)
        return play
    if COLOR[card] is None and color is None:
        return _("Name the colour with it, like: {card} green.").format(card=card_name(card))
    if COLOR[card] is not None and color is not None:
        return _("A coloured card takes no wish.")
    if una and not (turn is not None and turn.can_una):
        return _("Una goes with a card only when you lay your second-to-last one.")
    if turn is not None and Play(card, color, seat) not in turn.legal:
        if seat is None:
            return _("Name the player to swap hands with, like: {card} with NAME.").format(card=card_name(card))
        return _("You cannot swap hands with this player.")
    return play
