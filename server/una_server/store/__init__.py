"""Where a server keeps what must outlive it: openings and steps of tables, sessions, finished records.

`Store` is the interface. `SqliteStore` keeps everything in one file, `NoStore` nothing, and `TwinStore` plays a disk
in memory that can be slow, full, or gone with the power, for tests and simulations. What a step means is not known
here: bodies are bytes.
"""

from .nothing import NoStore
from .parts import (
    NOTHING,
    Aside,
    Ban,
    Closing,
    Forgotten,
    Judged,
    LadderEntry,
    Opening,
    Part,
    Prune,
    Ranked,
    Record,
    Reopening,
    Saved,
    SessionRow,
    Step,
    Unban,
)
from .store import CannotStore, Done, NoData, Store

__all__ = [
    "NOTHING",
    "Aside",
    "Ban",
    "CannotStore",
    "Closing",
    "Done",
    "Forgotten",
    "Judged",
    "LadderEntry",
    "NoData",
    "NoStore",
    "Opening",
    "Part",
    "Prune",
    "Ranked",
    "Record",
    "Reopening",
    "Saved",
    "SessionRow",
    "Step",
    "Store",
    "Unban",
]
