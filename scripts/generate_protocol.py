"""Write what is made from the protocol's definitions: PROTOCOL.md's reference, the schema, vectors, situations.

    python scripts/generate_protocol.py            write the files
    python scripts/generate_protocol.py --check    write nothing; exit 1 when one is stale or a promise is broken
    python scripts/generate_protocol.py --freeze   also write the frozen file of this minor (only until it is released)

The frozen files say what each released minor promised. Against them holds: nothing is removed, renamed, retyped or made
required; what is added is optional, and says since which minor it exists.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from protocol_vectors import sample, vectors

from una_protocol import catalogue
from una_protocol import messages as m
from una_protocol.conformance import SITUATIONS, Situation
from una_protocol.errors import BYES, ERRORS
from una_protocol.version import MINOR, PROTO

ROOT = Path(__file__).resolve().parent.parent / "protocol"
FROZEN = ROOT / "frozen"
BEGIN = "<!-- The reference: written by scripts/generate_protocol.py. Do not edit below. -->\n"
END = "<!-- End of the reference. -->\n"

GROUPS = {
    "Requests": ("What a client sends. `t` names the type. The examples have every field.", m.REQUESTS),
    "Answers": ("What a server sends. The examples have every field.", m.ANSWERS),
    "Actions": ("The `do` of an `act`, the entries of `legal`. `k` names the kind.", catalogue.ACTIONS),
    "Events of the table": ("The `e` of an `ev`. `k` names the kind.", catalogue.TABLE_EVENTS),
    "Events of a round": ("The same.", catalogue.ROUND_EVENTS),
    "Values": ("Maps inside messages; they carry no tag.", catalogue.VALUES),
}


def main() -> int:
    """Run as told by the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when something is stale")
    parser.add_argument("--freeze", action="store_true", help="also write the frozen file of the current minor")
    options = parser.parse_args()
    if options.freeze:
        _write(_frozen_path(), to_json(promises()))
    problems = list(_broken_rules())
    for path, text in generated().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            if options.check:
                problems.append(f"{path.relative_to(ROOT.parent)} is stale: run scripts/generate_protocol.py")
            else:
                _write(path, text)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def generated() -> dict[Path, str]:
    """Path -> what should stand there."""
    files = {ROOT / "vectors" / name: _lines(rows) for name, rows in vectors().items()}
    files |= {ROOT / "conformance" / f"{one.name}.json": _situation(one) for one in SITUATIONS}
    files[ROOT / "schema.json"] = to_json(catalogue.schema())
    page = ROOT / "PROTOCOL.md"
    written = page.read_text(encoding="utf-8") if page.exists() else BEGIN + END
    before, begin, rest = written.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page} has lost the marks around its reference")
    files[page] = before + BEGIN + "\n" + reference() + END + after
    return files


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {path.relative_to(ROOT.parent)}")


def to_json(value: Any) -> str:
    """JSON as all the files have it."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _lines(rows: list[dict[str, Any]]) -> str:
    """A JSON array with one row per line, so that a change shows as one line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def _situation(situation: Situation) -> str:
    """A file of `conformance/`, with one step per line."""
    head = json.dumps(situation.as_data() | {"steps": []}, ensure_ascii=False, indent=1)
    steps = ",\n".join("  " + json.dumps(step, ensure_ascii=False) for step in situation.steps)
    return head.replace('"steps": []', f'"steps": [\n{steps}\n ]') + "\n"


# -- the reference ----------------------------------------------------------------------------------------------


def reference() -> str:
    """The second half of PROTOCOL.md."""
    parts = [_group(title, doc, types) for title, (doc, types) in GROUPS.items()]
    return "\n".join([*parts, _codes(), _limits()])


def _group(title: str, doc: str, types: Any) -> str:
    lines = [f"## {title}", "", doc, ""]
    for kind in catalogue.kinds(types):
        since = f" (since {PROTO}.{kind['since']})" if kind["since"] else ""
        lines += [f"### `{kind['name']}`{since}", "", kind["doc"], ""]
        if kind["fields"]:
            lines += ["| field | type | if absent | meaning |", "|---|---|---|---|"]
            lines += [_field(row) for row in kind["fields"]]
            lines.append("")
        if types is not catalogue.VALUES:
            lines += ["```json", json.dumps(example(title, kind["name"]), ensure_ascii=False), "```", ""]
    return "\n".join(lines)


_WILD = {"k": "play", "card": "W", "color": "red", "una": True}
"""No play has all of its fields at once."""


