"""The files for running a server: what they name exists, and does what they want of it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from una_protocol.version import DEFAULT_PORT
from una_server.cli import cli
from una_server.net.limits import Limits
from una_server.rooms import Rooms

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "scripts" / "deploy"
UNIT = (DEPLOY / "una-server.service").read_text("utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
PAGE = (ROOT / "docs" / "RUNNING.md").read_text("utf-8")


def parses(words: list[str]) -> bool:
    """Whether `una-server` takes these words."""
    command: click.Command = cli
    while isinstance(command, click.Group):
        context = click.Context(command)
        words = command.make_parser(context).parse_args(words)[1]
        found = command.get_command(context, words[0])
        assert found is not None, words[0]
        command, words = found, words[1:]
    _, rest, _ = command.make_parser(click.Context(command)).parse_args(words)
    return not rest


def setting(name: str) -> str:
    """The last value of a setting of the unit."""
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)[-1]


def instruction(name: str) -> str:
    """What follows an instruction of the Dockerfile that stands there once."""
    [found] = re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)
    return str(found)


# -- the unit -------------------------------------------------------------------------------------------------------


def test_the_unit_starts_a_server() -> None:
    program, *words = shlex.split(setting("ExecStart"))
    assert Path(program).name == "una-server"
    assert f"sudo python3 -m venv {Path(program).parent.parent}" in PAGE
    assert parses(words)
    assert "${STATE_DIRECTORY}/una.db" in words
    assert setting("ExecReload") == "/bin/kill -HUP $MAINPID"


def test_the_unit_is_of_nobody_and_locked_in() -> None:
    assert setting("DynamicUser") == "yes"
    assert setting("StateDirectory") == setting("RuntimeDirectory") == "una"
    assert "User=root" not in UNIT
    for name in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "MemoryDenyWriteExecute"):
        assert setting(name) == "yes"
    assert setting("ProtectSystem") == "strict"
    assert setting("CapabilityBoundingSet") == ""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / "una-server.service"
    copy.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT), "utf-8")
    line = ["systemd-analyze", "verify", "--man=no", str(copy)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=20, check=False)
    ours = [line for line in done.stderr.splitlines() if "una-server" in line]
    assert not ours, done.stderr


# -- the image ------------------------------------------------------------------------------------------------------


def test_what_the_image_copies_exists_and_is_let_through() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert ignored[0] == "*"
    copied = [word for line in re.findall(r"^COPY (.*)$", DOCKERFILE, re.MULTILINE) for word in line.split()[:-1]]
    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored
    for folder in re.findall(r"PYTHONPATH=(\S+)", DOCKERFILE)[0].split(":"):
        assert f" {folder}/una_{Path(folder).name}" in DOCKERFILE


def test_the_image_is_of_nobody_and_keeps_its_data() -> None:
    assert re.fullmatch(r"python:3\.\d+-slim", instruction("FROM"))
    user = instruction("USER")
    assert re.search(rf"useradd .* {user} ", DOCKERFILE)
    assert user != "root"
    volume = instruction("VOLUME")
    assert f"chown {user}:{user} {volume}" in DOCKERFILE
    words = json.loads(instruction("CMD"))
    assert parses(words)
    assert words[words.index("--data") + 1].startswith(f"{volume}/")


def test_the_image_opens_the_port_and_can_be_asked() -> None:
    assert instruction("EXPOSE").split() == [f"{DEFAULT_PORT}/tcp", f"{DEFAULT_PORT}/udp"]
    program, *words = json.loads(instruction("HEALTHCHECK").partition(" CMD ")[2])
    assert [program] == json.loads(instruction("ENTRYPOINT")) == ["una-server"]
    assert parses(words)
    assert words == ["status"]


def test_packages_of_the_image_have_hashes() -> None:
    assert "--require-hashes" in DOCKERFILE
    [program] = re.findall(r"awk '([^']+)'", DOCKERFILE)
    if shutil.which("awk") is None:
        pytest.skip("there is no awk")
    line = ["awk", program, str(ROOT / "requirements" / "dev.txt")]
    found = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"prometheus-client==[\d.]+( \\\n +--hash=sha256:[0-9a-f]{64})+\n", found)


# -- the page -------------------------------------------------------------------------------------------------------


def test_the_table_of_limits_is_the_servers() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ", PAGE, re.MULTILINE))
    known = {name: getattr(limits, name) for limits in (Limits(), Rooms()) for name in limits.__struct_fields__}
    assert {name: float(value) for name, value in rows.items()} == known


def test_the_page_names_the_files() -> None:
    for name in ("una-server.service", "Dockerfile"):
        assert f"scripts/deploy/{name}" in PAGE
