"""The rules engine: a match as pure data and functions – no network, no clock, no chance but the seed's (G4).

`Match` is what a table plays, `Round` the state it shows, the functions of `legal` tell what may be done. `rules.md`
is the authority; its ids (D3, U2, …) stand where they are implemented.
"""

from .happening import Happening, Split
from .house_rules import load_house_rules
from .legal import can_una, catchable, default_action, legal_actions, may_call, may_catch, turn_actions
from .match import Match
from .options import (
    OPTION_SPECS,
    PROFILES,
    BadOption,
    Options,
    OptionSpec,
    check_players,
    deck_for,
    make_options,
    overrides_of,
)
from .refused import Refused
from .round import Round
from .shuffle import SeededShuffler, Shuffler, shuffle

DEFAULTS = PROFILES["una"]
"""The options of the default profile."""

__all__ = [
    # options
    "BadOption",
    "DEFAULTS",
    "OPTION_SPECS",
    "OptionSpec",
    "Options",
    "PROFILES",
    "check_players",
    "deck_for",
    "load_house_rules",
    "make_options",
    "overrides_of",
    # playing
    "Happening",
    "Match",
    "Refused",
    "Round",
    "Split",
    "can_una",
    "catchable",
    "default_action",
    "legal_actions",
    "may_call",
    "may_catch",
    "turn_actions",
    # shuffling
    "SeededShuffler",
    "Shuffler",
    "shuffle",
]
