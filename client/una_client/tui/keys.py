"""The key table. It makes the bindings, the hint bar, the help overlay and the README's list of keys.

Each entry says which keys do what, where, and why not now. Keys have prompt_toolkit's names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..i18n import _, mark, ngettext
from . import reasons
from .layout import Line, width_of
from .model import Model, Where
from .theme import Caps

PLAY, SCORE, WATCH, WAITING, LOBBY = Where.PLAY, Where.SCORE, Where.WATCH, Where.WAITING, Where.LOBBY
TABLE: Final = (PLAY, SCORE, WATCH, WAITING)
SCREENS: Final = (*TABLE, LOBBY)


@dataclass(frozen=True, slots=True)
class Key:
    """One entry. `label` is its word in the hint bar (none: not shown there), `help` its line in the help.

    `label_now` makes the word where it depends on the situation. `shown` are the keys as the hint bar writes them.
    Where the bar is too narrow, hints with the highest `minor` give way first, of these the one nearest the middle.
    """

    keys: tuple[str, ...]
    action: str
    where: tuple[Where, ...]
    help: str
    label: str = ""
    why_not: Callable[[Model], str | None] = reasons.never
    label_now: Callable[[Model], str] | None = None
    shown: str = ""
    minor: int = 0

    def hint(self, model: Model) -> str:
        """The word for the hint bar now."""
        return self.label_now(model) if self.label_now is not None else _(self.label) if self.label else ""

    def names(self) -> str:
        """The keys in words, for people."""
        return self.shown or " ".join(_NAMES.get(key, key) for key in self.keys)


_NAMES: Final = {
    "left": "←", "right": "→", "up": "↑", "down": "↓", "home": "Home", "end": "End", "tab": "Tab",
    "s-tab": "Shift-Tab", "enter": "Enter", "escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn", "c-l": "Ctrl-L",
    "c-r": "Ctrl-R", "c-c": "Ctrl-C", "c-z": "Ctrl-Z", "f1": "F1", " ": mark("Space"),
}  # fmt: skip


def draw_label(model: Model) -> str:
    """`draw`, or `take 6` where cards are pending."""
    pending = model.view.pending if model.view is not None else 0
    return ngettext("take {n}", "take {n}", pending).format(n=pending) if pending else _("draw")


def play_label(model: Model) -> str:
    """`play`, or `pass it on` where cards are pending."""
    return _("pass it on") if model.view is not None and model.view.pending else _("play")


def una_label(model: Model) -> str:
    """What `u` does now: call, arm or disarm."""
    if len(model.cards) == 1:
        return _("call una")
    return _("una: not yet") if model.armed else _("una with the card")


def challenge_label(model: Model) -> str:
    """What `c` does now: challenge, or catch somebody."""
    if model.may_challenge or not model.catchable:
        return _("challenge")
    return _("catch {name}").format(name=reasons.name_of(model, model.catchable[0]))


def leave_label(model: Model) -> str:
    """`leave` a table, or `quit`."""
    return _("quit") if model.place is LOBBY or model.world.lost is not None else _("leave")


KEYMAP: Final[tuple[Key, ...]] = (
    # the hand
    Key(("left", "h"), "select-left", (PLAY,), mark("move along the hand"), mark("select"), reasons.has_hand,
        shown="←→", minor=1),
    Key(("right", "l"), "select-right", (PLAY,), mark("move along the hand"), why_not=reasons.has_hand),
    Key(("home",), "select-first", (PLAY,), mark("first, last card"), why_not=reasons.has_hand),
    Key(("end",), "select-last", (PLAY,), mark("first, last card"), why_not=reasons.has_hand),
    Key(tuple("1234567890"), "select-number", (PLAY,), mark("select this card"),
        why_not=reasons.has_hand, shown="1-9 0"),
    Key(("p", "enter"), "play", (PLAY,), mark("play the selected card"), mark("play"), reasons.play, play_label,
        shown="p"),
    Key(("n",), "keep", (PLAY,), mark("keep the drawn card"), mark("keep it"), reasons.keep),
    Key(("d",), "draw", (PLAY,), mark("draw, or take +2 +4"), mark("draw"), reasons.draw, draw_label),
    Key(("c",), "challenge", (PLAY,), mark("challenge, or catch"), mark("challenge"),
        reasons.challenge, challenge_label),
    Key(("a",), "accept", (PLAY,), mark("accept a +4"), mark("accept"), reasons.accept),
    Key(("u",), "una", (PLAY,), mark("una (with the card)"), mark("una"), reasons.una,
        una_label),
    Key(("tab",), "next-playable", (PLAY,), mark("to cards that fit"), mark("next that fits"),
        reasons.has_playable, minor=1),
    Key(("s-tab",), "previous-playable", (PLAY,), mark("to cards that fit"),
        why_not=reasons.has_playable),
    Key(("s",), "sort", (PLAY,), mark("sort by colour or rank"), mark("sort"), reasons.has_hand, minor=3),
    # the challenge
    Key(("c",), "challenge", (Where.CHALLENGE,), mark("challenge the +4"), mark("challenge"), reasons.challenge_only),
    Key(("a",), "accept", (Where.CHALLENGE,), mark("accept the +4"), mark("accept"), reasons.accept, draw_label),
    Key(("h", "escape"), "close", (Where.CHALLENGE,), mark("look at the hand first"), mark("see the hand"),
        shown="h"),
    Key(("1",), "which-challenge", (Where.WHICH,), mark("challenge the +4"), mark("challenge"),
        reasons.challenge_only),
    Key(("2",), "which-catch", (Where.WHICH,), mark("catch who forgot una"), mark("catch"), reasons.catch_only),
    Key(("escape",), "close", (Where.WHICH,), mark("neither"), mark("neither")),
    # pickers
    Key(tuple("1234"), "color-key", (Where.COLOR,), mark("pick a colour"), mark("pick"), shown="1-4"),
    Key(("up", "left", "k"), "pick-previous", (Where.COLOR, Where.SEAT), mark("move"), mark("move"), shown="↑↓"),
    Key(("down", "right", "j", "tab"), "pick-next", (Where.COLOR, Where.SEAT), mark("move")),
    Key(("enter", "p"), "pick", (Where.COLOR, Where.SEAT), mark("take the marked one"), mark("pick"),
        shown="Enter"),
    Key(("r", "y", "g", "b", "e"), "color-key", (Where.COLOR,), mark("first letter of the colour")),
    Key(tuple("123456789"), "seat-key", (Where.SEAT,), mark("pick a player"), mark("pick"), shown="1-9"),
    Key(("escape",), "close", (Where.COLOR, Where.SEAT), mark("take the card back"), mark("take the card back")),
    # questions and forms
    Key(("y", "j"), "yes", (Where.CONFIRM,), mark("yes"), mark("yes"), reasons.confirmable, shown="y"),
    Key(("n", "escape"), "close", (Where.CONFIRM,), mark("no"), mark("no"), shown="n"),
    Key(("up", "k"), "pick-previous", (Where.FORM,), mark("move"), mark("move"), shown="↑↓"),
    Key(("down", "j", "tab"), "pick-next", (Where.FORM,), mark("move")),
    Key(("left", "h"), "form-less", (Where.FORM,), mark("change"), mark("change"), reasons.a_form, shown="←→"),
    Key(("right", "l", " "), "form-more", (Where.FORM,), mark("change"), why_not=reasons.a_form),
    Key(("enter",), "form-done", (Where.FORM,), mark("send"), mark("done"), reasons.a_form),
    Key(("escape",), "close", (Where.FORM,), mark("cancel"), mark("cancel")),
    Key(("up", "k", "pageup"), "help-up", (Where.HELP,), mark("scroll the help"), mark("scroll"), shown="↑↓"),
    Key(("down", "j", "pagedown"), "help-down", (Where.HELP,), mark("scroll the help")),
    Key(("escape", "q", "enter"), "close", (Where.HELP,), mark("close the help"), mark("close"), shown="Esc"),
    # the lobby
    Key(("up", "k"), "row-up", (LOBBY,), mark("move"), mark("move"), reasons.a_table, shown="↑↓"),
    Key(("down", "j"), "row-down", (LOBBY,), mark("move"), why_not=reasons.a_table),
    Key(("enter",), "join", (LOBBY,), mark("sit down at the table"), mark("join"), reasons.a_table),
    Key(("w",), "watch", (LOBBY,), mark("watch the table"), mark("watch"), reasons.a_table),
    Key(("n",), "new-table", (LOBBY,), mark("open a new table"), mark("new table"), reasons.online),
    # at a table, between rounds
    Key((" ",), "ready", (WAITING, SCORE), mark("I am ready"), mark("ready"), reasons.ready),
    Key(("s",), "start", (WAITING,), mark("start the match"), mark("start"), reasons.start),
    Key(("b",), "add-bot", (WAITING, SCORE), mark("add a bot (host)"), mark("add bot"), reasons.add_bot),
    Key(("x",), "remove-bot", (WAITING, SCORE), mark("remove a bot (host)"), mark("remove bot"),
        reasons.remove_bot),
    Key(("e",), "edit-rules", (WAITING, SCORE), mark("change the rules (host)"), mark("rules"), reasons.host),
    Key(("r",), "rematch", (SCORE, WAITING), mark("ask for another match"), mark("rematch"), reasons.rematch),
    Key(("s",), "sit", (WATCH, WAITING, SCORE), mark("sit down, next match"), mark("sit next match"), reasons.sit),
    Key(("enter",), "retry", (Where.LOST,), mark("try again at once"), mark("retry now"), shown="Enter"),
    # everywhere
    Key(("t", "/"), "chat", SCREENS, mark("chat, / for commands"), mark("chat"), reasons.online, shown="t",
        minor=2),
    Key(("pageup", "k"), "scroll-up", TABLE, mark("scroll the log"), why_not=reasons.scrollable),
    Key(("pagedown", "j"), "scroll-down", TABLE, mark("scroll the log"), why_not=reasons.scrollable),
    Key(("enter",), "send", (Where.INPUT,), mark("send the line"), mark("send")),
    Key(("escape",), "leave-input", (Where.INPUT,), mark("leave the line, keep what was typed"), mark("leave")),
    Key(("pageup",), "scroll-up", (Where.INPUT,), mark("scroll the log"), why_not=reasons.scrollable),
    Key(("pagedown",), "scroll-down", (Where.INPUT,), mark("scroll the log"), why_not=reasons.scrollable),
    Key(("q",), "leave", (*SCREENS, Where.LOST), mark("leave, or quit"), mark("leave"),
        label_now=leave_label),
    Key(("c-c",), "cancel", (Where.ALWAYS,), mark("close, ask, twice quits")),
    Key(("c-l", "c-r"), "redraw", (Where.ALWAYS,), mark("draw the screen anew"), shown="Ctrl-L"),
    Key(("c-z",), "suspend", (Where.ALWAYS,), mark("stop until fg"), why_not=reasons.suspend),
    Key(("f1",), "help", (Where.ALWAYS,), mark("help")),
    Key(("?",), "help", (Where.ALWAYS,), mark("help"), mark("help")),
)  # fmt: skip


def find(model: Model, key: str) -> Key | None:
    """The entry that the key means now; None where it means nothing.

    Where two entries share a key (`s`: the host starts, a watcher sits down), the one that works is meant.
    """
    if key == "?" and model.input is not None:
        return None
    for place in model.places:
        found = [entry for entry in KEYMAP if place in entry.where and key in entry.keys]
        if found:
            return next((entry for entry in found if entry.why_not(model) is None), found[0])
    return None


def working(model: Model) -> list[Key]:
    """The entries that would do something now, in the order of the hint bar."""
    places = model.places
    found = [entry for entry in KEYMAP if any(place in entry.where for place in places)]
    if model.input is not None:
        found = [entry for entry in found if entry.keys != ("?",)]
    return [entry for entry in found if entry.why_not(model) is None]


def hints(model: Model, width: int, caps: Caps) -> Line:
    """The hint bar: only keys that work now; where it is too narrow, hints give way from the middle, never the last."""
    shown = [(entry, label) for entry in working(model) if (label := entry.hint(model))]
    parts: list[Line] = [
        [("class:hint.key", caps.text(_(entry.names()))), ("class:hint", f" {label}")] for entry, label in shown
    ]
    minor = [entry.minor for entry, _label in shown]
    while len(parts) > 1 and sum(width_of(part) + 2 for part in parts) > width + 1:
        del parts[_first_to_go(minor)], minor[_first_to_go(minor)]
    line: Line = []
    for part in parts:
        line += [("", "  " if line else " "), *part]
    return line


def _first_to_go(minor: list[int]) -> int:
    """The place of the hint to leave out: never the last one, which is the way to all others."""
    middle = (len(minor) - 1) / 2
    return max(range(len(minor) - 1), key=lambda place: (minor[place], -abs(place - middle)))


def help_entries(place: Where, *, short: bool = False) -> list[tuple[str, str]]:
    """(keys, what they do) for the help of a place; `short`: of each entry only the first key."""
    rows: dict[str, list[str]] = {}
    for entry in KEYMAP:
        if place in entry.where or Where.ALWAYS in entry.where:
            keys = " ".join(_(_NAMES.get(key, key)) for key in (entry.keys[:1] if short else entry.keys))
            if entry.keys[0] == "1" and len(entry.keys) > 1:
                keys = f"1 … {entry.keys[-1]}"
            rows.setdefault(_(entry.help), []).append(keys)
    return [(" ".join(keys), text) for text, keys in rows.items()]


_PLACES: Final = (
    (PLAY, mark("While you play")),
    (Where.COLOR, mark("Choosing a colour")),
    (Where.SEAT, mark("Choosing a partner to swap hands with")),
    (Where.CHALLENGE, mark("When a +4 is laid on you")),
    (WAITING, mark("Before the match")),
    (SCORE, mark("Between rounds, after the match")),
    (WATCH, mark("Watching")),
    (LOBBY, mark("In the list of tables")),
)


def keys_markdown() -> str:
    """The key table for the README."""
    lines: list[str] = []
    always = help_entries(Where.ALWAYS)
    for place, title in _PLACES:
        lines += [f"**{_(title)}**", "", "| keys | what they do |", "|---|---|"]
        lines += [f"| {_quoted(keys)} | {text} |" for keys, text in help_entries(place) if (keys, text) not in always]
        lines.append("")
    lines += [f"**{_('Everywhere')}**", "", "| keys | what they do |", "|---|---|"]
    lines += [f"| {_quoted(keys)} | {text} |" for keys, text in always]
    return "\n".join(lines) + "\n"


def _quoted(keys: str) -> str:
    return " ".join(f"`{key}`" if key != "…" else key for key in keys.split())
