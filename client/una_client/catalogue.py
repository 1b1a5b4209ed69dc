"""A translation as people write it, `una.po`, read at the start: no compiled file can be missing or old.

What git holds is what runs, be it from a checkout, an editable install or a wheel, and none of them needs a build step
or a tool. Reading the file takes a few milliseconds, and only those who want a language other than English wait for it.
The standard library reads compiled catalogues alone, so one is made in memory for it.
"""

from __future__ import annotations

import gettext
import re
import struct
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

_MAGIC: Final = 0x950412DE
_KINDS: Final = ("msgctxt", "msgid_plural", "msgid", "msgstr")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}

Entry = dict[str, str]
"""The parts of an entry by name: `msgid`, `msgid_plural`, `msgstr` or `msgstr[0]` …; `flags` are those of `#,`."""


def read_catalogue(path: Path) -> gettext.GNUTranslations:
    """The translations in a .po file; OSError and ValueError where it cannot be read."""
    return gettext.GNUTranslations(BytesIO(compiled(path.read_text(encoding="utf-8"))))


def entries(text: str) -> Iterator[Entry]:
    """The entries of a .po file, the header first. ValueError names a line that is none."""
    entry: Entry = {}
    part = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        keyword, _blank, value = line.partition(" ")
        begins = keyword in ("msgctxt", "msgid") and any(name.startswith("msgstr") for name in entry)
        if (begins or (line.startswith("#") and "msgid" in entry)) and entry:
            yield entry
            entry = {}
        if line.startswith("#,"):
            entry["flags"] = line
        elif line.startswith('"') and part:
            entry[part] += _unquoted(line, number)
        elif keyword.partition("[")[0] in _KINDS:
            part = keyword
            entry[part] = _unquoted(value, number)
        elif line and not line.startswith("#"):
            raise ValueError(f"line {number} is no part of a catalogue: {line}")
    if "msgid" in entry:
        yield entry


def _unquoted(text: str, number: int) -> str:
    if len(text) < 2 or not (text.startswith('"') and text.endswith('"')):
        raise ValueError(f"line {number} holds no quoted text: {text}")
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1])


def compiled(text: str) -> bytes:
    """The catalogue in the binary form that `gettext` reads; entries that are not done yet are left out."""
    pairs: dict[bytes, bytes] = {}
    for entry in entries(text):
        forms = [entry[name] for name in sorted(entry) if name.startswith("msgstr")]
        if all(forms) and (not entry["msgid"] or "fuzzy" not in entry.get("flags", "")):
            ids = [entry["msgid"], *([entry["msgid_plural"]] if "msgid_plural" in entry else [])]
            pairs["\0".join(ids).encode()] = "\0".join(forms).encode()
    keys = sorted(pairs)
    blob = bytearray()
    tables: tuple[list[int], list[int]] = ([], [])
    start = 28 + 16 * len(keys)
    for table, texts in zip(tables, (keys, [pairs[key] for key in keys]), strict=True):
        for part in texts:
            table += [len(part), start + len(blob)]
            blob += part + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(keys), 28, 28 + 8 * len(keys), 0, 0)
    return head + struct.pack(f"<{4 * len(keys)}I", *tables[0], *tables[1]) + bytes(blob)
