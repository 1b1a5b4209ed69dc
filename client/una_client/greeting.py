"""How a connection begins: TCP, hello and welcome; and one sentence for everything that can go wrong there."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from una_protocol import messages as m
from una_protocol.connection import ClientConnection, Problem
from una_protocol.text import clean
from una_protocol.version import SUPPORTED

from .i18n import _
from .words import bye_text, error_text

PATIENCE_S: Final = 10.0
"""How long connecting may take."""
GREETING_S: float = 5.0
"""How long the answer to hello may take; a server that is there gives it at once."""
CHUNK: Final = 65536

Dial = Callable[[str, int, str], Awaitable[trio.abc.Stream]]
"""Makes a connection to a host and port; the third is how it is called in a sentence. Raises ConnectFailed."""


class ConnectFailed(Exception):
    """No session came about; the text is one sentence for people. `err` is the server's refusal, if it was one.

    `again`: whether the same may work later (nobody listens there now; the server is full).
    """

    def __init__(self, sentence: str, err: m.Err | None = None, *, again: bool = False) -> None:
        super().__init__(sentence)
        self.err = err
        self.again = again


async def open_stream(host: str, port: int, where: str) -> trio.SocketStream:
    """A TCP connection to the host; `where` is how it is called in a sentence."""
    try:
        with trio.fail_after(PATIENCE_S):
            return await trio.open_tcp_stream(host, port)
    except trio.TooSlowError:
        raise ConnectFailed(_("{where} does not answer.").format(where=where), again=True) from None
    except OSError as error:
        raise ConnectFailed(_why(error, host, where), again=not isinstance(error, socket.gaierror)) from None


def _why(error: OSError, host: str, where: str) -> str:
    if isinstance(error, socket.gaierror):
        return _("There is no host called {host}.").format(host=clean(host))
    causes = error.__cause__.exceptions if isinstance(error.__cause__, BaseExceptionGroup) else (error,)
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return _("Nothing listens at {where}: is the server running there?").format(where=where)
    reason = next((cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), str(error))
    return _("Cannot connect to {where}: {reason}.").format(where=where, reason=reason)


async def greet(
    stream: trio.abc.Stream, wire: ClientConnection, hello: m.Hello, where: str
) -> tuple[m.Welcome, list[object]]:
    """The welcome, and what already came after it in the same chunk."""
    not_una = _("What answers at {where} is no una server.").format(where=where)
    welcome: m.Welcome | None = None
    early: list[object] = []
    try:
        with trio.fail_after(GREETING_S):
            await stream.send_all(wire.hello(hello))
            while welcome is None:
                chunk = await stream.receive_some(CHUNK)
                if not chunk:
                    raise ConnectFailed(_("{where} closed the connection at once.").format(where=where), again=True)
                for item in wire.receive(bytes(chunk)):
                    if welcome is not None:
                        early.append(item)
                    elif isinstance(item, m.Welcome):
                        welcome = item
                    elif isinstance(item, m.Err):
                        raise ConnectFailed(_refusal(item, where), item, again=item.retry == "later")
                    elif isinstance(item, m.Bye):
                        raise ConnectFailed(bye_text(item), again=item.reconnect)
                    elif isinstance(item, Problem):
                        raise ConnectFailed(not_una)
    except trio.TooSlowError:
        silent = _("Something listens at {where}, but gives no answer: is that an una server?").format(where=where)
        raise ConnectFailed(silent, again=True) from None
    except trio.BrokenResourceError:
        raise ConnectFailed(_("{where} closed the connection at once.").format(where=where), again=True) from None
    return welcome, early


def _refusal(err: m.Err, where: str) -> str:
    if err.code != "proto_unsupported":
        return error_text(err)
    return _("The server at {where} speaks una protocol {theirs}, this client speaks {ours}.").format(
        where=where,
        theirs=", ".join(map(str, err.supported or [])) or "?",
        ours=", ".join(map(str, SUPPORTED)),
    )
