"""Sessions are kept over the end of the program: the file, and the way back to the seat."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.client.kit import Peer, serving
from tests.conftest import RunningServer
from una_client.goal import Goal, arrive
from una_client.link import reach
from una_client.tokens import KEPT, Tokens
from una_protocol import messages as m
from una_protocol.view import View


def test_tokens_are_kept_for_their_owner_only_the_newest_of_them(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "deep" / "sessions.json")
    assert tokens.get("a") is None
    for number in range(KEPT + 5):
        tokens.put(f"server {number}", f"token {number}")
    tokens.put("server 7", "newer")
    assert tokens.get("server 7") == "newer"
    assert tokens.get("server 4") is None
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(tmp_path / "deep" / "sessions.json").st_mode) == 0o600
    assert len(list((tmp_path / "deep").iterdir())) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not asked there")
def test_a_session_in_use_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "sessions.json"
    path.write_text(json.dumps({"mine": f"t1 {os.getpid()}", "theirs": f"t2 {os.getppid()}", "gone": "t3 999999999"}))
    assert [Tokens(path).get(key) for key in ("mine", "theirs", "gone")] == ["t1", None, "t3"]


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', "\x00", "[" * 10_000])
def test_a_spoilt_file_is_no_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sessions.json"
    path.write_text(text)
    assert Tokens(path).get("a") is None


async def test_a_session_that_is_gone_is_replaced(tmp_path: Path) -> None:
    async def gone(peer: Peer) -> None:
        hello = await peer.take()
        assert hello.resume.session == "old"
        await peer.send(m.Err("session_gone", "", "no", re=hello.id))

    async def fresh(peer: Peer) -> None:
        await peer.welcome(session="new")
        await peer.take()

    async with serving(gone, fresh) as port:
        goal, tokens = Goal(host="127.0.0.1", port=port, name="Ann"), Tokens(tmp_path / "sessions.json")
        tokens.put(f"Ann@127.0.0.1:{port}", "old")
        async with reach(goal, tokens) as link:
            assert link.welcome.session == "new"
        assert tokens.get(f"Ann@127.0.0.1:{port}") == "new"


@pytest.mark.parametrize("table", [None, "Kitchen", "id"])
async def test_who_comes_back_sits_down_on_the_same_seat(server: RunningServer, table: str | None) -> None:
    new = m.Create(0, "Kitchen", bots=["easy"], seats=2)
    goal = Goal(host="127.0.0.1", port=server.port, name="Ann", do="create", create=new, start=True)
    async with reach(goal) as link:
        await arrive(link, goal)
        first = await link.incoming.receive()
        assert isinstance(first, View)
    named = first.table if table == "id" else table
    again = Goal(host="127.0.0.1", port=server.port, name="Ann", do="lobby" if table is None else "join", table=named)
    async with reach(again) as link:
        await arrive(link, again)
        message = await link.incoming.receive()
        while not isinstance(message, View):
            message = await link.incoming.receive()
        assert (message.table, message.you, message.stage) == (first.table, 0, "playing")
