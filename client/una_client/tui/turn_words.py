"""The sentence of the prompt line on the user's own turn."""

from __future__ import annotations

from una_protocol.actions import Draw, Pass, Play, Wish
from una_protocol.cards import COLOR, WILD_DRAW_FOUR
from una_protocol.view import View

from ..i18n import _
from . import cards
from .model import Model
from .reasons import top_label
from .theme import Caps


def my_turn(model: Model) -> str:
    """What is expected on our turn, for the card that is selected."""
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
        if COLOR.get(card) is None:
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
    held = [COLOR.get(card) for card in view.hand or ()]
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
