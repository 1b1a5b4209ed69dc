"""A record played again, told step by step as JSON lines: for viewers, which know no rules (`una replay`).

The first line is `{"record": …}` with the header's facts. Each other line is a step: `step` from 0 (the deal), `seat`
and `do` of the action, `view` as a watcher sees the table after it, `hands` of all seats, `drawn` (the card that may be
laid now), the `legal` actions of the seat on turn, and `events`: each with the `public` form, and in `own` those of the
seats that may know more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from una_protocol.events import RoundOver
from una_protocol.view import Player, View

from .game import catchable, turn_actions
from .game.happening import Happening, Split
from .game.replay import Step, replay_steps


def step_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines for a record; RecordError where it does not hold, after the lines for all that did."""
    result: RoundOver | None = None
    for number, step in enumerate(replay_steps(lines)):
        if number == 0:
            yield _json({"record": {**msgspec.to_builtins(step.header), "deck": []}})
        for event in step.told:
            if isinstance(event, RoundOver):
                result = event
        yield _json(_step(number, step, result))


def _step(number: int, step: Step, result: RoundOver | None) -> dict[str, Any]:
    round = step.match.round
    assert round is not None
    act = {} if step.act is None else {"seat": step.act.seat, "do": step.act.do, "auto": step.act.auto}
    return {
        "step": number,
        **act,
        "view": _view(number, step, result),
        "hands": round.hands,
        "legal": [] if round.over else turn_actions(round),
        "drawn": round.drawn if round.phase == "drawn" else None,
        "events": [_event(event) for event in step.told],
    }


def _view(number: int, step: Step, result: RoundOver | None) -> View:
    header, match, round = step.header, step.match, step.match.round
    assert round is not None
    view = View(
        table=header.id,
        seq=number,
        name=header.table,
        profile=header.profile,
        options=header.options,
        seats=len(header.players),
        stage="over" if match.over else "between" if round.over else "playing",
        players=[
            Player(
                seat, player.name, player.kind == "bot", cards=len(round.hands[seat]), score=match.scores[seat],
                status="here" if seat in match.seats else "left", una=not round.over and seat in round.called,
            )
            for seat, player in enumerate(header.players)
        ],
        round=header.round,
        dealer=round.dealer,
        direction=round.direction,
        top=round.top,
        color=round.color,
        wish_served=round.wish_served,
        draw_pile=len(round.draw_pile),
        turn=number,
        result=result,
        winners=list(match.winners) if match.over else None,
    )  # fmt: skip
    if not round.over:
        view.phase, view.turn_seat, view.pending = round.phase, round.turn, round.pending
        view.catchable = list(catchable(round))
    return view


def _event(happening: Happening) -> dict[str, Any]:
    if isinstance(happening, Split):
        return {"public": happening.public, "own": {str(seat): event for seat, event in happening.own.items()}}
    return {"public": happening}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
