"""The two forms, a new table and the rules of this one: their fields, how they change, the request they become. Pure.

What there is to choose comes from the server (`Catalogue`); without it the forms have what every server knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from una_protocol import messages as m
from una_protocol.view import View

from ..i18n import _
from .asks import Value
from .layout import remote
from .model import Field, Form
from .option_words import option_name, value_name
from .world import Catalogue, OptionInfo

PROFILES: Final = ("una", "classic", "traditional", "official")
LEVELS: Final = ("easy", "normal", "hard")
LIMITS: Final = (0, 15, 30, 60, 120)
GRACES: Final = (0, 500, 750, 1000, 1500, 2000, 3000)
BREAKS: Final = (0, 5, 15, 30, 60)
AWAY: Final = ("bot", "wait", "leave")
NUMBERS: Final = (0, 50, 100, 150, 200, 250, 300, 400, 500, 750, 1000, 2000)
"""What to go through where a rule may be any of very many numbers."""
MANY: Final = 30


def option_values(low: int, high: int) -> tuple[int, ...]:
    """The numbers that the form offers for an option."""
    return tuple(range(low, high + 1)) if high - low < MANY else tuple(n for n in NUMBERS if low <= n <= high)


def _choice(name: str, label: str, choices: tuple[Any, ...], value: Value, words: tuple[str, ...] = ()) -> Field:
    """A field on this value; one that is not offered comes first."""
    if value not in choices:
        choices, words = (value, *choices), (remote(str(value)), *words) if words else ()
    return Field(name, label, choices, choices.index(value), words)


def _seconds(name: str, label: str, choices: tuple[int, ...], value: int) -> Field:
    field = _choice(name, label, choices, value)
    words = (_("{n} s").format(n=n) if n else _("none") for n in field.choices)
    return replace(field, words=tuple(words))


def _grace(value: int) -> Field:
    field = _choice("una_grace_ms", _("Time to say una"), GRACES, value)
    words = (_("{n} s").format(n=f"{int(n) / 1000:g}") for n in field.choices)
    return replace(field, words=tuple(words))


def _away(value: str) -> Field:
    words = (_("a bot plays"), _("the table waits"), _("leaves the table"))
    return _choice("away", _("Away player"), AWAY, value, words)


def _public(value: bool) -> Field:
    return _choice("public", _("In the list"), (True, False), value, (_("yes"), _("no")))


def _profiles(catalogue: Catalogue | None) -> tuple[str, ...]:
    return tuple(catalogue.profiles) if catalogue is not None and catalogue.profiles else PROFILES


def _options(catalogue: Catalogue | None, profile: str, overrides: dict[str, Any]) -> list[Field]:
    """A field for each rule, on the value in force."""
    if catalogue is None or profile not in catalogue.profiles:
        return []
    values = catalogue.profiles[profile] | overrides
    return [_option(info, values[info.name]) for info in catalogue.options if info.name in values]


def _option(info: OptionInfo, value: Value) -> Field:
    # True == 1: a number must not be taken for a truth value, nor the other way round
    choices = (
        info.values if any(value == one and type(value) is type(one) for one in info.values) else (value, *info.values)
    )
    words = tuple(value_name(info.name, one) for one in choices)
    return Field(info.name, option_name(info.name), choices, choices.index(value), words, option=True)


def create(name: str, catalogue: Catalogue | None = None) -> Form:
    """The form for a new table of this name."""
    levels = catalogue.levels if catalogue is not None and catalogue.levels else LEVELS
    profiles = _profiles(catalogue)
    fields = [
        Field("profile", _("Rules"), profiles),
        _choice("seats", _("Seats"), tuple(range(2, 11)), 4),
        _choice("bots", _("Bots"), tuple(range(10)), 0),
        _choice("level", _("Bots play"), levels, "normal" if "normal" in levels else levels[0]),
        _seconds("turn_s", _("Turn limit"), LIMITS, 0),
        Field("password", _("Password")),
        _grace(m.GRACE_MS),
        _away("bot"),
        _seconds("between_s", _("Between rounds"), BREAKS, 15),
        _public(True),
        Field("file", _("House-rules file")),
        *_options(catalogue, profiles[0], {}),
    ]
    return Form("create", tuple(fields), name)


def rules(view: View, catalogue: Catalogue | None = None) -> Form:
    """The form for other rules of the table."""
    profile = view.profile
    fields = [
        _choice("profile", _("Rules"), _profiles(catalogue), profile),
        _choice("seats", _("Seats"), tuple(range(2, 11)), view.seats),
        _seconds("turn_s", _("Turn limit"), LIMITS, view.turn_s),
        _grace(view.una_grace_ms),
        _away(view.away),
        _seconds("between_s", _("Between rounds"), BREAKS, view.between_s),
        _public(view.public),
        Field("file", _("House-rules file")),
        *_options(catalogue, profile, view.options),
    ]
    return Form("options", tuple(fields), view.name, before=tuple(fields))


def with_field(form: Form, changed: Field, catalogue: Catalogue | None) -> Form:
    """The form with this field in place of the one of its name; another profile brings its own rules."""
    form = replace(form, fields=tuple(changed if field.name == changed.name else field for field in form.fields))
    if changed.name != "profile":
        return form
    return _with_rules(form, str(changed.value), {}, catalogue)


def with_rules(form: Form, profile: str, overrides: dict[str, Any], catalogue: Catalogue | None) -> Form:
    """The form with the rules of a file."""
    old = next(field for field in form.fields if field.name == "profile")
    changed = _choice("profile", old.label, old.choices, profile)
    form = replace(form, fields=tuple(changed if field.name == "profile" else field for field in form.fields))
    return _with_rules(form, profile, overrides, catalogue)


def _with_rules(form: Form, profile: str, overrides: dict[str, Any], catalogue: Catalogue | None) -> Form:
    plain = tuple(field for field in form.fields if not field.option)
    fields = (*plain, *_options(catalogue, profile, overrides))
    return replace(form, fields=fields, at=min(form.at, len(fields) - 1))


def _overrides(form: Form, catalogue: Catalogue | None) -> dict[str, Any]:
    """The options that differ from the profile's."""
    profile = next(str(field.value) for field in form.fields if field.name == "profile")
    base = catalogue.profiles.get(profile, {}) if catalogue is not None else {}
    return {field.name: field.value for field in form.fields if field.option and base.get(field.name) != field.value}


