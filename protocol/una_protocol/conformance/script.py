"""How a situation is written: a script of what is sent and where an answer is due."""

from __future__ import annotations

from typing import Any, Literal
from zlib import crc32

from msgspec import Struct

Way = Literal["class", "jsonl", "tcp"]
Step = dict[str, Any]
"""One of: `{"send": message}`; `{"answer": turn number}`, maybe with `also`, older turns that may be answered too;
`{"reply": type}`, what the bot must send; `{"pieces": n}`, from now on n bytes at a time; `{"lost": true}`, the last
answer was lost; `{"cut": true}`, the connection is lost; `{"end": true}`, the program must end."""

TABLE = "k3f"


class Situation(Struct, frozen=True):
    """One thing that may happen to a bot. `over`: the ways to speak with it in which it can happen."""

    name: str
    about: str
    steps: tuple[Step, ...]
    over: tuple[Way, ...] = ("class", "jsonl", "tcp")

    def as_data(self) -> dict[str, Any]:
        """The file of it."""
        return {"name": self.name, "about": self.about, "over": list(self.over), "steps": list(self.steps)}


class Script:
    """Writes the steps of one situation; counts `seq` and turns. It begins with a `state`."""

    def __init__(self, name: str, about: str, /, **fields: Any) -> None:
        self._name, self._about = name, about
        self._steps: list[Step] = []
        self._seq = 100
        # far from those of other situations: a late answer must not be taken for one to the next situation's turn
        self.number = 100 * (1 + crc32(name.encode()) % 100_000)
        self.state(**fields)

    def send(self, **message: Any) -> Script:
        """A message as it is."""
        self._steps.append({"send": message})
        return self

    def state(self, hand: str = "R3 G2 B9 Y7 W", seat: int | None = 0, **fields: Any) -> Script:
        """All of the table: Ann, whom the bot plays, with Bo and Cy in the middle of a round; blue 7 on top."""
        cards = hand.split()
        message: dict[str, Any] = {
            "t": "state", "table": TABLE, "seq": self._seq, "name": "Kitchen", "profile": "una",
            "options": {"hand_size": 7, "stacking": "same", "una_penalty": 2, "una_catcher": "anyone"}, "seats": 4,
            "stage": "playing", "host": 1, "players": [
                {"seat": 0, "name": "Ann", "bot": True, "cards": len(cards)}, {"seat": 1, "name": "Bo", "cards": 4},
                {"seat": 2, "name": "Cy", "bot": True, "level": "easy", "cards": 6, "score": 35},
            ],
            "round": 1, "dealer": 2, "top": "B7", "color": "blue", "draw_pile": 60, "phase": "turn", "turn_seat": 1,
            "turn": self.number, "you": seat, "hand": cards,
        }  # fmt: skip
        message |= fields
        return self.send(**{key: value for key, value in message.items() if value is not None})

    def ev(self, k: str, **fields: Any) -> Script:
        """The next event."""
        self._seq += 1
        return self.send(t="ev", table=TABLE, seq=self._seq, e={"k": k, **fields})

    def others(self, seat: int = 1, **fields: Any) -> Script:
        """Somebody else is on turn."""
        self.number += 1
        return self.ev("turn", seat=seat, turn=self.number, phase=fields.pop("phase", "turn"), **fields)

    def turn(self, legal: str, *, phase: str = "turn", default: int = -1, public: Step | None = None,
             **fields: Any) -> Script:  # fmt: skip
        """The bot must decide: the event for all, and the choices, in the short form of `choices`."""
        self.number += 1
        shared = {"ms": fields["ms"]} if "ms" in fields else {}
        self.ev("turn", seat=0, turn=self.number, phase=phase, **shared, **(public or {}))
        return self.again(legal, phase=phase, default=default, **fields)

    def again(self, legal: str, *, phase: str = "turn", default: int = -1, **fields: Any) -> Script:
        """The choices of the present turn, without its event."""
        listed = choices(legal)
        number = fields.pop("number", self.number)
        return self.send(
            t="turn", table=TABLE, turn=number, seq=self._seq, phase=phase, legal=listed,
            default=default % len(listed), **fields,
        )  # fmt: skip

    def answer(self, *also: int) -> Script:
        """Here the present turn must have been answered."""
        self._steps.append({"answer": self.number} | ({"also": list(also)} if also else {}))
        return self

    def step(self, **step: Any) -> Script:
        """A step of another kind."""
        self._steps.append(step)
        return self

    def done(self, *over: Way) -> Situation:
        """The situation as it was written."""
        return Situation(self._name, self._about, tuple(self._steps), over or ("class", "jsonl", "tcp"))


_WORDS = {"draw", "pass", "challenge"}
_COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}


def choices(text: str) -> list[dict[str, Any]]:
    """`R7 W:rgby W+4:b Y7@1 wish:rg draw` as actions: wilds with each colour, sevens with a seat."""
    out: list[dict[str, Any]] = []
    for word in text.split():
        card, colon, colors = word.partition(":")
        card, at, seats = card.partition("@")
        if card in _WORDS:
            out.append({"k": card})
        elif card == "wish":
            out += [{"k": "wish", "color": _COLORS[color]} for color in colors]
        elif colon:
            out += [{"k": "play", "card": card, "color": _COLORS[color]} for color in colors]
        elif at:
            out += [{"k": "play", "card": card, "with": int(seat)} for seat in seats]
        else:
            out.append({"k": "play", "card": card})
    return out
