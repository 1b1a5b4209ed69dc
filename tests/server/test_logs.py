"""What reaches the log is harmless to a terminal."""

from __future__ import annotations

import logging

from una_server.logs import PlainFormatter


def test_control_characters_are_escaped_in_tracebacks_too() -> None:
    try:
        raise ValueError("\x1b]0;owned\x07 \u202e")
    except ValueError as error:
        record = logging.LogRecord("una", logging.ERROR, "", 0, "bad \x9b2J", (), (type(error), error, None))
    text = PlainFormatter("%(message)s").format(record)
    assert text.replace("\n", "").isprintable()
    assert text.isascii()
    assert "\\x1b]0;owned\\x07" in text
