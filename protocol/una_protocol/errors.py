"""Error codes: one table says what each means and whether trying again can help.

`no`: the same request will fail again · `same`: send it again at once, nothing was done · `later`: after `after_ms` ·
`resync`: the client's picture is old; take the newest `turn` or ask for `state`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Retry = Literal["no", "same", "later", "resync"]


class ErrorCode(NamedTuple):
    """What a code means: its retry class, the group it belongs to, one sentence for a developer."""

    retry: Retry
    group: Literal["message", "session", "table", "game", "server"]
    meaning: str


ERRORS: Final[dict[str, ErrorCode]] = {
    # frames and messages
    "bad_frame": ErrorCode("no", "message", "The frame is no msgpack map within the limits; the connection is closed."),
    "bad_message": ErrorCode("no", "message", "A field is missing or has a wrong type or value; `at` says which."),
    "unknown_type": ErrorCode("no", "message", "There is no request of this type."),
    "too_big": ErrorCode("no", "message", "The frame is longer than the limit; the connection is closed."),
    "too_fast": ErrorCode("later", "message", "Too many messages, tries or calls in a short time."),
    "not_hello": ErrorCode("no", "message", "The first message must be `hello`, and there is only one."),
    # sessions
    "proto_unsupported": ErrorCode("no", "session", "None of the offered protocol majors is known; see `supported`."),
    "bad_name": ErrorCode("no", "session", "The name is not allowed; `msg` says why."),
    "name_taken": ErrorCode("no", "session", "Somebody else has this name, or one that looks like it."),
    "session_gone": ErrorCode("no", "session", "The session is not known (any more); say hello without `resume`."),
    "stale_id": ErrorCode("no", "session", "The id is older than the answers that are kept; nothing was done."),
    "wrong_password": ErrorCode("no", "session", "The password is missing or wrong."),
    "name_claimed": ErrorCode("no", "session", "The name's place in the ladder belongs to another key."),
    "no_bots": ErrorCode("no", "session", "Bots are not let in here."),
    # tables
    "no_such_table": ErrorCode("no", "table", "There is no table of this id or name, or the name is not unique."),
    "table_full": ErrorCode("no", "table", "No free seat, or no room for another table."),
    "not_seated": ErrorCode("no", "table", "This needs a seat at the table (or the named seat is not taken)."),
    "not_host": ErrorCode("no", "table", "Only the host may do this."),
    "already_started": ErrorCode("no", "table", "Not while a match or round is running, or: you are there already."),
    "bad_option": ErrorCode(
        "no", "table", "An option or setting has a bad value; `msg` says which, why, what is allowed."
    ),
    "arranged": ErrorCode(
        "no", "table", "The server runs this table: who sits there can only play, talk and leave; others can watch."
    ),
    "no_arena": ErrorCode("no", "table", "The server has no arena: it seats nobody by itself, and keeps no ladder."),
    "not_now": ErrorCode("no", "table", "The table is in no phase for this (nothing to vote on, nothing to start)."),
    # the game: refusals of the rules
    "stale_turn": ErrorCode("resync", "game", "The act answers an old turn number; nothing was done."),
    "paused": ErrorCode("later", "game", "The table is paused."),
    "unknown_player": ErrorCode("no", "game", "The named seat does not take part in the round."),
    "round_over": ErrorCode("resync", "game", "No round is running."),
    "not_your_turn": ErrorCode("resync", "game", "It is another seat's turn."),
    "color_required": ErrorCode("no", "game", "A wild needs its wish (T4), or a wish is asked for first (F2)."),
    "not_in_hand": ErrorCode("resync", "game", "The card is not in your hand."),
    "color_not_allowed": ErrorCode("no", "game", "A coloured card takes no wish (T4)."),
    "una_not_now": ErrorCode("no", "game", "Una cannot be called now (U1, U6)."),
    "draw_four_not_allowed": ErrorCode("no", "game", "The hand forbids a draw four (D4)."),
    "illegal_card": ErrorCode(
        "no", "game", "The card does not fit, or may not be laid at this moment (T1, T3, D3, W1)."
    ),
    "target_required": ErrorCode("no", "game", "A seven names another seat in the round to swap with (H2)."),
    "must_play": ErrorCode(
        "no", "game", "Drawing is not allowed while a card fits (T2), nor passing under force_play."
    ),
    "cannot_draw": ErrorCode("no", "game", "Nothing may be drawn now (a second draw, or no cards are left)."),
    "cannot_pass": ErrorCode("no", "game", "Passing is possible only after drawing, or with nothing to draw."),
    "nothing_to_catch": ErrorCode("no", "game", "That seat cannot be caught (any more)."),
    "cannot_catch": ErrorCode("no", "game", "You are not among those who may catch (U3)."),
    "cannot_challenge": ErrorCode("no", "game", "There is nothing to challenge (D5)."),
    # the server
    "internal": ErrorCode("same", "server", "A fault in the server; it was logged, nothing was done."),
    "shutting_down": ErrorCode("later", "server", "The server is stopping."),
    "storage": ErrorCode("later", "server", "The server cannot store the action now; nothing was done."),
}

BYES: Final[dict[str, str]] = {
    "replaced": "The session was taken over by another connection; do not reconnect.",
    "shutting_down": "The server stops; reconnect after `after_ms`.",
    "slow": "The client does not read; it may resume.",
    "silent": "Nothing was heard for 2.5 times `keepalive_s`; it may resume.",
    "kicked": "The administrator ended the connection; do not reconnect.",
    "ended": "The server has ended for good; do not reconnect.",
    "full": "Too many connections; try again after `after_ms`.",
}
"""Codes of `bye` beyond the error codes, which stand there too when an error closes the connection."""