def example(title: str, name: str) -> Any:
    """A message with every field of this kind in it, as the vectors have it."""
    if title == "Actions":
        action = next(type_ for type_ in catalogue.ACTIONS if catalogue.tag_of(type_) == name)
        beside = {} if name in ("una", "catch") else {"turn": 41}
        do = _WILD if name == "play" else sample(action, full=True)
        return {"t": "act", "id": 7, "table": "k3f", **beside, "do": do}
    file = {"Requests": "requests", "Answers": "answers"}.get(title, "events")
    rows = [row["json"] for row in vectors()[f"{file}.json"]]
    if file == "events":
        return [row for row in rows if row["e"]["k"] == name][-1]
    found = [row for row in rows if row["t"] == name][-1]
    return found | {"do": _WILD} if name == "act" else found


def _field(row: dict[str, Any]) -> str:
    absent = "required" if row["required"] else _default(row["default"])
    since = f" (since {PROTO}.{row['since']})" if row["since"] else ""
    type_ = row["type"].replace("|", "\\|")
    return f"| `{row['name']}` | {type_} | {absent} | {row['doc']}{since} |"


def _default(value: Any) -> str:
    return "–" if value is None else f"`{json.dumps(value)}`"


def _codes() -> str:
    lines = ["## Error codes", "", "| code | retry | group | meaning |", "|---|---|---|---|"]
    lines += [f"| `{code}` | {e.retry} | {e.group} | {e.meaning} |" for code, e in ERRORS.items()]
    lines += ["", "## Codes of `bye`", "", "Besides the error codes:", "", "| code | meaning |", "|---|---|"]
    lines += [f"| `{code}` | {meaning} |" for code, meaning in BYES.items()]
    return "\n".join([*lines, ""])


def _limits() -> str:
    lines = ["## Limits", "", "| limit | value |", "|---|---|"]
    lines += [f"| `{name}` | {json.dumps(value)} |" for name, value in catalogue.LIMITS.items()]
    return "\n".join([*lines, ""])


# -- the evolution rules ----------------------------------------------------------------------------------------


def promises() -> dict[str, Any]:
    """What this minor promises, in the form of a frozen file."""
    types: dict[str, dict[str, Any]] = {}
    for title, (_, members) in GROUPS.items():
        types[title] = {
            kind["name"]: {row["name"]: _promise(row) for row in kind["fields"]} for kind in catalogue.kinds(members)
        }
    return {"types": types, "errors": {code: e.retry for code, e in ERRORS.items()}, "byes": sorted(BYES)}


def _promise(row: dict[str, Any]) -> dict[str, Any]:
    kept = {"type": row["type"], "required": row["required"], "since": row["since"]}
    return kept | ({"default": row["default"]} if "default" in row else {})


def _frozen_path() -> Path:
    return FROZEN / f"{PROTO}.{MINOR}.json"


def _broken_rules() -> Iterator[str]:
    now = json.loads(to_json(promises()))
    if not _frozen_path().exists():
        yield f"{_frozen_path().name} is missing in protocol/frozen: run scripts/generate_protocol.py --freeze"
    for path in sorted(FROZEN.glob(f"{PROTO}.*.json")):
        then = json.loads(path.read_text(encoding="utf-8"))
        yield from compare(then, now, path.stem)
        if path == _frozen_path() and then != now:
            yield f"the definitions differ from {path.stem}: raise the minor; or, before its release, use --freeze"


def compare(then: dict[str, Any], now: dict[str, Any], version: str) -> Iterator[str]:
    """What `now` breaks of the promises made `then`."""
    for group, kinds in then["types"].items():
        for kind, fields in kinds.items():
            if kind not in now["types"].get(group, {}):
                yield f"{group}: `{kind}` of {version} is gone"
                continue
            yield from _compare_fields(f"{group}: `{kind}`", fields, now["types"][group][kind], version)
    for code, retry in then["errors"].items():
        if now["errors"].get(code) != retry:
            yield f"error code `{code}` of {version} is gone, or its retry has changed"
    for code in then["byes"]:
        if code not in now["byes"]:
            yield f"bye code `{code}` of {version} is gone"


def _compare_fields(where: str, then: dict[str, Any], now: dict[str, Any], version: str) -> Iterator[str]:
    for name, old in then.items():
        if name not in now:
            yield f"{where}: the field `{name}` of {version} is gone"
        elif now[name] != old:
            yield f"{where}: the field `{name}` was {old} in {version}, and is {now[name]}"
    minor = int(version.split(".")[1])
    for name in now.keys() - then.keys():
        if now[name]["required"]:
            yield f"{where}: the new field `{name}` is required; {version} does not have it"
        if now[name]["since"] <= minor:
            yield f"{where}: the new field `{name}` does not say that it is newer than {version}"


if __name__ == "__main__":
    sys.exit(main())
