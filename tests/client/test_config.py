"""The config file: what it says, what is wrong with it, what is in force, and how it is written."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from una_client import config, i18n
from una_client.settings import SETTINGS


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the config file is in this test; it is not there yet."""
    path = tmp_path / "una" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("UNA_CONFIG", str(path))
    return path


def problems(file: Path, text: str) -> list[str]:
    """What is said of a file, without its name."""
    file.write_text(text, encoding="utf-8")
    return [problem.removeprefix(f"{file}, ") for problem in config.read().problems]


def test_what_it_says(file: Path) -> None:
    file.write_text(
        'favourites = ["una.lan"]\n[player]\nname = "Zoë"\nlang = "de"\n[look]\nascii = true\nbell = "all"\n'
        '[keys]\ndraw = "z"\nplay = ["p", "enter"]\n',
        encoding="utf-8",
    )
    found = config.read()
    assert found.problems == []
    assert found.values == {"name": "Zoë", "lang": "de", "ascii": True, "bell": "all"}
    assert found.keys == {"draw": "z", "play": ["p", "enter"]}
    assert found.favourites == ["una.lan"]


def test_no_file_is_no_problem(file: Path) -> None:
    assert config.read().problems == []
    assert config.settle({}, config.read(), {}) == {setting.name: setting.default for setting in SETTINGS}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[look\ncolor = '16'", "line 1: this cannot be understood, and is left out: [look"),
        ("[look]\n\ncolor = red", "line 3: this cannot be understood, and is left out: color = red"),
        ("x = " + "[" * 5000, "line 1: this cannot be understood, and is left out: x = " + "[" * 56),
        ('[look]\ncolor = "pink"', "line 2: color must be one of auto, none, 16, 256, true."),
        ("[look]\nascii = 1", "line 2: ascii must be one of true, false."),
        ('[player]\nname = "a  b"', "line 2: A name may not begin or end with a space, nor hold two in a row."),
        ("[player]\nname = 7", "line 2: name must be a text in quotes."),
        ('[look]\ncolour = "16"', "line 2: There is no setting colour; is color meant?"),
        ('[lok]\ncolor = "16"', "line ?: There is no setting lok; is look meant?"),
        ('theme = "mono"', "line 1: The setting theme stands under [look]."),
        ('[player]\ntheme = "mono"', "line 2: The setting theme stands under [look]."),
        ("[player]\nxyzzy = 1", "line 2: There is no setting xyzzy."),
        ('favourites = "una.lan"', "line 1: favourites must be a list of texts."),
        ("[keys]\ndraw = 7", "line 2: draw must be a key in quotes, or a list of them."),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file: Path, text: str, sentence: str) -> None:
    told = problems(file, text)
    assert sentence in told


def test_the_rest_of_a_broken_file_holds(file: Path) -> None:
    told = problems(file, '[look]\ntheme = "mono"\nascii = ture\nbell = \nmouse = true\n= 5\n[player]\nname = "Ann"\n')
    assert [line.partition(":")[0] for line in told] == ["line 3", "line 4", "line 6"]
    assert config.read().values == {"theme": "mono", "mouse": True, "name": "Ann"}


def test_nonsense_is_survived(file: Path) -> None:
    for data in (b"\xff\xfe\x00", b'a = """\n' * 50, b"[[look]]\n", b"look = 3\n", b"\x00" * 1000, b"[a]\n" * 200):
        file.write_bytes(data)
        assert config.read().problems
        assert config.read().values == {}
    file.unlink()
    file.mkdir()
    assert "cannot be read" in config.read().problems[0]


def test_flag_then_environment_then_file_then_default(file: Path) -> None:
    file.write_text('[look]\ntheme = "mono"\ncolor = "16"\nbell = "all"\nascii = true\n', encoding="utf-8")
    env = {"UNA_THEME": "high-contrast", "UNA_COLOR": "256", "UNA_PLAIN": "yes", "UNA_ASCII": "0", "UNA_MOUSE": ""}
    found = config.read()
    settled = config.settle({"theme": "default", "mouse": False}, found, env)
    assert settled == {
        "name": None, "lang": None, "theme": "default", "color": "256", "bell": "all", "ascii": False, "plain": True,
        "mouse": False,
    }  # fmt: skip
    assert found.problems == []
    config.settle({}, found, {"UNA_COLOR": "pink", "UNA_ASCII": "perhaps"})
    assert found.problems == [
        "UNA_COLOR must be one of auto, none, 16, 256, true.", "UNA_ASCII must be one of true, false.",
    ]  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_template_explains_everything_and_reads_as_nothing(file: Path, lang: str) -> None:
    i18n.use(lang)
    try:
        file.write_text(config.template(), encoding="utf-8")
        found = config.read()
        assert (found.problems, found.values, found.keys, found.favourites) == ([], {}, {}, [])
        uncommented = [line.removeprefix("# ") if " = " in line else line for line in found.text.splitlines()]
        data = tomllib.loads("\n".join(uncommented))
        assert {name for part in ("player", "look") for name in data[part]} == {setting.name for setting in SETTINGS}
        assert data["keys"]
        assert data["favourites"]
        assert all(len(line) <= 120 for line in uncommented)
    finally:
        i18n.use("en")


def test_answers_stand_in_the_template(file: Path) -> None:
    values: dict[str, str | bool | None] = {"name": "Zoë O'Hara", "lang": "de", "theme": "mono", "mouse": True}
    assert config.write(config.template(values), file)
    assert config.read().values == values
    data = tomllib.loads(config.template({"name": 'A"\\\x07é'}))
    assert data["player"]["name"] == 'A"\\\x07é'


def test_what_cannot_be_written_is_left_alone(file: Path) -> None:
    file.write_text("", encoding="utf-8")
    assert not config.write("x", file / "deeper" / "config.toml")
    assert list(file.parent.iterdir()) == [file]


def una(file: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("UNA_")}
    return subprocess.run(
        [sys.executable, "-P", "-W", "error", "-m", "una_client", *arguments], capture_output=True, text=True,
        input="", env={**clean, "LC_ALL": "C.UTF-8", "UNA_CONFIG": str(file), **env}, timeout=30, check=False,
    )  # fmt: skip


def test_the_command_shows_what_is_in_force(file: Path) -> None:
    done = una(file, "config")
    assert "not there yet" in done.stdout
    done = una(file, "config", "--init")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"{file} was written.")
    assert file.exists()
    file.write_text('[look]\ntheme = "mono"\nbell = 3\n[keys]\ndraw = "z"\n', encoding="utf-8")
    done = una(file, "config", "--ascii", UNA_COLOR="16")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == str(file)
    for line in ("theme = mono  (from the file)", "ascii = true  (from the command line)", "color = 16  (UNA_COLOR)",
                 "bell = turn", "draw = z"):  # fmt: skip
        assert line in done.stdout.splitlines()
    assert done.stderr == f"{file}, line 3: bell must be one of turn, all, never.\n"


def test_a_file_that_is_there_is_not_written_again(file: Path) -> None:
    file.write_text('[look]\ntheme = "mono"\n', encoding="utf-8")
    done = una(file, "config", "--init")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == f"{file} is there already, and was left as it is."
    assert "theme = mono  (from the file)" in done.stdout
    assert file.read_text(encoding="utf-8") == '[look]\ntheme = "mono"\n'


def test_a_game_starts_all_the_same_and_in_the_language_of_the_file(file: Path) -> None:
    file.write_text('[player]\nlang = "de"\nname = "Zoë"\n[look]\nascii = 5\n', encoding="utf-8")
    done = una(file, "play", "--auto", "--seed", "7")
    assert done.returncode == 0
    assert "hat das Spiel gewonnen." in done.stdout or "Du hast das Spiel gewonnen." in done.stdout
    assert done.stderr == f"{file}, Zeile 5: ascii muss eins davon sein: true, false.\n"
