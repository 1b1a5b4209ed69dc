"""How fast the rules engine plays: random legal playouts of four players, in moves a second.

For every move the complete list of legal actions is made, one of them is chosen at random, and it is applied.

    python scripts/bench_engine.py [--seconds 5] [--seed 1]
    python scripts/bench_engine.py --peer      also measures rlcard 1.2.0's UNO game, in turn with the engine

`--peer` installs rlcard into an environment of its own, `.peer/` in the repository, and prints how many times faster
the engine is: medians of several turns A B A B, all on the same core where the system lets a process choose it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import venv
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from una_server.game import Match, make_options, turn_actions

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / ".peer"
PEER_PACKAGES = ("rlcard==1.2.0", "setuptools<81", "numpy")
PROFILES = ("una", "official")
PLAYERS = 4


class Speed(NamedTuple):
    """What one measurement counted."""

    moves: int
    games: int
    seconds: float

    @property
    def moves_a_second(self) -> float:
        return self.moves / self.seconds

    def __str__(self) -> str:
        games, length = self.games / self.seconds, self.moves / self.games
        return f"{self.moves_a_second:>9,.0f} moves/s {games:>9,.1f} games/s {length:>7,.1f} moves/game"


def play(profile: str, seconds: float, seed: int) -> Speed:
    """Play rounds of the profile for so long. A game is one round, as it is for the peer."""
    options = make_options(profile)
    random = Random(seed).random
    moves = games = matches = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        matches += 1
        match, _ = Match.start(options, range(PLAYERS), (seed << 64 | matches).to_bytes(32, "big"))
        while not match.over and time.process_time() - begin < seconds:
            match.deal()
            state = match.round
            assert state is not None
            games += 1
            while not state.over:
                legal = turn_actions(state)
                match.apply(state.turn, legal[int(random() * len(legal))])
                moves += 1
    return Speed(moves, games, time.process_time() - begin)


def peer_python() -> Path:
    """The interpreter of the peer's environment, which is made when there is none yet."""
    python = PEER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"making {PEER} with {' '.join(PEER_PACKAGES)} ...", flush=True)
        venv.create(PEER, with_pip=True)
    if subprocess.run([python, "-c", "import rlcard"], capture_output=True, check=False).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEER_PACKAGES], check=True)
    return python


def play_peer(python: Path, seconds: float, seed: int) -> Speed:
    """The same measurement of the peer, in a process of its own on the same core."""
    line = [str(python), str(ROOT / "scripts" / "bench_peer.py"), str(seconds), str(seed), str(PLAYERS)]
    moves, games, spent = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    return Speed(int(moves), int(games), float(spent))


def stay_on_one_core() -> None:
    """Keep this process and its children on one core, where the system can."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def compare(seconds: float, seed: int, turns: int) -> None:
    """Engine and peer in turn; the median of each, and the ratios."""
    python = peer_python()
    speeds: dict[str, list[Speed]] = {name: [] for name in (*PROFILES, "rlcard")}
    for turn in range(turns):
        for profile in PROFILES:
            speeds[profile].append(play(profile, seconds, seed + turn))
            speeds["rlcard"].append(play_peer(python, seconds, seed + turn))
    middles = {}
    for name, measured in speeds.items():
        middles[name] = median(speed.moves_a_second for speed in measured)
        closest = min(measured, key=lambda speed: abs(speed.moves_a_second - middles[name]))
        print(f"{name:<10}{closest}")
    for profile in PROFILES:
        print(f"{profile} / rlcard: {middles[profile] / middles['rlcard']:.2f}")


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5, help="processor time for each measurement")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same games")
    parser.add_argument("--peer", action="store_true", help="also measure rlcard, in turn with the engine")
    parser.add_argument("--turns", type=int, default=5, help="how often each is measured with --peer")
    options = parser.parse_args()
    stay_on_one_core()
    for profile in PROFILES:
        play(profile, min(1, options.seconds), options.seed)  # warm up
    if options.peer:
        compare(options.seconds, options.seed, options.turns)
        return
    for profile in PROFILES:
        print(f"{profile:<10}{play(profile, options.seconds, options.seed)}")


if __name__ == "__main__":
    main()
