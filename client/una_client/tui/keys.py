"""Keys looked up: what a key means now, the hint bar, the help, the list of docs/KEYS.md; keys of the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..i18n import _, mark
from .keymap import KEYMAP, LOBBY, NAMES, PLAY, SCORE, SERVERS, WAITING, WATCH
from .keymap import Key as Key
from .layout import Line, width_of
from .model import Model, Where
from .theme import Caps

_own: tuple[Key, ...] = KEYMAP


def table() -> tuple[Key, ...]:
    """The key table in force: the built-in one, with the user's changes."""
    return _own


def use(overrides: Mapping[str, str | Sequence[str]]) -> list[str]:
    """Take the user's keys from now on; what cannot be is left as it was, and told in a sentence each."""
    global _own
    _own, problems = keymap_with(overrides)
    return problems


def find(model: Model, key: str) -> Key | None:
    """The entry that the key means now; None where it means nothing.

    Where two entries share a key (`s`: the host starts, a watcher sits down), the one that works is meant.
    """
    if len(key) == 1 and model.input is not None:
        return None  # it is typed
    for place in model.places:
        found = [entry for entry in table() if place in entry.where and key in entry.keys]
        if found:
            return next((entry for entry in found if entry.why_not(model) is None), found[0])
    return None


def working(model: Model) -> list[Key]:
    """The entries that would do something now, in the order of the hint bar."""
    places = model.places
    found = [entry for entry in table() if any(place in entry.where for place in places)]
    if model.input is not None:
        found = [entry for entry in found if any(len(key) > 1 for key in entry.keys)]
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
    for entry in table():
        if place in entry.where or Where.ALWAYS in entry.where:
            rows.setdefault(_(entry.help), []).append(_keys_in_words(entry, short=short))
    return [(" ".join(keys), text) for text, keys in rows.items()]


def _keys_in_words(entry: Key, *, short: bool) -> str:
    if entry.keys[0] == "1" and len(entry.keys) > 1:
        return f"1 … {entry.keys[-1]}"
    return " ".join(_(NAMES.get(key, key)) for key in (entry.keys[:1] if short else entry.keys))


# -- keys of the user's own -------------------------------------------------------------------------------------

_FIXED: Final = ("select-number", "color-key", "seat-key", "menu-number")
"""Actions whose keys are numbers and letters that mean something."""
_SPELLINGS: Final = {
    "space": " ", "return": "enter", "esc": "escape", "pgup": "pageup", "pgdn": "pagedown", "shift-tab": "s-tab",
    "del": "delete",
}  # fmt: skip
_NAMED: Final = frozenset(
    ["left", "right", "up", "down", "home", "end", "tab", "s-tab", "enter", "escape", "pageup", "pagedown", "insert",
     "delete", *(f"f{n}" for n in range(1, 13)), *(f"c-{letter}" for letter in "abdefgklnoprtuvwxy")]
)  # fmt: skip
"""The keys with a name that may be given out. Not Ctrl-C, -H, -I, -M, -Q, -S, -Z: terminals have their own use."""


def key_name(text: str) -> str | None:
    """A key as the table writes it, from how people write it (`Ctrl-P`, `PgUp`, `space`, `x`); None: no such key."""
    if len(text) == 1:
        return text if text.isprintable() else None
    name = text.strip().casefold().replace("ctrl-", "c-").replace("ctrl+", "c-").replace("control-", "c-")
    name = _SPELLINGS.get(name, name)
    return name if name in _NAMED or name == " " else None


def keymap_with(overrides: Mapping[str, str | Sequence[str]]) -> tuple[tuple[Key, ...], list[str]]:
    """The key table with other keys for some actions (`{"draw": "z"}`), and a sentence for each that cannot be.

    An action keeps its own keys where the line is wrong, where it is unknown, or where a key would mean two things.
    """
    made, problems = KEYMAP, []
    for action, wanted in overrides.items():
        changed, problem = _with_keys(made, action, [wanted] if isinstance(wanted, str) else list(wanted))
        made = changed
        if problem:
            problems.append(problem)
    return made, problems


