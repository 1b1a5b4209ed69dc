"""What all tests share: honest failure reports under trio, hypothesis profiles, and a running server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

collect_ignore_glob = ["e2e/*"] if sys.platform == "win32" else []  # they need a pty

os.environ["UNA_CONFIG"] = os.devnull + "/none"  # no test reads, or asks for, the settings of whoever runs it

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; programs started here would ignore it too
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("una", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("una"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "una")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Show a trio test's own failure: pytest-trio runs each in a nursery, which wraps it in a group of one."""
    try:
        return (yield)
    except BaseExceptionGroup as group:
        inner: BaseException = group
        while isinstance(inner, BaseExceptionGroup) and len(inner.exceptions) == 1:
            inner = inner.exceptions[0]
        if inner is group or "trio" not in pyfuncitem.keywords:
            raise
        raise inner from None


@dataclass(frozen=True)
class RunningServer:
    """A server process on a port of its own; it ends with its standard input, so with the test too."""

    process: subprocess.Popen[bytes]
    port: int
    folder: Path

    @property
    def address(self) -> str:
        """What a client is told to join."""
        return f"127.0.0.1:{self.port}"


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    """Start `una-server run` with further options: `start_server("--seed", "7")`. All of them end with the test."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*options: str) -> RunningServer:
        folder = tmp_path / f"server-{len(running)}"
        folder.mkdir()
        port_file = folder / "port"
        line = [
            sys.executable,
            "-m",
            "una_server",
            "run",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--until-eof",
            "--no-discovery",
            *([] if "--data" in options else ["--no-data"]),
        ]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*line, "--port-file", str(port_file), *options],
                stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, cwd=folder,
            )  # fmt: skip
        running.append(process)
        return RunningServer(process, _port(process, port_file, folder / "log"), folder)

    yield start
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
    for process in running:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            pytest.fail("the server did not end with its standard input")


@pytest.fixture
def server(start_server: Callable[..., RunningServer]) -> RunningServer:
    """A server with its defaults."""
    return start_server()


def _port(process: subprocess.Popen[bytes], port_file: Path, log: Path) -> int:
    end = time.monotonic() + 20
    while time.monotonic() < end and process.poll() is None:
        text = port_file.read_text() if port_file.exists() else ""
        if text.strip().isdigit():
            return int(text)
        time.sleep(0.02)
    process.kill()
    process.wait()
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')}")


def connects(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
