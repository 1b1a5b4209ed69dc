"""What is typed at a table beside the game itself: talk, readiness, bots, votes, the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from una_protocol import messages as m
from una_protocol.messages import _Request as Request

from ..i18n import _, mark
from ..playing import find_seat, means
from .intents import Intent, Mute, Parser, Refusal, Send, Show, Situation, table_of


def show(what: Literal["hand", "table", "score", "help", "tables"]) -> Parser:
    """Show something that is known."""
    return lambda words, situation: Show(what)


def say(words: list[str], situation: Situation) -> Intent:
    """Say something to the others."""
    if not words:
        return Refusal(_("Say what?"))
    table = None if situation.view is None else situation.view.table
    return Send(m.Say(0, " ".join(words), table=table))


def mute(on: bool) -> Parser:
    """Do not hear somebody any more, or again."""

    def parse_it(words: list[str], situation: Situation) -> Intent:
        if not words:
            return Refusal(_("Name a player."))
        wanted = " ".join(words)
        view = situation.view
        names = [] if view is None else [player.name for player in view.players] + view.watchers
        known = [name for name in names if name.casefold() == wanted.casefold()]
        return Mute(known[0] if known else wanted, on)

    return parse_it


def ready(words: list[str], situation: Situation) -> Intent:
    """Be ready."""
    return Send(m.SetReady(0, table_of(situation)))


def start(words: list[str], situation: Situation) -> Intent:
    """Begin the match."""
    view = situation.view
    assert view is not None
    if view.host != view.you or view.you is None:
        return Refusal(_("Only the host of the table may start."))
    if len(view.players) < 2:
        return Refusal(_("At least two must sit at the table. Type bot to add a house bot."))
    return Send(m.Start(0, view.table))


def rematch(words: list[str], situation: Situation) -> Intent:
    """Another match."""
    assert situation.view is not None
    if situation.view.stage != "over":
        return Refusal(_("The match is not over yet."))
    return Send(m.Rematch(0, table_of(situation)))


def bot(words: list[str], situation: Situation) -> Intent:
    """Seat a house bot, or remove one."""
    view = situation.view
    assert view is not None
    if view.host != view.you or view.you is None:
        return Refusal(_("Only the host of the table may seat bots."))
    if words and means(words[0], mark("remove")):
        seat = find_seat(words[1:], view)
        return Refusal(seat) if isinstance(seat, str) else Send(m.BotSeat(0, view.table, remove=seat))
    return Send(m.BotSeat(0, view.table, add=words[0][:16] if words else "normal"))


def leave(words: list[str], situation: Situation) -> Intent:
    """Leave the table."""
    return Send(m.Leave(0, table_of(situation)))


def sit(words: list[str], situation: Situation) -> Intent:
    """Sit down at the table that is watched."""
    return Send(m.Join(0, table_of(situation)))


def on_off(make: Callable[[str, bool], Request]) -> Parser:
    """A request that switches something."""

    def parse_it(words: list[str], situation: Situation) -> Intent:
        on = not words or means(words[0], mark("on"))
        if not on and not means(words[0], mark("off")):
            return Refusal(_("Say on or off."))
        return Send(make(table_of(situation), on))

    return parse_it


def accuse(words: list[str], situation: Situation) -> Intent:
    """Accuse somebody of advising."""
    view = situation.view
    assert view is not None
    if not view.options.get("advice_penalty"):
        return Refusal(_("This table has no rule against advising."))
    seat = find_seat(words, view)
    return Refusal(seat) if isinstance(seat, str) else Send(m.Accuse(0, view.table, seat))


def vote(words: list[str], situation: Situation) -> Intent:
    """Vote on an accusation."""
    view = situation.view
    assert view is not None
    guilty = bool(words) and means(words[0], mark("yes"))
    if view.accusation is None:
        return Refusal(_("There is nothing to vote on."))
    if not guilty and not (words and means(words[0], mark("no"))):
        return Refusal(_("Vote yes (guilty) or no."))
    return Send(m.Vote(0, view.table, view.accusation.seat, guilty=guilty))


def kick(words: list[str], situation: Situation) -> Intent:
    """Remove somebody from the table."""
    view = situation.view
    assert view is not None
    if view.host != view.you or view.you is None:
        return Refusal(_("Only the host of the table may remove somebody."))
    seat = find_seat(words, view)
    return Refusal(seat) if isinstance(seat, str) else Send(m.Kick(0, view.table, seat))
