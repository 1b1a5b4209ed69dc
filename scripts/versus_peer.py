"""The peer's half of `versus_rlcard.py`: rlcard's rule-based UNO agent as a bot over JSON lines.

Runs in the peer's own environment. The agent's own code decides, from the raw state that its game would show it: the
hand and the legal actions in its notation. It knows no call of una, so that is made for it; it never catches.
"""

from __future__ import annotations

import json
import sys
import zlib
from typing import Any

import numpy as np
from rlcard.models.uno_rule_models import UNORuleAgentV1  # type: ignore[import-not-found,import-untyped,unused-ignore]

FACES = {"S": "skip", "R": "reverse", "+2": "draw_2", "W": "wild", "W+4": "wild_draw_4"}


def translated(card: str, color: str | None = None) -> str:
    """The card in the peer's notation; a wild card in the hand has any colour there."""
    if card.startswith("W"):
        return f"{(color or 'red')[0]}-{FACES[card]}"
    return f"{card[0].lower()}-{FACES.get(card[1:], card[1:])}"


def main() -> None:
    """Answer until the input ends."""
    agent = UNORuleAgentV1()
    hand: list[str] = []
    you = -1
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "state":
            you = message["you"]
        elif message["t"] == "ev":
            follow(hand, message["e"], you)
        elif message["t"] == "turn":
            print(json.dumps({"do": decide(agent, hand, message), "turn": message["turn"]}), flush=True)


def follow(hand: list[str], event: dict[str, Any], you: int) -> None:
    """Keep the hand as it is; its chance begins anew with each deal, so that the same deals give the same games."""
    if event["k"] == "dealt":
        hand[:] = event["hand"]
        np.random.seed(zlib.crc32(" ".join(hand).encode()))
    elif event["k"] == "drew" and event["seat"] == you:
        hand += event["cards"]
    elif event["k"] == "played" and event["seat"] == you:
        hand.remove(event["card"])


def decide(agent: Any, hand: list[str], turn: dict[str, Any]) -> dict[str, Any]:
    """What the agent does. It draws only where nothing fits, as in its own game, which lays a fitting drawn card."""
    plays = {translated(do["card"], do.get("color")): do for do in turn["legal"] if do["k"] == "play"}
    if not plays:
        return turn["legal"][turn["default"]]  # type: ignore[no-any-return]
    state = {"raw_legal_actions": list(plays), "raw_obs": {"hand": [translated(card) for card in hand]}}
    chosen = str(agent.step(state))
    do = plays.get(chosen) or plays[next(name for name in plays if name.endswith("-wild_draw_4"))]
    return {**do, "una": True} if turn.get("can_una") else do


if __name__ == "__main__":
    main()
