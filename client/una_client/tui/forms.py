"""The two forms, a new table and the rules of this one: their fields, and the request they become."""

from __future__ import annotations

from typing import Final

from una_protocol import messages as m
from una_protocol.view import View

from ..i18n import _
from .model import Field, Form

PROFILES: Final = ("una", "classic", "traditional", "official")
BOT_LEVEL: Final = "normal"
LIMITS: Final = (0, 15, 30, 60, 120)


def _at(choices: tuple[str | int, ...], value: str | int) -> int:
    return choices.index(value) if value in choices else 0


def _limit_words() -> tuple[str, ...]:
    return tuple(_("{n} s").format(n=n) if n else _("none") for n in LIMITS)


def create(name: str) -> Form:
    """The form for a new table of this name."""
    return Form(
        "create",
        (
            Field("profile", _("Rules"), PROFILES),
            Field("seats", _("Seats"), tuple(range(2, 11)), 2),
            Field("bots", _("Bots"), tuple(range(10)), 0),
            Field("turn_s", _("Turn limit"), LIMITS, 0, _limit_words()),
        ),
        name,
    )


def rules(view: View) -> Form:
    """The form for other rules of the table."""
    profiles = PROFILES if view.profile in PROFILES else (view.profile, *PROFILES)
    limits = LIMITS if view.turn_s in LIMITS else (view.turn_s, *LIMITS)
    words = tuple(_("{n} s").format(n=n) if n else _("none") for n in limits)
    seats = tuple(range(2, 11))
    return Form(
        "options",
        (
            Field("profile", _("Rules"), profiles, _at(profiles, view.profile)),
            Field("seats", _("Seats"), seats, _at(seats, view.seats)),
            Field("turn_s", _("Turn limit"), limits, _at(limits, view.turn_s), words),
        ),
    )


def request(form: Form, table: str) -> m.Create | m.SetOptions:
    """The request that the form stands for."""
    value = {field.name: field.value for field in form.fields}
    profile, seats, turn_s = str(value["profile"]), int(value["seats"]), int(value["turn_s"])
    if form.kind == "options":
        return m.SetOptions(0, table, profile=profile, seats=seats, turn_s=turn_s)
    bots = min(int(value["bots"]), seats - 1)
    return m.Create(0, form.name, profile=profile, seats=seats, turn_s=turn_s, bots=[BOT_LEVEL] * bots)
