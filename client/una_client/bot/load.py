"""Finds the class of a bot: `module:Class` on Python's path or in the current folder, or `file.py:Class`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

from una_protocol.bot import Bot


class NoBot(Exception):
    """There is no such bot; the text is one sentence."""


def load_bot(where: str) -> type[Bot]:
    """The class that `where` names. NoBot where there is none; an error inside of its module comes out as it is."""
    module_name, colon, class_name = where.rpartition(":")
    if not colon or not module_name or not class_name:
        raise NoBot(f"A bot is named MODULE:CLASS, such as mybot:MyBot; {where!r} is not.")
    module = load_module(Path(module_name)) if module_name.endswith(".py") else _from_path(module_name)
    made = getattr(module, class_name, None)
    if made is None:
        raise NoBot(f"There is no {class_name} in {module_name}.")
    if not (isinstance(made, type) and issubclass(made, Bot)):
        raise NoBot(f"{class_name} in {module_name} is no subclass of una_protocol.bot.Bot.")
    return made


def _from_path(name: str) -> ModuleType:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise NoBot(f"There is no module {name}, neither here nor on Python's path.") from None
        raise


def load_module(path: Path) -> ModuleType:
    """A file of Python as a module. NoBot where there is none."""
    if not path.is_file():
        raise NoBot(f"There is no file {path}.")
    name = path.stem
    while name in sys.modules:  # a file called random.py must not become everybody's `random`
        name += "_"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NoBot(f"{path} cannot be read as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that the module's own classes find their home
    sys.path.insert(0, str(path.resolve().parent))  # what lies beside it can be imported
    spec.loader.exec_module(module)
    return module
