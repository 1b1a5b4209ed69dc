"""How a server is found: probe and beacon (two datagrams), and the TXT record that says the same by mDNS. No I/O.

A client sends a probe by UDP to the port of the game; a server sends a beacon back to where the probe came from. Both
are `una?` or `una!`, the length of the body in two bytes, big-endian, the body (one msgpack map), and padding. Nothing
proves who sent them: a probe is at least as long as any beacon, so that nobody can use servers to flood somebody else,
and all texts are cleaned here. Whatever the bytes, the decoders return None and raise nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, TypeVar

import msgpack
import msgspec
from msgspec import Meta, Struct

from .codec import Malformed, unpack
from .text import clean
from .version import SUPPORTED

PROBE_SIZE: Final = 512
"""A probe has at least so many bytes, a beacon at most."""
DATAGRAM_MAX: Final = 1200
"""No datagram has more; it fits into every packet of a local network."""
GROUP: Final = "ff12::75:6e61"
"""The IPv6 group that servers listen to: link-local, not assigned by anybody (the 1 of ff12), `una` in ASCII."""
SERVICE: Final = "_una._tcp.local."
"""The service by which servers are found through mDNS."""
NAME_CHARACTERS: Final = 64
_NAME_BYTES: Final = 128

_PROBE_MAGIC: Final = b"una?"
_BEACON_MAGIC: Final = b"una!"
_HEADER: Final = 6

Majors = Annotated[tuple[Annotated[int, Meta(ge=0, le=65535)], ...], Meta(min_length=1, max_length=16)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Nonce = Annotated[int, Meta(ge=0, le=2**53)]
ServerId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]
_Form = TypeVar("_Form", bound=Struct)


class Probe(Struct, frozen=True):
    """Who is there?"""

    nonce: Nonce
    """A random number; it comes back in the beacon, so that only somebody who saw the probe can answer it."""
    proto: Majors = SUPPORTED
    """The majors that the client speaks. Servers answer whatever they are, so that a client can say what differs."""


class Beacon(Struct, frozen=True, kw_only=True):
    """Here I am: what a server says about itself to everybody around."""

    re: Nonce = 0
    """The nonce of the probe."""
    id: ServerId
    """Random, the same in every way to find this server; it tells two servers apart, and proves nothing."""
    name: Annotated[str, Meta(max_length=512)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    """Where to connect by TCP, at the address that the beacon came from."""
    proto: Majors
    players: Count = 0
    """How many are connected, bots among them."""
    tables: Count = 0
    """How many public tables there are."""
    password: bool = False
    """Whether the server asks everybody for a password."""
    server: Annotated[str, Meta(max_length=512)] = ""
    """The program and its version."""


def encode_probe(probe: Probe) -> bytes:
    """The datagram, padded to PROBE_SIZE."""
    return _datagram(_PROBE_MAGIC, probe).ljust(PROBE_SIZE, b"\0")


def decode_probe(datagram: bytes) -> Probe | None:
    """The probe in a datagram; None where there is none, or where it is shorter than a probe has to be."""
    return _decoded(_PROBE_MAGIC, datagram, Probe) if len(datagram) >= PROBE_SIZE else None


def encode_beacon(beacon: Beacon) -> bytes:
    """The datagram: never longer than a probe. Its texts are cleaned, and cut where they are too long."""
    return _datagram(_BEACON_MAGIC, _cleaned(beacon))


def decode_beacon(datagram: bytes) -> Beacon | None:
    """The beacon in a datagram, its texts cleaned; None where there is none."""
    beacon = _decoded(_BEACON_MAGIC, datagram, Beacon)
    return None if beacon is None else _cleaned(beacon)


def _datagram(magic: bytes, content: Struct) -> bytes:
    body: bytes = msgpack.packb(msgspec.to_builtins(content))
    return magic + len(body).to_bytes(2, "big") + body


def _decoded(magic: bytes, datagram: bytes, form: type[_Form]) -> _Form | None:
    if len(datagram) > DATAGRAM_MAX or not datagram.startswith(magic):
        return None
    end = _HEADER + int.from_bytes(datagram[4:_HEADER], "big")
    if not _HEADER < end <= len(datagram):
        return None
    try:
        return msgspec.convert(unpack(bytes(datagram[_HEADER:end])), form)
    except (Malformed, msgspec.ValidationError):
        return None


def _cleaned(beacon: Beacon) -> Beacon:
    return msgspec.structs.replace(beacon, name=_short(beacon.name), server=_short(beacon.server))


def _short(text: str) -> str:
    """At most 64 characters and 128 bytes; the same again when it is done again."""
    text = clean(text, NAME_CHARACTERS).strip()
    return text.encode("utf-8", "replace")[:_NAME_BYTES].decode("utf-8", "ignore").strip()


# -- mDNS ---------------------------------------------------------------------------------------------------------


def to_txt(beacon: Beacon) -> dict[str, str]:
    """The TXT record of a server; port and addresses stand in other records."""
    beacon = _cleaned(beacon)
    return {
        "txtvers": "1",
        "p": ",".join(map(str, beacon.proto)),
        "id": beacon.id,
        "name": beacon.name,
        "players": str(beacon.players),
        "tables": str(beacon.tables),
        "pw": "1" if beacon.password else "0",
        "server": beacon.server,
    }


def from_txt(record: Mapping[bytes, bytes | None], port: int | None) -> Beacon | None:
    """What a TXT record says, with the port of the SRV record; None where it is none of una's."""
    said = {key: value.decode("utf-8", "replace") for key in _TXT_KEYS if (value := record.get(key)) is not None}
    try:
        beacon = msgspec.convert(
            {
                "id": said.get(b"id"),
                "name": said.get(b"name", ""),
                "port": port,
                "proto": [_number(part) for part in said.get(b"p", "").split(",")],
                "players": _number(said.get(b"players", "0")),
                "tables": _number(said.get(b"tables", "0")),
                "password": said.get(b"pw") == "1",
                "server": said.get(b"server", ""),
            },
            Beacon,
        )
    except msgspec.ValidationError:
        return None
    return _cleaned(beacon)


_TXT_KEYS: Final = (b"p", b"id", b"name", b"players", b"tables", b"pw", b"server")


def _number(text: str) -> int:
    """Digits only; -1, which fits nowhere, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else -1
