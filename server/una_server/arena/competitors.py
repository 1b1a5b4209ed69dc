"""Who competes: `easy`, `normal`, `hard`, `random`; `module:Class`; `exec:COMMAND`. Names to players.

A `Competitor` is a few words and travels to worker processes; what it names is loaded there.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Final, Literal, NamedTuple

from una_protocol.bot import Bot
from una_protocol.text import clean

from ..bots import LEVELS, RANDOM, Level
from ..bots.hard import HardPlay
from .answers import named
from .child import ChildPlayer, try_program
from .player import ClassPlayer, HousePlayer, Player
from .searching import SearchingPlayer

_FOLDERS: Final[set[Path]] = set()
"""Where the bots lie that were loaded from files."""
HOUSE: Final[dict[str, Level]] = {**LEVELS, "random": RANDOM}
LEVEL_NAMES: Final = tuple(HOUSE)


class BadCompetitor(Exception):
    """There is no such competitor; the text is one sentence."""


class Competitor(NamedTuple):
    """One of those who compete. `name` is what the tables show."""

    name: str
    kind: Literal["house", "class", "exec"]
    target: str


def competitors_of(texts: Sequence[str]) -> list[Competitor]:
    """The competitors that a command line names; programs are started once, to see that they can be. BadCompetitor."""
    found: list[Competitor] = []
    for text in texts:
        one = _competitor(text)
        same = sum(other.target == one.target and other.kind == one.kind for other in found)
        found.append(one._replace(name=f"{one.name} ({same + 1})") if same else one)
    return found


def _competitor(text: str) -> Competitor:
    if text in LEVEL_NAMES:
        return Competitor(text, "house", text)
    if text.startswith("exec:"):
        command = text.removeprefix("exec:").strip()
        if not command:
            raise BadCompetitor("exec: needs a command after it, such as exec:'node bot.js'.")
        try:
            try_program(command)
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise BadCompetitor(f"{text} cannot be started: {why}.") from None
        return Competitor(text, "exec", command)
    module, colon, name = text.rpartition(":")
    if colon:
        return Competitor(text, "class", f"{Path(module).resolve()}:{name}" if module.endswith(".py") else text)
    raise BadCompetitor(
        f"{text!r} is no competitor: name a level ({', '.join(LEVEL_NAMES)}), MODULE:CLASS, or exec:COMMAND."
    )


class Company:
    """The players of one process: makes them for each game, and keeps the child processes between games. Raises
    BadCompetitor where a class cannot be loaded.
    """

    def __init__(
        self, competitors: Sequence[Competitor], seed: int, limit: float, starting: float, simulations: int | None
    ) -> None:
        self._competitors = competitors
        self._classes = {one.target: load_class(one.target) for one in competitors if one.kind == "class"}
        self._seed = seed
        self._limit = limit
        self._starting = starting
        self._simulations = simulations
        self._children: dict[tuple[int, int], ChildPlayer] = {}

    def player(self, index: int, seat: int, game: int) -> Player:
        """The player of a competitor at a seat, for this game of the run."""
        competitor = self._competitors[index]
        chance = Random(f"una arena {self._seed} game {game} seat {seat}")
        if competitor.kind == "class":
            return ClassPlayer(self._classes[competitor.target])
        if competitor.kind == "exec":
            key = index, seat
            if key not in self._children or not self._children[key].alive:
                self._children[key] = ChildPlayer(competitor.target, self._limit, self._starting)
            return self._children[key]
        if HOUSE[competitor.target].searches:
            return SearchingPlayer(HardPlay(chance, self._simulations))
        return HousePlayer(HOUSE[competitor.target], chance)

    def close(self) -> None:
        """End the child processes."""
        for child in self._children.values():
            child.close()
        self._children.clear()


def load_class(where: str) -> type[Bot]:
    """The class that `module:Class` or `file.py:Class` names; the module may lie in the current folder."""
    module_name, _, class_name = where.rpartition(":")
    try:
        module = _from_file(Path(module_name)) if module_name.endswith(".py") else _from_path(module_name)
    except BadCompetitor:
        raise
    except BaseException as error:  # the code of a stranger
        raise BadCompetitor(f"{module_name} cannot be loaded: {clean(named(error, own_code=True), 200)}.") from error
    made = getattr(module, class_name, None)
    if not (isinstance(made, type) and issubclass(made, Bot)):
        raise BadCompetitor(f"{class_name} in {module_name} is no subclass of una_protocol.bot.Bot.")
    return made


def _from_path(name: str) -> ModuleType:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise BadCompetitor(f"There is no module {name}, neither here nor on Python's path.") from None
        raise


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadCompetitor(f"There is no file {path}.")
    _look_beside(path)
    name = path.stem
    while name in sys.modules:  # a file called random.py must not become everybody's `random`
        if getattr(sys.modules[name], "__file__", None) == str(path):
            return sys.modules[name]
        name += "_"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadCompetitor(f"{path} cannot be read as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that the module's own classes find their home
    spec.loader.exec_module(module)
    return module


def _look_beside(path: Path) -> None:
    """Let a bot import what lies beside it: its own `strategy.py`, where another version of it has brought one too."""
    sys.path.insert(0, str(path.parent))
    beside = {other.stem for other in path.parent.iterdir()}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) if name.partition(".")[0] in beside else None
        if file is not None and path.parent not in Path(file).parents and _FOLDERS & {*Path(file).parents}:
            del sys.modules[name]
    _FOLDERS.add(path.parent)
