"""What is typed in the lobby: which table to go to, a new one, the ladder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from una_protocol import messages as m
from una_protocol.messages import _Request as Request

from ..i18n import _, mark
from ..playing import find_number, means
from .intents import Intent, Parser, Refusal, Send, Situation


def _row(words: list[str], situation: Situation) -> m.TableRow | Refusal:
    wanted = " ".join(words)
    if not wanted:
        return Refusal(_("Name a table: its number in the list, or its name."))
    number = find_number(wanted)
    if number is not None and 1 <= number <= len(situation.rows):
        return situation.rows[number - 1]
    found = [row for row in situation.rows if wanted.casefold() in (row.name.casefold(), row.id.casefold())]
    return found[0] if len(found) == 1 else Refusal(_("There is no such table. Type tables for the list."))


def enter(make: Callable[[str, str | None], Request]) -> Parser:
    """A request that goes to a table of the list."""

    def parse_it(words: list[str], situation: Situation) -> Intent:
        if situation.view is not None:
            return Refusal(_("You are at a table; leave it first."))
        password = None
        if len(words) > 2 and means(words[-2], mark("password")):
            *words, _word, password = words
        row = _row(words, situation)
        return row if isinstance(row, Refusal) else Send(make(row.id, password))

    return parse_it


def ladder(words: list[str], situation: Situation) -> Intent:
    """The ladder of the arena."""
    return Send(m.Ladder(0))


def new(words: list[str], situation: Situation) -> Intent:
    """A table of one's own."""
    if situation.view is not None:
        return Refusal(_("You are at a table; leave it first."))
    return Send(m.Create(0, " ".join(words)[:16] or _("Table")))


join: Final = enter(lambda table, password: m.Join(0, table, password=password))
watch: Final = enter(lambda table, password: m.Watch(0, table, password=password))
