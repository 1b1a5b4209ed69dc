"""What of a table must be stored before anybody hears of a command, and how far its place has come with that.

Makes the parts of a transaction, each from the bytes of `journal`; puts and sends nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from .journal import END, body_of, digest_of, header_of, lines_after, reopening
from .place import Place
from .session import Session
from .store import Closing, Part, Record, Reopening, Step
from .table import Between, Command, Outcome, Tick
from .telling import Told


def parts_of(
    place: Place, command: Command, outcome: Outcome, told: Told | None, now: float, sessions: Mapping[str, Session]
) -> list[Part]:
    """What a command, its outcome and whoever gave it need to be done again."""
    table = place.table
    place.steps += 1
    place.digest = digest_of(place.digest, told)
    body = body_of(command, outcome, now, place.wall)
    parts: list[Part] = [Step(place.number, place.steps, table.seq, place.digest, body)]
    if not isinstance(command, Tick):
        session = sessions.get(command.guest.key)
        if session is not None and not session.saved:
            parts = [*session.unsaved(), *parts]
    if outcome.record:
        place.lines = lines_after(place.lines, outcome.record)
        if place.lines[-1].startswith(END):
            parts.append(_record(place.lines, place.wall))
    if place.reopening is not None:
        parts.append(Reopening(*place.reopening))
    if table.closed:
        parts.append(Closing(place.number))
    return parts


def begin_anew(place: Place, between: Between, sessions: Mapping[str, Session]) -> None:
    """Another match begins: what was before it is not needed any more, but for the answers that were given."""
    if place.opening is None:
        return
    members = [sessions[key] for key in place.table.members if key in sessions]
    answers = [(session.key, re, frame) for session in members for re, frame in session.answers()]
    place.digest = 0
    place.reopening = reopening(place.opening, between, place.table, place.steps + 1, place.wall, answers)


def _record(lines: list[str], wall: int) -> Record:
    header = header_of(lines)
    return Record(
        id=header["id"],
        table=header["table"],
        round=header["round"],
        profile=header["profile"],
        players=", ".join(player["name"] for player in header["players"]),
        started=header["started"],
        finished=wall,
        lines="".join(line.rstrip("\n") + "\n" for line in lines),
    )
