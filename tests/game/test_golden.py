"""Golden playouts: the same seed is the same game in every release, or the change is meant and told.

After a change that is meant: `python tests/game/test_golden.py` prints the new values.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random

import msgspec
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
    ("una", 2): (312, "14a5a2c47af8158d"),
    ("una", 4): (220, "a07e30bccad5e35a"),
    ("una", 7): (200, "041ab3f46eb33be1"),
    ("classic", 2): (917, "c730f6cde200c3b7"),
    ("classic", 4): (801, "b7e77cbe30778e7f"),
    ("classic", 7): (989, "686797349bd4af1e"),
    ("traditional", 2): (980, "3ea3b1fe9f8e9d8a"),
    ("traditional", 4): (957, "caea42d31cf42129"),
    ("traditional", 7): (1118, "69a079dea657b8f8"),
    ("official", 2): (1303, "10f8ab4e335cd6d5"),
    ("official", 4): (1073, "c6ff7a7d4fc9f947"),
    ("official", 7): (1173, "519a88859aed0e4a"),
    ("house", 2): (1166, "17adf320083168cb"),
    ("house", 4): (2234, "8e662787e2c920dd"),
    ("house", 7): (2326, "2952822925ba3d0a"),
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
    return len(told), sha256(msgspec.json.encode(told)).hexdigest()[:16]


@pytest.mark.parametrize(("name", "players"), GOLDEN)
def test_playouts_are_golden(name: str, players: int) -> None:
    assert play(GAMES[name], players) == GOLDEN[name, players]


if __name__ == "__main__":
    for name, options in GAMES.items():
        for players in (2, 4, 7):
            print(f'    ("{name}", {players}): {play(options, players)},'.replace("'", '"'))
