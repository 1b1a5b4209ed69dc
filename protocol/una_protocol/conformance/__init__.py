"""What a bot or client must bear: situations as data, and the judge of its answers. Pure; who plays them does the I/O.

The situations are written to `protocol/conformance/` as JSON, one file each, for authors in other languages.
"""

from __future__ import annotations

from .decisions import DECISIONS
from .judge import Fault as Fault
from .judge import Judge as Judge
from .script import Situation as Situation
from .surprises import SURPRISES
from .table_life import TABLE_LIFE

SITUATIONS: tuple[Situation, ...] = (*DECISIONS, *TABLE_LIFE, *SURPRISES)
