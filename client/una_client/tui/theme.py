"""What the terminal can show: colour depth, signs or ASCII; and the style of each kind of text in each depth.

Colour only decorates: every meaning also stands in a sign, a letter or a border.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle, Style

from .layout import Border

Depth = Literal["none", "16", "256", "true"]

_DEPTHS: Final[dict[str | None, Depth]] = {"none": "none", "16": "16", "256": "256", "true": "true"}


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that stand for things; one set with geometric signs, one in ASCII."""

    colors: Mapping[str, str]
    faces: Mapping[str, str]
    panel: Border
    legal: Border
    illegal: Border
    selected: Border
    rule: str
    bar: str
    no_bar: str
    back: str
    here: str
    selected_mark: str
    turn: str
    more: str
    times: str
    ready: str
    unready: str
    up: str
    down: str
    left_right: str
    alarm: str
    dot: str
    lost: str
    watch: str
    arrow: str
    suggested: str
    more_below: str
    fresh: str
    sent: str


UNICODE: Final = Signs(
    colors={"red": "●", "yellow": "◆", "green": "▲", "blue": "■", "wild": "★"},
    faces={"S": "Ø", "R": "⇄", "W": "W", "W+4": "+4"},
    panel=Border("┌", "┐", "┘", "└", "─", "│"),
    legal=Border("┌", "┐", "┘", "└", "─", "│"),
    illegal=Border("┌", "┐", "┘", "└", "┄", "┊"),
    selected=Border("╔", "╗", "╝", "╚", "═", "║"),
    rule="─", bar="█", no_bar="░", back="░", here="▸", selected_mark="▲", turn="▶", more="…", times="×",
    ready="✓", unready="·", up="↑", down="↓", left_right="←→", alarm="!", dot="·", lost="✗", watch="○", arrow="→",
    suggested="◂", more_below="▼", fresh="+", sent="○",
)  # fmt: skip
ASCII: Final = Signs(
    colors={"red": "Re", "yellow": "Ye", "green": "Gr", "blue": "Bl", "wild": "**"},
    faces={"S": "S", "R": "<>", "W": "W", "W+4": "+4"},
    panel=Border("+", "+", "+", "+", "-", "|"),
    legal=Border("+", "+", "+", "+", "-", "|"),
    illegal=Border("+", "+", "+", "+", ".", ":"),
    selected=Border("#", "#", "#", "#", "=", "#"),
    rule="-", bar="#", no_bar=".", back="%", here=">", selected_mark="^", turn=">", more="~", times="x",
    ready="x", unready="-", up="^", down="v", left_right="<- ->", alarm="!", dot="-", lost="X", watch="o", arrow="->",
    suggested="<", more_below="v", fresh="+", sent="o",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Caps:
    """What this terminal shows."""

    ascii: bool = False
    depth: Depth = "256"

    @property
    def signs(self) -> Signs:
        """The signs to draw with."""
        return ASCII if self.ascii else UNICODE

    def text(self, text: str) -> str:
        """One of our own texts with its typographic signs put into ASCII where the terminal needs that."""
        return text.translate(_TO_ASCII) if self.ascii else text


_TO_ASCII: Final = str.maketrans(
    {"—": "-", "–": "-", "…": "...", "·": "-", "▸": ">", "▶": ">", "→": "->", "←": "<-", "↑": "^", "↓": "v", "│": "|",
     "×": "x", "✓": "x", "✗": "X", "○": "o", "“": '"', "”": '"', "’": "'"}
)  # fmt: skip

_CARDS: Final = ("red", "yellow", "green", "blue", "wild")
_PLAIN: Final[dict[str, str]] = {
    "title": "bold", "border": "", "rule": "", "name": "bold", "dim": "", "prompt": "", "prompt.turn": "bold",
    "prompt.alarm": "bold", "timer": "", "timer.short": "bold", "hint.key": "bold", "hint": "", "note": "bold",
    "row.selected": "reverse", "card.selected": "reverse bold", "card.legal": "", "card.illegal": "", "una": "bold",
    "dialog": "", "dialog.title": "bold", "chat": "", "log": "", "log.turn": "bold", "log.chat": "bold", "good": "bold",
    "bad": "bold", "fresh": "bold underline",
}  # fmt: skip

_TONED: Final[dict[str, dict[str, str]]] = {
    "16": {
        "red": "bg:ansired ansiwhite", "yellow": "bg:ansiyellow ansiblack", "green": "bg:ansigreen ansiblack",
        "blue": "bg:ansiblue ansiwhite", "wild": "bg:ansiblack ansiwhite", "dim": "ansibrightblack",
        "alarm": "ansibrightred bold", "good": "ansigreen bold", "key": "ansicyan", "log.chat": "ansicyan",
    },
    "256": {
        "red": "bg:#af0000 #ffffff", "yellow": "bg:#ffd700 #000000", "green": "bg:#00af5f #000000",
        "blue": "bg:#005faf #ffffff", "wild": "bg:#303030 #ffffff", "dim": "#8a8a8a",
        "alarm": "#ff5f5f bold", "good": "#5fd787 bold", "key": "#5fd7ff", "log.chat": "#87d7ff",
    },
}  # fmt: skip


def style_rules(depth: Depth, theme: str = "default") -> dict[str, str]:
    """Class -> style in this depth. Without colour only bold and reverse remain. `high-contrast`: nothing is dim."""
    rules = _style_rules(depth)
    if theme == "high-contrast":
        rules |= dict.fromkeys(("dim", "border", "rule", "card.illegal", "card.legal", "log", "hint", "timer"), "bold")
        rules |= {f"card.{name}": f"{rules[f'card.{name}']} bold".strip() for name in _CARDS}
    return rules


def _style_rules(depth: Depth) -> dict[str, str]:
    rules = dict(_PLAIN)
    if depth == "none":
        return rules | {f"card.{name}": "" for name in _CARDS}
    tone = _TONED["16" if depth == "16" else "256"]
    rules |= {f"card.{name}": tone[name] for name in _CARDS}
    # the selected card keeps its colours: its border and place say that it is selected
    rules |= {
        "dim": tone["dim"], "card.illegal": tone["dim"], "border": tone["dim"], "rule": tone["dim"],
        "card.selected": "bold", "prompt.alarm": tone["alarm"], "timer.short": tone["alarm"], "una": tone["alarm"],
        "bad": tone["alarm"], "good": tone["good"], "prompt.turn": tone["good"], "hint.key": tone["key"],
        "log.chat": tone["log.chat"],
    }  # fmt: skip
    return rules


def make_style(depth: Depth, theme: str = "default") -> BaseStyle:
    """The style sheet for prompt_toolkit."""
    return Style.from_dict(style_rules(depth, theme))


def color_depth(depth: Depth) -> ColorDepth:
    """The depth in prompt_toolkit's words."""
    return {
        "none": ColorDepth.DEPTH_1_BIT,
        "16": ColorDepth.DEPTH_4_BIT,
        "256": ColorDepth.DEPTH_8_BIT,
        "true": ColorDepth.DEPTH_24_BIT,
    }[depth]


_FORCED: Final[dict[str, Depth]] = {"0": "none", "false": "none", "1": "16", "2": "256", "3": "true"}


def find_depth(wanted: str | None, env: Mapping[str, str] | None = None) -> Depth:
    """The depth to use: what was asked for, else what the environment says.

    `NO_COLOR` comes before `FORCE_COLOR` and `CLICOLOR_FORCE`, these before what the terminal says of itself.
    """
    env = os.environ if env is None else env
    if wanted in _DEPTHS:
        return _DEPTHS[wanted]
    if env.get("NO_COLOR"):
        return "none"
    force = env.get("FORCE_COLOR", "")
    if force in _FORCED:
        return _FORCED[force]
    forced = bool(force) or env.get("CLICOLOR_FORCE", "0") not in ("", "0")
    if env.get("COLORTERM") in ("truecolor", "24bit"):
        return "true"
    term = env.get("TERM", "")
    if term.endswith("-256color"):
        return "256"
    return "none" if term == "dumb" and not forced else "16"


def needs_ascii(encoding: str | None, env: Mapping[str, str] | None = None) -> bool:
    """Whether the geometric signs would be missing, or (East Asian locales) take two cells."""
    env = os.environ if env is None else env
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or ""
    utf8 = (encoding or "").lower().replace("-", "") == "utf8"
    return not utf8 or env.get("TERM") in ("dumb", "linux") or locale[:2] in ("ja", "ko", "zh")
