"""Golden playouts: the same seed is the same game in every release, or the change is meant and told.

After a change that is meant: `python tests/game/test_golden.py` prints the new values.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from una_protocol.actions import Play
from una_server.game import PROFILES, Happening, Match, Options, legal_actions, make_options, turn_actions

GAMES: dict[str, Options] = {
    **PROFILES,
    "house": make_options(
        "official",
        {
            "jump_in": True,
            "seven_zero": True,
            "draw_until_playable": True,
            "first_card": "number",
            "stack_draw_two": "any",
            "stack_draw_four": "any",
            "illegal_card_penalty": 1,
            "scoring": "losers",
        },
    ),
}

GOLDEN: dict[tuple[str, int], tuple[int, str]] = {
    ("una", 2): (312, "4b5d4ef44670b368"),
    ("una", 4): (220, "eb65c2aef17f91ed"),
    ("una", 7): (200, "b435a0f85d114c10"),
    ("classic", 2): (917, "697f4b308f446eb4"),
    ("classic", 4): (801, "68f26015aca1d84c"),
    ("classic", 7): (989, "fe387f57e863b55b"),
    ("traditional", 2): (980, "16ee6885f18eadd8"),
    ("traditional", 4): (957, "27f3800302366459"),
    ("traditional", 7): (1118, "eae00051746dd9df"),
    ("official", 2): (1303, "f1a609711964582d"),
    ("official", 4): (1073, "b0a66b7b71fb6452"),
    ("official", 7): (1173, "91fadd452d29a911"),
    ("house", 2): (1166, "af3f5e01c6953bc6"),
    ("house", 4): (2234, "021d0d0b5ef15cd6"),
    ("house", 7): (2326, "96ae06a087b6b8bc"),
}


def play(options: Options, players: int) -> tuple[int, str]:
    """A few matches at random, some calls and catches among the moves; how many events, and their hash."""
    random = Random(players)
    told: list[Happening] = []
    for number in range(3):
        match, dealer = Match.start(options, range(players), bytes([number]) * 32)
        told += dealer
        while not match.over and match.number < 4:
            told += match.deal()
            state = match.round
            assert state is not None
            while not state.over:
                seat = state.turn if random.random() < 0.8 else random.choice(state.order)
                actions = legal_actions(state, seat) or list(turn_actions(state))
                seat = seat if legal_actions(state, seat) else state.turn
                plays = [action for action in actions if isinstance(action, Play)]
                told += match.apply(seat, random.choice(plays or actions))
    return len(told), sha256("\n".join(map(repr, told)).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("name", "players"), GOLDEN)
def test_playouts_are_golden(name: str, players: int) -> None:
    assert play(GAMES[name], players) == GOLDEN[name, players]


if __name__ == "__main__":
    for name, options in GAMES.items():
        for players in (2, 4, 7):
            print(f'    ("{name}", {players}): {play(options, players)},'.replace("'", '"'))
