"""What click says of what was typed wrongly, in the user's language. click makes its sentences in English, before ours
is known; here they are recognised and said again. What is not recognised stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from string import Formatter
from typing import Final

from .i18n import _, mark

_SENTENCES: Final = (
    mark("{sentence} (Did you mean one of: {names}?)"),
    mark("{sentence} Did you mean {name}?"),
    mark("{sentence} Choose from: {names}"),
    mark("Invalid value for {name}: {sentence}"),
    mark("No such command {name}."),
    mark("No such option {name}."),
    mark("Missing argument {name}."),
    mark("Got unexpected extra argument ({words})"),
    mark("Got unexpected extra arguments ({words})"),
    mark("Option {name} requires an argument."),
    mark("Option {name} does not take a value."),
    mark("{value} is not a valid integer."),
    mark("{value} is not a valid float."),
    mark("{value} is not in the range {range}."),
    mark("{value} is not one of {names}."),
)
"""The longer before those that they hold as their `sentence`."""
_PATTERNS: Final = {sentence: sentence for sentence in _SENTENCES} | {
    "{value} is not a valid integer range.": "{value} is not a valid integer.",
    "{value} is not a valid float range.": "{value} is not a valid float.",
}
"""What click says -> what we say."""


def said(text: str) -> str:
    """The sentence, in one line, as the user reads it."""
    line = " ".join(text.split())
    for pattern, sentence in _PATTERNS.items():
        if found := _regex(pattern).fullmatch(line):
            parts = found.groupdict()
            if "sentence" in parts:
                parts["sentence"] = said(parts["sentence"])
            return _(sentence).format(**parts)
    return text


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    parts = Formatter().parse(pattern)
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, *_rest in parts))
