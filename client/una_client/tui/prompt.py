"""The prompt line: one sentence that says what is expected now, and the clock beside it."""

from __future__ import annotations

import math

from una_protocol.actions import Draw, Pass, Play, Wish
from una_protocol.cards import COLOR, WILD_DRAW_FOUR
from una_protocol.view import View

from ..i18n import _, ngettext
from . import cards, hand
from .layout import Line, fit, remote, spread, text_width
from .model import AskChallenge, AskWhich, Confirm, Form, Model, PickColor, PickSeat, Where
from .reasons import name_of, top_label
from .theme import Caps

SHORT_S = 5
"""From here on the clock is urgent."""

TURN, ALARM, CALM = "class:prompt.turn", "class:prompt.alarm", "class:prompt"


def prompt_line(model: Model, width: int, caps: Caps, now: float) -> Line:
    """The row of the prompt, exactly `width` cells."""
    style, text = sentence(model, caps, now)
    return spread([(style, " " + to_ascii(text, caps))], clock(model, width, caps, now), width)


def seconds_left(model: Model, now: float) -> float | None:
    """Seconds until something happens by itself; None where nothing does."""
    if model.world.lost is not None:
        return None
    if model.world.frozen is not None:
        return model.world.frozen
    return None if model.world.deadline is None else max(0.0, model.world.deadline - now)


def clock(model: Model, width: int, caps: Caps, now: float) -> Line:
    """A bar and the seconds left; empty where there is no limit."""
    left = seconds_left(model, now)
    if left is None:
        return []
    seconds = math.ceil(left)
    style = "class:timer.short" if seconds <= SHORT_S else "class:timer"
    text = _("{n} s").format(n=seconds)
    cells = 14 if width >= 100 else 8 if width >= 80 else 0
    if not cells or not model.world.limit:
        return [(style, f"  {text} ")]
    full = max(0, min(cells, round(cells * left / model.world.limit)))
    return [("", "  "), (style, caps.signs.bar * full + caps.signs.no_bar * (cells - full)), (style, f" {text} ")]


def to_ascii(text: str, caps: Caps) -> str:
    """Our own sentence, with the cards in it named by letters where the terminal needs that."""
    if not caps.ascii:
        return text
    for color, sign in Caps().signs.colors.items():
        text = text.replace(sign, cards.color_sign(color, caps))
    return caps.text(text.replace("Ø", "S").replace("⇄", "<>"))


def sentence(model: Model, caps: Caps, now: float) -> tuple[str, str]:
    """(style, text) of the prompt."""
    if model.world.lost is not None:
        return ALARM, _lost(model, now)
    if model.note and now < model.note_until:
        return "class:note", f"! {model.note}"
    if model.input is not None:
        return _input(model)
    asked = _dialog(model)
    if asked is not None:
        return TURN, f"▶ {asked}"
    if model.place is Where.PLAY:
        return _play(model)
    return CALM, _OTHERS[model.place](model)


def _lost(model: Model, now: float) -> str:
    lost = model.world.lost
    if lost is None or lost.next_at is None or lost.next_at <= now:
        return _("✗ Connection lost — connecting again …")
    return _("✗ Connection lost — trying again in {n} s. Enter tries at once.").format(n=math.ceil(lost.next_at - now))


def _input(model: Model) -> tuple[str, str]:
    if model.input is not None and model.input.kind == "name":
        return TURN, _("▶ Name of the new table? Enter goes on, Esc cancels.")
    if model.input is not None and model.input.kind == "password":
        return TURN, _("▶ The password of the table?")
    if model.my_turn:
        return TURN, _("▶ YOUR TURN — Esc, then play.")
    return CALM, _("Enter sends, Esc leaves the line and keeps what you typed.")


def _dialog(model: Model) -> str | None:
    match model.dialog:
        case PickColor(card=None):
            return _("The first card is a wild: choose the colour to begin with.")
        case PickColor(card=card) if card is not None:
            name = cards.label(card, Caps())
            return _("Choose a colour for {card} — nothing is sent until you pick.").format(card=name)
        case PickSeat(card=card):
            return _("{card}: with whom do you swap hands?").format(card=cards.label(card, Caps()))
        case AskChallenge() if model.world.four is not None:
            return _("{name} played ★ +4 on you. Challenge or accept?").format(
                name=name_of(model, model.world.four.seat)
            )
        case AskChallenge():
            return _("★ +4 is on you. Challenge or accept?")
        case AskWhich():
            return _("Challenge the +4, or catch who forgot una?")
        case Confirm(question=question):
            return _("{question} y = yes, n = no").format(question=question)
        case Form():
            return _("Set it up with the arrows, then Enter.")
    return None


