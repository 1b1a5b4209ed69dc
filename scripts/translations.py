"""Keep the translations of the client in step with its texts. Babel merges and writes; the client needs no Babel.

.venv/bin/python scripts/translations.py update     bring every una.po up to date with the code
.venv/bin/python scripts/translations.py new fr     begin a language
.venv/bin/python scripts/translations.py            say what is missing, or does not fit; exit 1 if anything
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "client"), str(ROOT / "protocol")]

from una_client.cli import cli  # noqa: E402
from una_client.cli_help import texts  # noqa: E402

SOURCES: Final = ROOT / "client" / "una_client"
LOCALES: Final = SOURCES / "locale"
KEYWORDS: Final = {"_": 1, "mark": 1, "ngettext": 2}
"""Function -> how many of its arguments are texts."""
WIDTH: Final = 110

Key = str | tuple[str, ...] | list[str]
"""A text as Babel has it: once, or in its forms for one and for many."""


def main() -> int:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["update"]:
            for path in paths():
                save(path, updated(path))
        case ["new", language]:
            path = LOCALES / language / "LC_MESSAGES" / "una.po"
            path.parent.mkdir(parents=True, exist_ok=True)
            catalogue = Catalog(locale=language, domain="una", project="una", fuzzy=False)
            catalogue.update(extracted())
            save(path, catalogue)
        case []:
            found = problems()
            print("\n".join(found) or "Every text is translated.")
            return 1 if found else 0
        case _:
            print(__doc__)
            return 2
    return 0


def paths() -> list[Path]:
    """All translations."""
    return sorted(LOCALES.glob("*/LC_MESSAGES/una.po"))


def extracted() -> Catalog:
    """Every text of the client. Found in the syntax tree, for Babel's own search does not look into f-strings; those
    of the help pages are found in the commands.
    """
    catalogue = Catalog(domain="una", project="una", charset="utf-8", fuzzy=False)
    for path in sorted(SOURCES.rglob("*.py")):
        for text in texts_of(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            catalogue.add(text)
    for text in texts(cli):
        catalogue.add(text)
    return catalogue


def texts_of(tree: ast.AST) -> Iterator[Key]:
    """The texts that a module marks: what `_`, `mark` and `ngettext` are called with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            first = node.args[: KEYWORDS[node.func.id]]
            given = [each.value for each in first if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if len(given) == KEYWORDS[node.func.id]:
                yield given[0] if len(given) == 1 else tuple(given)


def updated(path: Path) -> Catalog:
    """The translation at `path`, with what the code says now. Similar texts are offered, marked as fuzzy."""
    catalogue = load(path)
    catalogue.update(extracted())
    catalogue.obsolete.clear()
    return catalogue


def load(path: Path) -> Catalog:
    """The translation as it stands in the file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name, domain="una")


def save(path: Path, catalogue: Catalog) -> None:
    """Write it sorted and without places, so that it changes only where texts do."""
    out = BytesIO()
    write_po(out, catalogue, width=WIDTH, sort_output=True, no_location=True, omit_header=True)
    language = catalogue.locale.english_name if catalogue.locale is not None else path.parents[1].name
    head = (
        f'# una in {language}. scripts/translations.py keeps it in step.\nmsgid ""\nmsgstr ""\n'
        f'"Language: {path.parents[1].name}\\n"\n'
        '"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    path.write_text(head + out.getvalue().decode().strip() + "\n", encoding="utf-8")


def problems() -> list[str]:
    """What is wrong with any translation: a sentence each."""
    wanted = {message.id for message in extracted() if message.id}
    found: list[str] = []
    for path in paths():
        catalogue = load(path)
        messages = {message.id: message for message in catalogue if message.id}
        faults = [(key, fault(message, catalogue.num_plurals)) for key, message in messages.items()]
        faults += [(key, "not there, run: scripts/translations.py update") for key in wanted - set(messages)]
        faults += [(key, "no longer said, run: scripts/translations.py update") for key in set(messages) - wanted]
        language = path.parents[1].name
        found += sorted(f"{language}: {problem}: {forms(key)[0]!r}" for key, problem in faults if problem is not None)
    return found


def fault(message: Message, plurals: int) -> str | None:
    """Why the translation of a text cannot stay so."""
    texts = forms(message.string)
    if not all(texts) or (message.pluralizable and len(texts) != plurals):
        return "not translated"
    if message.fuzzy:
        return "fuzzy, look at it and remove the mark"
    ids = forms(message.id)
    allowed = [places(text) for text in ids]
    if any(places(text) not in allowed for text in texts):
        return "other places in braces than the original"
    if any(
        text[:1].isspace() != ids[0][:1].isspace() or text[-1:].isspace() != ids[0][-1:].isspace() for text in texts
    ):
        return "begins or ends with a blank where the original does not, or the other way round"
    return None


def places(text: str) -> set[str]:
    """The named places in braces; ValueError is what a lonely brace deserves."""
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def forms(text: Key | None) -> list[str]:
    """All forms of a text; of most there is one."""
    return list(text) if isinstance(text, list | tuple) else [text or ""]


if __name__ == "__main__":
    sys.exit(main())
