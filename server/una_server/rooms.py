"""How much room the house has: numbers only. Every one of them can be set in the server's config."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from .net.limits import Positive


class Rooms(Struct, frozen=True, kw_only=True):
    """Limits of sessions, tables, tries and chat."""

    tables: Positive = 200
    tables_per_session: Positive = 8
    sessions: Positive = 10_000
    resume_s: Annotated[int, Meta(ge=0, le=30 * 86_400)] = 86_400
    """For how long a session is remembered."""
    chat_rate: Annotated[float, Meta(gt=0, le=1000)] = 1.0
    """Chat messages a second."""
    chat_burst: Annotated[int, Meta(ge=1, le=1000)] = 5
    tries: Annotated[int, Meta(ge=1, le=100_000)] = 10
    """Wrong passwords by address in ten minutes. Not for connections from this machine."""
