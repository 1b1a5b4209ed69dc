"""The menu of a table: what is wanted seldom and has no key of its own (pause, auto, kick, accuse, mute)."""

from __future__ import annotations

from una_protocol import messages as m
from una_protocol.view import View

from ..i18n import _
from .layout import remote
from .model import Item, Model, Mute


def items(model: Model) -> tuple[Item, ...]:
    """What can be done now, the most wanted first."""
    view = model.view
    if view is None:
        return ()
    found: list[Item] = []
    if view.you is not None:
        found += _vote(model, view) + _pause(view) + _auto(view) + _accuse(view)
    if view.you is not None and view.host == view.you:
        found += _kick(view)
    return tuple(found + _mute(model, view))


def _vote(model: Model, view: View) -> list[Item]:
    if not model.may_vote or view.accusation is None:
        return []
    seat, name = view.accusation.seat, remote(view.name_of(view.accusation.seat))
    return [
        Item(_("Vote: {name} is guilty").format(name=name), (m.Vote(0, view.table, seat, guilty=True),)),
        Item(_("Vote: {name} is not guilty").format(name=name), (m.Vote(0, view.table, seat, guilty=False),)),
    ]


def _pause(view: View) -> list[Item]:
    if view.stage not in ("playing", "between"):
        return []
    if view.paused:
        return [Item(_("Go on with the game"), (m.Pause(0, view.table, on=False),))]
    return [Item(_("Ask for a pause"), (m.Pause(0, view.table, on=True),))]


def _auto(view: View) -> list[Item]:
    me = view.player(view.you) if view.you is not None else None
    if me is None or view.stage not in ("playing", "between"):
        return []
    if me.status == "away":
        return [Item(_("Play yourself again"), (m.Auto(0, view.table, on=False),))]
    return [Item(_("Let a bot play for you"), (m.Auto(0, view.table, on=True),))]


def _accuse(view: View) -> list[Item]:
    if view.stage != "playing" or not view.options.get("advice_penalty") or view.accusation is not None:
        return []
    return [
        Item(_("Accuse {name} of advising").format(name=remote(player.name)), (m.Accuse(0, view.table, player.seat),),
             _("The others vote on it."))
        for player in view.players
        if player.seat != view.you and not player.bot and player.status != "left"
    ]  # fmt: skip


def _kick(view: View) -> list[Item]:
    return [
        Item(_("Remove {name} from the table").format(name=remote(player.name)), (m.Kick(0, view.table, player.seat),),
             _("Who was removed loses the seat for good."))
        for player in view.players
        if player.seat != view.you and not player.bot and player.status != "left"
    ]  # fmt: skip


def _mute(model: Model, view: View) -> list[Item]:
    names = [player.name for player in view.players if player.seat != view.you and not player.bot]
    found = []
    for name in dict.fromkeys([*names, *view.watchers]):
        if name == model.world.me:
            continue
        text = _("Hear {name} again") if name in model.world.muted else _("Do not hear {name} any more")
        found.append(Item(text.format(name=remote(name)), (Mute(name),)))
    return found
