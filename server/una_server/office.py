"""The office: answers whoever looks after the server. `status` tells numbers, `admin` needs the token and does things.

The token is compared in constant time, one try for each connection and few for each address, and stands in no log and
in no answer. Here things are decided and begun; the lobby, the hall and the port know how they are done.
"""

from __future__ import annotations

import hmac
import logging
import math
import time
from collections.abc import Callable
from typing import Final

from una_protocol import messages as m
from una_protocol.codec import encode
from una_protocol.text import check_chat

from .bans import Bans, network_of
from .guests import Denied
from .lobby import Lobby
from .logs import note
from .net.link import bye
from .net.port import Port
from .net.transport import is_loopback
from .observation import Observation
from .session import Session
from .store import Ban, CannotStore, Unban
from .table import Guest, Shut

log = logging.getLogger(__name__)

PAGE: Final = 50
SPEAKER: Final = "server"
_NOBODY: Final = Guest("admin", "")


class BadDeed(Denied):
    """A field of the request is missing or wrong; `at` is its path."""

    def __init__(self, field: str, msg: str) -> None:
        super().__init__("bad_message", msg)
        self.at = f"$.{field}"


class Office:
    """Answers `status` and `admin`. `token`: None where there is no administration. `stop` ends the server."""

    def __init__(
        self,
        token: str | None,
        lobby: Lobby,
        port: Port,
        bans: Bans,
        observation: Observation,
        stop: Callable[[int], None],
    ) -> None:
        self._token = token
        self._lobby = lobby
        self._port = port
        self._bans = bans
        self._observation = observation
        self._stop = stop
        self._deeds: dict[str, Callable[[m.Admin, float], m.Ok]] = {
            "list": self._list,
            "say": self._say,
            "kick": self._kick,
            "close": self._close,
            "ban": self._ban,
            "unban": self._unban,
            "shutdown": self._shutdown,
        }

    def answer(self, message: m.Admin | m.Status, peer: str, now: float) -> m.Ok:
        """Do what is asked for; Denied, with `wrong_password` where the token is not right."""
        if isinstance(message, m.Status):
            if message.token is not None or not is_loopback(peer):
                self._check(message.token, peer, now)
            return m.Ok(message.id, status=self._observation.status(now))
        self._check(message.token, peer, now)
        return self._deeds[message.do](message, now)

    def _check(self, token: str | None, peer: str, now: float) -> None:
        self._lobby.check_tries(peer, now)
        if self._token is None:
            raise Denied("wrong_password", "There is no administration at this server.")
        if not hmac.compare_digest((token or "").encode(), self._token.encode()):
            self._lobby.wrong_password(peer, now)
            note(log, "wrong_token", logging.WARNING, address=peer)
            raise Denied("wrong_password", "The admin token is missing or wrong.")

    # -- looking -------------------------------------------------------------------------------------------------

    def _list(self, message: m.Admin, now: float) -> m.Ok:
        after = message.after or ""
        if message.what == "tables":
            rows = sorted(
                (place.row for place in self._lobby.hall.places.values() if place.row), key=lambda row: row.id
            )
            page = [row for row in rows if row.id > after][: PAGE + 1]
            return m.Ok(message.id, tables=page[:PAGE], next=page[PAGE - 1].id if len(page) > PAGE else None)
        if message.what == "bans":
            wall = time.time()
            bans = [
                m.BanRow(network, None if until is None else math.ceil(until - wall))
                for network, until in self._bans.all(wall)
                if network > after
            ]
            return m.Ok(message.id, bans=bans[:PAGE], next=bans[PAGE - 1].address if len(bans) > PAGE else None)
        sessions = sorted(self._lobby.book.by_key.values(), key=_number)
        found = [session for session in sessions if not after or _number(session) > _number_of(after)]
        guests = [_row(session) for session in found[:PAGE]]
        return m.Ok(message.id, guests=guests, next=guests[-1].key if len(found) > PAGE else None)

    # -- doing ---------------------------------------------------------------------------------------------------

    def _say(self, message: m.Admin, now: float) -> m.Ok:
        try:
            text = check_chat(message.text or "")
        except ValueError as error:
            raise BadDeed("text", str(error)) from None
        self._tell_all(text)
        return m.Ok(message.id, n=sum(guest.link is not None for guest in self._lobby.book.by_key.values()))

    def _tell_all(self, text: str) -> None:
        """Once to everybody: at each of their tables, or in the lobby."""
        for guest in self._lobby.book.by_key.values():
            if guest.link is not None:
                for table in guest.tables or (None,):
                    guest.send(encode(m.Said(text, SPEAKER, table, admin=True)))

    def _kick(self, message: m.Admin, now: float) -> m.Ok:
        guests = self._lobby.book.by_key
        if message.key is not None:
            found = [guests[message.key]] if message.key in guests else []
        elif message.name is not None:
            wanted = message.name.casefold()
            found = [guest for guest in guests.values() if guest.name.casefold() == wanted]
        else:
            raise BadDeed("name", "Say whom: a `name`, or a `key`.")
        if not found:
            raise BadDeed("name" if message.key is None else "key", "There is no such guest.")
        self._send_away(found, now)
        return m.Ok(message.id, n=len(found))

    def _send_away(self, guests: list[Session], now: float) -> None:
        for guest in guests:
            note(log, "kicked", guest=guest.key, name=guest.name)
            self._lobby.presence.send_away(guest, bye("kicked"), now)

    def _close(self, message: m.Admin, now: float) -> m.Ok:
        if message.table is None:
            raise BadDeed("table", "Say which: a `table`.")
        place = self._lobby.reception.find(message.table)
        self._lobby.hall.do(place, Shut(_NOBODY), now)
        return m.Ok(message.id, table=place.table.id)

    def _ban(self, message: m.Admin, now: float) -> m.Ok:
        network = self._network(message)
        until = None if message.seconds is None else time.time() + message.seconds
        self._bans.add(network, until)
        self._keep(Ban(network, until))
        note(log, "banned", address=network, seconds=message.seconds)
        links = [link for link in self._port.links if _is_of(network, link.transport.peer)]
        self._send_away([guest for guest in self._lobby.book.by_key.values() if guest.link in links], now)
        for link in links:
            link.close(bye("kicked"))
        return m.Ok(message.id, n=len(links))

    def _unban(self, message: m.Admin, now: float) -> m.Ok:
        network = self._network(message)
        if not self._bans.lift(network):
            raise BadDeed("address", "This address is not banned.")
        self._keep(Unban(network))
        note(log, "unbanned", address=network)
        return m.Ok(message.id, n=1)

    def _network(self, message: m.Admin) -> str:
        if message.address is None:
            raise BadDeed("address", "Say which: an `address`.")
        try:
            return network_of(message.address)
        except ValueError as error:
            raise BadDeed("address", str(error)) from None

    def _keep(self, part: Ban | Unban) -> None:
        hall = self._lobby.hall
        if hall.store.keeps and not hall.stopped:
            hall.store.put((part,), _note_kept)

    def _shutdown(self, message: m.Admin, now: float) -> m.Ok:
        seconds = message.seconds or 0
        note(log, "shutdown", seconds=seconds)
        if seconds:
            self._tell_all(f"The server stops in {seconds} seconds.")
        self._stop(seconds)
        return m.Ok(message.id)


def _row(session: Session) -> m.GuestRow:
    link = session.link
    return m.GuestRow(
        key=session.key,
        name=session.name,
        bot=session.guest.bot,
        here=link is not None,
        address=link.transport.peer if link is not None else None,
        tables=list(session.tables),
    )


def _number(session: Session) -> int:
    return _number_of(session.key)


def _number_of(key: str) -> int:
    digits = key[1:]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _note_kept(error: CannotStore | None) -> None:
    if error is not None:
        note(log, "storage_trouble", logging.ERROR, why=str(error))


def _is_of(network: str, peer: str) -> bool:
    try:
        return network_of(peer) == network
    except ValueError:
        return False
