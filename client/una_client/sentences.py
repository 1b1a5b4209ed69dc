"""What happened, told in sentences: `event_text` for an event, `entry_text` for an entry of the log.

Line mode and the full-screen log use the same sentences. Each is whole: "you" and others have sentences of their own,
since in other languages the verb differs too. `card` says how a card is written: in words, unless the caller draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from una_protocol import events as ev
from una_protocol import messages as m
from una_protocol.cards import Card
from una_protocol.text import clean

from .i18n import _, ngettext
from .mirror import LogEntry, Note, Who
from .words import bye_text, card_name, color_name, error_text, in_order, points_count, seat_name

CardText = Callable[[Card], str]


def entry_text(entry: LogEntry, card: CardText = card_name) -> str:
    """The sentence for an entry of the log, without its time."""
    what = entry.what
    if isinstance(what, m.Said):
        return said_text(what)
    if isinstance(what, m.Err):
        return error_text(what)
    if isinstance(what, m.Bye):
        return bye_text(what)
    if isinstance(what, Note):
        return what.text
    return event_text(what, entry.who, card)


def said_text(said: m.Said) -> str:
    """A line of chat."""
    pattern = _("{name} (watching) says: {text}") if said.watcher else _("{name} says: {text}")
    return pattern.format(name=clean(said.sender), text=clean(said.text))


def event_text(event: object, who: Who, card: CardText = card_name) -> str:
    """The sentence, or sentences, for an event."""
    tell = _TELL.get(type(event))
    if tell is None:
        return _("Something happened that this version of una does not know.")
    return tell(event, who, card)


def _name(who: Who, seat: int | None) -> str:
    return seat_name(who.names, seat)


def _either(who: Who, seat: int, you: str, other: str, **places: object) -> str:
    """The one sentence where the seat is the viewer's, the other (with `{name}`) where not."""
    return (you if seat == who.you else other).format(name=_name(who, seat), **places)


def _pair(who: Who, seat: int, by: int, texts: tuple[str, str, str]) -> str:
    """One of three sentences: `by` is the viewer, `seat` is, neither is."""
    text = texts[0] if by == who.you else texts[1] if seat == who.you else texts[2]
    return text.format(name=_name(who, seat), by=_name(who, by))


# -- the table


def _joined(e: ev.Joined, who: Who, card: CardText) -> str:
    name = clean(e.name)
    if e.seat is None:
        return _("{name} watches.").format(name=name)
    if e.level is not None:
        return _("The house bot {name} ({level}) sat down.").format(name=name, level=clean(e.level))
    if e.bot:
        return _("The bot {name} sat down.").format(name=name)
    return _either(who, e.seat, _("You sat down."), _("{name} sat down."))


def _left(e: ev.Left, who: Who, card: CardText) -> str:
    name = clean(e.name)
    if e.seat is None:
        return _("{name} watches no longer.").format(name=name)
    mine = e.seat == who.you
    if e.why == "kicked":
        return _("You were removed from the table.") if mine else _("{name} was removed.").format(name=name)
    if e.why == "gone":
        return _("You were away for too long.") if mine else _("{name} was away for too long.").format(name=name)
    return _("You left the table.") if mine else _("{name} left the table.").format(name=name)


def _lost(e: ev.Lost, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("Your connection was lost."), _("{name} lost the connection."))


