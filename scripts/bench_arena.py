"""How much the arena costs: random playouts through `class Bot`, against the bare engine loop, in turn.

    python scripts/bench_arena.py [--seconds 2] [--turns 5] [--seed 1]

Both play the same way, four players and random legal moves; medians, and their ratio, which shall be at least 0.5.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from statistics import median

from bench_engine import PLAYERS, PROFILES, Speed, stay_on_one_core
from bench_engine import play as play_bare

from una_protocol.actions import Action
from una_protocol.bot import Bot, BotView
from una_server.arena.game import Game
from una_server.arena.player import ClassPlayer
from una_server.arena.sight import Setting
from una_server.game import make_options


class RandomBot(Bot):
    """Any legal move."""

    def __init__(self, chance: Random) -> None:
        self._random = chance.random

    def choose(self, view: BotView) -> Action:
        legal = view.legal
        return legal[int(self._random() * len(legal))]


def play_arena(profile: str, seconds: float, seed: int) -> Speed:
    """Rounds of the profile in the arena for so long."""
    setting = Setting(profile, make_options(profile))
    names = [f"bot {seat}" for seat in range(PLAYERS)]
    chance = Random(seed)
    moves = games = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        players = [ClassPlayer(RandomBot, chance) for _ in range(PLAYERS)]
        deck = (seed << 64 | games).to_bytes(32, "big")
        played = Game(setting, players, names, deck, games % PLAYERS).play()
        moves += sum(outcome.moves for outcome in played.seats)
        games += 1
    return Speed(moves, games, time.process_time() - begin)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2, help="processor time for each measurement")
    parser.add_argument("--turns", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same games")
    options = parser.parse_args()
    stay_on_one_core()
    for profile in PROFILES:
        bare: list[float] = []
        arena: list[float] = []
        for turn in range(options.turns):
            bare.append(play_bare(profile, options.seconds, options.seed + turn).moves_a_second)
            arena.append(play_arena(profile, options.seconds, options.seed + turn).moves_a_second)
        ratio = median(arena) / median(bare)
        print(
            f"{profile:<10} engine {median(bare):>9,.0f} moves/s   arena {median(arena):>9,.0f} moves/s   {ratio:.2f}"
        )


if __name__ == "__main__":
    main()
