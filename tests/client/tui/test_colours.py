"""Colours: the depth that is chosen, the themes, and that nobody needs to see colours to tell cards apart."""

from __future__ import annotations

import itertools

import pytest

from una_client.tui.theme import Depth, find_depth, needs_ascii, style_rules

Colour = tuple[float, float, float]

# Machado, Oliveira and Fernandes (2009), full severity, for linear RGB
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
WHITE = (0.95047, 1.0, 1.08883)


def background(name: str) -> Colour:
    """The colour behind a card, as linear RGB."""
    rule = style_rules("256")[f"card.{name}"].split()[0].removeprefix("bg:#")
    parts = [int(rule[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def times(matrix: tuple[tuple[float, ...], ...], colour: Colour) -> Colour:
    """The matrix on the colour, within what a screen can show."""
    red, green, blue = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return min(1, max(0, red)), min(1, max(0, green)), min(1, max(0, blue))


def lab(colour: Colour) -> Colour:
    """Linear RGB as CIE Lab."""
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    xyz = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in to_xyz)
    scaled = [part / white for part, white in zip(xyz, WHITE, strict=True)]
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_the_four_colours_stay_apart(blindness: str) -> None:
    seen = {name: lab(times(BLINDNESS[blindness], background(name))) for name in ("red", "yellow", "green", "blue")}
    for one, other in itertools.combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        assert distance >= 25, (blindness, one, other, distance)


def luminance(hex_colour: str) -> float:
    """The relative luminance of #rrggbb (WCAG)."""
    parts = [int(hex_colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", ["red", "yellow", "green", "blue", "wild"])
def test_the_text_on_a_card_can_be_read(name: str) -> None:
    behind, text = style_rules("256")[f"card.{name}"].split()
    bright = sorted((luminance(behind.removeprefix("bg:")), luminance(text)))
    assert (bright[1] + 0.05) / (bright[0] + 0.05) >= 4.5


DEPTHS: list[tuple[str, dict[str, str], Depth]] = [
    ("auto", {"TERM": "xterm-256color"}, "256"),
    ("auto", {"TERM": "xterm"}, "16"),
    ("auto", {"TERM": "dumb"}, "none"),
    ("auto", {"TERM": "xterm", "COLORTERM": "truecolor"}, "true"),
    ("auto", {"TERM": "xterm", "COLORTERM": "24bit"}, "true"),
    ("auto", {"TERM": "xterm-256color", "NO_COLOR": "1"}, "none"),
    ("auto", {"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
    ("auto", {"TERM": "xterm-256color", "NO_COLOR": "1", "FORCE_COLOR": "3"}, "none"),
    ("auto", {"TERM": "dumb", "CLICOLOR_FORCE": "1"}, "16"),
    ("auto", {"TERM": "dumb", "CLICOLOR_FORCE": "0"}, "none"),
    ("auto", {"TERM": "dumb", "FORCE_COLOR": "yes"}, "16"),
    ("auto", {"TERM": "xterm", "FORCE_COLOR": "2", "COLORTERM": "truecolor"}, "256"),
    ("auto", {"TERM": "xterm", "FORCE_COLOR": "3"}, "true"),
    ("auto", {"TERM": "xterm-256color", "FORCE_COLOR": "0"}, "none"),
    ("true", {"NO_COLOR": "1"}, "true"),
    ("none", {"COLORTERM": "truecolor"}, "none"),
]


@pytest.mark.parametrize(("wanted", "env", "depth"), DEPTHS)
def test_the_depth(wanted: str, env: dict[str, str], depth: Depth) -> None:
    assert find_depth(wanted, env) == depth


@pytest.mark.parametrize(
    ("encoding", "env", "plain"),
    [
        ("utf-8", {"LANG": "de_DE.UTF-8", "TERM": "xterm"}, False),
        ("UTF8", {}, False),
        ("latin-1", {"LANG": "de_DE"}, True),
        (None, {}, True),
        ("utf-8", {"LANG": "ja_JP.UTF-8"}, True),
        ("utf-8", {"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, False),
        ("utf-8", {"TERM": "linux"}, True),
    ],
)
def test_ascii_where_the_signs_would_be_missing_or_wide(encoding: str | None, env: dict[str, str], plain: bool) -> None:
    assert needs_ascii(encoding, env) is plain


def test_high_contrast_dims_nothing() -> None:
    rules = style_rules("256", "high-contrast")
    assert "#8a8a8a" not in "".join(rules.values())
    assert all("bold" in rules[name] for name in ("dim", "border", "card.legal", "card.illegal", "card.red"))