def _with_keys(keymap: tuple[Key, ...], action: str, wanted: list[str]) -> tuple[tuple[Key, ...], str]:
    if not any(entry.action == action for entry in keymap):
        return keymap, _("There is no action {action}; docs/KEYS.md lists them.").format(action=action[:40])
    if action in _FIXED:
        return keymap, _("The keys of {action} are numbers or letters with a meaning, and stay.").format(action=action)
    keys: list[str] = []
    for text in wanted:
        name = key_name(str(text))
        if name is None:
            return keymap, _("{action}: there is no key {key}.").format(action=action, key=str(text)[:20])
        keys.append(name)
    if not keys:
        return keymap, _("{action}: name at least one key.").format(action=action)
    made = tuple(_changed(entry, action, tuple(keys)) for entry in keymap)
    for place in Where:
        for key in keys:
            had, has = _meanings(keymap, place, key), _meanings(made, place, key)
            if action in has and len(set(has)) > max(1, len(set(had))):
                other = next(name for name in has if name != action)
                return keymap, _("{action}: the key {key} is {other} already.").format(
                    action=action, key=key, other=other
                )
    return made, ""


def _meanings(keymap: tuple[Key, ...], place: Where, key: str) -> list[str]:
    """The actions that the key has in a place, those that it has everywhere among them."""
    return [e.action for e in keymap if key in e.keys and (place in e.where or Where.ALWAYS in e.where)]


def _changed(entry: Key, action: str, keys: tuple[str, ...]) -> Key:
    """The entry with the new keys; while one types, only keys that are no characters can be others."""
    if entry.action != action:
        return entry
    if Where.INPUT in entry.where:
        keys = tuple(key for key in keys if len(key) > 1)
        if not keys:
            return entry
    return replace(entry, keys=keys, shown="")


# -- the pages --------------------------------------------------------------------------------------------------

_PLACES: Final = (
    (PLAY, mark("While you play")),
    (Where.COLOR, mark("Choosing a colour")),
    (Where.SEAT, mark("Choosing a partner to swap hands with")),
    (Where.CHALLENGE, mark("When a +4 is laid on you")),
    (WAITING, mark("Before the match")),
    (SCORE, mark("Between rounds, after the match")),
    (WATCH, mark("Watching")),
    (LOBBY, mark("In the list of tables")),
    (SERVERS, mark("In the list of servers")),
    (Where.FORM, mark("In a form")),
    (Where.HISTORY, mark("Reading all messages")),
    (Where.LADDER, mark("Reading the ladder of an arena")),
)


def keys_markdown() -> str:
    """The key table for the pages, with the names by which the config's `[keys]` calls the actions."""
    lines: list[str] = []
    always = {entry.action for entry in KEYMAP if Where.ALWAYS in entry.where}
    for place, title in _PLACES:
        lines += _markdown(_(title), [e for e in KEYMAP if place in e.where and e.action not in always])
        lines.append("")
    lines += _markdown(_("Everywhere"), [entry for entry in KEYMAP if Where.ALWAYS in entry.where])
    return "\n".join(lines) + "\n"


def _markdown(title: str, entries: list[Key]) -> list[str]:
    rows: dict[str, list[Key]] = {}
    for entry in entries:
        rows.setdefault(_(entry.help), []).append(entry)
    lines = [f"**{title}**", "", "| keys | what they do | action |", "|---|---|---|"]
    for text, same in rows.items():
        keys = " ".join(_quoted(_keys_in_words(entry, short=False)) for entry in same)
        lines.append(f"| {keys} | {text} | {' '.join(dict.fromkeys(f'`{entry.action}`' for entry in same))} |")
    return lines


def _quoted(keys: str) -> str:
    return " ".join(f"`{key}`" if key != "…" else key for key in keys.split())
