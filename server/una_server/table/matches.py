"""A match from start to rematch: who may begin it, and when the next round is dealt; the settings before it."""

from __future__ import annotations

import hmac
from random import Random

from una_protocol import events as ev
from una_protocol.messages import Rematch, SetOptions, SetReady, Start

from ..game import BadOption, Match, check_players
from .commands import Guest
from .rounds import deal
from .seating import seat_watchers
from .settings import BadSetting, changed
from .state import Refusal, TableState


def start(table: TableState, guest: Guest, message: Start) -> dict[str, object]:
    """The host begins the match, or the next one."""
    table.need_host(guest.key)
    _begin(table)
    return {}


def ready(table: TableState, guest: Guest, message: SetReady) -> dict[str, object]:
    """A seat is ready: when all people are, the next round is dealt, or the match begins."""
    seat = table.seat_of_guest(guest.key)
    if table.stage not in ("waiting", "between"):
        raise Refusal("not_now")
    if not seat.ready:
        seat.ready = True
        table.tell(ev.Ready(seat.number))
    if all(other.ready for other in table.present()):
        if table.stage == "between":
            deal(table)
        elif len(list(table.taken_seats())) >= 2:
            _begin(table)
    return {}


def rematch(table: TableState, guest: Guest, message: Rematch) -> dict[str, object]:
    """Another match: at once by the host, else when most people want it (E5)."""
    seat = table.seat_of_guest(guest.key)
    if table.stage != "over":
        raise Refusal("not_now")
    if seat.number == table.host:
        _begin(table)
        return {}
    if not seat.ready:
        seat.ready = True
        table.tell(ev.Ready(seat.number))
    voters = table.present() or [other for other in table.taken_seats() if other.guest is not None]
    if 2 * sum(other.ready for other in voters) > len(voters):
        _begin(table)
    return {}


def set_options(table: TableState, guest: Guest, message: SetOptions) -> dict[str, object]:
    """The host changes rules (not within a match) or settings (not during a round)."""
    table.need_host(guest.key)
    rules = message.profile is not None or message.options is not None or message.seats is not None
    if table.stage == "playing" or (table.stage == "between" and rules):
        raise Refusal("already_started")
    try:
        table.settings = changed(table.settings, message, max(table.seats, default=0))
    except BadSetting as error:
        raise Refusal("bad_option", str(error)) from None
    table.tell(table.settings.event())
    table.out.row_changed = True
    return {}


def _begin(table: TableState) -> None:
    if table.stage in ("playing", "between"):
        raise Refusal("already_started")
    free = [number for number in set(table.coming.values()) if number not in table.seats]
    if len(list(table.taken_seats())) + len(free) < 2:
        raise Refusal("not_now", "A match needs at least two seats taken; add a house bot or wait for somebody.")
    for number in [number for number, seat in table.seats.items() if seat.gone]:
        del table.seats[number]
    seat_watchers(table)
    seats = sorted(table.seats)
    try:
        check_players(table.settings.options, len(seats))
    except BadOption as error:
        raise Refusal("bad_option", str(error)) from None
    dealer = table.match.next_dealer() if table.match is not None else table.next_dealer
    if dealer is not None:
        dealer = next((seat for seat in seats if seat >= dealer), seats[0])
    table.matches += 1
    table.moods = Random(table.seed + b"moods" + str(table.matches).encode())
    seed = hmac.digest(table.seed, f"match/{table.matches}".encode(), "sha256")
    table.match, told = Match.start(table.settings.options, seats, seed, dealer)
    table.stage, table.winners, table.match_since = "playing", None, table.seq
    for happening in told:
        table.tell(happening)
    deal(table)
