"""The language of the client: `_` and `ngettext`, looked up when a sentence is made, so that it can be chosen late.

Sentences are whole, with named places: `_("{name} drew {n} cards.").format(...)`. Nothing is put together from parts
of speech, for languages differ in how parts go together.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path
from typing import Final

DOMAIN: Final = "una"
LOCALE_DIR: Final = Path(__file__).parent / "locale"

_current: gettext.NullTranslations = gettext.NullTranslations()


def use(lang: str | None) -> None:
    """Speak this language from now on; None: that of the locale. English where there is no translation."""
    global _current
    languages = [lang] if lang else _locale_languages()
    if languages and languages[0].split("_")[0] in ("en", "C", "POSIX"):
        _current = gettext.NullTranslations()  # English stands in the code; no later choice may overrule it
        return
    _current = gettext.translation(DOMAIN, LOCALE_DIR, languages=languages, fallback=True)


def _locale_languages() -> list[str]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return [part.split(".")[0] for part in value.split(":")]
    return []


def _(text: str) -> str:
    """The text in the user's language."""
    return _current.gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """The text for `n` things in the user's language."""
    return _current.ngettext(one, many, n)


def mark(text: str) -> str:
    """Mark a text for translation that is looked up later, where it is used (`_`)."""
    return text
