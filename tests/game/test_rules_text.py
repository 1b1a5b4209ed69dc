"""The rules in words: every value of every option has its own sentence, in both languages."""

from __future__ import annotations

import pytest

from una_server.game import OPTION_SPECS, PROFILES, make_options
from una_server.rules_text import MARK, SENTENCES, Language, rules_text

LANGUAGES: tuple[Language, ...] = ("en", "de")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_value_has_its_own_sentence(lang: Language) -> None:
    assert tuple(SENTENCES[lang]) == tuple(OPTION_SPECS)
    seen: set[str] = set()
    for name, spec in OPTION_SPECS.items():
        sentences = SENTENCES[lang][name]
        if spec.kind == "number":
            assert set(sentences) == {*({0, 1} if spec.low == 0 else {1}), "n"}
        else:
            assert set(sentences) == set(spec.values)
        for sentence in sentences.values():
            assert sentence[0].isupper() or sentence[0].isdigit()
            assert sentence.endswith(".")
            assert sentence.count(".") == 1
            assert len(sentence) <= 105
            assert sentence not in seen
            seen.add(sentence)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_in_words(profile: str, lang: Language) -> None:
    title, *lines = rules_text(profile, lang)
    assert profile in title
    assert len(lines) == len(OPTION_SPECS)
    assert not any(line.startswith(MARK) for line in lines)
    assert rules_text(PROFILES[profile], lang) == [title, *lines]


def test_what_differs_from_the_profile_is_marked() -> None:
    options = make_options("una", {"jump_in": True, "hand_size": 1})
    title, *lines = rules_text("una", "en", options)
    assert title == "The rules of the profile una, with changes (marked *)"
    assert [line for line in lines if line.startswith(MARK)] == [
        "* Everybody is dealt one card.",
        "* The same coloured card as the top may be laid out of turn.",
    ]
    assert rules_text(options, "en") == [title, *lines]
    german = rules_text("una", "de", options)
    assert german[1] == "* Alle bekommen eine Karte."
