"""Who sits where: joining, watching, leaving, house bots, the host, lost connections and seats played by a bot."""

from __future__ import annotations

from typing import Literal

from una_protocol import events as ev
from una_protocol.actions import LEAVE
from una_protocol.messages import Auto, BotSeat, Join, Kick, Leave, Watch

from ..bots import LEVELS, NAMES
from ..bots.memory import Memory
from .commands import Guest
from .playing import pass_on, turn_message
from .settings import BadSetting, check_level
from .state import Refusal, Seat, TableState

LOST_KEEP_S = 60.0
"""How long a lost seat is kept where no match runs."""


def join(table: TableState, guest: Guest, message: Join) -> dict[str, object]:
    """Take a seat now, or, for a watcher while a match runs, when the next one begins (G5)."""
    if guest.key in table.seat_by_key:
        raise Refusal("already_started", "You have a seat at this table.")
    number = _free_seat(table, message.seat)
    if table.stage in ("playing", "between"):
        if guest.key not in table.watchers:
            raise Refusal("already_started", "A match is running; watch, and join to sit down in the next one.")
        table.coming[guest.key] = number
    else:
        sit(table, guest, number)
    return {"table": table.id, "seat": number}


def watch(table: TableState, guest: Guest, message: Watch) -> dict[str, object]:
    """Watch without a seat."""
    if guest.key in table.seat_by_key or guest.key in table.watchers:
        raise Refusal("already_started", "You are at this table already.")
    table.watchers[guest.key] = guest
    table.tell(ev.Joined(guest.name, bot=guest.bot))
    table.out.states.append(guest.key)
    table.out.row_changed = True
    return {"table": table.id}


def sit(table: TableState, guest: Guest, number: int) -> None:
    """The guest, who may have been watching, sits down at a free seat."""
    if table.watchers.pop(guest.key, None) is not None:
        table.coming.pop(guest.key, None)
        table.tell(ev.Left(guest.name))
    table.tell(ev.Joined(guest.name, number, guest.bot))
    table.seats[number] = Seat(number, guest.name, guest, since=table.seq)
    table.seat_by_key[guest.key] = number
    if table.host is None:
        _pass_host(table)
    table.out.states.append(guest.key)
    table.out.row_changed = True


def seat_watchers(table: TableState) -> None:
    """A match begins: who asked for a seat while watching gets it, as far as it is still free."""
    for key, number in list(table.coming.items()):
        guest = table.watchers.get(key)
        if guest is not None and number not in table.seats and number < table.settings.seats:
            sit(table, guest, number)
    table.coming.clear()


def leave(table: TableState, guest: Guest, message: Leave) -> dict[str, object]:
    """The guest goes, from the seat or from watching."""
    if guest.key in table.watchers:
        _unwatch(table, guest)
    else:
        leave_seat(table, table.seat_of_guest(guest.key), "left")
    return {}


def kick(table: TableState, guest: Guest, message: Kick) -> dict[str, object]:
    """The host removes a seat's owner."""
    host = table.need_host(guest.key)
    seat = table.named_seat(message.seat)
    if seat is host:
        raise Refusal("not_now", "You cannot kick yourself; leave instead.")
    leave_seat(table, seat, "kicked")
    return {}


def leave_seat(table: TableState, seat: Seat, why: Literal["left", "kicked", "gone"]) -> None:
    """The one place where a seat is left for good (L1)."""
    if seat.guest is not None:
        table.seat_by_key.pop(seat.guest.key, None)
        table.out.left.append(seat.guest.key)
    in_match = table.match is not None and table.stage in ("playing", "between")
    if in_match:
        pass_on(table, seat, LEAVE, first=lambda pile: ev.Left(seat.name, seat.number, why, pile))
        seat.gone, seat.ready = True, False
    else:
        del table.seats[seat.number]
        table.tell(ev.Left(seat.name, seat.number, why))
    table.asked.discard(seat.number)
    table.cooling.pop(seat.number, None)
    table.memories.pop(seat.number, None)
    if table.host == seat.number:
        _pass_host(table)
    if not table.seat_by_key:
        for watcher in list(table.watchers.values()):
            _unwatch(table, watcher)  # nobody is left to watch
        table.closed = True
    table.out.row_changed = True


