"""Any commands at any times: every viewer's folded events equal the state, every request has one answer, seq is dense.

`Evening` asserts all three after each command; here chance drives it, through every profile and option that moves
hands about, with guests who come, go, get lost, accuse, pause and act out of turn.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from una_protocol import messages as msg
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Catch, Play
from una_protocol.cards import Card
from una_server.table import Gone, Returned, Tick

from ..table.kit import Evening

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")
LOBBY_LIKE = (msg.Join, msg.Join, msg.Join, msg.Watch, msg.SetReady, msg.Rematch, msg.Start, msg.GetState, msg.Leave)


def command(evening: Evening, dice: random.Random) -> None:
    """One thing that somebody, or the clock, does."""
    table = evening.table
    name = dice.choice(NAMES)
    kind = dice.random()
    if kind < 0.10:
        evening.ask(name, dice.choice(LOBBY_LIKE))
    elif kind < 0.12:
        evening.ask(name, msg.BotSeat, add=dice.choice(["easy", "normal"]))
    elif kind < 0.13:
        evening.ask(name, msg.Kick, seat=dice.randrange(6))
    elif kind < 0.15:
        evening.ask(name, msg.Auto, on=dice.random() < 0.4)
    elif kind < 0.17:
        evening.ask(name, msg.Pause, on=dice.random() < 0.2)
    elif kind < 0.19:
        evening.ask(name, msg.Accuse, seat=dice.randrange(6))
    elif kind < 0.23 and table.accusation is not None:
        evening.ask(name, msg.Vote, seat=table.accusation.seat, guilty=dice.random() < 0.7)
    elif kind < 0.25:
        guest = evening.guest(name)
        evening.do(dice.choice((Gone(guest), Returned(guest))))
    elif kind < 0.26:
        evening.ask(name, msg.SetOptions, turn_s=dice.choice([0, 5]))
    elif kind < 0.45 and table.deadline is not None:
        evening.now = max(evening.now, table.deadline)
        evening.do(Tick())
    elif table.round is not None:
        act(evening, dice, name)
    else:
        evening.ask(name, dice.choice([msg.SetReady, msg.Start, msg.Rematch]))
    evening.now += dice.choice([0.0, 0.01, 0.2, 1.0])


def act(evening: Evening, dice: random.Random, name: str) -> None:
    table = evening.table
    assert table.round is not None
    guest = table.seats[table.round.turn].guest
    if guest is not None and dice.random() < 0.8:
        name = guest.name
    asked = table.turn_for(f"key-{name}", evening.now)
    do: Any
    if asked is not None and dice.random() < 0.9:
        plays = [action for action in asked.legal if isinstance(action, Play)]
        do = dice.choice(plays or list(asked.legal))
        if isinstance(do, Play) and dice.random() < 0.3:
            do = Play(do.card, do.color, do.swap_with, una=True)
    else:
        do = dice.choice([DRAW, PASS, UNA, CHALLENGE, Play(Card("R5")), *(Catch(seat) for seat in table.open_seats)])
    evening.act(name, do, table.turn - (dice.random() < 0.05))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(["una", "classic", "traditional", "official"]),
    st.fixed_dictionaries(
        {},
        optional={
            "seven_zero": st.just(True),
            "jump_in": st.just(True),
            "target_score": st.just(60),
            "serve_wish": st.booleans(),
            "draw_until_playable": st.just(True),
        },
    ),
    st.sampled_from(["bot", "wait", "leave"]),
    st.sampled_from([0, 5]),
)
def test_every_view_is_the_fold_of_what_was_told(
    seed: int, profile: str, options: dict[str, Any], away: str, turn_s: int
) -> None:
    evening = Evening("Ann", "Ben", seats=6, profile=profile, options=options, away=away, turn_s=turn_s)
    dice = random.Random(seed)
    for _ in range(250):
        if evening.table.closed:
            break
        command(evening, dice)
    table = evening.table
    open_requests = sum(evening.ids.values()) - len(evening.answers)
    assert table.closed or open_requests <= len(table.kept) + len(table.waiting)
