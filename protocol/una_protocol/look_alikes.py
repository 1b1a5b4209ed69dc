"""Characters that look alike in a name: the table behind `text.skeleton`. Data only.

Keys are case-folded and decomposed. A letter is listed under the Latin letter that its capital looks like, where
capital and small letter disagree. Made for names within the allowed scripts, not a general list of confusables.
"""

from __future__ import annotations

from typing import Final

_LIKE: Final = {
    # Latin letter: what looks like it (Latin and digits; Cyrillic; Greek; Armenian; Hebrew)
    "a": "аα",
    "b": "вьβƅ",
    "c": "сϲ",
    "d": "ԁ",
    "e": "еεҽ",
    "f": "ƒ",
    "g": "ցԍ",
    "h": "нһηհ",
    "j": "јϳյ",
    "k": "кκĸ",
    "l": "1iıіιłӏוןլ",
    "m": "мμ",
    "n": "νո",
    "o": "0оοօסσ",
    "p": "рρքϸ",
    "q": "ԛզ",
    "r": "г",
    "s": "ѕ",
    "t": "тτ",
    "u": "ս",
    "v": "ѵ",
    "w": "ԝωա",
    "x": "хχ",
    "y": "уγүυ",
    "z": "ζ",
    "3": "зӡ",
    # East Asian: katakana, hiragana and ideographs of the same shape
    "ー": "一",
    "カ": "力",
    "ロ": "口",
    "ニ": "二",
    "エ": "工",
    "タ": "夕",
    "ト": "卜",
    "ハ": "八",
    "ヘ": "へ",
    "リ": "り",
}

SINGLE: Final = {char: like for like, chars in _LIKE.items() for char in chars}
"""Character -> what it counts as."""

PAIRS: Final = (("l\u0307", "l"), ("rn", "m"), ("vv", "w"))
"""Two characters that look like one, replaced after the single ones (the first: a capital I with a dot)."""

DROPPED: Final = frozenset(" -_.'\u00b7\u02bc\u2019")
"""Does not make two names different."""
