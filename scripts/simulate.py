"""Simulate evenings in a bad network: the real server with a journal, real client sessions, a virtual clock.

    python scripts/simulate.py --seed 7 --seconds 120         one run; what it came to
    python scripts/simulate.py --seed 0 --runs 200            seeds 0 to 199, a line for each that fails

Connections are slow, torn and cut; the server crashes, stops and starts again with what its journal has; its disk is
full at times. After `--seconds` of that (virtual ones) nothing goes wrong any more, and what was begun must come to its
end. Then must hold: no acknowledged action lost or done twice, one dense history for all, folded events equal to the
state, all cards there, one owner of each decision. The same seed gives the same run, down to the printed trace.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.simulation.world import Result, simulate


def main() -> int:
    """Run them; the exit status is 1 if something did not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, default=60.0, help="virtual seconds of storm  [60]")
    parser.add_argument("--runs", type=int, default=1, help="so many seeds, one after another  [1]")
    args = parser.parse_args()
    began = time.monotonic()
    results = []
    for seed in range(args.seed, args.seed + args.runs):
        result = simulate(seed, args.seconds)
        results.append(result)
        if args.runs == 1 or result.violations:
            show(result)
    failed = [result.seed for result in results if result.violations]
    if args.runs > 1:
        total = [sum(column) for column in zip(*(result[3:] for result in results), strict=True)]
        print(
            f"{args.runs} runs in {time.monotonic() - began:.1f} s: {total[0]} events, {total[1]} acknowledged "
            f"actions, {total[2]} lives of servers, {total[3]} resumed sessions, {total[4]} matches"
        )
        print("failed: " + ", ".join(map(str, failed)) if failed else "everything held")
    return 1 if failed else 0


def show(result: Result) -> None:
    """One run in words."""
    print(
        f"seed {result.seed}: {result.events} events, {result.acks} acknowledged actions, {result.lives} lives of the "
        f"server, {result.resumed} resumed sessions, {result.matches} matches; trace {result.trace[:16]}"
    )
    for violation in result.violations:
        print(f"  VIOLATED {violation}")


if __name__ == "__main__":
    sys.exit(main())
