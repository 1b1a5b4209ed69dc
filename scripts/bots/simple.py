"""A bot as a class: it keeps the cards that are worth most for last, and wishes the colour it holds most of.

una bot run scripts/bots/simple.py:Simple localhost
"""

from collections import Counter

from una_protocol.actions import Action, Catch, Play
from una_protocol.bot import Bot, BotView
from una_protocol.cards import COLOR, POINTS
from una_protocol.events import Event, Turn
from una_protocol.view import View


class Simple(Bot):
    """Plays the cheapest card that fits; calls una in time; catches who forgot it."""

    def choose(self, view: BotView) -> Action:
        plays = [action for action in view.legal if isinstance(action, Play)]
        if not plays:
            return view.legal[view.default]
        held = Counter(COLOR[card] for card in view.hand)
        best = min(plays, key=lambda play: (POINTS[play.card], -held[play.color or COLOR[play.card]]))
        return Play(best.card, best.color, best.swap_with, una=view.can_una)

    def watch(self, view: View, event: Event) -> Action | None:
        if isinstance(event, Turn) and view.you is not None:
            for seat in event.catchable:
                if seat != view.you and (view.options.get("una_catcher") == "anyone" or event.seat == view.you):
                    return Catch(seat)
        return None