def _play(model: Model) -> tuple[str, str]:
    view = model.view
    if view is None:
        return CALM, ""
    if view.paused:
        return ALARM, _("The table is paused. /pause off asks to go on.")
    if model.world.sent is not None:
        return CALM, _sent(model)
    if model.world.turn is None:
        return (ALARM, _vote(model)) if _may_vote(model) else _others_turn(model)
    if model.catchable and not view.pending:
        name = name_of(model, model.catchable[0])
        return ALARM, _("! YOUR TURN, and {name} forgot una: c catches before you play.").format(name=name)
    return TURN, f"▶ {_my_turn(model)}"


def _may_vote(model: Model) -> bool:
    view = model.view
    asked = view.accusation if view is not None else None
    return asked is not None and view is not None and view.you not in (asked.seat, asked.by, None, *asked.voted)


def _vote(model: Model) -> str:
    asked = model.view.accusation if model.view is not None else None
    if asked is None:
        return ""
    by, name = name_of(model, asked.by), name_of(model, asked.seat)
    return _("! {by} accuses {name} of advising: /vote yes or /vote no.").format(by=by, name=name)


def _sent(model: Model) -> str:
    if isinstance(model.world.sent, Play):
        return _("{card} sent, waiting for the server …").format(card=cards.label(model.world.sent.card, Caps()))
    return _("Sent, waiting for the server …")


def catch_hint(model: Model) -> str:
    """Who can be caught, or an empty text."""
    if not model.catchable or model.view is None:
        return ""
    penalty = int(model.view.options.get("una_penalty", 2))
    return ngettext(
        "{name} forgot una — c catches ({n} card for {name}).",
        "{name} forgot una — c catches ({n} cards for {name}).",
        penalty,
    ).format(name=name_of(model, model.catchable[0]), n=penalty)


def _others_turn(model: Model) -> tuple[str, str]:
    view = model.view
    if view is None or view.turn_seat is None:
        return CALM, _("Please wait …")
    if catch := catch_hint(model):
        return ALARM, f"! {catch}"
    me = view.player(view.you) if view.you is not None else None
    if me is not None and len(model.cards) == 1 and not me.una and view.options.get("una_penalty", 2):
        return ALARM, _("! One card left and not called: u calls una now.")
    if me is not None and me.status == "away":
        return ALARM, _("A bot plays for you. /auto off takes your seat back.")
    name, player = name_of(model, view.turn_seat), view.player(view.turn_seat)
    if view.turn_seat == view.you:
        return CALM, _("Please wait …")
    if player is not None and player.status == "lost":
        return CALM, _("Waiting for {name}, whose connection is lost.").format(name=name)
    return CALM, _("Waiting for {name}.").format(name=name)


def _my_turn(model: Model) -> str:
    view, card = model.view, model.card
    if view is None:
        return ""
    if any(isinstance(action, Wish) for action in model.legal):
        return _("YOUR TURN  The first card is a wild: Enter chooses the colour.")
    fits = card is not None and bool(model.plays(card))
    name = cards.label(card, Caps()) if card is not None else ""
    if view.pending:
        return _pending(model, name if fits else "")
    if view.phase == "drawn" and view.drawn is not None:
        drawn = cards.label(view.drawn, Caps())
        if any(isinstance(action, Pass) for action in model.legal):
            return _("You drew {card}: p plays it, n keeps it.").format(card=drawn)
        return _("You drew {card} and must play it: p plays it.").format(card=drawn)
    if fits and card is not None:
        if len(model.cards) == 2 and view.options.get("una_penalty", 2) and not _called(model):
            return _una_due(model, name)
        if card == WILD_DRAW_FOUR and is_bluff(view):
            return _("YOUR TURN  {card} is a bluff, you hold {color}: Enter plays it, it may be challenged.").format(
                card=name, color=cards.color_label(view.color, Caps())
            )
        if COLOR[card] is None:
            return _("YOUR TURN  {card} selected — Enter, then a colour.").format(card=name)
        return _("YOUR TURN  {card} selected — Enter plays it.").format(card=name)
    if any(model.plays(held) for held in model.cards):
        return _("YOUR TURN  {card} does not match {top} — Tab goes to one that does.").format(
            card=name, top=top_label(model)
        )
    if any(isinstance(action, Draw) for action in model.legal):
        return _("YOUR TURN  No card fits — d draws.")
    return _("YOUR TURN  Nothing to play and nothing to draw — n passes.")


