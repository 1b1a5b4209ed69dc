"""The peer's half of `bench_engine.py --peer`: rlcard's UNO game, played at random the same way.

Runs in the peer's own environment: `bench_peer.py SECONDS SEED PLAYERS` prints moves, games, and seconds taken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from rlcard.games.uno import Game  # type: ignore[import-not-found,unused-ignore]


def main() -> None:
    """Play for so long and print what was counted."""
    seconds, seed, players = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    random = Random(seed).random
    game = Game(num_players=players)
    game.np_random.seed(seed)
    _play(game, random, min(1.0, seconds))  # warm up
    print(*_play(game, random, seconds))


def _play(game: Any, random: Callable[[], float], seconds: float) -> tuple[int, int, float]:
    moves = games = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state, _ = game.init_game()
        games += 1
        while not game.is_over():
            legal = state["legal_actions"]
            state, _ = game.step(legal[int(random() * len(legal))])
            moves += 1
    return moves, games, time.process_time() - begin


if __name__ == "__main__":
    main()
