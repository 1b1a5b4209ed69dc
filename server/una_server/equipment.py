"""What a server has as its config says: a store, a folder of records, an arena, metrics. Each is made, or one sentence
says why it cannot be.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from una_protocol.messages import ServerStatus

from .config import BadConfig, Config, data_path
from .lobby import Lobby
from .net.listener import Options, open_sockets
from .recorder import Recorder
from .store import NoStore, Saved, Store
from .store.sqlite import SqliteStore
from .tournament.tournament import BadSetting, Plan, Tournament

if TYPE_CHECKING:
    from .metrics import Metrics


def make_store(config: Config) -> Store:
    """Where what outlives the server is kept; raises NoData."""
    path = data_path(config)
    return NoStore() if path is None else SqliteStore(path)


def make_recorder(config: Config) -> Recorder | None:
    """What writes records into a folder, if it is to be; raises BadConfig."""
    return None if config.record is None else Recorder(_writable(config.record))


def make_tournament(config: Config, lobby: Lobby, saved: Saved) -> Tournament | None:
    """The arena, if there is to be one; raises BadConfig."""
    if not config.arena:
        return None
    plan = Plan(
        seats=config.arena_seats,
        profile=config.arena_profile,
        options=config.arena_options,
        turn_s=config.arena_turn_s,
        wait_s=config.arena_matches_wait,
    )
    try:
        return Tournament(lobby, plan, saved)
    except BadSetting as error:
        raise BadConfig(f"The arena cannot be: {str(error).removesuffix('.')}.") from None


def make_metrics(config: Config, status: Callable[[], ServerStatus]) -> Metrics | None:
    """The responder for Prometheus, if there is to be one; raises BadConfig, or CannotListen."""
    if config.metrics is None:
        return None
    try:
        from .metrics import Metrics
    except ImportError:
        raise BadConfig("Metrics need one package more: pip install 'una-lan[metrics]'.") from None
    [sock, *others] = open_sockets(config.metrics_host, config.metrics, Options("--metrics-host", "--metrics"))
    for other in others:
        other.close()
    return Metrics(sock, status)


def _writable(folder: str) -> Path:
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".una-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadConfig(
            f"The folder {folder} for records cannot be written to: {(error.strerror or 'it failed').lower()}."
        ) from None
    return path
