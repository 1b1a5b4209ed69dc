"""Looking after a server: each deed at a real process, by the command line and over the wire; and who may not."""

from __future__ import annotations

import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio
from click.testing import CliRunner, Result

from tests.conftest import RunningServer
from tests.server.house import open_house, until
from tests.server.memory import MemoryTransport
from una_server.bans import Bans, network_of
from una_server.cli import cli

Start = Callable[..., RunningServer]


class Care:
    """A server process, and whoever looks after it."""

    def __init__(self, start: Start, folder: Path, *options: str) -> None:
        self.file = folder / "token"
        self.server = start("--admin-token-file", str(self.file), *options)
        self.token = self.file.read_text().strip()

    def do(self, *words: str) -> Result:
        """A command that must succeed."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result

    def run(self, *words: str) -> Result:
        where = ["--host", "127.0.0.1", "--port", str(self.server.port), "--token-file", str(self.file)]
        return CliRunner().invoke(cli, ["admin", *where, *words])

    @property
    def log(self) -> str:
        return (self.server.folder / "log").read_text()


@pytest.fixture
def care(start_server: Start, tmp_path: Path) -> Care:
    return Care(start_server, tmp_path)


class Wire:
    """A plain client."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.id = 1

    def say(self, **message: Any) -> None:
        body = msgpack.packb(message)
        self.sock.sendall(len(body).to_bytes(4, "big") + body)

    def hear(self) -> Any:
        size = int.from_bytes(self.sock.recv(4, socket.MSG_WAITALL), "big")
        return msgpack.unpackb(self.sock.recv(size, socket.MSG_WAITALL))

    def until(self, **fields: Any) -> Any:
        while True:
            message = self.hear()
            if fields.items() <= message.items():
                return message

    def ask(self, kind: str, **fields: Any) -> Any:
        self.id += 1
        self.say(t=kind, id=self.id, **fields)
        return self.until(re=self.id)


@contextmanager
def connected(port: int) -> Iterator[Wire]:
    with socket.create_connection(("127.0.0.1", port), 10) as sock:
        yield Wire(sock)


@contextmanager
def guest(port: int, name: str, **more: Any) -> Iterator[Wire]:
    with connected(port) as wire:
        wire.say(t="hello", id=1, proto=[1], name=name, **more)
        wire.session = wire.until(t="welcome")["session"]  # type: ignore[attr-defined]
        yield wire


# -- each deed ------------------------------------------------------------------------------------------------------


def test_list_shows_who_is_there(care: Care) -> None:
    assert "0 guests, 0 tables, 0 bans." in care.do("list").output
    with guest(care.server.port, "Ann") as ann:
        table = ann.ask("create", name="Kitchen", public=False)["table"]
        output = care.do("list").output
        assert f"Ann, 127.0.0.1, at {table}" in output
        assert f"{table}  Kitchen, 1 of 4 seats, waiting" in output
        assert "1 guest, 1 table, 0 bans." in output
    assert '"name": "Ann"' in care.do("list", "--json").output


def test_say_reaches_tables_and_the_lobby(care: Care) -> None:
    with guest(care.server.port, "Ann") as ann, guest(care.server.port, "Ben") as ben:
        table = ann.ask("create", name="Kitchen")["table"]
        assert "2 guests" in care.do("say", "Tea is ready.").output
        said = {"t": "said", "text": "Tea is ready.", "from": "server", "admin": True}
        assert ann.until(t="said") == said | {"table": table}
        assert ben.until(t="said") == said
    assert "Tea" not in care.log


