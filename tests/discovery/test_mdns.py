"""mDNS: a server that registers is found and says goodbye; what does not work is a line of the log."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

import pytest
import trio
from msgspec import structs

from una_client.browsing import browse
from una_protocol.beacon import Beacon
from una_server import mdns
from una_server.mdns import register

zeroconf = pytest.importorskip("zeroconf")

LOOPBACK = ["127.0.0.1"]
KITCHEN = Beacon(id="mdnstest", name="Kitchen. \u202eX", port=4820, proto=(1, 2), players=3, tables=1, password=True)


async def test_a_server_is_found_tells_what_changes_and_leaves(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "UPDATE_S", 0.1)
    said, heard = trio.open_memory_channel[tuple[Beacon, Sequence[str] | None]](100)
    now = KITCHEN

    def tell(beacon: Beacon, hosts: Sequence[str] | None = None) -> None:
        if beacon.id == KITCHEN.id:
            said.send_nowait((beacon, hosts))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(browse, tell, tell, LOOPBACK)
        serving = trio.CancelScope()

        @nursery.start_soon
        async def serve() -> None:
            with serving:
                await register(lambda: now, LOOPBACK, LOOPBACK)
            if not serving.cancel_called:
                said.send_nowait((KITCHEN, ["failed"]))

        with trio.fail_after(15), said, heard:
            beacon, hosts = await heard.receive()
            if hosts == ["failed"]:
                nursery.cancel_scope.cancel()
                pytest.skip(f"no multicast here: {caplog.text}")
            assert hosts == LOOPBACK
            assert beacon == structs.replace(KITCHEN, name="Kitchen. X")
            now = structs.replace(KITCHEN, players=4)
            while beacon.players != 4:
                beacon, _ = await heard.receive()
            serving.cancel()
            while (await heard.receive())[1] is not None:
                pass
            nursery.cancel_scope.cancel()


async def test_a_machine_without_multicast_is_a_line_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(zeroconf, "Zeroconf", broken)
    caplog.set_level(logging.INFO)
    with trio.fail_after(5):
        await register(lambda: KITCHEN, ["0.0.0.0", "::"])
        await browse(lambda *_: None, lambda *_: None)
    lines = [record for record in caplog.records if "mDNS does not work here" in record.message]
    assert [record.levelno for record in lines] == [logging.WARNING, logging.INFO]


async def test_without_zeroconf_there_is_a_line_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    caplog.set_level(logging.INFO)
    with trio.fail_after(5):
        await register(lambda: KITCHEN, ["0.0.0.0"])
    assert "zeroconf is not installed" in caplog.text


@pytest.mark.parametrize("name", ["", "a.b.c", "厨" * 64, "x" * 64, "Ann's server"])
def test_any_name_makes_a_valid_label(name: str) -> None:
    info = mdns._info(structs.replace(KITCHEN, name=name), LOOPBACK)
    assert len(info.name.removesuffix("._una._tcp.local.").encode()) <= 63
    assert "." not in info.name.removesuffix("._una._tcp.local.")
