"""Help pages and completion. (`scripts/check` compares the man page.)"""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from una_client.cli import cli

UNA = [sys.executable, "-P", "-W", "error", "-m", "una_client"]


def every_command(group: click.Group = cli, prefix: str = "una") -> list[tuple[str, click.Command]]:
    found = []
    for name, command in group.commands.items():
        found.append((f"{prefix} {name}", command))
        if isinstance(command, click.Group):
            found += every_command(command, f"{prefix} {name}")
    return found


COMMANDS = every_command()


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _command in COMMANDS])
def test_each_command_has_a_sentence_an_example_and_explained_options(name: str, command: click.Command) -> None:
    told = command.help or ""
    assert told.strip().splitlines()[0].rstrip().endswith((".", ":", "official.", ","))
    if not isinstance(command, click.Group):
        assert f"{name} " in told or f"{name}\n" in told, "an example"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help.strip().endswith((".", "]")), parameter.help
    short = command.get_short_help_str(66)
    assert name.startswith(("una bot ", "una ladder")) or not short.endswith("..."), short


@pytest.mark.parametrize(
    ("words", "expected"),
    [("una re", {"replay"}), ("una st", {"stats"}), ("una bot ", {"run", "new", "check"}), ("una --th", {"--theme"}),
     ("una --theme ", {"default", "high-contrast", "mono"}), ("una completion ", {"bash", "zsh", "fish"})],
)  # fmt: skip
def test_the_tab_key(words: str, expected: set[str]) -> None:
    at = str(len(words.split()) - (not words.endswith(" ")))
    env = {**os.environ, "_UNA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": at}
    done = subprocess.run(UNA, env=env, capture_output=True, text=True, check=False)
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == expected, done.stderr


@pytest.mark.skipif(not os.path.exists("/bin/bash"), reason="needs bash")
def test_bash_takes_the_script() -> None:
    script = subprocess.run([*UNA, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    done = subprocess.run(["bash", "-c", script + "\ncomplete -p una"], capture_output=True, text=True, check=True)
    assert "_una_completion" in done.stdout


def test_help_in_another_language() -> None:
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    for arguments in (
        ["--lang", "de", "--help"],
        ["--lang=de", "bot", "run", "-h"],
        ["host", "--help", "--lang", "de"],
        ["--lang", "de", "--plain"],
    ):
        done = subprocess.run([*UNA, *arguments], capture_output=True, text=True, check=True, env=env)
        assert "Aufruf: una" in done.stdout
        for english in ("Usage", "Options:", "Show this", "[default:", "The ", "[OPTIONS]", "[ARGS]"):
            assert english not in done.stdout
    done = subprocess.run(
        [*UNA, "play", "-h"], capture_output=True, text=True, check=True, env={**env, "UNA_LANG": "de"}
    )
    assert "Gegen Bots spielen." in done.stdout
    assert "una play --profile official --bots 3 --target 200" in done.stdout
