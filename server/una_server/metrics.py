"""Metrics for Prometheus: a collector that reads what `observation` knows, and a responder of its own for GET /metrics.

Nothing is counted here and nothing happens between two scrapes. The one module that knows prometheus_client, an extra
of the package.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import trio
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from una_protocol.messages import ServerStatus

log = logging.getLogger(__name__)

PATH: Final = b"/metrics"
REQUEST_BYTES: Final = 8192
REQUEST_S: Final = 5.0
AT_ONCE: Final = 8
"""Scrapes at a time; whoever comes beyond that waits."""

_GAUGES: Final = {
    "connections": "Open connections.",
    "guests": "Guests who are connected.",
    "sessions": "Guests who are remembered.",
    "tables": "Open tables.",
    "rounds": "Tables at which a round runs.",
    "bans": "Banned addresses.",
    "uptime_s": "Seconds since the start.",
}
_COUNTERS: Final = {
    "moves": "Actions done in rounds.",
    "connections_total": "Connections since the start.",
    "refused_total": "Connections that were turned away.",
    "tables_total": "Tables that were ever opened.",
    "storage_trouble": "Actions that could not be stored.",
}
_QUANTILES: Final = {"0.5": "commit_p50_us", "0.99": "commit_p99_us"}


class StatusCollector(Collector):
    """The numbers of a status, as metrics."""

    def __init__(self, status: Callable[[], ServerStatus]) -> None:
        self._status = status

    def collect(self) -> Iterable[Metric]:
        """The metrics, as they are now."""
        status = self._status()
        info = GaugeMetricFamily("una_info", "The server.", labels=["version"])
        info.add_metric([status.version], 1)
        yield info
        for name, doc in _GAUGES.items():
            yield GaugeMetricFamily(f"una_{name.replace('_s', '_seconds')}", doc, getattr(status, name))
        for name, doc in _COUNTERS.items():
            yield CounterMetricFamily(f"una_{name.removesuffix('_total')}", doc, getattr(status, name))
        yield from _commits(status)

    def describe(self) -> Iterable[Metric]:
        """Nothing: else a registry would ask for a status before there is one."""
        return ()


def _commits(status: ServerStatus) -> Iterator[Metric]:
    doc = "How long the last commits to the database took."
    family = GaugeMetricFamily("una_commit_recent_seconds", doc, labels=["quantile"])
    for quantile, name in _QUANTILES.items():
        value = getattr(status, name)
        if value is not None:
            family.add_metric([quantile], value / 1e6)
    yield family


class Metrics:
    """Answers scrapes on its socket, until cancelled."""

    def __init__(self, sock: socket.socket, status: Callable[[], ServerStatus]) -> None:
        self._sock = sock
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(StatusCollector(status))
        ProcessCollector(registry=self._registry)

    def close(self) -> None:
        """Give the socket back."""
        self._sock.close()

    @property
    def url(self) -> str:
        """Where the metrics are."""
        host, port = self._sock.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH.decode()}"

    async def run(self) -> None:
        """Accept and answer."""
        room = trio.Semaphore(AT_ONCE)
        listener = trio.SocketListener(trio.socket.from_stdlib_socket(self._sock))
        async with trio.open_nursery() as nursery, listener:
            while True:
                await room.acquire()
                try:
                    stream = await listener.accept()
                except BaseException:
                    room.release()
                    raise
                nursery.start_soon(self._serve, stream, room)

    async def _serve(self, stream: trio.SocketStream, room: trio.Semaphore) -> None:
        try:
            async with stream:
                with trio.move_on_after(REQUEST_S):
                    await stream.send_all(self.answer(await _request(stream)))
                    await stream.send_eof()
        except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        except Exception:
            log.exception("a scrape failed")
        finally:
            room.release()

    def answer(self, request: bytes) -> bytes:
        """The answer to the head of a request."""
        words = request.split(b"\r\n", 1)[0].split(b" ")
        if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
            return _response("400 Bad Request", b"This is no request.\n")
        if words[0] not in (b"GET", b"HEAD"):
            return _response("405 Method Not Allowed", b"Only GET.\n", more="Allow: GET, HEAD\r\n")
        if words[1].split(b"?", 1)[0] != PATH:
            return _response("404 Not Found", b"The metrics are at /metrics.\n")
        whole = _response("200 OK", generate_latest(self._registry), CONTENT_TYPE_LATEST)
        return whole if words[0] == b"GET" else whole.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"


async def _request(stream: trio.SocketStream) -> bytes:
    """The head of a request, or what came of it."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) < REQUEST_BYTES:
        more = await stream.receive_some(4096)
        if not more:
            break
        data += more
    return data


def _response(status: str, body: bytes, kind: str = "text/plain; charset=utf-8", more: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{more}\r\n"
    )
    return head.encode("ascii") + body
