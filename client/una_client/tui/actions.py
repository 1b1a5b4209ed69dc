"""What keys do: one pure function per action of the key table, (model, key, now) -> (model, what to send).

They are called only where the key table's `why_not` had nothing to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import acts_any, acts_play, acts_table
from .model import Model, Step

Act = Callable[[Model, str, float], Step]

ACTIONS: Final[dict[str, Act]] = {
    "select-left": acts_play.select_left,
    "select-right": acts_play.select_right,
    "select-first": acts_play.select_first,
    "select-last": acts_play.select_last,
    "select-number": acts_play.select_number,
    "next-playable": acts_play.select_next_playable,
    "previous-playable": acts_play.select_previous_playable,
    "sort": acts_play.sort,
    "play": acts_play.play,
    "draw": acts_play.draw,
    "keep": acts_play.keep,
    "una": acts_play.una,
    "challenge": acts_play.challenge,
    "accept": acts_play.draw,
    "which-challenge": acts_play.which_challenge,
    "which-catch": acts_play.which_catch,
    "color-key": acts_play.color_key,
    "pick": acts_play.pick,
    "pick-previous": acts_play.pick_previous,
    "pick-next": acts_play.pick_next,
    "seat-key": acts_play.seat_key,
    "close": acts_play.close,
    "row-up": acts_table.row_up,
    "row-down": acts_table.row_down,
    "join": acts_table.join,
    "watch": acts_table.watch,
    "new-table": acts_table.new_table,
    "edit-rules": acts_table.edit_rules,
    "form-less": acts_table.form_less,
    "form-more": acts_table.form_more,
    "form-done": acts_table.form_done,
    "sit": acts_table.sit,
    "ready": acts_table.ready,
    "start": acts_table.start,
    "rematch": acts_table.rematch,
    "add-bot": acts_table.add_bot,
    "remove-bot": acts_table.remove_bot,
    "chat": acts_any.chat,
    "leave-input": acts_any.leave_input,
    "scroll-up": acts_any.scroll_up,
    "scroll-down": acts_any.scroll_down,
    "help": acts_any.show_help,
    "help-up": acts_any.help_up,
    "help-down": acts_any.help_down,
    "send": acts_any.send,
    "redraw": acts_any.redraw,
    "retry": acts_any.retry,
    "suspend": acts_any.suspend,
    "leave": acts_any.leave,
    "cancel": acts_any.cancel,
    "yes": acts_any.yes,
}
"""Action names of the key table -> what they do."""
