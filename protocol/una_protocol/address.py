"""Where a server or a table is, as people write it: `host`, `host:port`, `[v6]:port`, a bare v6, each with `/table`.

Only the text: nothing is looked up here.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from .version import DEFAULT_PORT

_HOST: Final = re.compile(r"(?!-)[\w.-]{1,253}", re.UNICODE)
_PORT: Final = re.compile(r"[0-9]{1,5}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """A server (`host`, `port`), and maybe a table there, by its id or name."""

    host: str
    port: int = DEFAULT_PORT
    table: str | None = None

    def __str__(self) -> str:
        """The shortest text that `parse` reads as this address."""
        text = self.host
        if self.port != DEFAULT_PORT:
            text = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        return text if self.table is None else f"{text}/{self.table}"

    @classmethod
    def parse(cls, text: str, default_port: int = DEFAULT_PORT) -> Address:
        """The address in `text`; ValueError with one plain sentence."""
        where, slash, table = text.strip().partition("/")
        table = table.strip()
        if slash and (not table or len(table) > 64 or not table.isprintable()):
            raise ValueError("After the / comes the id or name of a table, at most 64 characters long.")
        host, port = _split(where.strip())
        return cls(_check_host(host), default_port if port is None else _check_port(port), table if slash else None)


def _split(where: str) -> tuple[str, str | None]:
    if where.startswith("["):
        host, bracket, rest = where[1:].partition("]")
        if not bracket or ":" not in host or (rest and not rest.startswith(":")):
            raise ValueError("An IPv6 address with a port is written like [::1]:4820.")
        return host, rest[1:] if rest else None
    if where.count(":") > 1:
        return where, None
    host, colon, port = where.partition(":")
    return host, port if colon else None


def _check_host(host: str) -> str:
    if not host:
        raise ValueError("An address needs a host, like localhost or 192.168.1.5:4820.")
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise ValueError("This is no IPv6 address; with a port it is written like [::1]:4820.") from None
    elif not _HOST.fullmatch(host) or ".." in host:
        raise ValueError("The host may hold letters, digits, dots and dashes only.")
    return host


def _check_port(port: str) -> int:
    if not _PORT.fullmatch(port) or not 1 <= int(port) <= 65535:
        raise ValueError("The port is a number from 1 to 65535.")
    return int(port)