@pytest.mark.parametrize("data", [False, True])
def test_kick_ends_a_session_and_its_seat(start_server: Start, tmp_path: Path, data: bool) -> None:
    care = Care(start_server, tmp_path, *(["--data", str(tmp_path / "una.db")] if data else []))
    port = care.server.port
    with guest(port, "Ann") as ann, guest(port, "Ben") as ben:
        table = ann.ask("create", name="Kitchen", una_grace_ms=0)["table"]
        ben.ask("join", table=table)
        ann.ask("start", table=table)
        assert care.do("kick", "ben").output == "Sent away: 1.\n"
        bye = ben.until(t="bye")
        assert (bye["code"], bye["reconnect"]) == ("kicked", False)
        assert ben.sock.recv(1) == b""
        while ann.until(t="ev")["e"]["k"] != "left":
            pass
        with connected(port) as again:
            again.say(t="hello", id=1, proto=[1], name="Ben", resume={"session": ben.session, "tables": {}})  # type: ignore[attr-defined]
            assert again.hear()["code"] == "session_gone"
        key = care.do("list").output.split()[0]
        assert care.do("kick", "--key", key).output == "Sent away: 1.\n"
        assert ann.until(t="bye")["code"] == "kicked"
    assert care.run("kick", "Nobody").exit_code == 1
    assert care.run("kick").exit_code == 2


@pytest.mark.parametrize("data", [False, True])
def test_close_sends_everybody_from_a_table(start_server: Start, tmp_path: Path, data: bool) -> None:
    care = Care(start_server, tmp_path, *(["--data", str(tmp_path / "una.db")] if data else []))
    port = care.server.port
    with guest(port, "Ann") as ann, guest(port, "Ben") as ben, guest(port, "Eve") as eve:
        table = ann.ask("create", name="Kitchen", una_grace_ms=0, bots=["easy"])["table"]
        ben.ask("join", table=table)
        eve.ask("watch", table=table)
        ann.ask("start", table=table)
        assert care.do("close", "kitchen").output == f"Table {table} is closed.\n"
        for wire, seat in ((ann, 0), (ben, 2)):
            while True:
                event = wire.until(t="ev")["e"]
                if event["k"] == "left" and event.get("seat") == seat:
                    assert event["why"] == "kicked"
                    break
            assert wire.ask("state", table=table)["code"] == "no_such_table"
        assert eve.ask("state", table=table)["code"] == "no_such_table"
        assert ann.ask("create", name="Kitchen")["t"] == "ok"
    assert care.run("close", "nowhere").exit_code == 1
    assert "Traceback" not in care.log


async def test_a_ban_ends_connections_and_keeps_others_out() -> None:
    async with open_house() as house, trio.open_nursery() as nursery:
        token = house.host.admin_token
        far = MemoryTransport("2001:db8::7")
        nursery.start_soon(house.host.port.serve, far)
        far.say(t="hello", id=1, proto=[1], name="Far")
        desk = await house.connect()
        await until(lambda: house.lobby.book.by_key)
        asked = {"id": 5, "token": token, "address": "2001:db8::1"}
        await desk.send(t="admin", do="ban", seconds=60, **asked)
        assert (await desk.next())["n"] == 1
        await desk.send(t="admin", do="list", what="bans", **asked)
        [ban] = (await desk.next())["bans"]
        assert ban["address"] == "2001:db8::/64"
        assert 50 <= ban["seconds"] <= 60
        assert far.messages()[-1]["code"] == "kicked"
        assert not house.lobby.book.by_key
        again = MemoryTransport("2001:db8::9")
        nursery.start_soon(house.host.port.serve, again)
        await until(lambda: again.ended)
        assert [message["code"] for message in again.messages()] == ["kicked"]
        await desk.send(t="admin", do="unban", **asked)
        assert (await desk.next())["t"] == "ok"
        third = MemoryTransport("2001:db8::9")
        nursery.start_soon(house.host.port.serve, third)
        third.say(t="hello", id=1, proto=[1], name="Far")
        await until(lambda: third.sent)
        assert third.messages()[0]["t"] == "welcome"
        nursery.cancel_scope.cancel()


def test_bans_outlive_a_server_with_a_database(start_server: Start, tmp_path: Path) -> None:
    data = ["--data", str(tmp_path / "una.db")]
    care = Care(start_server, tmp_path, *data)
    care.do("ban", "192.0.2.7")
    care.do("ban", "192.0.2.8", "--for", "3600")
    care.do("ban", "192.0.2.9")
    care.do("unban", "192.0.2.9")
    care.do("shutdown")
    assert care.server.process.wait(6) == 0
    output = Care(start_server, tmp_path, *data).do("list").output
    assert "192.0.2.7  banned\n192.0.2.8  banned for 3" in output
    assert "2 bans" in output


