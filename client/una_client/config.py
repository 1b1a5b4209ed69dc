"""The config file of the user: read, checked, written. TOML with comments, at `path()`.

What is broken is told in a sentence with its line, and counts as not set: nobody is kept from playing by a config file.
`settle` puts together what is in force: command line, then environment, then file, then default.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from .i18n import _
from .settings import BY_NAME, SECTIONS, SETTINGS, TEMPLATE_FAVOURITES, TEMPLATE_HEAD, TEMPLATE_KEYS, Value

MAX_FAVOURITES: Final = 50
_MOST_BROKEN_LINES: Final = 20
_YES: Final = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass
class Config:
    """What the file says: settings by name, the user's keys, the favourites; `problems` are sentences."""

    path: Path
    values: dict[str, Value] = field(default_factory=dict)
    keys: dict[str, str | list[str]] = field(default_factory=dict)
    favourites: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    text: str = ""

    def line_of(self, section: str, name: str) -> int:
        """The line where the setting stands, from 1; 0 where it cannot be found."""
        here = ""
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
                here = header[1]
            elif here == section and re.match(rf"""\s*["']?{re.escape(name)}["']?\s*=""", line):
                return number
        return 0

    def place_of(self, section: str, name: str) -> str:
        """The file and the line, in words."""
        return _("{file}, line {n}").format(file=self.path, n=self.line_of(section, name) or "?")

    def complain(self, section: str, name: str, reason: str) -> None:
        """Remember a sentence about the setting, with its line."""
        self.problems.append(f"{self.place_of(section, name)}: {reason}")


def path() -> Path:
    """Where the config file is: `UNA_CONFIG`, or the user's folder for such files."""
    if given := os.environ.get("UNA_CONFIG"):
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("una") / "config.toml"


def read(file: Path | None = None) -> Config:
    """What the file says; nothing where there is none."""
    config = Config(file or path())
    try:
        config.text = config.path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return config
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or _("it is no UTF-8 text")
        config.problems.append(_("{file} cannot be read: {reason}.").format(file=config.path, reason=reason))
        return config
    for name, value in _parsed(config).items():
        if name == "favourites":
            _take_favourites(config, value)
        elif name == "keys" and isinstance(value, dict):
            _take_keys(config, value)
        elif name in SECTIONS and isinstance(value, dict):
            _take_section(config, name, value)
        else:
            _unknown(config, "", name, ["favourites", *SECTIONS])
    return config


def _parsed(config: Config) -> dict[str, Any]:
    """The file as TOML, without the lines that are none; each of them is told of."""
    lines = config.text.splitlines()
    for _attempt in range(_MOST_BROKEN_LINES):
        try:
            return tomllib.loads("\n".join(lines))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = re.search(r"at line (\d+)", str(error))
            number = min(int(found[1]), len(lines)) if found else len(lines)
            while number > 1 and not lines[number - 1].strip():
                number -= 1
            config.problems.append(
                _("{file}, line {n}: this cannot be understood, and is left out: {text}").format(
                    file=config.path, n=number, text=config.text.splitlines()[number - 1].strip()[:60]
                )
            )
            if not lines[number - 1].strip():
                break
            lines[number - 1] = ""
    return {}


def _take_section(config: Config, section: str, given: Mapping[str, object]) -> None:
    known = [setting.name for setting in SETTINGS if setting.section == section]
    for name, value in given.items():
        setting = BY_NAME.get(name)
        if setting is None or setting.section != section:
            _unknown(config, section, name, known)
        elif setting.wrong(value):
            if setting.choices is None and not isinstance(setting.default, bool):
                reason = _("{name} must be a text in quotes.").format(name=name)
            else:
                reason = _("{name} must be one of {allowed}.").format(name=name, allowed=setting.allowed)
            config.complain(section, name, reason)
        elif name == "name" and (why := _no_name(str(value))):
            config.complain(section, name, why)
        else:
            config.values[name] = value if isinstance(value, str | bool) else None


