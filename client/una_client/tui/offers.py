"""What a server offers: its tables and its ladder, page by page, and the catalogue that the forms are made from."""

from __future__ import annotations

from typing import Any

from una_protocol import messages as m

from ..link import Link
from .forms import option_values
from .world import Catalogue, OptionInfo


class Offers:
    """Asks for pages and parts, and knows the answers again by their ids."""

    def __init__(self, link: Link) -> None:
        self.catalogue: Catalogue | None = None
        self._link = link
        self._asked: dict[int, str] = {}
        self._parts: dict[str, Any] = {}
        self._more: list[m.TableRow] = []
        self._next: str | None = None
        self._paged = False
        self.ladder: tuple[m.LadderRow, ...] | None = None
        self._ladder_next: str | None = None

    # -- the catalogue

    def ask(self) -> None:
        """In a new session: ask for what the forms need, unless it is known, and for the ladder, if there is one."""
        self._asked.clear()
        if self.catalogue is None:
            for part in ("profiles", "options", "bots"):
                self._send(m.Describe(0, part=part), part)
        self.read_ladder()

    def _send(self, request: m._Request, what: str) -> None:
        id = self._link.send(request)
        if id is not None:
            self._asked[id] = what

    def take(self, message: object) -> bool:
        """Whether the message is an answer to something asked here; then it is taken in."""
        if isinstance(message, m.LobbyNow):
            self.first_page(message)
        if not isinstance(message, m.Ok | m.Err) or message.re not in self._asked:
            if isinstance(message, m.Ok):
                self.first_page(message)
            return False
        what = self._asked.pop(message.re)
        if isinstance(message, m.Ok) and what == "page":
            known = {row.id for row in self._more}
            self._more += [row for row in message.tables or [] if row.id not in known]
            self._next, self._paged = message.next, True
        elif isinstance(message, m.Ok) and message.ladder is not None:
            self.ladder = (*((self.ladder or ()) if what == "ladder-page" else ()), *message.ladder)
            self._ladder_next = message.next
        elif isinstance(message, m.Ok) and message.catalogue is not None:
            self._parts[what] = message.catalogue
            if len(self._parts) == 3:
                self.catalogue = _catalogue(self._parts)
        return True

    # -- the pages

    @property
    def more(self) -> bool:
        """Whether there are tables after those that are known."""
        return self._next is not None

    def first_page(self, message: m.LobbyNow | m.Ok) -> None:
        """The first page has come (again); the later ones are kept as they were."""
        if message.tables is not None and not self._paged:
            self._next = message.next

    def next_page(self, after: str | None) -> None:
        """Ask for the next page."""
        after = self._next if self._paged else after
        if after is not None and "page" not in self._asked.values():
            self._send(m.Lobby(0, after=after), "page")

    def forget_pages(self) -> None:
        """Only the first page counts again."""
        self._more, self._paged, self._next = [], False, None

    # -- the ladder

    @property
    def more_ladder(self) -> bool:
        """Whether there are rows after those that are known."""
        return self._ladder_next is not None

    def read_ladder(self, more: bool = False) -> None:
        """Ask for the ladder from its top, or for its next page."""
        if not {"ladder", "ladder-page"} & set(self._asked.values()):
            if not more:
                self._send(m.Ladder(0), "ladder")
            elif self._ladder_next is not None:
                self._send(m.Ladder(0, self._ladder_next), "ladder-page")

    def tables(self, first: list[m.TableRow] | None) -> tuple[m.TableRow, ...]:
        """All tables that are known."""
        known = {row.id for row in first or []}
        return (*(first or []), *(row for row in self._more if row.id not in known))


def _catalogue(parts: dict[str, Any]) -> Catalogue | None:
    """The catalogue from its parts; None where the server describes itself in another way than we know."""
    try:
        options = tuple(OptionInfo(str(row["name"]), _values(row)) for row in parts["options"]["options"])
        profiles = {str(name): dict(values) for name, values in parts["profiles"]["profiles"].items()}
        levels = tuple(str(level) for level in parts["bots"]["levels"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return Catalogue(profiles, options, levels)


def _values(row: dict[str, Any]) -> tuple[bool | int | str, ...]:
    if row["kind"] == "bool":
        return (False, True)
    if row["kind"] == "number":
        return option_values(int(row["low"]), int(row["high"]))
    return tuple(str(choice) for choice in row["choices"])
