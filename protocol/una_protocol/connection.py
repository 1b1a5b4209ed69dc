"""The two ends of a connection, without I/O: bytes in, typed messages or problems out.

Server side, in the task that reads a socket:

    connection = ServerConnection()
    for item in connection.receive(chunk):          # lazy: handle each item before taking the next
        if type(item) is Problem:
            send(item.send)                         # err, and bye where it closes; or one line of plain text
            if item.close: ...close the socket...
        elif type(item) is Hello:
            connection.accept() or connection.refuse()   # what `welcome` or `err` says is the server's business
        else: ...a request, or pong...
    connection.in_frame      a frame has begun and is not complete (it must be, within seconds)
    connection.proto         the major agreed on, from the hello on
    connection.close()       nothing is received any more

Client side:

    connection = ClientConnection()
    send(connection.hello(Hello(...)))
    for item in connection.receive(chunk): ...      # the same; `welcome` opens it, `bye` closes it
    send(connection.request(Act(...)))              # ValueError when it may not be sent now

Which message may come in which state stands in two tables. Must not know sockets, clocks, sessions or tables.
Text of messages is passed on as it came: see `una_protocol.text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from . import messages as m
from .codec import Answer, Malformed, Request, decode_answer, decode_request, encode
from .errors import ERRORS
from .framing import BadStream, FrameReader, NotUna, plain_text_hint
from .version import SUPPORTED, pick_proto


class State(Enum):
    """Where a connection stands; the same words for both sides."""

    HELLO = auto()
    """Nothing but a hello may be sent (again: after a refused one the client may try another). Whoever looks after the
    server needs none: `status` and `admin` may come before it, or instead."""
    GREETING = auto()
    """The hello is being judged."""
    OPEN = auto()
    CLOSED = auto()


RECEIVED_BY_SERVER: Final[Mapping[State, Mapping[type[Struct], State]]] = {
    State.HELLO: {m.Hello: State.GREETING, m.Status: State.HELLO, m.Admin: State.HELLO},
    State.GREETING: {},
    State.OPEN: {type_: State.OPEN for type_ in m.REQUESTS if type_ is not m.Hello},
    State.CLOSED: {},
}
"""State -> message type -> next state; what is not listed is answered with `not_hello`."""
_WHEN_OPEN: Final = frozenset(RECEIVED_BY_SERVER[State.OPEN])
"""What comes all the time and changes no state: looked up without hashing the state."""

RECEIVED_BY_CLIENT: Final[Mapping[State, Mapping[type[Struct], State]]] = {
    State.HELLO: {m.Bye: State.CLOSED, m.PingNow: State.HELLO},
    State.GREETING: {
        m.Welcome: State.OPEN,
        m.Err: State.HELLO,
        m.Bye: State.CLOSED,
        m.PingNow: State.GREETING,
    },
    State.OPEN: {type_: State.OPEN for type_ in m.ANSWERS if type_ is not m.Welcome} | {m.Bye: State.CLOSED},
    State.CLOSED: {},
}
"""The same for what a server sends. `View` is the `state` message."""


class Problem(Struct, frozen=True):
    """Something received is wrong. `send` is what the other side should be sent (may be empty), then maybe close.

    `code` is an error code of the protocol, or `not_una`; `detail` says what is wrong and holds nothing received.
    """

    code: str
    detail: str
    send: bytes = b""
    close: bool = False


class _Connection:
    """What both sides have: frames, and where the connection stands."""

    __slots__ = ("_reader", "state")

    def __init__(self, limit: int) -> None:
        self._reader = FrameReader(limit)
        self.state = State.HELLO

    @property
    def in_frame(self) -> bool:
        """Whether a frame has begun and is not complete."""
        return self._reader.in_frame

    def close(self) -> None:
        """Nothing is received from now on."""
        self.state = State.CLOSED

    def _cut(self, data: bytes) -> tuple[list[bytes], BadStream | None]:
        """The bodies that the bytes complete, and what is wrong behind them."""
        try:
            return self._reader.feed(data), None
        except BadStream as error:
            return error.bodies, error


class ServerConnection(_Connection):
    """What a server knows of one connection as such."""

    __slots__ = ("proto",)

    def __init__(self, limit: int = m.FRAME_TO_SERVER) -> None:
        super().__init__(limit)
        self.proto: int | None = None

    def receive(self, data: bytes) -> Iterator[Request | Problem]:
        """What the bytes hold, one by one. Take the next item only after the last was handled: a hello decides."""
        bodies, failure = self._cut(data)
        for body in bodies:
            if self.state is State.CLOSED:
                return
            try:
                message = decode_request(body)
            except Malformed as error:
                yield self._malformed(error)
                continue
            if self.state is State.OPEN and type(message) in _WHEN_OPEN:
                yield message
                continue
            next_state = RECEIVED_BY_SERVER[self.state].get(type(message))
            if next_state is None:
                yield _refusal("not_hello", ERRORS["not_hello"].meaning, re=getattr(message, "id", None))
                continue
            if next_state is not self.state:
                self.state = next_state
                if isinstance(message, m.Hello) and (unsupported := self._choose_proto(message)):
                    yield unsupported
                    continue
            yield message
        if failure is not None and self.state is not State.CLOSED:
            self.state = State.CLOSED
            if isinstance(failure, NotUna):
                yield Problem("not_una", str(failure), plain_text_hint(), close=True)
            else:
                yield _refusal(failure.code, str(failure), close=True)

    def accept(self) -> None:
        """The hello was good: `welcome` is sent, requests may come."""
        if self.state is State.GREETING:
            self.state = State.OPEN

    def refuse(self) -> None:
        """The hello was refused with `err`; another may follow."""
        if self.state is State.GREETING:
            self.state = State.HELLO

    def _choose_proto(self, hello: m.Hello) -> Problem | None:
        self.proto = pick_proto(hello.proto)
        if self.proto is not None:
            return None
        self.state = State.CLOSED
        return _refusal("proto_unsupported", ERRORS["proto_unsupported"].meaning, re=hello.id, close=True)

    def _malformed(self, error: Malformed) -> Problem:
        broken = error.code == "bad_frame"
        if broken:
            self.state = State.CLOSED
        return _refusal(error.code, error.msg, error.at, error.re, close=broken)


def _refusal(code: str, msg: str, at: str | None = None, re: int | None = None, close: bool = False) -> Problem:
    supported = list(SUPPORTED) if code == "proto_unsupported" else None
    send = encode(m.Err(code, msg, ERRORS[code].retry, re=re, at=at, supported=supported))
    if close:
        send += encode(m.Bye(code, msg, reconnect=False))
    return Problem(code, msg if at is None else f"{msg} at {at}", send, close)


class ClientConnection(_Connection):
    """What a client knows of its connection as such."""

    __slots__ = ("welcome",)

    def __init__(self, limit: int = m.FRAME_TO_CLIENT) -> None:
        super().__init__(limit)
        self.welcome: m.Welcome | None = None

    def hello(self, hello: m.Hello) -> bytes:
        """The frame of a hello; ValueError when none may be sent now."""
        if self.state is not State.HELLO:
            raise ValueError("hello is sent once, and first")
        self.state = State.GREETING
        return encode(hello)

    def request(self, message: Request) -> bytes:
        """The frame of any other message; ValueError before `welcome`, after `bye`, or when it is too long."""
        if self.state is not State.OPEN or isinstance(message, m.Hello):
            raise ValueError("the connection is not open for this message")
        return encode(message)

    def receive(self, data: bytes) -> Iterator[Answer | Problem]:
        """What the bytes hold. Messages of unknown types are left out; events of unknown kinds are not."""
        bodies, failure = self._cut(data)
        for body in bodies:
            if self.state is State.CLOSED:
                return
            try:
                message = decode_answer(body)
            except Malformed as error:
                broken = error.code == "bad_frame"
                if broken:
                    self.state = State.CLOSED
                yield Problem(error.code, str(error), close=broken)
                continue
            if message is None:
                continue
            next_state = RECEIVED_BY_CLIENT[self.state].get(type(message))
            if next_state is None:
                yield Problem("not_hello", f"{_tag(message)} may not come now")
                continue
            self.state = next_state
            if isinstance(message, m.Welcome):
                self.welcome = message
            yield message
        if failure is not None and self.state is not State.CLOSED:
            self.state = State.CLOSED
            code = "not_una" if isinstance(failure, NotUna) else failure.code
            yield Problem(code, str(failure), close=True)


def _tag(message: Answer) -> str:
    return str(type(message).__struct_config__.tag)
