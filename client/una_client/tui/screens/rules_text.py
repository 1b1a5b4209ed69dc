"""A table's rules in words, for the waiting room: what players ask about first."""

from __future__ import annotations

from typing import Any

from una_protocol.view import View

from ...i18n import _, ngettext
from ..layout import remote


def rules_rows(view: View) -> list[tuple[str, str]]:
    """(name, value) of each rule worth telling, the most asked first."""
    options = view.options
    goal = int(options.get("target_score", 0))
    penalty = int(options.get("una_penalty", 2))
    limit = view.turn_s
    rows = [
        (_("Rules"), remote(view.profile)),
        (_("Match"), ngettext("to {n} point", "to {n} points", goal).format(n=goal) if goal else _("one round")),
        (_("Cards each"), str(options.get("hand_size", 7))),
        (_("Turn limit"), _("{n} s").format(n=limit) if limit else _("none")),
        (_("+2"), _stack(str(options.get("stack_draw_two", "none")))),
        (_("+4"), _stack(str(options.get("stack_draw_four", "none")))),
        (_("+4 may be laid"), _draw_four(options)),
        (_("Drawing"), _drawing(options)),
        (_("una forgotten"), _cards(penalty) if penalty else _("no una rule")),
    ]
    if illegal := int(options.get("illegal_card_penalty", 0)):
        rows.append((_("Wrong card"), _cards(illegal)))
    if options.get("serve_wish"):
        rows.append((_("A wish"), _("must be served first")))
    if options.get("jump_in"):
        rows.append((_("House rule"), _("same card: jump in")))
    if options.get("seven_zero"):
        rows.append((_("House rule"), _("7 swaps, 0 passes hands on")))
    rows.append((_("Away player"), _away(view.away)))
    return rows


def _cards(n: int) -> str:
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def _stack(value: str) -> str:
    return {
        "two": _("answered by a +2"),
        "four": _("answered by a +4"),
        "any": _("answered by +2 or +4"),
    }.get(value, _("not stacked"))


def _draw_four(options: dict[str, Any]) -> str:
    return {
        "strict": _("if nothing else fits"),
        "bluff": _("bluffing allowed"),
    }.get(str(options.get("draw_four", "free")), _("any time"))


def _drawing(options: dict[str, Any]) -> str:
    if options.get("draw_until_playable"):
        return _("until a card fits")
    if options.get("force_play"):
        return _("one, and play it if it fits")
    return _("one, may play it") if options.get("play_drawn", True) else _("one, then the next")


def _away(value: str) -> str:
    return {"bot": _("a bot plays"), "wait": _("the table waits"), "leave": _("leaves the table")}.get(
        value, remote(value)
    )
