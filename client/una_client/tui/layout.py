"""Styled lines of text and how to join them: cut and pad by cells, boxes, columns, overlays. Knows no card, no game.

A `Line` is a list of (style, text) pieces, the same pairs that prompt_toolkit draws. Widths are cells, not characters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from wcwidth import wcwidth

from una_protocol.text import clean

Piece = tuple[str, str]
Line = list[Piece]


class Size(NamedTuple):
    """A size in cells."""

    width: int
    height: int


class Border(NamedTuple):
    """The eight signs of a frame: corners clockwise from the top left, then horizontal and vertical."""

    top_left: str
    top_right: str
    bottom_right: str
    bottom_left: str
    horizontal: str
    vertical: str


@lru_cache(maxsize=1024)
def remote(text: str) -> str:
    """Text that came from the network, safe to draw. Use it at the last moment, on every such text."""
    return clean(text)


@lru_cache(maxsize=2048)
def text_width(text: str) -> int:
    """How many cells the text takes."""
    return sum(max(0, wcwidth(char)) for char in text)


def width_of(line: Line) -> int:
    """How many cells the line takes."""
    return sum(text_width(text) for _, text in line)


def cut_text(text: str, width: int, more: str = "…") -> str:
    """The text, cut to at most `width` cells; `more` ends it where something was cut off."""
    if text_width(text) <= width:
        return text
    room = width - text_width(more)
    if room < 0:
        return more[: max(0, width)]
    kept: list[str] = []
    for char in text:
        room -= max(0, wcwidth(char))
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + more


def fit_text(text: str, width: int, align: str = "<", more: str = "…") -> str:
    """The text, cut or padded to exactly `width` cells."""
    text = cut_text(text, width, more)
    gap = " " * (width - text_width(text))
    return text + gap if align == "<" else gap + text


def fit_marked(text: str, mark: str, width: int, more: str = "…") -> str:
    """Text and mark in `width` cells: where both do not fit, the text is cut; the mark stays."""
    return fit_text(f"{cut_text(text, max(0, width - text_width(mark)), more)}{mark}", width, more=more)


def cut(line: Line, start: int, end: int) -> Line:
    """The cells from `start` up to `end`; a wide sign that would be split becomes a blank."""
    out: Line = []
    at = 0
    for style, text in line:
        kept: list[str] = []
        for char in text:
            cells = max(0, wcwidth(char))
            if at >= start and at + cells <= end and (cells or at > start):
                kept.append(char)
            elif at < end and at + cells > start:
                kept.append(" " * (min(at + cells, end) - max(at, start)))
            at += cells
        if kept:
            out.append((style, "".join(kept)))
    return out


def fit(line: Line, width: int, style: str = "", more: str = "…") -> Line:
    """The line, cut (marked with `more`) or padded to exactly `width` cells."""
    have = width_of(line)
    if have > width:
        return [*cut(line, 0, max(0, width - text_width(more))), (style, more[: max(0, width)])]
    return [*line, (style, " " * (width - have))] if have < width else line


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` at the left edge, `right` at the right edge; where both do not fit, `left` is cut."""
    room = width - width_of(right) - 1
    return [*fit(left, room), ("", " "), *right] if room > 0 else fit(right, width)


def beside(*columns: list[Line]) -> list[Line]:
    """Columns of lines side by side; each column must have its full width and the same height."""
    return [[piece for line in row for piece in line] for row in zip(*columns, strict=True)]


def page(lines: list[Line], size: Size) -> list[Line]:
    """Exactly `size.height` lines of exactly `size.width` cells."""
    rows = [fit(line, size.width) for line in lines[: size.height]]
    return rows + [[("", " " * size.width)] for _ in range(size.height - len(rows))]


def box(title: str, lines: list[Line], size: Size, border: Border, style: str = "class:border") -> list[Line]:
    """The lines in a frame of `size`, with a title in its top edge."""
    inner = size.width - 2
    head = f"{border.horizontal} {cut_text(title, inner - 4)} " if title else ""
    head += border.horizontal * (inner - text_width(head))
    rows: list[Line] = [[(style, border.top_left + head + border.top_right)]]
    edge = (style, border.vertical)
    rows += [[edge, *line, edge] for line in page(lines, Size(inner, size.height - 2))]
    rows.append([(style, border.bottom_left + border.horizontal * inner + border.bottom_right)])
    return rows


def overlay(lines: list[Line], piece: list[Line], x: int, y: int) -> list[Line]:
    """`lines` with `piece` laid over them at column x, row y; what stands beside it stays."""
    out = list(lines)
    for row, line in enumerate(piece):
        if 0 <= y + row < len(out):
            under, end = out[y + row], x + width_of(line)
            out[y + row] = [*fit(cut(under, 0, x), x), *line, *cut(under, end, max(end, width_of(under)))]
    return out


def wrap(text: str, width: int, indent: str = "  ") -> list[str]:
    """The text in lines of at most `width` cells, broken at blanks where possible; later lines are indented."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line.strip() else line + word
        if text_width(joined) <= width:
            line = joined
            continue
        if line.strip():
            lines.append(line)
            line = indent
        while text_width(line + word) > width and word:
            part = cut_text(word, max(1, width - text_width(line)), more="")
            if not part:
                break
            lines.append(line + part)
            word, line = word[len(part) :], indent
        line += word
    if line.strip() or not lines:
        lines.append(line)
    return lines


def plain(lines: list[Line]) -> list[str]:
    """The lines without their styles."""
    return ["".join(text for _, text in line) for line in lines]


HIT = "class:hit-"


def hit(lines: list[Line], column: int, row: int) -> str | None:
    """What stands at that place, as its style says (`class:hit-card-3` is `card-3`); None where nothing of use does."""
    at = 0
    for style, text in lines[row] if 0 <= row < len(lines) else []:
        at += text_width(text)
        if column < at:
            return next((part.removeprefix(HIT) for part in style.split() if part.startswith(HIT)), None)
    return None


def marked(line: Line, what: str) -> Line:
    """The line as something that can be clicked on."""
    return [(f"{style} {HIT}{what}".strip(), text) for style, text in line]