def test_bans_by_the_command_line(care: Care) -> None:
    care.do("ban", "192.0.2.7", "--for", "60")
    care.do("ban", "2001:db8::5")
    output = care.do("list").output
    assert "192.0.2.7  banned for 60 s" in output or "192.0.2.7  banned for 59 s" in output
    assert "2001:db8::/64  banned\n" in output
    care.do("unban", "2001:db8::/64")
    assert care.run("unban", "2001:db8::5").output == "This address is not banned.\n"
    assert care.run("ban", "nonsense").output == "This is no IP address.\n"
    assert "cannot be banned" in care.run("ban", "127.0.0.1").output
    assert "cannot be banned" in care.run("ban", "::1").output


def test_shutdown_says_goodbye_and_ends_well(care: Care) -> None:
    with guest(care.server.port, "Ann") as ann:
        care.do("shutdown", "--after", "1")
        assert ann.until(t="said")["text"] == "The server stops in 1 seconds."
        began = time.monotonic()
        bye = ann.until(t="bye")
        assert time.monotonic() - began > 0.5
        assert (bye["code"], bye["reconnect"]) == ("shutting_down", True)
    assert care.server.process.wait(6) == 0


# -- who may not ----------------------------------------------------------------------------------------------------


def test_a_wrong_token_ends_the_connection(care: Care) -> None:
    for token in ("", care.token[:-1], care.token + "x", "ü" * 32):
        with connected(care.server.port) as wire:
            wire.say(t="admin", id=1, token=token, do="shutdown")
            answer, bye = wire.hear(), wire.hear()
            assert (answer["t"], answer["re"], answer["code"]) == ("err", 1, "wrong_password")
            assert (bye["t"], bye["code"], bye["reconnect"]) == ("bye", "wrong_password", False)
            assert wire.sock.recv(1) == b""
    with guest(care.server.port, "Ann") as ann:
        assert ann.ask("admin", token="guess", do="list")["code"] == "wrong_password"
        assert ann.hear()["t"] == "bye"
    assert care.log.count("wrong_token") == 5
    assert care.token not in care.log
    assert "guess" not in care.log
    care.do("list")


async def test_tries_from_one_address_are_limited() -> None:
    async with open_house(tries=3) as house, trio.open_nursery() as nursery:
        codes = []
        for token in ["guess"] * 4 + [house.host.admin_token]:
            far = MemoryTransport()
            nursery.start_soon(house.host.port.serve, far)
            far.say(t="admin", id=1, token=token, do="list")
            await until(lambda far=far: far.sent)
            codes.append(far.messages()[0]["code"])
            far.feed(b"")
        assert codes == ["wrong_password"] * 3 + ["too_fast"] * 2
        nursery.cancel_scope.cancel()


def test_a_guest_with_the_token_may_too(care: Care) -> None:
    with guest(care.server.port, "Ann") as ann:
        answer = ann.ask("admin", token=care.token, do="list")
        assert [row["name"] for row in answer["guests"]] == ["Ann"]
        ann.say(t="admin", id=ann.id, token=care.token, do="list")
        assert ann.hear() == answer  # the same id, the same answer


@pytest.mark.parametrize(
    ("fields", "at"),
    [({"do": "say"}, "$.text"), ({"do": "kick"}, "$.name"), ({"do": "close"}, "$.table"), ({"do": "ban"}, "$.address")],
)
async def test_what_is_missing_is_named(fields: dict[str, Any], at: str) -> None:
    async with open_house() as house:
        desk = await house.connect()
        await desk.send(t="admin", id=3, token=house.host.admin_token, **fields)
        answer = await desk.next()
        assert (answer["code"], answer["at"]) == ("bad_message", at)