def request(form: Form, table: str, catalogue: Catalogue | None = None) -> m.Create | m.SetOptions | None:
    """The request that the form stands for; None where nothing was changed."""
    value: dict[str, Any] = {field.name: field.value for field in form.fields if not field.option}
    overrides = _overrides(form, catalogue)
    if form.kind == "options":
        return _changes(form, table, value, overrides)
    bots = min(int(value["bots"]), int(value["seats"]) - 1)
    return m.Create(
        0, form.name, profile=value["profile"], options=overrides, seats=value["seats"], turn_s=value["turn_s"],
        password=value["password"] or None, una_grace_ms=value["una_grace_ms"], away=value["away"],
        bots=[str(value["level"])] * bots, public=value["public"], between_s=value["between_s"],
    )  # fmt: skip


def _changes(form: Form, table: str, value: dict[str, Any], overrides: dict[str, Any]) -> m.SetOptions | None:
    before = {field.name: field.value for field in form.before}
    changed = {name: now for name, now in value.items() if name != "file" and now != before.get(name)}
    rules = {field.name: field.value for field in form.fields if field.option}
    if rules and any(now != before.get(name) for name, now in rules.items()):
        changed["options"] = overrides
    elif "profile" in changed:
        changed["options"] = {}
    return m.SetOptions(0, table, **changed) if changed else None
