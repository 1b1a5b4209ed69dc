"""How a house bot does against the rule-based UNO agent of rlcard 1.2.0 (`uno-rule-v1`).

Both play on una's engine: official rules without challenge, two players, one round a game, duplicate deals (each deal
is played once from either seat). The agent runs in an environment of its own, `.peer/`, which is made when needed; its
own code decides, from a translated state.

    python scripts/versus_rlcard.py [--level hard] [--games 2000] [--jobs 2] [--seed 1] [--draw-four strict]

Without the challenge a draw four is either refused while the colour is held (`strict`, as in rlcard's own game), or
may be laid at any time (`free`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from bench_engine import ROOT, peer_python

WANTED = 0.52


def main() -> int:
    """Play, report; 1 where the lower end of the interval is not above what is wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--level", default="hard", help="the house bot")
    parser.add_argument("--games", type=int, default=2000, help="rounds, at least")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same games")
    parser.add_argument(
        "--draw-four", choices=("strict", "free"), default="strict", help="when a draw four may be laid"
    )
    options = parser.parse_args()
    peer = f"exec:{peer_python()} {ROOT / 'scripts' / 'versus_peer.py'}"
    line = [
        *(sys.executable, "-m", "una_server", "arena", options.level, peer, "--seats", "2", "--profile", "official"),
        *("--option", f"draw_four={options.draw_four}", "--games", str(options.games)),
        *("--seed", str(options.seed), "--jobs", str(options.jobs), "--json", "-"),
    ]
    data = json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout)
    house, agent = data["competitors"]
    won = house["win_rate"]
    print(f"{data['games']} rounds of {data['deals']} deals, seed {data['seed']}, draw four {options.draw_four}")
    print(f"{options.level} wins {100 * won['share']:.1f} % (95 %: {100 * won['low']:.1f} to {100 * won['high']:.1f})")
    print(f"points a round: {house['points_per_round']:.1f} to {agent['points_per_round']:.1f}")
    print(f"faults: {house['illegal'] + house['failed']} to {agent['illegal'] + agent['timeouts'] + agent['failed']}")
    return 0 if won["low"] > WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
