"""What a stranger gets: the pins, the two commands on a bare machine, and the built package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PIN = re.compile(r"([a-z0-9-]+)==([\w.]+)( ; [^\\]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")
posix = pytest.mark.skipif(os.name == "nt", reason="the shell scripts are for systems with a shell")


# -- the pins ----------------------------------------------------------------------------------------------------


def pins(name: str) -> dict[str, str]:
    """The pinned versions in requirements/`name`.txt; the file must hold nothing else."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    head, _, body = text.partition("\n")
    assert head.startswith("#")
    assert PIN.sub("", body) == "", "only pins with hashes: no address, no option"
    return {found[1]: found[2] for found in PIN.finditer(body)}


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("runtime", PROJECT["project"]["dependencies"]),
        ("dev", [*PROJECT["project"]["optional-dependencies"]["dev"], *PROJECT["build-system"]["requires"]]),
    ],
)
def test_everything_that_is_needed_is_pinned_to_a_version_that_is_allowed(file: str, wanted: list[str]) -> None:
    pinned = pins(file) | (pins("runtime") if file == "dev" else {})
    for requirement in map(Requirement, wanted):
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement}: pinned to {version}; run scripts/pin"


def test_nothing_is_pinned_twice() -> None:
    assert not pins("runtime").keys() & pins("dev").keys()


# -- the commands on a bare machine ------------------------------------------------------------------------------


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout in a folder with a space in its name, that needs no download: no pins, and a una that says hello."""
    root = tmp_path / "a checkout"
    shutil.copytree(ROOT / "scripts", root / "scripts")
    (root / "requirements").mkdir()
    (root / "requirements" / "runtime.txt").write_text("# nothing\n")
    for source in ("protocol", "server", "client"):
        (root / source).mkdir()
    una = root / "client" / "una_client"
    una.mkdir()
    (una / "__init__.py").touch()
    (una / "__main__.py").write_text("import os, sys\nprint('hello', *sys.argv[1:], os.getcwd(), sep='|')\n")
    shutil.copytree(una, root / "server" / "una_server")
    return root


def call(script: Path, *arguments: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script as on a machine where nothing is set up but Python."""
    surroundings = {"PATH": f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin", "PIP_NO_INDEX": "1", **env}
    return subprocess.run(
        [str(script), *arguments], cwd=cwd, env=surroundings, capture_output=True, text=True, check=False, timeout=120
    )


@posix
def test_the_first_run_sets_up_and_the_next_starts_at_once_from_any_folder(bare: Path, tmp_path: Path) -> None:
    link = tmp_path / "una"
    link.symlink_to("a checkout/scripts/una")
    first = call(link, "a b", "*", cwd=tmp_path)
    assert (first.returncode, first.stdout) == (0, f"hello|a b|*|{tmp_path}\n")
    assert "setting up" in first.stderr
    (tmp_path / "os.py").write_text("raise SystemExit('a file of the folder was imported')")
    second = call(link, "--version", cwd=tmp_path)
    assert (second.returncode, second.stdout, second.stderr) == (0, f"hello|--version|{tmp_path}\n", "")

    server = call(bare / "scripts" / "una-server", "status", cwd=tmp_path)
    assert (server.stdout, server.stderr) == (f"hello|status|{tmp_path}\n", "")

    # Moved, a changed pin, an interrupted install: it mends itself.
    moved = bare.rename(tmp_path / "moved")
    una = moved / "scripts" / "una"
    assert "setting up" in call(una).stderr
    (moved / "requirements" / "runtime.txt").write_text("# still nothing\n")
    assert "setting up" in call(una).stderr
    assert call(una).stderr == ""
    (moved / ".venv" / "una-unfinished").touch()
    (moved / ".venv" / "bin" / "python").unlink()
    assert "setting up" in call(una).stderr
    assert call(una).stderr == ""


@posix
def test_two_at_once_set_up_one_after_the_other(bare: Path) -> None:
    line = [str(bare / "scripts" / "una")]
    surroundings = {"PATH": f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin", "PIP_NO_INDEX": "1"}
    both = [
        subprocess.Popen(line, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert all(out.startswith("hello") for out, _ in said)
    assert sorted("waiting" in err for _, err in said) == [False, True]


@posix
def test_without_a_network_it_says_so_in_one_sentence(bare: Path) -> None:
    (bare / "requirements" / "runtime.txt").write_text("click==8.1.0 --hash=sha256:" + "0" * 64 + "\n")
    done = call(bare / "scripts" / "una")
    assert done.returncode == 2
    assert "could not be downloaded; check the network connection" in done.stderr
    assert "Traceback" not in done.stderr


@posix
def test_an_environment_of_somebody_else_is_not_deleted(bare: Path) -> None:
    (bare / ".venv").mkdir()
    (bare / ".venv" / "mine").touch()
    done = call(bare / "scripts" / "una")
    assert done.returncode == 2
    assert "remove that folder" in done.stderr
    assert (bare / ".venv" / "mine").exists()


@posix
def test_a_machine_whose_python_is_too_old_is_told(bare: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("dirname", "basename", "readlink"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    (tools / "python3").write_text("#!/bin/sh\nexit 1\n")  # what the probe says of an old one
    (tools / "python3").chmod(0o755)
    done = call(bare / "scripts" / "una", PATH=str(tools))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no Python 3.11 or newer was found" in done.stderr


# -- the package -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the source archive, built without a network by the pinned hatchling."""
    folder = tmp_path_factory.mktemp("built")
    line = [sys.executable, "-P", "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(line, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_the_wheel_holds_the_three_packages_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("una_lan-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name and ".data/" not in name} == {
        "una_client",
        "una_protocol",
        "una_server",
    }
    assert [name.partition(".data/")[2] for name in names if ".data/" in name] == ["data/share/man/man1/una.1"]
    assert "una_client/locale/de/LC_MESSAGES/una.po" in names
    assert {f"{package}/py.typed" for package in ("una_client", "una_protocol", "una_server")} <= set(names)
    sources = {str(p.relative_to(p.parents[-2])) for s in ("protocol", "server", "client") for p in modules(s)}
    assert {name for name in names if name.endswith(".py")} == sources


def modules(source: str) -> list[Path]:
    """The modules of one source folder, relative to the project's root."""
    return [path.relative_to(ROOT) for path in (ROOT / source).rglob("*.py")]


def test_the_wheel_runs(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("una_lan-*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    for module in ("una_client", "una_server"):
        line = [sys.executable, "-P", "-m", module, "--version"]
        done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert PROJECT["project"]["version"] in done.stdout


def test_the_source_archive_has_what_is_needed_to_test_it(built: Path) -> None:
    (archive,) = built.glob("una_lan-*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    wanted = ["tests/conftest.py", "scripts/una", "requirements/dev.txt", "docs/RULES.md", "README.md", "LICENSE"]
    assert set(wanted) <= names
    assert not [name for name in names if name.startswith((".venv", ".git/"))]
