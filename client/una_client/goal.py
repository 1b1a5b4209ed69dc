"""What the user wants to do after connecting, and how it shall look: what the command line hands to a front end.

Both front ends, line mode (`plain.run_plain`) and full screen (`tui.app.run_tui`), take a `Goal` and `UiOptions`, and
return the exit status. `arrive` does the first requests for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Protocol

from msgspec import Struct

from una_protocol import messages as m
from una_protocol.messages import _Request as Request
from una_protocol.version import DEFAULT_PORT

from .i18n import mark

OWN_TABLE: Final = mark("Practice")
Bell = Literal["turn", "all", "never"]
"""When to ring: at the user's turn, for chat and una too, or never."""


class Goal(Struct, frozen=True, kw_only=True):
    """Where to connect as whom, and what to do there.

    `do`: look at the `lobby`; `join` or `watch` the `table` (an id, or a name that is unique); `create` a table by
    the request `create` (its id is set when it is sent), and, with `start`, deal at once.
    `auto`: a house bot plays for our seat, and the program ends by itself when the match is over.
    `own_server`: the server is a child of ours (`una play`, `una host`) and ends with us; losing it is not worth a
    reconnect. `shown`: the address that others are told, where it is not the one we use ourselves.
    """

    host: str
    port: int = DEFAULT_PORT
    name: str
    do: Literal["lobby", "join", "watch", "create"] = "lobby"
    table: str | None = None
    create: m.Create | None = None
    start: bool = False
    password: str | None = None
    auto: bool = False
    own_server: bool = False
    shown: str | None = None

    @property
    def where(self) -> str:
        """The address as the user, or whoever shall come, would type it."""
        host = self.shown or self.host
        host = f"[{host}]" if ":" in host else host
        return host if self.port == DEFAULT_PORT else f"{host}:{self.port}"


class UiOptions(Struct, frozen=True, kw_only=True):
    """How it shall look: the global options of the command line, and what the config file says.

    `color`: `auto`, `none`, `16`, `256` or `true`; `lang`: `en`, `de`, or None for that of the locale. `keys`: the
    user's keys by action, and `key_places` where in the config they stand, in words; `favourites`: addresses of
    servers; `problems`: what is wrong with the config, in sentences.
    """

    ascii: bool = False
    color: str = "auto"
    theme: str = "default"
    lang: str | None = None
    bell: Bell = "turn"
    mouse: bool = False
    keys: Mapping[str, str | list[str]] = {}
    key_places: Mapping[str, str] = {}
    favourites: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class RequestRefused(Exception):
    """The server answered a request with `err`."""

    def __init__(self, err: m.Err) -> None:
        super().__init__(err.msg)
        self.err = err


class CanAsk(Protocol):
    """What `arrive` needs: a `Session` or a `Link`."""

    welcome: m.Welcome

    async def request(self, message: Request) -> m.Ok:
        """Send a request and wait for its `ok`; RequestRefused for an `err`."""


async def arrive(line: CanAsk, goal: Goal) -> m.Ok | None:
    """Do the goal's first requests; the `state` of the table then comes in. RequestRefused tells what went wrong.

    Where a resumed session still has its seat, that is where we go. In the lobby the answer, which holds the tables,
    is returned (for `Mirror.handle`).
    """
    seats = [kept.table for kept in line.welcome.seats] if line.welcome.resumed else []
    if goal.do == "lobby" and not seats:
        return await line.request(m.Lobby(0, subscribe=True))
    if goal.do == "watch":
        await line.request(m.Watch(0, goal.table or "", password=goal.password))
    elif goal.do == "create" and goal.create is not None:
        table = (await line.request(goal.create)).table or ""
        if goal.start:
            await line.request(m.Start(0, table))
        await _auto(line, goal, table)
    else:
        await _sit(line, goal, seats)
    return None


async def _sit(line: CanAsk, goal: Goal, seats: list[str]) -> None:
    """Take a seat at the goal's table, or the one among `seats` that is still ours."""
    table = goal.table or seats[0]
    if table in seats:
        await line.request(m.GetState(0, table))
    else:
        try:
            table = (await line.request(m.Join(0, table, password=goal.password))).table or table
        except RequestRefused as refused:
            if refused.err.code != "already_started" or not seats:
                raise
            table = seats[0]  # the goal named it by its name
            await line.request(m.GetState(0, table))
    await _auto(line, goal, table)


async def _auto(line: CanAsk, goal: Goal, table: str) -> None:
    if goal.auto:
        await line.request(m.Auto(0, table, on=True))