def _back(e: ev.Back, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You play your seat again."), _("{name} is back."))


def _away(e: ev.Away, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("A house bot plays for you now."), _("A house bot plays for {name} now."))


def _host(e: ev.Host, who: Who, card: CardText) -> str:
    if e.seat is None:
        return _("The table has no host.")
    return _either(who, e.seat, _("You are the host now."), _("{name} is the host now."))


def _options(e: ev.OptionsSet, who: Who, card: CardText) -> str:
    return _("The rules of the table are now: {profile}{changes}.").format(
        profile=clean(e.profile), changes="".join(f", {clean(k)} {clean(str(v))}" for k, v in e.options.items())
    )


def _ready(e: ev.Ready, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You are ready."), _("{name} is ready."))


def _paused(e: ev.Paused, who: Who, card: CardText) -> str:
    if e.want:
        asks = _either(who, e.seat, _("You ask for a pause."), _("{name} asks for a pause."))
        return f"{asks} " + _("The table is paused.") if e.on else asks
    asks = _either(who, e.seat, _("You want to go on."), _("{name} wants to go on."))
    return asks if e.on else f"{asks} " + _("The game goes on.")


def _accused(e: ev.Accused, who: Who, card: CardText) -> str:
    if e.open:
        text = _pair(
            who, e.seat, e.by,
            (_("You accuse {name} of advising."), _("{by} accuses you of advising."),
             _("{by} accuses {name} of advising.")),
        )  # fmt: skip
        return text + " " + _("Vote: yes or no.")
    if e.guilty:
        return _either(who, e.seat, _("You were found guilty of advising."), _("{name} was found guilty of advising."))
    return _either(who, e.seat, _("You were not found guilty."), _("{name} was not found guilty."))


def _voted(e: ev.Voted, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You voted."), _("{name} voted."))


# -- a round


def _dealer(e: ev.Dealer, who: Who, card: CardText) -> str:
    text = _either(who, e.seat, _("A new match begins. You deal."), _("A new match begins. {name} deals."))
    draws = ", ".join(_("{name}: {card}").format(name=_name(who, seat), card=card(drawn)) for seat, drawn in e.draws)
    return text + " " + _("Drawn for the deal: {draws}.").format(draws=draws) if draws else text


def _dealt(e: ev.Dealt, who: Who, card: CardText) -> str:
    text = _("Round {number}.").format(number=e.round) + " "
    text += _either(who, e.dealer, _("You dealt."), _("{name} dealt."))
    return text if e.hand is None else f"{text} {_your_hand(e.hand, card)}"


def _your_hand(hand: Iterable[Card], card: CardText) -> str:
    """The hand in the order of its numbers, whatever order the server has it in."""
    return _("Your hand: {cards}.").format(cards=", ".join(map(card, in_order(hand))))


def _top(e: ev.Top, who: Who, card: CardText) -> str:
    if e.back:
        return _("The first card was {card}; it goes back into the pile.").format(card=card(e.card))
    return _("The first card is {card}.").format(card=card(e.card))


def _turn(e: ev.Turn, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("It is your turn."), _("It is {name}'s turn."))


def _played(e: ev.Played, who: Who, card: CardText) -> str:
    if e.jump:
        pair = _("You jumped in with {card}."), _("{name} jumped in with {card}.")
    elif e.card.startswith("W"):
        pair = _("You played {card} and chose {color}."), _("{name} played {card} and chose {color}.")
    else:
        pair = _("You played {card}."), _("{name} played {card}.")
    text = _either(who, e.seat, *pair, card=card(e.card), color=color_name(e.color))
    if e.una:
        text += " " + _una(ev.UnaCalled(e.seat), who, card)
    if e.swap_with is not None:
        text += " " + _pair(
            who, e.swap_with, e.seat,
            (_("You swapped hands with {name}."), _("{by} swapped hands with you."),
             _("{by} swapped hands with {name}.")),
        )  # fmt: skip
    elif e.counts is not None:
        text += " " + _("All hands were passed on.")
    if e.hand is not None:
        text += " " + _your_hand(e.hand, card)
    return text


def _drew(e: ev.Drew, who: Who, card: CardText) -> str:
    n = e.n
    if n == 0:
        return _either(who, e.seat, _("There was no card for you to draw."), _("There was no card for {name} to draw."))
    if e.seat == who.you:
        text = {
            "pending": ngettext("You took {n} card", "You took {n} cards", n),
            "una": ngettext(
                "You drew {n} card for the forgotten una", "You drew {n} cards for the forgotten una", n
            ),
            "illegal": ngettext(
                "You drew {n} card for a card that does not fit", "You drew {n} cards for a card that does not fit", n
            ),
            "advice": ngettext("You drew {n} card for advising", "You drew {n} cards for advising", n),
            "challenge": ngettext("You drew {n} card for the challenge", "You drew {n} cards for the challenge", n),
        }.get(e.why, ngettext("You drew {n} card", "You drew {n} cards", n)).format(n=n)  # fmt: skip
        cards = ", ".join(map(card, e.cards or ()))
        return _("{sentence}: {cards}.").format(sentence=text, cards=cards) if cards else f"{text}."
    return {
        "pending": ngettext("{name} took {n} card.", "{name} took {n} cards.", n),
        "una": ngettext(
            "{name} drew {n} card for the forgotten una.", "{name} drew {n} cards for the forgotten una.", n
        ),
        "illegal": ngettext(
            "{name} drew {n} card for a card that does not fit.",
            "{name} drew {n} cards for a card that does not fit.",
            n,
        ),
        "advice": ngettext("{name} drew {n} card for advising.", "{name} drew {n} cards for advising.", n),
        "challenge": ngettext("{name} drew {n} card for the challenge.", "{name} drew {n} cards for the challenge.", n),
    }.get(e.why, ngettext("{name} drew {n} card.", "{name} drew {n} cards.", n)).format(n=n, name=_name(who, e.seat))


def _passed(e: ev.Passed, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You passed."), _("{name} passed."))


def _skipped(e: ev.Skipped, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You are skipped."), _("{name} is skipped."))


def _reversed(e: ev.Reversed, who: Who, card: CardText) -> str:
    return _("The direction turned.")


def _wished(e: ev.Wished, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You wished {color}."), _("{name} wished {color}."), color=color_name(e.color))


def _una(e: ev.UnaCalled, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("You said una."), _("{name} said una."))


def _caught(e: ev.Caught, who: Who, card: CardText) -> str:
    return _pair(
        who, e.seat, e.by,
        (_("You caught {name}, who forgot to say una."), _("{by} caught you: you forgot to say una."),
         _("{by} caught {name}, who forgot to say una.")),
    )  # fmt: skip


def _challenged(e: ev.Challenged, who: Who, card: CardText) -> str:
    text = _pair(
        who, e.of, e.seat,
        (_("You challenged the draw four of {name}."), _("{by} challenged your draw four."),
         _("{by} challenged the draw four of {name}.")),
    )  # fmt: skip
    return f"{text} " + (_("It was not allowed.") if e.guilty else _("It was allowed."))


def _shown(e: ev.Shown, who: Who, card: CardText) -> str:
    if e.hand is not None:
        return _("The hand of {name}: {cards}.").format(
            name=_name(who, e.seat), cards=", ".join(map(card, in_order(e.hand))) or _("no cards")
        )
    return _pair(
        who, e.seat, e.to,
        (_("You saw the hand of {name}."), _("{by} saw your hand."), _("{by} saw the hand of {name}.")),
    )  # fmt: skip


def _reshuffled(e: ev.Reshuffled, who: Who, card: CardText) -> str:
    n = e.draw_pile
    return ngettext(
        "The discards were shuffled: {n} card to draw from.", "The discards were shuffled: {n} cards to draw from.", n
    ).format(n=n)


def _timeout(e: ev.Timeout, who: Who, card: CardText) -> str:
    return _either(who, e.seat, _("Your time is up."), _("The time of {name} is up."))


def _round_over(e: ev.RoundOver, who: Who, card: CardText) -> str:
    if e.winner is None:
        text = _("The round is over: nobody can play or draw any more.")
    else:
        n = e.points[e.winner] if e.winner < len(e.points) else 0
        text = _either(
            who, e.winner, _("You won the round: {points}."), _("{name} won the round: {points}."),
            points=points_count(n),
        )  # fmt: skip
    return text


def _match_over(e: ev.MatchOver, who: Who, card: CardText) -> str:
    if not e.winners:
        return _("The match is over without a winner.")
    if len(e.winners) > 1:
        return _("The match is over. Winners: {names}.").format(names=", ".join(_name(who, s) for s in e.winners))
    return _either(who, e.winners[0], _("You won the match."), _("{name} won the match."))


def score_text(scores: tuple[int, ...] | list[int], who: Who, *, final: bool = False) -> str:
    """The scores of all seats, e.g. `Scores: Ann 120, Otto 85.`"""
    rows = (
        _("{name} {score}").format(name=_("you") if seat == who.you else _name(who, seat), score=score)
        for seat, score in enumerate(scores)
        if seat in who.names
    )
    pattern = _("Final scores: {rows}.") if final else _("Scores: {rows}.")
    return pattern.format(rows=", ".join(rows))


_TELL: Final[dict[type, Callable[[Any, Who, CardText], str]]] = {
    ev.Joined: _joined,
    ev.Left: _left,
    ev.Lost: _lost,
    ev.Back: _back,
    ev.Away: _away,
    ev.Host: _host,
    ev.OptionsSet: _options,
    ev.Ready: _ready,
    ev.Paused: _paused,
    ev.Accused: _accused,
    ev.Voted: _voted,
    ev.Dealer: _dealer,
    ev.Dealt: _dealt,
    ev.Top: _top,
    ev.Turn: _turn,
    ev.Played: _played,
    ev.Drew: _drew,
    ev.Passed: _passed,
    ev.Skipped: _skipped,
    ev.Reversed: _reversed,
    ev.Wished: _wished,
    ev.UnaCalled: _una,
    ev.Caught: _caught,
    ev.Challenged: _challenged,
    ev.Shown: _shown,
    ev.Reshuffled: _reshuffled,
    ev.Timeout: _timeout,
    ev.RoundOver: _round_over,
    ev.MatchOver: _match_over,
}