async def test_long_lists_come_in_pages() -> None:
    async with open_house(connections=100) as house:
        for number in range(60):
            await house.guest(f"Guest {number}")
        desk = await house.connect()
        asked = {"t": "admin", "id": 3, "token": house.host.admin_token, "do": "list"}
        await desk.send(**asked)
        first = await desk.next()
        await desk.send(**asked, after=first["next"])
        second = await desk.next()
        names = [row["name"] for row in first["guests"] + second["guests"]]
        assert names == [f"Guest {number}" for number in range(60)]
        assert "next" not in second


def test_no_admin(start_server: Start) -> None:
    server = start_server("--no-admin")
    assert "Admin token" not in (server.folder / "log").read_text()
    with connected(server.port) as wire:
        wire.say(t="admin", id=1, token="", do="list")
        assert wire.hear()["code"] == "wrong_password"


def test_a_full_server_can_be_looked_after(start_server: Start, tmp_path: Path) -> None:
    care = Care(start_server, tmp_path, "--max-connections", "2")
    port = care.server.port
    with guest(port, "Ann"), guest(port, "Ben") as ben:
        with connected(port) as third:
            third.say(t="hello", id=1, proto=[1], name="Cem")
            bye = third.hear()
            assert (bye["t"], bye["code"], bye["reconnect"]) == ("bye", "full", True)
            assert third.sock.recv(1) == b""
        assert "2 guests" in care.do("list").output
        care.do("kick", "Ben")
        assert ben.until(t="bye")["code"] == "kicked"


# -- the token, the command line ------------------------------------------------------------------------------------


def test_the_token_is_shown_or_in_a_file_of_ones_own(start_server: Start, care: Care) -> None:
    if sys.platform != "win32":
        assert stat.S_IMODE(care.file.stat().st_mode) == 0o600
    assert len(care.token) == 32
    assert "Admin token" not in care.log
    server = start_server()
    [line] = [line for line in (server.folder / "log").read_text().splitlines() if "Admin token" in line]
    token = line.split()[-1]
    where = ["admin", "--host", "127.0.0.1", "--port", str(server.port)]
    for more, env in ((["--token", token], {}), ([], {"UNA_ADMIN_TOKEN": token})):
        assert CliRunner().invoke(cli, [*where, *more, "list"], env=env).exit_code == 0
    assert CliRunner().invoke(cli, [*where, "--token", "x", "list"]).output == "The admin token is missing or wrong.\n"
    no_token = CliRunner().invoke(cli, [*where, "list"], env={"UNA_ADMIN_TOKEN": ""})
    assert no_token.exit_code == 2
    assert "token is needed" in no_token.output


def test_a_token_file_that_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    line = ["run", "--no-data", "--port", "0", "--admin-token-file", str(tmp_path / "no" / "token")]
    result = CliRunner().invoke(cli, line)
    assert result.exit_code == 2
    assert "cannot be written" in result.output


def test_nobody_there_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
    result = CliRunner().invoke(cli, ["admin", "--host", "127.0.0.1", "--port", port, "--token", "x", "list"])
    assert (result.exit_code, result.output) == (1, f"There is no server at 127.0.0.1:{port}.\n")


# -- bans -----------------------------------------------------------------------------------------------------------


def test_what_is_banned_for_an_address() -> None:
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2::/64") == "2001:db8:1:2::/64"
    assert network_of("fe80::1%eth0") == "fe80::/64"


def test_a_ban_ends_by_itself() -> None:
    bans = Bans()
    bans.add("192.0.2.7", 10.0)
    bans.add("192.0.2.8", None)
    assert bans.holds("192.0.2.7", 9.0)
    assert not bans.holds("192.0.2.7", 10.0)
    assert bans.holds("192.0.2.8", 1e9)
    assert bans.all(11.0) == [("192.0.2.8", None)]
    assert bans.forget(11.0) == ["192.0.2.7"]
    assert bans.lift("192.0.2.8")
    assert not bans.lift("192.0.2.8")
