"""Names of things in the user's language: cards, colours, phases, seats; and what errors and farewells mean.

What happened is told in `sentences`. Every text that came over the network goes through `una_protocol.text.clean`
here, since the server may be hostile too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from una_protocol import messages as m
from una_protocol.actions import Action, Catch, Challenge, Draw, Pass, Play, Una, Wish
from una_protocol.cards import COLOR, FACE, Card, Color
from una_protocol.text import clean

from .i18n import _, mark, ngettext

_COLORS: Final = {"red": mark("red"), "green": mark("green"), "blue": mark("blue"), "yellow": mark("yellow")}
_NUMBERS: Final = {
    "red": mark("red {number}"),
    "green": mark("green {number}"),
    "blue": mark("blue {number}"),
    "yellow": mark("yellow {number}"),
}
_ACTIONS: Final = {
    "RS": mark("red skip"),
    "GS": mark("green skip"),
    "BS": mark("blue skip"),
    "YS": mark("yellow skip"),
    "RR": mark("red reverse"),
    "GR": mark("green reverse"),
    "BR": mark("blue reverse"),
    "YR": mark("yellow reverse"),
    "R+2": mark("red draw two"),
    "G+2": mark("green draw two"),
    "B+2": mark("blue draw two"),
    "Y+2": mark("yellow draw two"),
    "W": mark("wild"),
    "W+4": mark("wild draw four"),
}
_ORDER: Final = {card: place for place, card in enumerate(COLOR)}
_PHASES: Final = {
    "wish": mark("wishing a colour"),
    "turn": mark("playing or drawing"),
    "drawn": mark("playing or keeping the drawn card"),
    "penalty": mark("answering or taking the pending cards"),
    "over": mark("the round is over"),
}
_STAGES: Final = {
    "waiting": mark("waiting for players"),
    "playing": mark("a round is running"),
    "between": mark("between two rounds"),
    "over": mark("the match is over"),
}
_STATUSES: Final = {
    "here": mark("here"),
    "lost": mark("connection lost"),
    "away": mark("away, a bot plays"),
    "left": mark("left"),
}


def color_name(color: Color | None) -> str:
    """`red`; for None (anything fits) `any colour`."""
    return _("any colour") if color is None else _(_COLORS[color])


def card_name(card: Card) -> str:
    """`red 7`, `blue draw two`, `wild draw four`."""
    color = COLOR.get(card)
    if color is not None and FACE[card].isdigit():
        return _(_NUMBERS[color]).format(number=FACE[card])
    return _(_ACTIONS[card]) if card in _ACTIONS else clean(str(card))


def in_order(cards: Iterable[Card]) -> list[Card]:
    """The cards of a hand as they are read out, and numbered: by colour, then face, the wild cards last."""
    return sorted(cards, key=lambda card: _ORDER.get(card, len(_ORDER)))


def card_names(cards: Iterable[Card]) -> str:
    """The cards, separated by commas; `no cards` where there are none."""
    return ", ".join(map(card_name, cards)) or _("no cards")


def cards_count(n: int) -> str:
    """`1 card`, `5 cards`."""
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def points_count(n: int) -> str:
    """`1 point`, `62 points`."""
    return ngettext("{n} point", "{n} points", n).format(n=n)


def phase_name(phase: str) -> str:
    """A phase of a round, in words: what whoever is on turn is doing."""
    return _(_PHASES[phase]) if phase in _PHASES else clean(phase)


def stage_name(stage: str) -> str:
    """The stage of a table, in words."""
    return _(_STAGES[stage]) if stage in _STAGES else clean(stage)


def status_name(status: str) -> str:
    """Whether a seat's owner is here."""
    return _(_STATUSES[status]) if status in _STATUSES else clean(status)


def seat_name(names: dict[int, str], seat: int | None) -> str:
    """The name of a seat, cleaned; `seat 3` where nobody is known there, `nobody` for None."""
    if seat is None:
        return _("nobody")
    return clean(names[seat]) if seat in names else _("seat {number}").format(number=seat + 1)


def action_name(action: Action, names: dict[int, str]) -> str:
    """What a choice would do: `play red 7`, `draw`."""
    match action:
        case Play():
            return _play_name(action, names)
        case Draw():
            return _("draw")
        case Pass():
            return _("pass")
        case Wish(color):
            return _("wish {color}").format(color=color_name(color))
        case Challenge():
            return _("challenge")
        case Una():
            return _("call una")
        case Catch(seat):
            return _("catch {name}").format(name=seat_name(names, seat))


def _play_name(play: Play, names: dict[int, str]) -> str:
    card = card_name(play.card)
    if play.color is not None:
        return _("play {card} and choose {color}").format(card=card, color=color_name(play.color))
    if play.swap_with is not None:
        return _("play {card} and swap with {name}").format(card=card, name=seat_name(names, play.swap_with))
    return _("play {card}").format(card=card)