def add_or_remove_bot(table: TableState, guest: Guest, message: BotSeat) -> dict[str, object]:
    """The host seats a house bot, or removes one; only where no match runs (G5)."""
    table.need_host(guest.key)
    if table.stage in ("playing", "between"):
        raise Refusal("already_started")
    if (message.add is None) == (message.remove is None):
        raise Refusal("bad_message", "A bot request has either `add` or `remove`.")
    if message.remove is not None:
        seat = table.named_seat(message.remove)
        if seat.guest is not None:
            raise Refusal("not_seated", "No house bot sits there.")
        leave_seat(table, seat, "left")
        return {"seat": message.remove}
    try:
        number = seat_bot(table, message.add or "")
    except BadSetting as error:
        raise Refusal("bad_option", str(error)) from None
    return {"seat": number}


def seat_bot(table: TableState, level: str) -> int:
    """A house bot of this level sits down; its seat."""
    check_level(level)
    number = _free_seat(table, None)
    used = {seat.name for seat in table.seats.values()}
    name = next(name for name in (f"bot-{name}" for name in NAMES) if name not in used)
    table.tell(ev.Joined(name, number, True, level))
    table.seats[number] = Seat(number, name, level=level, since=table.seq)
    if LEVELS[level].searches:
        table.memories[number] = Memory()
    table.out.row_changed = True
    return number


def lose(table: TableState, guest: Guest) -> None:
    """The guest's connection is lost: a watcher goes, a seat is kept."""
    if guest.key in table.watchers:
        _unwatch(table, guest)
        return
    number = table.seat_by_key.get(guest.key)
    if number is None:
        return
    seat = table.seats[number]
    if seat.connected:
        seat.connected, seat.lost_at, seat.ready = False, table.now, False
        if not seat.house_plays:
            table.tell(ev.Lost(number))


def regain(table: TableState, guest: Guest) -> None:
    """The guest has a connection again: the seat is theirs, unless they had asked for a bot themselves."""
    number = table.seat_by_key.get(guest.key)
    if number is None:
        return
    seat = table.seats[number]
    was = seat.status
    seat.connected, seat.taken, seat.defaults = True, False, 0
    if seat.status != was:
        table.tell(ev.Back(number))
        _limit_anew(table, seat)


def auto(table: TableState, guest: Guest, message: Auto) -> dict[str, object]:
    """A house bot plays for the seat from now on, or its owner is back."""
    seat = table.seat_of_guest(guest.key)
    if not message.on:
        wake(table, seat)
    elif not seat.auto:
        was = seat.status
        seat.auto = True
        if seat.status != was:
            table.tell(ev.Away(seat.number))
    return {}


def take_over(table: TableState, seat: Seat) -> None:
    """A house bot plays on for a seat that does not answer."""
    seat.taken = True
    table.tell(ev.Away(seat.number))


def wake(table: TableState, seat: Seat) -> None:
    """The owner plays again; what is due is asked of them."""
    if seat.auto or seat.taken:
        seat.auto = seat.taken = False
        seat.defaults = 0
        table.tell(ev.Back(seat.number))
        _limit_anew(table, seat)
        table.out.turn = turn_message(table)


def shut(table: TableState) -> None:
    """Everybody has to go, one after the other; then the table is closed."""
    for guest in list(table.watchers.values()):
        _unwatch(table, guest)
    for seat in list(table.taken_seats()):
        if seat.guest is not None and not seat.gone:
            leave_seat(table, seat, "kicked")
    table.closed = True


def _limit_anew(table: TableState, seat: Seat) -> None:
    if table.round is not None and table.round.turn == seat.number:
        table.limit_began = table.now


def _unwatch(table: TableState, guest: Guest) -> None:
    del table.watchers[guest.key]
    table.coming.pop(guest.key, None)
    table.tell(ev.Left(guest.name))
    table.out.left.append(guest.key)
    table.out.row_changed = True


def _free_seat(table: TableState, wanted: int | None) -> int:
    busy = {seat.number for seat in table.taken_seats()} | set(table.coming.values())
    numbers = range(table.settings.seats) if wanted is None else (wanted,)
    for number in numbers:
        if number < table.settings.seats and number not in busy:
            return number
    raise Refusal("table_full", "" if wanted is None else "There is no such free seat.")


def _pass_host(table: TableState) -> None:
    """The host is the first person by seat number who is here, else one who is lost; never a bot."""
    people = [seat for seat in table.taken_seats() if not seat.is_bot]
    people.sort(key=lambda seat: (not seat.connected, seat.number))
    host = people[0].number if people else None
    if host != table.host:
        table.host = host
        table.tell(ev.Host(host))
