"""A blocking client for whoever looks after a server: one question, one answer, over a connection without a hello.

Knows the protocol and sockets; what to ask and how to show it is the command line's.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from una_protocol import messages as m
from una_protocol.address import Address
from una_protocol.codec import Malformed, decode_answer, encode
from una_protocol.framing import BadStream, FrameReader
from una_protocol.text import clean

TIMEOUT_S = 10.0


class Unreachable(Exception):
    """There is no answer; one plain sentence says why."""


class Refused(Exception):
    """The server says no: its code, and its sentence."""

    def __init__(self, code: str, msg: str) -> None:
        super().__init__(clean(msg))
        self.code = code


def ask(address: Address, message: m.Admin | m.Status, timeout: float = TIMEOUT_S) -> m.Ok:
    """Ask a server; Refused or Unreachable."""
    until = time.monotonic() + timeout
    try:
        with socket.create_connection((address.host, address.port), timeout) as sock:
            sock.sendall(encode(message))
            for answer in _answers(sock, until):
                if isinstance(answer, m.Ok) and answer.re == message.id:
                    return answer
                if isinstance(answer, m.Err | m.Bye):
                    raise Refused(answer.code, answer.msg)
    except TimeoutError:
        raise Unreachable(f"The server at {address} does not answer.") from None
    except (OSError, UnicodeError):
        raise Unreachable(f"There is no server at {address}.") from None
    except (BadStream, Malformed):
        raise Unreachable(f"What is at {address} is no una server.") from None
    raise Unreachable(f"The server at {address} has closed the connection without an answer.")


def all_pages(address: Address, message: m.Admin) -> Iterator[m.Ok]:
    """All pages of a list."""
    while True:
        page = ask(address, message)
        yield page
        if page.next is None:
            return
        message = msgspec.structs.replace(message, after=page.next)


def _answers(sock: socket.socket, until: float) -> Iterator[Any]:
    """What comes in until then; TimeoutError after it, also where something else comes all the time."""
    reader = FrameReader(m.FRAME_TO_CLIENT)
    while data := _read(sock, until):
        for body in reader.feed(data):
            yield decode_answer(body)


def _read(sock: socket.socket, until: float) -> bytes:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    sock.settimeout(left)
    return sock.recv(65_536)
