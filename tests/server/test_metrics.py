"""Metrics are what Prometheus reads, tell the same as `status`, and hold up no game."""

from __future__ import annotations

import re
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import RunningServer
from una_server.cli import cli


@pytest.fixture
def url(start_server: Callable[..., RunningServer]) -> str:
    log = (start_server("--metrics", "0").folder / "log").read_text()
    found = re.search(r"^Metrics for Prometheus: +(http://127\.0\.0\.1:\d+/metrics)$", log, re.MULTILINE)
    assert found is not None
    return found[1]


def scrape(url: str) -> dict[str, float]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain")
        text = answer.read().decode()
    return {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples}


def raw(url: str, data: bytes) -> bytes:
    host, port = url.removeprefix("http://").removesuffix("/metrics").rsplit(":", 1)
    with socket.create_connection((host, int(port)), 10) as sock:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        answer = b""
        while more := sock.recv(65536):
            answer += more
    return answer


def test_prometheus_reads_them(url: str) -> None:
    found = scrape(url)
    assert found["una_info"] == 1
    assert found["una_connections"] == found["una_moves_total"] == found["una_tables_total"] == 0
    assert found["una_uptime_seconds"] >= 0
    assert set(found) >= {
        "una_guests", "una_sessions", "una_tables", "una_rounds", "una_bans", "una_connections_total",
        "una_refused_total", "una_storage_trouble_total",
    }  # fmt: skip
    if sys.platform == "linux":
        assert found["process_resident_memory_bytes"] > 1e6
    again = scrape(url)
    assert again["una_uptime_seconds"] >= found["una_uptime_seconds"]


def test_the_numbers_follow_the_server(start_server: Callable[..., RunningServer], tmp_path: Any) -> None:
    server = start_server("--metrics", "0", "--data", str(tmp_path / "una.db"))
    url = (server.folder / "log").read_text().partition("Prometheus:")[2].split()[0]
    for _ in range(3):
        assert CliRunner().invoke(cli, ["status", server.address]).exit_code == 0
    with socket.create_connection(("127.0.0.1", server.port)):
        assert CliRunner().invoke(cli, ["status", server.address]).exit_code == 0
        found = scrape(url)
    assert found["una_connections_total"] == 5
    assert found["una_connections"] >= 1


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b"404"),
        (b"GET /metrics?x=1 HTTP/1.0\r\n\r\n", b"200"),
        (b"POST /metrics HTTP/1.1\r\n\r\n", b"405"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x00\xff" * 3, b"400"),
        (b"", b"400"),
        (b"GET /metrics HTTP/1.1\r\n" + b"X: y\r\n" * 3000, b"200"),
    ],
)
def test_other_requests(url: str, request_: bytes, status: bytes) -> None:
    try:
        answer = raw(url, request_)
    except ConnectionResetError:  # closed with something unread
        answer = b"HTTP/1.1 " + status
    assert answer.startswith(b"HTTP/1.1 " + status)


def test_head_has_no_body(url: str) -> None:
    head, _, body = raw(url, b"HEAD /metrics HTTP/1.1\r\n\r\n").partition(b"\r\n\r\n")
    assert b"Content-Length: " in head
    assert not body


def test_a_taken_port_is_one_sentence_and_names_its_option() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(cli, ["run", "--no-data", "--host", "127.0.0.1", "--port", "0", "--metrics", port])
    assert result.exit_code == 2
    assert f"Port {port} is taken by another program; choose another with --metrics (0" in result.output


def test_an_address_of_another_machine_is_one_sentence_and_names_its_option() -> None:
    far = ["--metrics", "0", "--metrics-host", "192.0.2.1"]
    result = CliRunner().invoke(cli, ["run", "--no-data", "--host", "127.0.0.1", "--port", "0", *far])
    assert result.exit_code == 2
    assert "This machine does not have the address 192.0.2.1; choose another with --metrics-host.\n" in result.output


def test_without_the_package_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "una_server.metrics", raising=False)
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    result = CliRunner().invoke(cli, ["run", "--no-data", "--host", "127.0.0.1", "--port", "0", "--metrics", "0"])
    assert result.exit_code == 2
    assert "una-lan[metrics]" in result.output
    assert result.output.count("\n") == 1


def test_there_are_none_unless_asked_for(start_server: Callable[..., RunningServer]) -> None:
    assert "Metrics" not in (start_server().folder / "log").read_text()
