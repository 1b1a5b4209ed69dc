"""The settings of a table: its rules and its house-keeping, checked as a whole before anything takes effect."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, to_builtins

from una_protocol import events as ev
from una_protocol.messages import GRACE_MS, AwayRule, Create, SetOptions

from ..bots import LEVELS
from ..game import BadOption, Options, check_players, make_options, overrides_of


class BadSetting(Exception):
    """A setting has a value that is not allowed; the text says which, why, and what is allowed."""


class Settings(Struct, frozen=True):
    """Everything a host can set. Times in the units of their names; `think_ms` None: bots wait as they like."""

    name: str
    profile: str
    options: Options
    seats: int
    turn_s: int = 0
    una_grace_ms: int = GRACE_MS
    away: AwayRule = "bot"
    public: bool = True
    between_s: int = 15
    think_ms: int | None = None
    password: str | None = None
    """In the form in which it is kept (see `passwords`), never the text."""

    def event(self) -> ev.OptionsSet:
        """What everybody at the table is told."""
        return ev.OptionsSet(
            profile=self.profile,
            options=self.option_values(),
            seats=self.seats,
            turn_s=self.turn_s,
            una_grace_ms=self.una_grace_ms,
            away=self.away,
            between_s=self.between_s,
            public=self.public,
            password=self.password is not None,
        )

    def option_values(self) -> dict[str, Any]:
        """All options of the rules by name."""
        values: dict[str, Any] = to_builtins(self.options)
        return values

    def overrides(self) -> dict[str, Any]:
        """The options that differ from the profile's."""
        return overrides_of(self.profile, self.options)


def settings_of(create: Create, name: str) -> Settings:
    """The settings a `create` asks for, under a name that was checked already; BadSetting if they are not allowed.

    `create.password` holds what is to be kept of the password by now.
    """
    for level in create.bots:
        check_level(level)
    if len(create.bots) >= create.seats:
        raise BadSetting(f"bots: {len(create.bots)} house bots leave no seat for you; seats allows {create.seats - 1}")
    return Settings(
        name=name,
        profile=create.profile,
        options=_options(create.profile, create.options, create.seats),
        seats=create.seats,
        turn_s=create.turn_s,
        una_grace_ms=GRACE_MS if create.una_grace_ms is None else create.una_grace_ms,
        away=create.away,
        public=create.public,
        between_s=create.between_s,
        think_ms=create.think_ms,
        password=create.password or None,
    )


def changed(settings: Settings, wanted: SetOptions, highest_seat: int) -> Settings:
    """The settings with what `wanted` changes; a new profile without `options` starts from that profile as it is."""
    profile = wanted.profile or settings.profile
    overrides = wanted.options
    if overrides is None:
        overrides = {} if wanted.profile else settings.overrides()
    seats = wanted.seats or settings.seats
    if seats <= highest_seat:
        raise BadSetting(f"seats: seat {highest_seat + 1} is taken, so {highest_seat + 1} to 10 are allowed")

    def pick(name: str) -> Any:
        value = getattr(wanted, name)
        return getattr(settings, name) if value is None else value

    return Settings(
        name=settings.name,
        profile=profile,
        options=_options(profile, overrides, seats),
        seats=seats,
        turn_s=pick("turn_s"),
        una_grace_ms=pick("una_grace_ms"),
        away=pick("away"),
        public=pick("public"),
        between_s=pick("between_s"),
        think_ms=pick("think_ms"),
        password=settings.password,
    )


def check_level(level: str) -> None:
    """BadSetting where no house bot plays at this level."""
    if level not in LEVELS:
        raise BadSetting(f"bots: there is no such level; allowed are {', '.join(LEVELS)}")


def _options(profile: str, overrides: dict[str, Any], seats: int) -> Options:
    try:
        options = make_options(profile, overrides)
        check_players(options, seats)
    except BadOption as error:
        raise BadSetting(str(error)) from None
    return options
