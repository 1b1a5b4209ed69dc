"""Where a server keeps what must outlive it: openings and steps of tables, sessions, finished records.

`Store` is the interface. `SqliteStore` keeps everything in one file, `NoStore` nothing, and `TwinStore` plays a disk
in memory that can be slow, full, or gone with the power, for tests and simulations. What a step means is not known
here: bodies are bytes.
"""

from .nothing import NoStore as NoStore
from .parts import *  # noqa: F403  # all that can be put into a store
from .store import CannotStore as CannotStore
from .store import Done as Done
from .store import NoData as NoData
from .store import Store as Store
