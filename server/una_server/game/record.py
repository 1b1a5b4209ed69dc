"""Writing a record: one round as JSON lines, made while it is played. Keeping the lines is the table's business.

`replay`, which plays a record again, has a module of its own and can be had from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from una_protocol.actions import Catch, Play, RecordedAction

from .match import Match
from .options import OPTION_SPECS
from .record_lines import VERSION, Act, EndLine, Header, Pile, Player, end_of
from .replay import RecordError, Replayed, replay
from .round import Round

__all__ = ["RecordError", "Recorder", "Replayed", "replay"]


class Recorder:
    """Writes one round. Make it when the round is dealt, and tell it every accepted action after it was applied.

    `players` stand in the order of `match.round.order`, which is the order of the record's seats.
    """

    def __init__(self, match: Match) -> None:
        assert match.round is not None
        self._seats = match.round.order
        self._place = {seat: index for index, seat in enumerate(self._seats)}
        self._shuffles = 0

    def start(
        self,
        match: Match,
        *,
        id: str,
        table: str,
        started: str,
        server: str,
        profile: str,
        players: Sequence[Mapping[str, str]],
    ) -> list[str]:
        """The header, and the shuffles of a first card put back (F1)."""
        state = _dealt(match)
        header = Header(
            una_record=VERSION,
            id=id,
            table=table,
            round=match.number,
            started=started,
            server=server,
            profile=profile,
            options={name: getattr(match.options, name) for name in OPTION_SPECS},
            players=[Player(player["name"], player["kind"]) for player in players],
            dealer=self._place[match.dealer],
            scores=[match.scores[seat] for seat in self._seats],
            deck=list(state.shuffled[0]),
        )
        self._shuffles = 1
        return [_line(header), *self._piles(state)]

    def action(
        self, match: Match, seat: int, action: RecordedAction, *, auto: bool = False, ms: int | None = None
    ) -> list[str]:
        """An action that was applied: the shuffles it needed, then itself; and the end, if it ended the round."""
        state = _dealt(match)
        lines = self._piles(state)
        lines.append(_act_line(self._place[seat], self._renumbered(action), auto, ms))
        if state.over:
            lines.append(_line(EndLine(end_of(match, state, self._seats))))
        return lines

    def _piles(self, state: Round) -> list[str]:
        if len(state.shuffled) == self._shuffles:
            return []
        new = state.shuffled[self._shuffles :]
        self._shuffles = len(state.shuffled)
        return [_line(Pile(list(pile))) for pile in new]

    def _renumbered(self, action: RecordedAction) -> RecordedAction:
        if isinstance(action, Play) and action.swap_with is not None:
            return msgspec.structs.replace(action, swap_with=self._place[action.swap_with])
        return Catch(self._place[action.seat]) if isinstance(action, Catch) else action


def _dealt(match: Match) -> Round:
    assert match.round is not None
    return match.round


@lru_cache(maxsize=4096)
def _act_line(seat: int, action: RecordedAction, auto: bool, ms: int | None) -> str:
    """The line of an action; without times there are not many of them, and one is written for each move."""
    return _line(Act(seat, action, auto, ms))


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode()