def is_bluff(view: View) -> bool:
    """Whether a draw four laid now would lose a challenge (D5)."""
    held = [COLOR[card] for card in view.hand or ()]
    return view.options.get("draw_four") == "bluff" and view.color is not None and view.color in held


def _called(model: Model) -> bool:
    me = model.view.player(model.view.you) if model.view is not None and model.view.you is not None else None
    return me is not None and me.una


def _una_due(model: Model, name: str) -> str:
    if model.armed:
        return _("YOUR TURN  Enter plays {card} and calls una.").format(card=name)
    return _("YOUR TURN  {card} selected — u first: una goes out with it.").format(card=name)


def _pending(model: Model, answer: str) -> str:
    n = model.view.pending if model.view is not None else 0
    if model.may_challenge:
        return _("+{n} IS ON YOU  c challenges, a accepts.").format(n=n)
    if answer:
        return _("+{n} IS ON YOU  Enter passes it on with {card}, d takes all {n}.").format(n=n, card=answer)
    if any(isinstance(action, Play) for action in model.legal):
        return _("+{n} IS ON YOU  Tab goes to a card that answers, d takes all {n}.").format(n=n)
    return _("+{n} IS ON YOU  d takes them.").format(n=n)


def _lobby(model: Model) -> str:
    if not model.world.lobby:
        return _("No table is open yet: n opens one.")
    return _("Choose a table: Enter sits down, w watches, n opens one.")


def _waiting(model: Model) -> str:
    view = model.view
    if view is None:
        return ""
    if view.you is None:
        if view.stage == "over":
            return _("○ Watching. The match is over.")
        return _("○ Watching. The match has not begun; s sits down.")
    if view.stage == "over":
        return _("The match is over. r asks for another one, q leaves.")
    if view.host == view.you:
        if len(view.players) < 2:
            return _("You are the host: add a bot with b, or wait for others; then s starts.")
        return _("You are the host: s starts the match.")
    host = name_of(model, view.host) if view.host is not None else _("the host")
    me = view.player(view.you)
    if me is not None and not me.ready:
        return _("Press Space when you are ready; {host} starts the match.").format(host=host)
    return _("You are ready. Waiting for {host} to start the match.").format(host=host)


def _score(model: Model) -> str:
    view = model.view
    if view is None:
        return ""
    if view.you is None:
        return _("○ Watching. The match is over.") if view.stage == "over" else _("○ Watching. Next round soon.")
    if view.stage == "over":
        return _("The match is over. r asks for another one, q leaves.")
    people = [player for player in view.players if not player.bot and player.status == "here"]
    ready = sum(player.ready for player in people)
    me = view.player(view.you)
    if me is not None and me.ready:
        return _("You are ready ({n} of {all}). The next round begins soon.").format(n=ready, all=len(people))
    return _("Next round soon, or when all press Space ({n} of {all} ready).").format(n=ready, all=len(people))


def _watch(model: Model) -> str:
    view = model.view
    if view is None or view.turn_seat is None:
        return _("○ Watching.")
    return _("○ Watching. {name} is to move.").format(name=name_of(model, view.turn_seat))


_OTHERS = {Where.LOBBY: _lobby, Where.WAITING: _waiting, Where.SCORE: _score, Where.WATCH: _watch}


def input_prefix(model: Model) -> str:
    """What stands before the text in the input line."""
    if model.input is not None and model.input.kind != "chat":
        return {"name": _(" name: "), "password": _(" password: ")}[model.input.kind]
    return _(" chat: ") if model.input is not None else _(" [t] chat: ")


def input_line(model: Model, width: int, caps: Caps) -> Line:
    """The input row while nobody types: what was typed and kept, or how una stands."""
    if model.input is None and model.my_turn and len(model.cards) == 2 and not model.draft:
        turn = model.world.turn
        if turn is not None and turn.can_una:
            box = "x" if model.armed else " "
            text = _(" una [{mark}] u sets it; it is sent with the card you play").format(mark=box)
            return fit([("class:una", caps.text(text))], width)
    draft = "*" * text_width(model.draft) if model.input is not None and model.input.kind == "password" else model.draft
    return fit([("class:dim", caps.text(input_prefix(model))), ("class:chat", remote(draft))], width)


def suggested(model: Model) -> str:
    """The colour that the picker suggests."""
    return hand.best_color(model.view) if model.view is not None else "red"
