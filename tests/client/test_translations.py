"""Languages: catalogues are complete and fit, are chosen as said, and are read as `gettext` reads compiled ones."""

from __future__ import annotations

import gettext
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.conftest import ROOT
from una_client import i18n
from una_client.catalogue import compiled, entries, read_catalogue

sys.path.insert(0, str(ROOT / "scripts"))
import translations  # a script, no package

PATHS = translations.paths()


@pytest.fixture(autouse=True)
def english_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    yield
    i18n.use("en")


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_a_catalogue_is_complete_and_fits(path: Path) -> None:
    catalogue = translations.load(path)
    faults = [(m.id, fault) for m in catalogue if m.id and (fault := translations.fault(m, catalogue.num_plurals))]
    assert faults == []


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_no_full_stop_and_no_sign_gets_lost(path: Path) -> None:
    for message in translations.load(path):
        ids, texts = translations.forms(message.id), translations.forms(message.string)
        for text in texts if message.id else ():
            assert (text[-1:] == ids[0][-1:]) or not {text[-1:], ids[0][-1:]} & set(".!?…:"), text
            assert (text[:1] == ids[0][:1]) or not {text[:1], ids[0][:1]} & set("✗▶○!★"), text


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_it_reads_as_babel_compiles_it(path: Path) -> None:
    ours = read_catalogue(path)
    out = BytesIO()
    with path.open("rb") as file:
        write_mo(out, read_po(file))
    out.seek(0)
    theirs = gettext.GNUTranslations(out)
    for message in translations.load(path):
        if not message.id:
            continue
        if message.pluralizable:
            one, many = translations.forms(message.id)
            for n in (0, 1, 2, 5, 21):
                assert ours.ngettext(one, many, n) == theirs.ngettext(one, many, n)
        else:
            (text,) = translations.forms(message.id)
            assert ours.gettext(text) == theirs.gettext(text)
    began = time.perf_counter()
    read_catalogue(path)
    assert time.perf_counter() - began < 0.5


def test_what_is_not_done_is_shown_in_english() -> None:
    text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n'
    text += (
        'msgid "c"\nmsgstr ""\n# a comment\nmsgid "two "\n"lines"\nmsgstr "zwei "\n"Zeilen\\t\\"ä\\""\n#~ msgid "old"\n'
    )
    catalogue = gettext.GNUTranslations(BytesIO(compiled(text)))
    assert [catalogue.gettext(word) for word in ("a", "c", "two lines")] == ["a", "c", 'zwei Zeilen\t"ä"']


@pytest.mark.parametrize("text", ["nonsense", 'msgid "a', "msgid a + b", 'msgid "a"\nmsgstr __import__("os")'])
def test_a_broken_catalogue_names_the_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"line \d"):
        list(entries(text))


@pytest.mark.parametrize(
    ("lang", "locale", "word"),
    [
        ("de", {}, "Rot"),
        (None, {"LANG": "de_AT.UTF-8"}, "Rot"),
        (None, {"LANG": "en_GB.UTF-8", "LANGUAGE": "de:en"}, "Rot"),
        (None, {"LC_ALL": "C", "LANG": "de_DE"}, "red"),
        (None, {"LANG": "xx_YY", "LC_ALL": "../../etc"}, "red"),
        (None, {"LANGUAGE": "xx:de"}, "Rot"),
        (None, {"LANGUAGE": "en:de"}, "red"),
        (None, {}, "red"),
        ("en", {"LANG": "de_DE.UTF-8"}, "red"),
        ("de_CH", {}, "Rot"),
    ],
)
def test_the_language(lang: str | None, locale: dict[str, str], word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    i18n.use(lang)
    assert i18n._("red") == word
    if lang is None:
        assert i18n.locale_language() == ("de" if word == "Rot" else "en")


def test_the_languages_there_are() -> None:
    assert i18n.languages() == ["en", *(path.parents[1].name for path in PATHS)]
