"""A table: seats, watchers, a match, its clocks and votes. Pure: commands and the time in, an outcome out."""

from .between import Between
from .commands import Answer, Command, Gone, Guest, Outcome, Request, Returned, Shut, Tick
from .settings import BadSetting, Settings
from .table import Table

__all__ = [
    "Answer",
    "BadSetting",
    "Between",
    "Command",
    "Gone",
    "Guest",
    "Outcome",
    "Request",
    "Returned",
    "Settings",
    "Shut",
    "Table",
    "Tick",
]
