"""The server's log: lines on stderr, plain ASCII whatever an error's text may hold; as text, or each a JSON object.

What happens is logged as an event with fields (`note`), which both forms show: `table_opened table='k3f'`. Text from
outside reaches a line only through `log_text`, and no field ever holds a token, a password, a card, or what is said.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Any, Final

from una_protocol.text import log_text

_ODD: Final = re.compile(r"[^\n\x20-\x7e]")
_PLAIN: Final = re.compile(r"[\x20-\x7e]{0,200}")
FORM: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def note(log: logging.Logger, event: str, level: int = logging.INFO, /, **fields: Any) -> None:
    """Log an event; fields that are None are left out."""
    if log.isEnabledFor(level):
        known = {name: value for name, value in fields.items() if value is not None}
        text = " ".join([event, *(f"{name}={_shown(value)}" for name, value in known.items())])
        log.log(level, "%s", text, extra={"event": event, "fields": known})


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, int | float) else log_text(value)


class PlainFormatter(logging.Formatter):
    """Escapes everything that a terminal might obey; text from the network can reach a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line (or, with a traceback, lines)."""
        return _escaped(super().format(record))


class JsonFormatter(logging.Formatter):
    """One object on one line: time, level, logger, event, and fields. A line that is no event has its text as one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        given: dict[str, Any] = getattr(record, "fields", {})
        fields = {name: _value(value) for name, value in given.items()}
        if not hasattr(record, "event"):
            fields["text"] = _escaped(record.getMessage())
        if record.exc_info:
            fields["traceback"] = _escaped(self.formatException(record.exc_info))
        whole = {
            "time": _stamp(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": getattr(record, "event", "message"),
            "fields": fields,
        }
        return json.dumps(whole)


def _value(value: Any) -> Any:
    """A field for JSON: what is not plain is escaped once more, for whoever decodes the line for a terminal."""
    if isinstance(value, int | float):
        return value
    return value if isinstance(value, str) and _PLAIN.fullmatch(value) else log_text(value)


def _escaped(text: str) -> str:
    return _ODD.sub(lambda found: ascii(found[0])[1:-1], text)


def _stamp(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds % 1 * 1000):03d}Z"


def log_to_stderr(level: str, as_json: bool = False) -> None:
    """Log from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else PlainFormatter(FORM))
    logging.basicConfig(level=level.upper(), handlers=[handler])
