"""The first run on a terminal: name, language, the three keys that matter. The answers become the config file.

Plain questions, one after another, before any screen: they work in every terminal and with every screen reader.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from . import config, i18n
from .i18n import _
from .settings import Value

_NAMES = {"en": "English", "de": "Deutsch"}

Ask = Callable[[str], str]


def wanted(flags: Mapping[str, object]) -> bool:
    """Whether somebody sits at a terminal who was never asked. Who has named a file or a name has decided already."""
    if any(os.environ.get(name) for name in ("UNA_CONFIG", "UNA_NAME", "UNA_PLAIN", "CI")):
        return False
    if flags.get("name") or flags.get("plain") or os.environ.get("TERM") in (None, "", "dumb"):
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and not config.path().exists()


def ask(file: Path, answer: Ask = input) -> None:
    """Ask, and write the answers into the file, so that nobody is asked again. Ctrl-D takes what is offered."""
    values: dict[str, Value] = {"lang": _ask_language(answer)}
    i18n.use(str(values["lang"]))
    print(_("Welcome to una."))
    values["name"] = _ask_name(answer)
    print("\n".join(keys_that_matter()))
    if config.write(config.template(values), file):
        print(_("Your answers are kept in {file}, where more can be set.").format(file=file))
    else:
        print(_("{file} cannot be written; the answers hold for this time.").format(file=file))
        os.environ["UNA_NAME"] = str(values["name"])
        os.environ["UNA_LANG"] = str(values["lang"])


def go_on(answer: Ask = input) -> None:
    """Wait until what was said has been read."""
    _answered(answer, _("Enter goes on.") + " ")


def ask_to_play(answer: Ask = input) -> bool:
    """Whether to play two bots now."""
    given = _answered(answer, _("Play two bots now? [Y/n]") + " ").casefold()
    return given in ("", "y", "yes", "j") or given == _("yes").casefold()


def keys_that_matter() -> list[str]:
    """The three keys that one needs to know, a line each."""
    return [
        _("Three keys are enough to begin:"),
        _("  Tab     goes to the next card that fits,"),
        _("  Enter   plays it,"),
        _("  d       draws a card where none fits."),
        _("The line above the input always says what is expected, and ? shows all keys."),
    ]


def _ask_language(answer: Ask) -> str:
    offered, known = i18n.locale_language(), i18n.languages()
    names = ", ".join(f"{lang} = {_NAMES.get(lang, lang)}" for lang in known)
    while True:
        given = _answered(answer, f"Language / Sprache ({names}) [{offered}]: ").casefold()
        if not given:
            return offered
        for lang in known:
            if given == lang or _NAMES.get(lang, lang).casefold().startswith(given):
                return lang


def _ask_name(answer: Ask) -> str:
    from una_protocol.text import check_name

    from .front import login_name
    from .words import reason_text

    offered = login_name()
    while True:
        given = _answered(answer, _("What is your name? [{name}]").format(name=offered) + " ")
        if not given:
            return offered
        try:
            return check_name(given)
        except ValueError as error:
            print(reason_text(error))


def _answered(answer: Ask, question: str) -> str:
    try:
        return answer(question).strip()
    except EOFError:
        print()
        return ""
