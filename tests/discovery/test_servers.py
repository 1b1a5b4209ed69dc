"""`una servers` and a real server process, over loopback."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ROOT, RunningServer
from una_server.config import BadConfig, make_config


def una_servers(*options: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "una_client", "--lang", "en", "servers", *options]
    return subprocess.run(line, capture_output=True, text=True, timeout=30, check=False, encoding="utf-8")


def test_a_running_server_is_found(start_server: Callable[..., RunningServer]) -> None:
    server = start_server("--discovery", "--name", "Kitchen", "--password", "tea")
    done = una_servers("--seconds", "1", "--port", str(server.port), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    here: dict[str, Any] = next(found for found in json.loads(done.stdout) if found["port"] == server.port)
    assert here["name"] == "Kitchen"
    assert here["address"] == server.address
    assert (here["players"], here["tables"], here["password"], here["fits"]) == (0, 0, True, "yes")


def test_the_code_in_the_protocols_page_finds_it(
    start_server: Callable[..., RunningServer], capsys: pytest.CaptureFixture[str]
) -> None:
    server = start_server("--discovery", "--name", "Kitchen")
    page = (ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
    names: dict[str, Any] = {}
    code = next(part for part in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "def find_servers" in part)
    exec(compile(code, "PROTOCOL.md", "exec"), names)
    names["find_servers"]("127.0.0.1", server.port, 0.5)
    assert capsys.readouterr().out == f"Kitchen 127.0.0.1 {server.port}\n"


def test_a_server_that_shall_not_be_found_does_not_listen_for_probes(
    start_server: Callable[..., RunningServer],
) -> None:
    server = start_server("--no-discovery")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", server.port))  # it is free


def test_a_server_on_loopback_speaks_no_mdns(start_server: Callable[..., RunningServer]) -> None:
    server = start_server("--discovery", "--log-level", "debug")
    assert "mDNS" not in (server.folder / "log").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_it_without_a_traceback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.settimeout(20)
        line = [sys.executable, "-m", "una_client", "servers", "--seconds", "30"]
        line += ["--port", str(silent.getsockname()[1])]
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            silent.recv(2048)  # so it is looking
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err.strip()) == (130, "", "")


def test_times_that_make_no_sense_are_refused() -> None:
    assert una_servers("--seconds", "0").returncode == 2
    assert una_servers("--port", "0").returncode == 2


def test_the_config_can_switch_it_off(tmp_path: Any) -> None:
    file = tmp_path / "una.toml"
    file.write_text("discovery = false\n")
    assert not make_config(str(file), {}, {}).discovery
    assert make_config(str(file), {"discovery": True}, {}).discovery, "the command line wins"
    with pytest.raises(BadConfig, match="discovery cannot be 'no'; allowed: true or false"):
        make_config(None, {"discovery": "no"}, {})
