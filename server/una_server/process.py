"""The server as a process, from its start to the signal that ends it. Knows signals, standard input, the port file."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import trio

from . import __version__
from .config import BadConfig, Config, data_path
from .host import Host
from .logs import note

log = logging.getLogger(__name__)


def run_process(
    config: Config, port_file: str | None, until_eof: bool, config_now: Callable[[], Config] | None = None
) -> None:
    """Run a server as this process until it is told to stop. `config_now` reads the config again, for SIGHUP.

    Raises BadConfig, NoData or CannotListen before it starts.
    """
    note(log, "start", version=__version__, pid=os.getpid(), data=str(data_path(config) or "none"))
    host = Host(config)
    try:
        if port_file is not None:
            _try_port_file(Path(port_file))
        if host.admin_token is not None and config.admin_token_file is not None:
            _write_token(Path(config.admin_token_file), host.admin_token)
        port = host.listen()
    except BaseException:
        host.close()
        raise

    def ready() -> None:
        if port_file is not None:
            _write_port(Path(port_file), port)
        if not config.log_json:  # a program reads along, and the log says the same
            _say(host.greeting())
        if host.admin_token is not None and config.admin_token_file is None:
            _say(f"Admin token:              {host.admin_token}")
        _collect_less()

    trio.run(host.run, _until_signal(host, until_eof, config_now), ready)


def _say(text: str) -> None:
    try:
        print(text, flush=True)
    except OSError as error:  # a full disk, or nobody reads on: no reason for a server to end
        log.error("the output could not be written: %s", error.strerror)


def _collect_less() -> None:
    """Almost everything here is freed by counting references; looking for cycles is left for now and then.

    The tables' logs are many small values that live long, and every search would walk through all of them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _until_signal(
    host: Host, until_eof: bool, config_now: Callable[[], Config] | None
) -> Callable[[], Awaitable[None]]:
    async def until() -> None:
        async with trio.open_nursery() as nursery:

            async def stop_when(event: Callable[[], Awaitable[None]]) -> None:
                await event()
                nursery.cancel_scope.cancel()

            nursery.start_soon(stop_when, _signal)

            async def end_of_input() -> None:
                await _end_of_input()
                host.for_good = not host.store.keeps  # whoever started it has gone, and nothing is left to come back to

            if until_eof:
                nursery.start_soon(stop_when, end_of_input)
            if config_now is not None and sys.platform != "win32":
                nursery.start_soon(stop_when, partial(_hang_up, host, config_now))

    return until


async def _hang_up(host: Host, config_now: Callable[[], Config]) -> None:
    """Read the config again at each SIGHUP, until one comes because the terminal was closed that we were started in."""
    terminals = [number for number in (0, 1, 2) if os.isatty(number)]
    with trio.open_signal_receiver(signal.SIGHUP) as signals:
        async for _ in signals:
            if 0 in terminals and not os.isatty(0):
                nothing = os.open(os.devnull, os.O_RDWR)
                for number in terminals:  # what is said from here on would be a fault
                    os.dup2(nothing, number)
                log.info("the terminal was closed")
                return
            try:
                config = config_now()
            except BadConfig as error:
                log.error("the config stays as it was: %s", error)
                continue
            host.reload(config)
            logging.getLogger().setLevel(config.log_level.upper())
            log.info("the config was read again")


async def _signal() -> None:
    wanted = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        wanted.append(signal.SIGBREAK)
    with trio.open_signal_receiver(*wanted) as signals:
        async for _ in signals:
            return


async def _end_of_input() -> None:
    # By the descriptor: a thread that is left behind in a buffered read would hold its lock when the program ends.
    while await trio.to_thread.run_sync(os.read, 0, 4096, abandon_on_cancel=True):
        pass


def _write_token(file: Path, token: str) -> None:
    """All at once, and readable by nobody else at any time."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        part.unlink(missing_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as stream:
            stream.write(f"{token}\n")
        part.replace(file)
    except OSError as error:
        why = (error.strerror or "it failed").lower()
        raise BadConfig(f"The admin token cannot be written to {file}: {why}.") from None


def _try_port_file(file: Path) -> None:
    """Say at once what would keep somebody waiting for ever."""
    try:
        _part_of(file).touch()
        _part_of(file).unlink()
    except OSError as error:
        why = (error.strerror or "it failed").lower()
        raise BadConfig(f"The port cannot be written to {file}: {why}.") from None


def _part_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.{os.getpid()}")


def _write_port(file: Path, port: int) -> None:
    """All at once: whoever waits for the file never reads half of it."""
    part = _part_of(file)
    try:
        part.write_text(f"{port}\n", encoding="ascii")
        part.replace(file)
    except OSError as error:
        log.error("the port file could not be written: %s", error.strerror)
