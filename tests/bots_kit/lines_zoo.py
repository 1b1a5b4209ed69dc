"""Bad bots that speak JSON lines, by name of the fault: python lines_zoo.py FAULT. For the checks only."""

from __future__ import annotations

import json
import sys
from typing import Any

fault = sys.argv[1]
turns: list[dict[str, Any]] = []


def answer(asked: dict[str, Any], **fields: Any) -> None:
    """The first choice."""
    print(json.dumps({"turn": asked["turn"], "do": asked["legal"][0]} | fields), flush=fault != "keeps it")


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        known = ["state", "ev", "turn", "said", "err"]
        if fault == "dies of news" and message["t"] not in known:
            raise KeyError(message["t"])
        if fault == "dies of fields" and message["t"] == "turn":
            message["ms"] += 0
        if message["t"] == "err" and fault == "insists":
            answer(turns[-1])
        if message["t"] == "turn":
            turns.append(message)
            decide(message)
    if fault == "stays":
        sys.stdin = open("/dev/zero")  # noqa: SIM115
        sys.stdin.read()


def decide(turn: dict[str, Any]) -> None:
    match fault:
        case "mute":
            pass
        case "no json":
            print("I play", turn["legal"][0], flush=True)
        case "no request":
            print(json.dumps({"answer": 1}), flush=True)
        case "old turn":
            answer(turns[max(0, len(turns) - 2)])
        case "twice":
            answer(turn)
            answer(turn)
        case "chatters":
            while True:
                print(json.dumps({"t": "say", "text": "Hello!"}))
        case "quits":
            sys.exit(3)
        case "invents":
            answer(turn, turn=turn["turn"] + 50)
        case "illegal":
            answer(turn, do={"k": "play", "card": "R9"})
        case "bad card":
            answer(turn, do={"k": "play", "card": "Q9"})
        case _:
            answer(turn)


if __name__ == "__main__":
    main()
