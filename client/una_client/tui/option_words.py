"""The rules that can be chosen, in words: the name of each option, and of each of its values."""

from __future__ import annotations

from typing import Final

from ..i18n import _, mark
from .asks import Value
from .layout import remote

NAMES: Final = {
    "hand_size": mark("Cards each"),
    "first_dealer": mark("First dealer"),
    "first_card": mark("First card"),
    "two_player_reverse": mark("Reverse, of two"),
    "voluntary_draw": mark("May draw anyway"),
    "play_drawn": mark("May play the drawn"),
    "force_play": mark("Must play the drawn"),
    "draw_until_playable": mark("Draw until it fits"),
    "stack_draw_two": mark("Answer a +2"),
    "stack_draw_four": mark("Answer a +4"),
    "draw_four": mark("+4 may be laid"),
    "draw_four_guard": mark("+4 forbidden by"),
    "failed_challenge_extra": mark("Lost challenge"),
    "serve_wish": mark("Wish comes first"),
    "una_penalty": mark("una forgotten"),
    "una_catcher": mark("Who may catch"),
    "una_window": mark("Catching ends"),
    "illegal_card_penalty": mark("Wrong card costs"),
    "advice_penalty": mark("Advising costs"),
    "last_card_draws": mark("Last +2 +4 counts"),
    "scoring": mark("Who scores"),
    "going_out_bonus": mark("For going out"),
    "target_score": mark("Match up to"),
    "jump_in": mark("Jump in"),
    "seven_zero": mark("7 swaps, 0 passes"),
}
_VALUES: Final = {
    ("first_dealer", "draw"): mark("drawn by cards"),
    ("first_dealer", "random"): mark("by chance"),
    ("first_card", "plain"): mark("has no effect"),
    ("first_card", "effect"): mark("has its effect"),
    ("first_card", "number"): mark("is a number"),
    ("two_player_reverse", "removed"): mark("taken out"),
    ("two_player_reverse", "skip"): mark("skips"),
    ("two_player_reverse", "turn"): mark("only turns"),
    ("stack_draw_two", "none"): mark("no"),
    ("stack_draw_two", "two"): mark("by a +2"),
    ("stack_draw_two", "any"): mark("by +2 or +4"),
    ("stack_draw_four", "none"): mark("no"),
    ("stack_draw_four", "four"): mark("by a +4"),
    ("stack_draw_four", "any"): mark("by +2 or +4"),
    ("draw_four", "free"): mark("any time"),
    ("draw_four", "strict"): mark("if nothing fits"),
    ("draw_four", "bluff"): mark("bluff, challenge"),
    ("draw_four_guard", "color"): mark("the colour"),
    ("draw_four_guard", "color_or_number"): mark("colour or number"),
    ("una_catcher", "next"): mark("the next player"),
    ("una_catcher", "anyone"): mark("anybody"),
    ("una_window", "acts"): mark("at the next act"),
    ("una_window", "discards"): mark("at the next card"),
    ("scoring", "winner"): mark("the winner"),
    ("scoring", "losers"): mark("the losers"),
}


def option_name(name: str) -> str:
    """The option in words; of one that this version does not know, its own name."""
    return _(NAMES[name]) if name in NAMES else remote(name)[:20]


def value_name(name: str, value: Value) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "target_score" and value == 0:
        return _("one round")
    if name == "una_penalty" and value == 0:
        return _("no una rule")
    text = _VALUES.get((name, str(value)))
    return _(text) if text is not None else remote(str(value))[:20]