def _no_name(name: str) -> str | None:
    """Why this is no name to play under."""
    from una_protocol.text import check_name

    from .words import reason_text

    try:
        check_name(name)
    except ValueError as error:
        return reason_text(error)
    return None


def _take_keys(config: Config, given: Mapping[str, object]) -> None:
    for action, keys in given.items():
        if isinstance(keys, str) or (isinstance(keys, list) and all(isinstance(key, str) for key in keys)):
            config.keys[action] = keys
        else:
            config.complain("keys", action, _("{name} must be a key in quotes, or a list of them.").format(name=action))


def _take_favourites(config: Config, given: object) -> None:
    if not isinstance(given, list) or not all(isinstance(address, str) for address in given):
        config.complain("", "favourites", _("{name} must be a list of texts.").format(name="favourites"))
        return
    config.favourites = list(dict.fromkeys(given))[:MAX_FAVOURITES]


def _unknown(config: Config, section: str, name: str, known: list[str]) -> None:
    near = get_close_matches(name, known, 1, 0.5)
    elsewhere = BY_NAME.get(name)
    if near:
        reason = _("There is no setting {name}; is {other} meant?").format(name=name[:40], other=near[0])
    elif elsewhere is not None:
        reason = _("The setting {name} stands under [{section}].").format(name=name, section=elsewhere.section)
    else:
        reason = _("There is no setting {name}.").format(name=name[:40])
    config.complain(section, name, reason)


# -- what is in force -------------------------------------------------------------------------------------------


def settle(flags: Mapping[str, object], config: Config, env: Mapping[str, str] = os.environ) -> dict[str, Value]:
    """The value of every setting: flag, else environment, else file, else default. Bad ones add to the problems."""
    settled: dict[str, Value] = {}
    for setting in SETTINGS:
        value: object = flags.get(setting.name)
        if value is None or value is False:  # a flag that was not given
            value = _from_env(setting.name, config, env)
        if value is None:
            value = config.values.get(setting.name, setting.default)
        settled[setting.name] = value if isinstance(value, str | bool) else None
    return settled


def _from_env(name: str, config: Config, env: Mapping[str, str]) -> Value:
    setting = BY_NAME[name]
    text = env.get(setting.env, "").strip()
    if not text:
        return None
    value: Value = _YES.get(text.lower(), text) if isinstance(setting.default, bool) else text
    if not setting.wrong(value):
        return value
    config.problems.append(
        _("{variable} must be one of {allowed}.").format(variable=setting.env, allowed=setting.allowed)
    )
    return None


# -- writing ----------------------------------------------------------------------------------------------------


def template(values: Mapping[str, Value] | None = None) -> str:
    """The file as it is written first: every setting with a sentence; those in `values` set, the others commented."""
    lines = _comment(_(TEMPLATE_HEAD))
    lines += ["", *_comment(_(TEMPLATE_FAVOURITES)), '# favourites = ["192.168.1.20", "una.lan:5000"]']
    for section in ("player", "look"):
        lines += ["", f"[{section}]"]
        for setting in (setting for setting in SETTINGS if setting.section == section):
            lines += _comment(_(setting.about).format(allowed=setting.allowed))
            value = (values or {}).get(setting.name)
            example = "Ann" if setting.name == "name" else "en" if setting.name == "lang" else ""
            shown = _toml(setting.default if setting.default is not None else example)
            lines.append(f"# {setting.name} = {shown}" if value is None else f"{setting.name} = {_toml(value)}")
    lines += ["", "[keys]", *_comment(_(TEMPLATE_KEYS)), '# draw = "z"', '# play = ["p", "enter"]']
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in escaped) + '"'


def write(text: str, file: Path | None = None) -> bool:
    """Put the text in the place of the file; False where that is not possible."""
    target = file or path()
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    except OSError:
        return False
    return True
