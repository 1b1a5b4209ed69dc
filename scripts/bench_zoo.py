"""How long honest players wait while every bad client of scripts/bots/bad is at work on the same server.

    python scripts/bench_zoo.py                        20 tables of four bots, ten seconds, with the zoo and without
    python scripts/bench_zoo.py --tables 5 --only flooder crowd

An honest bot thinks for 50 ms and measures the time from its move to the server's `ok`. All run on this machine; the
bad ones give way to the others (nice), as if they were elsewhere.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.zoo.honest import Party
from tests.zoo.keeper import KINDS, Keeper


def serve(folder: Path, tables: int) -> tuple[subprocess.Popen[bytes], int]:
    """A server process with its defaults, but for the room that the tables need; and its port."""
    port_file = folder / "port"
    line = [sys.executable, "-m", "una_server", "run", "--host", "127.0.0.1", "--port", "0", "--until-eof"]
    line += ["--no-discovery", "--no-data", "--port-file", str(port_file), "--max-tables", str(tables + 40)]
    line += ["--max-connections", str(4 * tables + 220)]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 10
    while not port_file.exists():
        if time.monotonic() > end or process.poll() is not None:
            raise SystemExit("the server did not start")
        time.sleep(0.01)
    return process, int(port_file.read_text())


def measure(tables: int, seconds: float, kinds: list[str]) -> Party:
    """Play, with these bad clients at work; print what they say at the end."""
    with tempfile.TemporaryDirectory() as folder:
        process, port = serve(Path(folder), tables)
        party = Party(port, process.pid)
        keeper = Keeper(port, seconds, kinds) if kinds else None
        trio.run(party.run, tables, seconds)
        if keeper is not None:
            for said in keeper.gather(30).values():
                print(f"  {said}")
        assert process.stdin is not None
        process.stdin.close()
        process.wait(20)
    return party


def show(what: str, party: Party) -> float:
    """Print the figures; the p99 in milliseconds."""
    marks = sorted(latency * 1000 for latency in party.latencies)
    p50, p99 = marks[len(marks) // 2], marks[len(marks) * 99 // 100]
    print(
        f"{what:12} {len(marks)} moves at {len(party.moves)} tables: p50 {p50:.2f} ms, p99 {p99:.2f} ms, longest "
        f"{marks[-1]:.1f} ms; memory {party.first_kib / 1024:.0f} to {party.most_kib / 1024:.0f} MiB"
    )
    if party.still > 2:
        print(f"  STILL a table has not moved for {party.still:.1f} s")
    for wrong in party.wrong[:5]:
        print(f"  WRONG {wrong}")
    return p99


def main() -> int:
    """Measure; exit status 1 where the p99 with the zoo is 100 ms or more, or somebody got what was not theirs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", nargs="*", choices=KINDS, default=KINDS, metavar="KIND", help="these kinds only")
    args = parser.parse_args()
    quiet = measure(args.tables, args.seconds, [])
    show("without zoo", quiet)
    party = measure(args.tables, args.seconds, args.only)
    p99 = show("with the zoo", party)
    return 1 if p99 >= 100 or party.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