_ERRORS: Final = {
    "bad_frame": mark("The server could not read what this client sent."),
    "bad_message": mark("The server did not accept the form of the request."),
    "unknown_type": mark("The server does not know this request; it may be older than this client."),
    "too_big": mark("The message was too long for the server."),
    "too_fast": mark("Too fast: wait a moment, then try again."),
    "not_hello": mark("The server expected a greeting first."),
    "proto_unsupported": mark("The server and this client have no protocol version in common."),
    "bad_name": mark("This name is not allowed: {msg}"),
    "name_taken": mark("Somebody else has this name, or one that looks like it. Choose another with --name."),
    "session_gone": mark("The server does not remember this session any more."),
    "stale_id": mark("The server got this request too late; nothing was done."),
    "wrong_password": mark("The password is missing or wrong."),
    "name_claimed": mark("In the ladder this name belongs to another key. Choose another with --name."),
    "no_bots": mark("Bots are not let in on this server."),
    "no_such_table": mark("There is no such table, or its name is not unique."),
    "table_full": mark("There is no free seat, or no room for another table."),
    "not_seated": mark("This needs a seat at the table, and somebody on the seat that was named."),
    "not_host": mark("Only the host of the table may do this."),
    "already_started": mark("This is not possible now: it has begun already, or you are there already."),
    "bad_option": mark("The server refused a setting: {msg}"),
    "arranged": mark("The server runs this table: you can watch it."),
    "no_arena": mark("The server has no arena, and keeps no ladder."),
    "not_now": mark("The table is in no phase for this."),
    "stale_turn": mark("Too late: the situation has changed. Nothing was done."),
    "paused": mark("The table is paused."),
    "unknown_player": mark("This player does not take part in the round."),
    "round_over": mark("No round is running."),
    "not_your_turn": mark("Not your turn."),
    "color_required": mark("Choose a colour with it: red, green, blue or yellow."),
    "not_in_hand": mark("This card is not in your hand."),
    "color_not_allowed": mark("A coloured card takes no wish."),
    "una_not_now": mark("Una cannot be called now."),
    "draw_four_not_allowed": mark("The draw four is not allowed while you hold a card that forbids it."),
    "illegal_card": mark("This card does not fit, or may not be laid now."),
    "target_required": mark("Name the player to swap hands with."),
    "must_play": mark("You must play: one of your cards fits."),
    "cannot_draw": mark("You cannot draw now."),
    "cannot_pass": mark("You can pass only after drawing, or when there is nothing to draw."),
    "nothing_to_catch": mark("There is nobody to catch (any more)."),
    "cannot_catch": mark("It is not for you to catch now."),
    "cannot_challenge": mark("There is nothing to challenge."),
    "internal": mark("The server made a mistake; nothing was done. Try again."),
    "shutting_down": mark("The server is stopping."),
    "storage": mark("The server cannot store the move now; nothing was done. Try again later."),
}
_BYES: Final = {
    "replaced": mark("Your session was taken over by another connection."),
    "shutting_down": mark("The server is stopping."),
    "ended": mark("The server has ended, and the game with it."),
    "slow": mark("The server closed the connection: this client read too slowly."),
    "silent": mark("The server closed the connection: it heard nothing for too long."),
    "kicked": mark("The administrator of the server ended the connection."),
    "full": mark("The server is full; try again later."),
}


def error_text(err: m.Err) -> str:
    """What a refusal means, as a sentence. For a code of a later protocol: what the server says."""
    if err.code in _ERRORS:
        return _(_ERRORS[err.code]).format(msg=clean(err.msg))
    return _("The server refused it: {msg}").format(msg=clean(err.msg))


def bye_text(bye: m.Bye) -> str:
    """Why the server closes the connection, as a sentence."""
    text = _BYES.get(bye.code) or _ERRORS.get(bye.code)
    if text:
        return _(text).format(msg=clean(bye.msg))
    return _("The server closed the connection: {msg}").format(msg=clean(bye.msg))


_REASONS: Final = (
    mark("A name is at most {n} characters wide."),
    mark("A name may hold letters, digits, spaces and - _ . ' only."),
    mark("A name may not be empty."),
    mark("A name may not hold letters in a special width or style."),
    mark("A name needs at least one letter."),
    mark("A name may not begin or end with a space, nor hold two in a row."),
    mark("A name may not mix letters of several scripts."),
    mark("A name may not pile up accents, nor hold one without its letter."),
    mark("After the / comes the id or name of a table, at most 64 characters long."),
    mark("An IPv6 address with a port is written like [::1]:4820."),
    mark("An address needs a host, like localhost or 192.168.1.5:4820."),
    mark("This is no IPv6 address; with a port it is written like [::1]:4820."),
    mark("The host may hold letters, digits, dots and dashes only."),
    mark("The port is a number from 1 to 65535."),
)
"""What `una_protocol` says of names and addresses that cannot be; it knows no languages."""


def reason_text(error: ValueError) -> str:
    """Why a name or an address cannot be, in the user's language."""
    text = str(error)
    if (number := re.search(r"[0-9]+", text)) and (pattern := text.replace(number[0], "{n}")) in _REASONS:
        return _(pattern).format(n=number[0])
    return _(text)
