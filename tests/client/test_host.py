"""`una host`: the goal, the server for it, and the address that others are told."""

from __future__ import annotations

import ipaddress
import stat
from pathlib import Path
from typing import Any

import ifaddr
import pytest

from una_client import host, play
from una_client.goal import Goal
from una_client.play import Own

GIVEN: dict[str, Any] = {
    "port": None, "table": None, "seats": None, "bots": 0, "level": "normal", "profile": "una", "password": None,
}  # fmt: skip


def test_the_table_is_called_after_its_host_and_has_room_for_the_bots() -> None:
    goal, own = host.host_goal("Ann", **GIVEN)
    assert goal.create is not None
    assert (goal.create.name, goal.create.seats, goal.create.bots, goal.create.public) == ("Ann's table", 4, [], True)
    assert (goal.do, goal.start, goal.own_server) == ("create", False, True)
    assert (own.open, own.name, own.port) == (True, "Ann's table", None)
    goal, own = host.host_goal("Aleksandra-Maria", **{**GIVEN, "bots": 6, "level": "easy", "port": 5000})
    assert goal.create is not None
    assert (goal.create.name, goal.create.seats, goal.create.bots) == ("Aleksandra-Maria", 7, ["easy"] * 6)
    assert own.port == 5000


def test_seats_that_are_asked_for_must_hold_the_bots(capsys: pytest.CaptureFixture[str]) -> None:
    goal, _own = host.host_goal("Ann", **{**GIVEN, "seats": 3, "bots": 2})
    assert goal.create is not None
    assert (goal.create.seats, len(goal.create.bots)) == (3, 2)
    with pytest.raises(SystemExit) as out:
        host.host_goal("Ann", **{**GIVEN, "seats": 2, "bots": 9})
    assert out.value.code == 2
    told = "9 bots and you do not fit at a table of 2: take --seats 10, or fewer bots.\n"
    assert capsys.readouterr().err == told


def adapter(name: str, *ips: str) -> ifaddr.Adapter:
    return ifaddr.Adapter(name, name, [ifaddr.IP(ip, 24, name) for ip in ips])


@pytest.mark.parametrize(
    ("adapters", "address"),
    [
        ([], None),
        ([adapter("lo", "127.0.0.1")], None),
        ([adapter("lo", "127.0.0.1"), adapter("eth0", "169.254.1.1", "192.168.1.20")], "192.168.1.20"),
        ([adapter("docker0", "172.17.0.1"), adapter("wlan0", "10.0.4.7")], "10.0.4.7"),
        ([adapter("eth0", "8.8.8.8"), adapter("eth1", "192.168.1.5")], "192.168.1.5"),
        ([adapter("docker0", "172.17.0.1")], "172.17.0.1"),
    ],
)
def test_the_address_others_are_told(
    adapters: list[ifaddr.Adapter], address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    assert host.lan_address() == address
    assert address is None or ipaddress.ip_address(address)


def test_the_line_to_join_names_that_address() -> None:
    goal = Goal(host="127.0.0.1", port=5000, name="Ann", shown="192.168.1.20")
    assert goal.where == "192.168.1.20:5000"
    assert Goal(host="::1", name="Ann").where == "[::1]"


def test_a_password_stands_on_no_command_line(tmp_path: Path) -> None:
    line = play._arguments(Own(open=True, name="K", password='s"ecret'), 4820, tmp_path)
    assert not any("ecret" in word for word in line)
    assert (tmp_path / "server.toml").read_text() == 'password = "s\\"ecret"\n'
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
