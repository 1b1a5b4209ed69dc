"""The text commands: one table of them, and the parser that makes intents of what was typed. Pure.

Line mode takes them as they are, the chat line of the full screen after a slash (`/draw`). What cannot be done now
is answered here with the reason, before anything is sent.

    intent = parse("8 green", Situation(view, turn, hand=hand_order(view)))
    Send -> send its request (set the id) · Show -> show it · Quit -> end · Refusal -> tell its reason
"""

from .intents import Intent as Intent
from .intents import Mute as Mute
from .intents import Quit as Quit
from .intents import Refusal as Refusal
from .intents import Send as Send
from .intents import Show as Show
from .intents import Situation as Situation
from .intents import hand_order as hand_order
from .table import COMMANDS as COMMANDS
from .table import help_lines as help_lines
from .table import parse as parse
