"""`una bot new NAME`: writes a bot to begin with, and a test beside it that passes as it stands."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Final

from ..front import DONE, USAGE, fail

_PYTHON: Final = '''"""{class_name}: a bot for una.

    una bot run ./{name}.py:{class_name} localhost                       at the first table with a free seat
    una bot run ./{name}.py:{class_name} localhost --create --bots 2     against house bots
    una bot check ./{name}.py:{class_name}                               is it ready for everything?
"""

from una_protocol.actions import Action, Catch, Play
from una_protocol.bot import Bot, BotView
from una_protocol.events import Event, Turn
from una_protocol.view import View


class {class_name}(Bot):
    """Plays the first card that fits. Here is the place for a better idea."""

    def choose(self, view: BotView) -> Action:
        """What to do now. `view.legal` holds all that is allowed; `view.hand`, `view.top`, `view.players` … more."""
        for action in view.legal:
            if isinstance(action, Play):
                return Play(action.card, action.color, action.swap_with, una=view.can_una)
        return view.legal[view.default]

    def watch(self, view: View, event: Event) -> Action | None:
        """Told of everything that happens. On our turn we catch who forgot to call una."""
        if isinstance(event, Turn) and event.seat == view.you:
            for seat in event.catchable:
                if seat != view.you:
                    return Catch(seat)
        return None
'''

_PYTHON_TEST: Final = '''"""Tests of {class_name}, for pytest, where una is installed."""

from pathlib import Path

from una_client.bot.check import check_class
from una_client.bot.load import load_bot
from una_protocol.actions import Draw, Play
from una_protocol.bot import BotView
from una_protocol.cards import Card
from una_protocol.view import Player, View

{class_name} = load_bot(f"{{Path(__file__).with_name('{name}.py')}}:{class_name}")


def test_it_plays_what_fits() -> None:
    players = [Player(0, "Me", cards=2), Player(1, "You", cards=5)]
    table = View("k3f", 1, "Kitchen", "una", {{}}, 4, players=players, you=0, hand=[Card("R7"), Card("B2")])
    view = BotView(table, (Play(Card("R7")), Draw()), default=1, can_una=True)
    assert {class_name}().choose(view) == Play(Card("R7"), una=True)


def test_it_is_ready_for_everything() -> None:
    assert check_class({class_name}) == []
'''

_JSONL: Final = '''"""{class_name}: a bot for una that speaks JSON lines.

    una bot run --exec "python3 {name}.py" localhost                       at the first table with a free seat
    una bot run --exec "python3 {name}.py" localhost --create --bots 2     against house bots
    una bot check --exec "python3 {name}.py"                               is it ready for everything?
"""

import json
import sys


def choose(turn: dict, state: dict) -> dict:
    """What to do now. `turn["legal"]` holds all that is allowed; here is the place for a better idea."""
    for action in turn["legal"]:
        if action["k"] == "play":
            return action | ({{"una": True}} if turn.get("can_una") else {{}})
    return turn["legal"][turn["default"]]


def main() -> None:
    state: dict = {{}}
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "state":
            state = message  # all that we may know: hand, top, players … `ev` messages tell how it goes on
        elif message["t"] == "turn":
            answer = {{"turn": message["turn"], "do": choose(message, state)}}
            print(json.dumps(answer), flush=True)  # to see what it does, print to sys.stderr


if __name__ == "__main__":
    main()
'''

_JSONL_TEST: Final = '''"""Tests of {name}.py, for pytest, where una is installed."""

import shlex
import sys
from pathlib import Path

from una_client.bot.check import check_program
from una_client.bot.load import load_module

PROGRAM = Path(__file__).with_name("{name}.py")


def test_it_plays_what_fits() -> None:
    play, draw = {{"k": "play", "card": "R7"}}, {{"k": "draw"}}
    turn = {{"t": "turn", "table": "k3f", "turn": 41, "seq": 1, "phase": "turn", "legal": [play, draw], "default": 1}}
    assert load_module(PROGRAM).choose(turn, {{}}) == play


def test_it_is_ready_for_everything() -> None:
    assert check_program(shlex.join([sys.executable, str(PROGRAM)])) == []
'''

_FILES: Final = {"python": (_PYTHON, _PYTHON_TEST), "jsonl": (_JSONL, _JSONL_TEST)}


def write(name: str, lang: str, folder: Path | None = None) -> int:
    """Write `name.py` and `test_name.py` into the folder (by default the current one); the exit status."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,30}", name) or keyword.iskeyword(name):
        fail("The name of a bot is a word of small letters, digits and _, such as hasty.", USAGE)
    here = Path() if folder is None else folder
    class_name = "".join(part.capitalize() for part in name.split("_"))
    paths = here / f"{name}.py", here / f"test_{name}.py"
    for path in paths:
        if path.exists():
            fail(f"{path} is there already; nothing was written.")
    try:
        for path, text in zip(paths, _FILES[lang], strict=True):
            path.write_text(text.format(name=name, class_name=class_name), encoding="utf-8", newline="\n")
    except OSError as error:
        fail(f"{error.filename} cannot be written: {error.strerror}.")
    run = f"./{name}.py:{class_name}" if lang == "python" else f'--exec "python3 {name}.py"'
    print(f"Wrote {paths[0]} and {paths[1]}. Is it ready? una bot check {run}")
    print(f"To let it play on a server (una-server run): una bot run {run} localhost --create --bots 2")
    return DONE
