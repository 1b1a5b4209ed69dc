"""Names, chat, and what may reach a terminal: a corpus of what people try."""

from __future__ import annotations

import unicodedata

import pytest

from una_protocol.text import check_chat, check_name, clean, is_reserved, log_text, skeleton

GOOD_NAMES = [
    "Ann",
    "x",
    "D'Arcy",
    "Mr. X",
    "a-b_c",
    "R2D2",
    "Zoë",
    "Łukasz",
    "Nguyễn",
    "Ångström",
    "José",
    "Straße",
    "Ольга",
    "Ελένη",
    "田中",
    "田中Tom",
    "さくら",
    "ブ",
    "한글",
    "สมชาย",
    "นที่",
    "अर्जुन",
    "محمد",
    "٣علي",
    "דוד",
    "Հայկ",
    "x" * 16,
    "田" * 8,
]
BAD_NAMES = [
    "",
    " ",
    "  ",
    " Ann",
    "Ann ",
    "A  nn",
    "1234",
    "-_.'",
    "x" * 17,
    "田" * 9,
    "x" * 1000,
    "a\nb",
    "a\tb",
    "a\x00b",
    "\x1b[31mRed",
    "\x9b31mRed",
    "\x1b]52;c;aGk=\x07",
    "a\x7fb",
    "a\u202eb",
    "a\u2066b",
    "a\u200fb",
    "a\u200bb",
    "a\u200db",
    "a\ufeffb",
    "a\u00adb",
    "a\u034fb",
    "a\u115fb",
    "a\u1160b",
    "\u3164a",
    "\uffa0a",
    "a\u2800b",
    "a\ufe0fb",
    "a\U000e0041b",
    "a\U000e0100b",
    "\u0301a",
    "a\u0301\u0323\u0301b",
    "a" + "\u0301" * 20,
    "a\u20ddb",
    "a \u0301b",
    "😀",
    "👨\u200d👩\u200d👧",
    "ａｎｎ",
    "ﬁn",
    "𝐀𝐧𝐧",
    "Ⅳa",
    "a²",
    "a/b",
    "a\\b",
    "a<b",
    "a@b",
    "a:b",
    "Аnn",
    "pаy",
    "αnn",
    "ꓐill",
    "ᏴᎥll",
    "ǃKung",
    "ʟucy",
    "a\u00a0b",
    "a\u2028b",
    "a\u3000b",
    "a\ue000b",
    "a\ud800",
    "a\U0003ffffb",
    "a\u0378b",
    "_\u0301a",
    "каmа",
    "ᄀ" + "ᅡ" * 3,
]


@pytest.mark.parametrize("name", GOOD_NAMES, ids=ascii)
def test_names_that_people_have(name: str) -> None:
    assert check_name(name) == unicodedata.normalize("NFC", name)
    assert check_name(unicodedata.normalize("NFD", name)) == unicodedata.normalize("NFC", name)
    assert clean(name) == name


@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: ascii(name)[:40])
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^A name [^\n]{5,80}\.$"):
        check_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bill", "Bi11"),
        ("Bill", "BiIl"),
        ("Bill", "BILL"),
        ("pay", "рау"),
        ("NINA", "ΝΙΝΑ"),
        ("ΝΙΝΑ", "νινα"),
        ("Bob", "B0b"),
        ("corn", "com"),
        ("Ann B", "Ann_B"),
        ("Ann", "Ann."),
        ("İstanbul", "Istanbul"),
        ("Straße", "STRASSE"),
        ("Zoë", "ZOE\u0308"),
        ("OXA", "ОХА"),
        ("ロ", "口"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Zoe", "Zoë"), ("Bot 2", "Bot 3"), ("Max", "Mex")])
def test_names_that_differ_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_names_of_house_bots_are_reserved() -> None:
    assert all(map(is_reserved, ("bot-1", "BOT-Ada", "Bot-x", "b0t-x", "вот-x", "b o t-x")))
    assert not any(map(is_reserved, ("bot", "botty", "Bot 1", "rob-ot", "x-bot-1")))


HOSTILE = {
    "\x1b[31mred\x1b[0m": "[31mred[0m",
    "\x9b31mred": "31mred",
    "\x1b]52;c;aGk=\x07hi": "]52;c;aGk=hi",
    "\x1b]0;title\x1b\\x": "]0;title\\x",
    "a\nb\tc\rd\x0be\u2028f\u2029g\x85h": "a b c d e f g h",
    "a\u202eb\u2066c\u2069d\u061ce": "abcde",
    "a\u200b\u200c\u200d\u2060\ufeff\u00adb": "ab",
    "a\u034f\u115f\u1160\u3164\uffa0\u180e\u2800b": "ab",
    "a" + "\u0301" * 20 + "b": "á\u0301\u0301b",
    "\u0301a": "a",
    "a\n\u0301b": "a b",
    "\u1100" + "\u1161" * 20: "\uac00\u1161\u1161",
    "a\U000e0041\U000e007f\U000e0100\ufe0fb": "ab",
    "👨\u200d👩\u200d👧": "👨👩👧",
    "a\u20ddb": "ab",
    "\ue000\ud800\U0003ffff": "\ufffd\ufffd\ufffd",
    "a\u00a0b\u3000c": "a b c",
    "\x00\x07\x08\x7f": "",
    "plain": "plain",
    "": "",
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_what_reaches_a_terminal_is_harmless(text: str) -> None:
    assert clean(text) == HOSTILE[text]


def test_long_text_is_cut() -> None:
    assert clean("x" * 600) == "x" * 499 + "…"
    assert clean("xy", limit=1) == "…"
    assert len(clean("a\u0301" * 100_000, limit=50)) == 50
    assert clean("\u200b" * 100_000, limit=50) == ""


def test_chat() -> None:
    assert check_chat("  hi\nthere \u202e") == "hi there"
    assert check_chat("x" * 200) == "x" * 200
    for empty in ("", "  ", "\u200b\u2060", "\x1b"):
        with pytest.raises(ValueError, match="nothing to say"):
            check_chat(empty)
    with pytest.raises(ValueError, match="at most 200 characters; this one has 201"):
        check_chat("x" * 201)


@pytest.mark.parametrize("raw", ["a\nb", "\x1b[31m", "é" * 1000, b"\xff\x00", "x" * 10_000, 7, None])
def test_a_log_gets_one_line_of_ascii(raw: object) -> None:
    text = log_text(raw)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) <= 200
