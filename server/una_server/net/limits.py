"""What a connection, and an address, may do: numbers only. Every one of them can be set in the server's config."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from una_protocol.messages import FRAME_TO_SERVER

Positive = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Duration = Annotated[float, Meta(gt=0, le=86_400)]


class Limits(Struct, frozen=True, kw_only=True):
    """The defaults suit people and quick bots; a server for training bots raises `rate` and `burst`."""

    frame: Annotated[int, Meta(ge=1024, le=FRAME_TO_SERVER)] = FRAME_TO_SERVER
    """Bytes in one frame."""
    rate: Positive = 50
    """Messages a second."""
    burst: Positive = 100
    """Messages at once."""
    bytes_per_s: Positive = 65_536
    bytes_burst: Positive = 524_288
    outbox_frames: Annotated[int, Meta(ge=8, le=1_000_000)] = 256
    """Frames that may wait for somebody who reads slowly."""
    outbox_bytes: Annotated[int, Meta(ge=65_536, le=1_000_000_000)] = 1_048_576
    connections: Annotated[int, Meta(ge=1, le=10_000)] = 64
    connections_per_address: Positive = 8
    """Not for connections from this machine; nor is the next."""
    strangers_per_address: Positive = 3
    """Connections that have not said hello."""
    hello_s: Duration = 5.0
    """The time to say hello."""
    frame_s: Duration = 5.0
    """The time in which the rest of a frame must follow."""
    write_s: Duration = 10.0
    """The time after which somebody who takes no byte at all is cut."""
    keepalive_s: Annotated[int, Meta(ge=1, le=3600)] = 15
    """The longest silence of the server; 2.5 times that of the client ends the connection."""
