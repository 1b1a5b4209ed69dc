"""Looking after a server: each deed at a real process, by the command line and over the wire; and who may not."""

from __future__ import annotations

import contextlib
import socket
import stat
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from tests.server.care import Care, Start, connected, guest
from tests.server.house import open_house, until
from tests.server.memory import MemoryTransport
from una_protocol import messages as m
from una_protocol.address import Address
from una_protocol.codec import encode
from una_server.caretaker import Unreachable, ask
from una_server.cli import cli


@pytest.fixture
def care(start_server: Start, tmp_path: Path) -> Care:
    return Care(start_server, tmp_path)


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
            await until(far.messages)
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


def test_who_says_everything_but_the_answer_is_not_waited_for_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as babbling:
        over = threading.Event()

        def babble() -> None:
            peer, _address = babbling.accept()
            with peer, contextlib.suppress(OSError):
                while not over.wait(0.05):
                    peer.sendall(encode(m.PingNow()))

        thread = threading.Thread(target=babble)
        thread.start()
        try:
            with pytest.raises(Unreachable, match="does not answer"):
                ask(Address("127.0.0.1", babbling.getsockname()[1]), m.Status(1, None), timeout=0.5)
        finally:
            over.set()
            thread.join()
