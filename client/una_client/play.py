"""A server of one's own, for `una play` and `una host`: a child process that ends with us, however we end.

Its standard input is a pipe that we hold: when this process dies, even by kill -9, the pipe closes and the server
stops. Its output goes to a file that is read only to say why it failed; the terminal stays ours.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Final

import trio
from msgspec import Struct

from una_protocol.text import clean
from una_protocol.version import DEFAULT_PORT

from .i18n import _

LOOPBACK: Final = "127.0.0.1"
START_S: Final = 20.0
PARTING_S: Final = 2.0


class ServerFailed(Exception):
    """The server of our own did not start; the text is one sentence. `status` is its exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class Own(Struct, frozen=True, kw_only=True):
    """What kind of server: for oneself on loopback, or `open` to the network, to be found there by its `name`.

    `port` None is the usual one, or any other where that is taken; it counts for open servers only.
    """

    seed: int | None = None
    open: bool = False
    port: int | None = None
    name: str = ""
    password: str | None = None


def _arguments(own: Own, port: int, folder: Path) -> list[str]:
    where = ["--name", own.name] if own.open else ["--host", LOOPBACK, "--no-discovery"]
    seed = [] if own.seed is None else ["--seed", str(own.seed)]
    if own.password is None:
        return [*where, "--port", str(port), *seed]
    config = folder / "server.toml"  # not on the command line, which everybody on this machine can read
    config.write_text(f"password = {json.dumps(own.password)}\n", encoding="utf-8")
    return [*where, "--port", str(port), *seed, "--config", str(config)]


@asynccontextmanager
async def own_server(own: Own | None = None) -> AsyncIterator[int]:
    """Run a server while the block runs; gives its port. ServerFailed where it does not come up."""
    own = own or Own()
    async with AsyncExitStack() as stack:
        try:
            port = await stack.enter_async_context(_server(own, (own.port or DEFAULT_PORT) if own.open else 0))
        except ServerFailed:
            if not own.open or own.port is not None:
                raise
            port = await stack.enter_async_context(_server(own, 0))  # the usual port is taken
        yield port


@asynccontextmanager
async def _server(own: Own, port: int) -> AsyncIterator[int]:
    with TemporaryDirectory(prefix="una-") as folder:
        port_file, log_file = Path(folder, "port"), Path(folder, "log")
        command = [sys.executable, "-m", "una_server", "run", "--until-eof", "--no-data", "--log-level", "warning"]
        command += ["--port-file", str(port_file), *_arguments(own, port, Path(folder))]
        with _open_log(log_file) as log:
            process = await trio.lowlevel.open_process(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log, **_apart()
            )
        try:
            yield await _port(process, port_file, log_file)
        finally:
            await _stop(process)


def _open_log(path: Path) -> BinaryIO:
    return path.open("wb")


def _apart() -> dict[str, Any]:
    """Ctrl-C is for us: the server stops when we let go of it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


async def _port(process: trio.Process, port_file: Path, log_file: Path) -> int:
    with trio.move_on_after(START_S):
        while process.poll() is None:
            if (text := _read(port_file).strip()).isdigit():
                return int(text)
            await trio.sleep(0.01)
    reasons = [line for line in _read(log_file).splitlines() if any(map(str.isalpha, line))]
    reason = clean(reasons[-1]) if reasons else _("it says nothing.")
    raise ServerFailed(_("The server for your game did not start: {reason}").format(reason=reason), _status(process))


def _read(path: Path) -> str:
    """The text of a small local file; nothing while it is not there."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _status(process: trio.Process) -> int:
    return process.returncode or 1


async def _stop(process: trio.Process) -> None:
    with trio.CancelScope(shield=True):
        if process.stdin is not None:
            await process.stdin.aclose()
        with trio.move_on_after(PARTING_S):
            await process.wait()
        if process.poll() is None:
            process.kill()
            await process.wait()
