"""What can be set: one table, from which come the config file's template, its checks, and what `una config` shows."""

from __future__ import annotations

from typing import Final, NamedTuple

from .i18n import languages, mark

Value = str | bool | None


class Setting(NamedTuple):
    """One setting: the table of the file it stands in, its name, its default, what it may be, and what it does.

    `choices` None: any text (`str` default or None) or `true` and `false` (`bool` default).
    """

    section: str
    name: str
    default: Value
    choices: tuple[str, ...] | None
    about: str

    @property
    def env(self) -> str:
        """The environment variable for it."""
        return f"UNA_{self.name.upper()}"

    def wrong(self, value: object) -> bool:
        """Whether it cannot be this."""
        if isinstance(self.default, bool):
            return not isinstance(value, bool)
        return not isinstance(value, str) or (self.choices is not None and value not in self.choices)

    @property
    def allowed(self) -> str:
        """What it may be, for people."""
        return ", ".join(self.choices) if self.choices else "true, false"


SETTINGS: Final = (
    Setting("player", "name", None, None, mark("The name you play under; by default your login name.")),
    Setting("player", "lang", None, tuple(languages()),
            mark("The language: {allowed}; by default that of the system.")),
    Setting("look", "color", "auto", ("auto", "none", "16", "256", "true"),
            mark("How many colours: {allowed}. With auto, una asks the terminal.")),
    Setting("look", "theme", "default", ("default", "high-contrast", "mono"), mark("The looks: {allowed}.")),
    Setting("look", "ascii", False, None, mark("Draw with ASCII signs only: true or false.")),
    Setting("look", "bell", "turn", ("turn", "all", "never"),
            mark("When to ring: at your turn (turn), for chat and una too (all), or never.")),
    Setting("look", "mouse", False, None,
            mark("Use the mouse: true or false. With it, the terminal's own selection of text needs Shift.")),
    Setting("look", "plain", False, None,
            mark("Line mode instead of the full screen, also for screen readers: true or false.")),
)  # fmt: skip
BY_NAME: Final = {setting.name: setting for setting in SETTINGS}
SECTIONS: Final = ("player", "look", "keys")

TEMPLATE_HEAD: Final = mark(
    "The settings of una. A line that begins with # is a comment: remove the # to use the setting.\n"
    "What is given on the command line comes first, then the environment (UNA_NAME, UNA_THEME …), then this file."
)
TEMPLATE_FAVOURITES: Final = mark("Servers that the list shows even when they are silent, as you would type them.")
TEMPLATE_KEYS: Final = mark(
    "Other keys for the actions of the full screen: one key, or a list. The help (?) shows the actions."
)
