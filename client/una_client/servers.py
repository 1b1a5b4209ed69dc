"""`una servers`: look around for a moment, and print what was found as text or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Final

import trio
from wcwidth import wcswidth

from una_protocol.text import clean
from una_protocol.version import DEFAULT_PORT

from .finder import Found, open_finder
from .front import run_trio
from .i18n import _, mark, ngettext

NONE_FOUND: Final = 1
_MISFITS: Final = {
    "too_old": mark("too old for this client: it needs an update"),
    "too_new": mark("too new for this client: update una"),
}


def list_servers(seconds: float, port: int, as_json: bool) -> int:
    """Look for so many seconds, print what was found; the exit status."""

    async def look() -> int:
        servers = await find(seconds, port)
        if as_json:
            print(json.dumps([as_map(found) for found in servers], indent=1))
        elif servers:
            print("\n".join(table(servers)))
        if not servers:
            print(nothing(seconds, port), file=sys.stderr)
        return 0 if servers else NONE_FOUND

    return run_trio(look)


async def find(seconds: float, port: int) -> list[Found]:
    """The servers that can be found in so many seconds, those that fit first, by name."""
    async with open_finder(port) as finder:
        await trio.sleep(seconds)
        found = [server for server in finder.servers.values() if not server.gone]
    return sorted(found, key=lambda server: (server.fits != "yes", server.name.casefold(), server.address))


def table(servers: Sequence[Found]) -> list[str]:
    """The servers, a line each, in columns; then what to type."""
    rows = [(clean(server.name, 32), server.address, _about(server)) for server in servers]
    widths = [max(_width(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{_padded(name, widths[0])}  {_padded(address, widths[1])}  {about}" for name, address, about in rows]
    best = next((server for server in servers if server.fits == "yes"), None)
    if best is not None:
        lines += ["", _("To play there:  una join {address}").format(address=best.address)]
    return lines


def _about(server: Found) -> str:
    parts = [
        ngettext("{n} player", "{n} players", server.players).format(n=server.players),
        ngettext("{n} table", "{n} tables", server.tables).format(n=server.tables),
    ]
    if server.password:
        parts.append(_("password needed"))
    if server.fits != "yes":
        parts.append(_(_MISFITS[server.fits]))
    return ", ".join(parts)


def _width(text: str) -> int:
    return max(wcswidth(text), 0)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def as_map(server: Found) -> dict[str, object]:
    """A server for programs; the names are those of the beacon."""
    return {
        "id": server.id,
        "name": server.name,
        "address": server.address,
        "addresses": list(server.addresses),
        "port": server.port,
        "players": server.players,
        "tables": server.tables,
        "password": server.password,
        "proto": list(server.majors),
        "server": server.server,
        "fits": server.fits,
    }


def nothing(seconds: float, port: int) -> str:
    """Why nothing may have been found, and what works all the same."""
    found_none = ngettext(
        "No server was found within {n} second.", "No server was found within {n} seconds.", 1 if seconds == 1 else 2
    ).format(n=f"{seconds:g}")
    reasons = _(
        "It may be on another network, a firewall may keep UDP port {port} closed, or it runs with --no-discovery."
    ).format(port=port)
    other = _("A server on another port than {port} may need: una servers --port PORT").format(port=DEFAULT_PORT)
    always = _("Joining by address always works: una join HOST")
    return "\n".join([found_none, reasons, *([other] if port == DEFAULT_PORT else []), always])
