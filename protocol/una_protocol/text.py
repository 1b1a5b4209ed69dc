"""Text from other people: what may be a name, what may be said, and what may reach a terminal or a log.

`clean` is for the last moment before a screen, whoever sent the text and whatever a server checked before.
`check_name` and `check_chat` stand at the server's door. Categories alone are not enough: some characters that draw
nothing are letters or marks (U+034F, U+115F, U+3164), so those are listed. Must not know who asks.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from wcwidth import wcswidth

from .look_alikes import DROPPED, PAIRS, SINGLE

NAME_CELLS: Final = 16
CHAT_CHARACTERS: Final = 200
LOG_CHARACTERS: Final = 200
RESERVED_PREFIX: Final = "bot-"
"""How the names of house bots begin, in any case: no human may have such a name."""

_RANGES: Final = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
INVISIBLE: Final = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1))
"""Default-ignorable characters (Unicode's list), annotation signs, and the empty braille cell."""

_MARKS_IN_A_ROW: Final = 2

# Vowels and finals of Hangul, which normalisation has not joined to a syllable: letters, but of no width
_LOOSE_JAMO: Final = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))))


def clean(text: str, limit: int = 500) -> str:
    """`text` made safe for a terminal or a line of a log, at most `limit` characters long.

    Line breaks, tabs and odd spaces become a space. Control, invisible and direction characters are taken out, and
    accents that are piled up or have no letter. What cannot be drawn for sure (private, unassigned, half a
    surrogate pair) becomes U+FFFD.
    """
    if not (text.isascii() and text.isprintable()):
        # cut first, roughly: whoever sends a megabyte of accents shall not cost a megabyte of work
        text = _clean(unicodedata.normalize("NFC", text[: 8 * limit + 64]))
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def _clean(text: str) -> str:
    out: list[str] = []
    marks = _MARKS_IN_A_ROW  # none may come first: it would sit on what stands before the text
    for char in text:
        category = unicodedata.category(char)
        if category[0] == "Z" or char in "\t\n\v\f\r\x85":
            out.append(" ")
            marks = _MARKS_IN_A_ROW
        elif category in ("Cc", "Cf", "Me") or char in INVISIBLE:
            continue
        elif category[0] == "M" or char in _LOOSE_JAMO:
            if marks < _MARKS_IN_A_ROW:
                out.append(char)
            marks += 1
        else:
            out.append("\ufffd" if category[0] == "C" else char)
            marks = 0
    return "".join(out)


def log_text(raw: object) -> str:
    """Anything from outside, as pure ASCII on one line, for a log."""
    return ascii(raw[:LOG_CHARACTERS] if isinstance(raw, str | bytes) else raw)[:LOG_CHARACTERS]


def check_chat(raw: str) -> str:
    """What is to be said, cleaned; ValueError where nothing is left or it is too long."""
    text = clean(raw, limit=4096).strip()
    if not text:
        raise ValueError("There is nothing to say.")
    if len(text) > CHAT_CHARACTERS:
        raise ValueError(f"A message has at most {CHAT_CHARACTERS} characters; this one has {len(text)}.")
    return text


# -- names ------------------------------------------------------------------------------------------------------

_PUNCTUATION: Final = frozenset(" -_.'")
_DIGITS: Final = frozenset("0123456789")
_EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
_SCRIPTS: Final = _EAST_ASIAN | {
    "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "HEBREW", "ARABIC", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI",
    "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "GEORGIAN",
    "ETHIOPIC", "KHMER", "MONGOLIAN",
}  # fmt: skip
"""Scripts that are written today. Others are left out for their look-alikes of Latin letters (Lisu, Cherokee)."""
_BLOCKS: Final = {
    "LATIN": ((0x41, 0x1BF), (0x1C4, 0x24F), (0x1E00, 0x1EFF)),  # not the clicks, no phonetic letters
    "GREEK": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "CYRILLIC": ((0x400, 0x52F),),
}
_ANY_SCRIPT: Final = "COMBINING"

_NOT_ALLOWED: Final = "A name may hold letters, digits, spaces and - _ . ' only."


def check_name(raw: str) -> str:
    """The name as it is kept (NFC); ValueError with one plain sentence where it is not allowed."""
    if len(raw) > 64:
        raise ValueError(f"A name is at most {NAME_CELLS} characters wide.")
    if any(0xD800 <= ord(char) <= 0xDFFF for char in raw):
        raise ValueError(_NOT_ALLOWED)
    name = unicodedata.normalize("NFC", raw)
    if not name:
        raise ValueError("A name may not be empty.")
    if unicodedata.normalize("NFKC", name) != name:
        raise ValueError("A name may not hold letters in a special width or style.")
    scripts = _scripts(name)
    if not any(char.isalpha() for char in name):
        raise ValueError("A name needs at least one letter.")
    if name != name.strip() or "  " in name:
        raise ValueError("A name may not begin or end with a space, nor hold two in a row.")
    if len(scripts) > 1 and not scripts <= _EAST_ASIAN | {"LATIN"}:
        raise ValueError("A name may not mix letters of several scripts.")
    if not 1 <= wcswidth(name) <= NAME_CELLS:
        raise ValueError(f"A name is at most {NAME_CELLS} characters wide.")
    return name


def _scripts(name: str) -> set[str]:
    """The scripts of the letters in it; ValueError where a character may not stand in a name."""
    scripts: set[str] = set()
    marks = accents = 0
    after_letter = False
    for char in name:
        if char in _PUNCTUATION or char in _DIGITS:
            after_letter, marks, accents = False, 0, 0
            continue
        category, script = unicodedata.category(char), _script(char)
        if char in INVISIBLE or char in _LOOSE_JAMO or script is None:
            raise ValueError(_NOT_ALLOWED)
        if category in ("Mn", "Mc"):
            marks, accents = marks + 1, accents + (script == _ANY_SCRIPT)
            if not after_letter or marks > _MARKS_IN_A_ROW or accents > 1:
                raise ValueError("A name may not pile up accents, nor hold one without its letter.")
        elif category[0] == "L" or category == "Nd":
            after_letter, marks, accents = True, 0, 0
        else:
            raise ValueError(_NOT_ALLOWED)
        if script != _ANY_SCRIPT:
            scripts.add(script)
    return scripts


def _script(char: str) -> str | None:
    """The script of a letter, mark or digit, from its name; None where it may not stand in a name."""
    words = unicodedata.name(char, "").removeprefix("EXTENDED ").replace("-", " ").split(" ", 1)
    script = "CJK" if words[0] == "IDEOGRAPHIC" else words[0]
    if script == _ANY_SCRIPT:
        return script if 0x300 <= ord(char) <= 0x341 or char in "\u3099\u309a" else None
    if script not in _SCRIPTS:
        return None
    blocks = _BLOCKS.get(script)
    return script if blocks is None or any(first <= ord(char) <= last for first, last in blocks) else None


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What the name looks like: two names with equal skeletons must not be at one server (`Bill`, `Bi11`, `BiIl`).

    Case, punctuation and look-alikes are folded. Greek and Cyrillic letters count as the Latin letter that their
    capital looks like, so that a name and the same name in capitals are equal.
    """
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    folded = "".join(SINGLE.get(char, char) for char in decomposed if char not in DROPPED)
    for pair, single in PAIRS:
        folded = folded.replace(pair, single)
    return unicodedata.normalize("NFC", folded)


def is_reserved(name: str) -> bool:
    """Whether the name is kept for house bots: it begins with `bot-`, or with what looks like it."""
    head, dash, _ = name.partition("-")
    return bool(dash) and skeleton(head) == skeleton(RESERVED_PREFIX)
