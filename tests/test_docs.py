"""The pages say what is true: commands parse, links lead somewhere, tables agree with the code."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from una_server.game import options
from una_server.game.options import PROFILES

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "protocol").glob("*.md"))]
PACKAGES = [ROOT / "protocol" / "una_protocol", ROOT / "server" / "una_server", ROOT / "client" / "una_client"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHER_TOOLS = {"git", "python3", ".venv/bin/pip", ".venv/bin/python", "pip", "pipx", "uv", "sudo", "cd"}


def blocks(kind: str) -> list[tuple[Path, str]]:
    """The blocks of one kind in all pages."""
    return [(page, m[2]) for page in PAGES for m in BLOCK.finditer(page.read_text("utf-8")) if m[1] == kind]


def commands() -> list[str]:
    """Each command that a page tells the reader to type."""
    lines = [line.strip() for _, text in blocks("sh") for line in text.splitlines()]
    return sorted({line for line in lines if line and not line.startswith("#")})


@pytest.mark.parametrize("line", commands())
def test_a_command_in_a_page_is_one_that_parses(line: str) -> None:
    words = shlex.split(line.partition(" > ")[0], comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        del words[0]
    program, *arguments = words
    if program.startswith("./scripts/"):
        assert (ROOT / program).exists(), program
    if Path(program).name == "una":
        parse(client_command(), arguments)
    elif Path(program).name == "una-server":
        parse(server_command(), arguments)
    else:
        assert program.startswith("./scripts/") or program in OTHER_TOOLS, program


def parse(command: click.Command, arguments: list[str]) -> None:
    """Parse as click would, down to the last subcommand, without running anything."""
    arguments = [word for word in arguments if word not in ("--help", "--version", "&", "<", "/dev/null")]
    while isinstance(command, click.Group):
        context = click.Context(command)
        _, arguments, _ = command.make_parser(context).parse_args(arguments)
        if not arguments:
            return
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found is not None, f"there is no command {name!r}"
        command = found
    command.make_context(command.name, arguments)


def client_command() -> click.Command:
    """The command line of the client."""
    from una_client import cli

    return _group(cli)


def server_command() -> click.Command:
    """The command line of the server."""
    from una_server import cli

    return _group(cli)


def _group(module: Any) -> click.Command:
    return next(value for value in vars(module).values() if isinstance(value, click.Group))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.read_text("utf-8")), target


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as the usual viewers make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(BLOCK, "", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_table_of_options_is_the_engines() -> None:
    text = (ROOT / "docs" / "RULES.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", text, re.MULTILINE)
    assert [row[0] for row in rows] == list(options.Options.__struct_fields__)
    for name, *shown in rows:
        for profile, word in zip(("una", "classic", "traditional", "official"), shown, strict=True):
            value = getattr(PROFILES[profile], name)
            said = {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
            assert word in (said, "–"), (name, profile)


def test_each_point_that_the_code_names_stands_in_the_rules() -> None:
    known = set(re.findall(r"\*\*([A-Z]\d)\*\*", (ROOT / "docs" / "RULES.md").read_text("utf-8")))
    for path in (path for package in PACKAGES for path in package.rglob("*.py")):
        for docstring in docstrings(path):
            named = set(re.findall(r"\b([CGFTDWUPEHL]\d)\b", docstring))
            assert named <= known, path


def docstrings(path: Path) -> list[str]:
    """The docstrings of a module, its classes and functions."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [ast.get_docstring(node) or "" for node in nodes if isinstance(node, kinds)]


def test_the_architecture_names_every_folder() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    folders = {str(Path(name).parent) for name in files.splitlines() if not name.startswith("tests")}
    missing = {folder for folder in folders if folder != "." and f"`{folder}/`" not in text}
    assert not missing
    for named in re.findall(r"^\| `([\w/]+/)` \|", text, re.MULTILINE):
        assert (ROOT / named).is_dir(), named


def test_the_keys_in_the_pages_are_those_of_the_key_table() -> None:
    from una_client.tui.keys import keys_markdown

    everything = keys_markdown().strip()
    for page, keys in (("docs/KEYS.md", everything), ("README.md", everything.partition("\n\n**")[0])):
        text = (ROOT / page).read_text("utf-8")
        shown = text.partition("<!-- keys -->\n")[2].partition("<!-- /keys -->")[0]
        assert shown.strip() == keys, "run scripts/readme_keys.py"


def test_house_rules_in_a_page_are_taken_by_the_server() -> None:
    from una_server.game.house_rules import load_house_rules

    for _, text in blocks("toml"):
        load_house_rules(text)


def test_the_table_of_what_a_bot_sees_is_complete() -> None:
    from una_protocol.actions import DRAW
    from una_protocol.bot import BotView
    from una_protocol.view import View

    text = (ROOT / "docs" / "BOTS.md").read_text("utf-8").partition("## What a bot sees")[2].partition("\n## ")[0]
    named = {
        name for row in re.findall(r"^\| (`\w+`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    view = BotView(View("k3f", 1, "Kitchen", "una", {}, 4), (DRAW,), 0)
    assert named == {name for name in dir(view) if not name.startswith("_")}


def test_the_bot_in_the_readme_is_one() -> None:
    from una_protocol.bot import Bot

    found = [text for page, text in blocks("python") if page.name == "README.md"]
    assert found
    for text in found:
        names: dict[str, Any] = {}
        exec(compile(text, "README.md", "exec"), names)
        bots = [kind for kind in names.values() if isinstance(kind, type) and issubclass(kind, Bot) and kind is not Bot]
        assert len(bots) == 1
        view: Any = SimpleNamespace(legal=["first", "second"])
        chosen: object = bots[0]().choose(view)
        assert chosen == "first"


def test_the_results_of_an_arena_are_what_it_says() -> None:
    (shown,) = [text for _, text in blocks("text") if text.startswith("204 rounds of una")]
    line = [sys.executable, "-m", "una_server", "arena", "normal", "easy", "random", "--games", "200", "--seed", "1"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)

    def without_times(text: str) -> list[list[str]]:
        return [[*words[:8], *words[9:]] for row in text.splitlines()[3:6] if (words := row.split())]

    assert shown.splitlines()[:2] == done.stdout.splitlines()[:2]
    assert without_times(shown) == without_times(done.stdout)
