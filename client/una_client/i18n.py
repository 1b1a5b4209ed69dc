"""The language of the client: `_` and `ngettext`, looked up when a sentence is made, so that it can be chosen late.

Sentences are whole, with named places: `_("{name} drew {n} cards.").format(...)`. Nothing is put together from parts
of speech, for languages differ in how parts go together. English stands in the code; other languages are
`locale/LANG/LC_MESSAGES/una.po`, kept up to date by `scripts/translations.py`.
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
    _current = gettext.NullTranslations()  # English stands in the code; no later choice may overrule it
    for language in [lang] if lang else _locale_languages():
        if language.split("_")[0] in ("en", "C", "POSIX"):
            return
        found = _find(language)
        if found is not None:
            _current = found
            return


def english() -> bool:
    """Whether nothing is translated just now."""
    return type(_current) is gettext.NullTranslations


def languages() -> list[str]:
    """The languages that there are, English first."""
    try:
        others = sorted(os.listdir(LOCALE_DIR))
    except OSError:
        others = []
    return ["en", *(name for name in others if (LOCALE_DIR / name / "LC_MESSAGES" / f"{DOMAIN}.po").is_file())]


def locale_language() -> str:
    """The language that `use(None)` would speak."""
    known = languages()
    for language in _locale_languages():
        for name in (language, language.split("_")[0]):
            if name in known:
                return name
        if name in ("C", "POSIX"):
            break
    return "en"


def _find(language: str) -> gettext.NullTranslations | None:
    from .catalogue import read_catalogue  # English needs none

    for name in (language, language.split("_")[0]):
        if not name.replace("_", "").isalnum():
            continue  # no way out of the folder
        try:
            return read_catalogue(LOCALE_DIR / name / "LC_MESSAGES" / f"{DOMAIN}.po")
        except (OSError, ValueError):
            continue
    return None


def _locale_languages() -> list[str]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return [part.split(".")[0].split("@")[0] for part in value.split(":")]
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
