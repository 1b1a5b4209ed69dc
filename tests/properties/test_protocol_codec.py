"""Any message survives the wire; any bytes at all are answered, never a fault; and they cost a bounded amount."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec import inspect as mi

from una_protocol import codec
from una_protocol import messages as m
from una_protocol.cards import COLOR
from una_protocol.connection import ClientConnection, Problem, ServerConnection
from una_protocol.events import UnknownEvent
from una_protocol.framing import FrameReader, frame

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
FRAMES = [
    bytes.fromhex(row["frame"])
    for name in ("requests", "answers", "events", "hostile")
    for row in json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
]

INTS = st.integers(-m.MAX_INT, m.MAX_INT)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ANY = st.recursive(
    st.none() | st.booleans() | INTS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def values(type_: mi.Type) -> st.SearchStrategy[Any]:
    """Builtins that fit a type, by its definition."""
    match type_:
        case mi.Metadata():
            return values(type_.type)
        case mi.IntType():
            low, high = type_.ge, type_.le
            return st.integers(-m.MAX_INT if low is None else low, m.MAX_INT if high is None else high)
        case mi.StrType() if type_.pattern:
            return st.sampled_from(sorted(COLOR))
        case mi.StrType():
            return st.text(
                st.characters(exclude_categories=["Cs"]),
                min_size=type_.min_length or 0,
                max_size=min(type_.max_length or 20, 20),
            )
        case mi.BoolType():
            return st.booleans()
        case mi.NoneType():
            return st.none()
        case mi.AnyType():
            return ANY
        case mi.LiteralType():
            return st.sampled_from(type_.values)
        case mi.UnionType():
            return st.one_of([values(inner) for inner in type_.types])
        case mi.ListType() | mi.VarTupleType():
            return st.lists(values(type_.item_type), min_size=type_.min_length or 0, max_size=4)
        case mi.TupleType():
            return st.tuples(*map(values, type_.item_types)).map(list)
        case mi.DictType():
            return st.dictionaries(values(type_.key_type), values(type_.value_type), max_size=3)
        case mi.StructType():
            return structs(type_)
    raise TypeError(type_)


def structs(info: mi.StructType) -> st.SearchStrategy[dict[str, Any]]:
    """Maps that fit a struct; optional fields may be absent."""
    tag = {info.tag_field: st.just(info.tag)} if info.tag_field else {}
    needed = {f.encode_name: values(f.type) for f in info.fields if f.required}
    optional = {f.encode_name: values(f.type) for f in info.fields if not f.required}
    return st.fixed_dictionaries(tag | needed, optional=optional)


def messages(type_: type[Struct]) -> st.SearchStrategy[Struct]:
    """Messages of a type."""
    info = mi.type_info(type_)
    assert isinstance(info, mi.StructType)
    return structs(info).map(lambda raw: msgspec.convert(raw, type_))


REQUESTS: dict[type[Struct], st.SearchStrategy[Struct]] = {type_: messages(type_) for type_ in m.REQUESTS}
ANSWERS: dict[type[Struct], st.SearchStrategy[Struct]] = {type_: messages(type_) for type_ in m.ANSWERS}


@pytest.mark.parametrize("type_", m.REQUESTS, ids=lambda type_: type_.__name__)
@settings(max_examples=30)
@given(data=st.data())
def test_every_request_survives_the_wire(type_: type[Struct], data: st.DataObject) -> None:
    message = data.draw(REQUESTS[type_])
    [body] = FrameReader(m.FRAME_TO_SERVER).feed(codec.encode(message))
    assert codec.decode_request(body) == message
    assert body == msgpack.packb(msgspec.to_builtins(message)), "the bytes are those of the msgpack package"


@pytest.mark.parametrize("type_", m.ANSWERS, ids=lambda type_: type_.__name__)
@settings(max_examples=60)
@given(data=st.data())
def test_every_answer_survives_the_wire(type_: type[Struct], data: st.DataObject) -> None:
    message = data.draw(ANSWERS[type_])
    [body] = FrameReader(m.FRAME_TO_CLIENT).feed(codec.encode(message))
    assert codec.decode_answer(body) == message
    assert body == msgpack.packb(msgspec.to_builtins(message)), "the bytes are those of the msgpack package"


@pytest.mark.parametrize("kind", codec.EVENT_OF)
@settings(max_examples=20)
@given(data=st.data())
def test_every_event_survives_the_wire(kind: str, data: st.DataObject) -> None:
    ev = m.Ev("k3f", 1, data.draw(messages(codec.EVENT_OF[kind])))  # type: ignore[arg-type]
    body = codec.encode_body(ev)
    assert codec.decode_answer(body) == ev
    assert body == msgpack.packb(msgspec.to_builtins(ev)), "the bytes are those of the msgpack package"


def pieces(data: st.DataObject, stream: bytes) -> list[bytes]:
    """The stream, cut anywhere."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=12)))
    return [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]


def heard(connection: ServerConnection, chunks: list[bytes]) -> list[object]:
    out: list[object] = []
    for chunk in chunks:
        for item in connection.receive(chunk):
            connection.accept()
            out.append(item)
    return out


@given(frames=st.lists(st.sampled_from(FRAMES), max_size=6), data=st.data())
def test_any_chunking_gives_the_same(frames: list[bytes], data: st.DataObject) -> None:
    stream = codec.encode(m.Hello(1, [1], "Ann")) + b"".join(frames)
    whole = heard(ServerConnection(), [stream])
    assert heard(ServerConnection(), pieces(data, stream)) == whole
    assert heard(ServerConnection(), [stream[i : i + 1] for i in range(len(stream))]) == whole


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A frame with some bytes changed, taken out or put in; its length put right, mostly."""
    bytes_ = bytearray(draw(st.sampled_from(FRAMES))[4:])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(bytes_)))
        bytes_[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(bytes_) if draw(st.integers(0, 9)) == 0 else frame(bytes(bytes_))


@settings(max_examples=500)
@given(stream=st.one_of(st.binary(max_size=200), st.binary(max_size=200).map(frame), mutated()))
def test_whatever_comes_no_fault_gets_out(stream: bytes) -> None:
    for connection in (ServerConnection(), ClientConnection()):
        assert all(isinstance(item, Problem | Struct) for item in connection.receive(stream))
    opened = ServerConnection()
    for item in opened.receive(codec.encode(m.Hello(1, [1], "Ann")) + stream):
        opened.accept()
        if isinstance(item, Problem) and item.code != "not_una":
            FrameReader(m.FRAME_TO_CLIENT).feed(item.send)


@settings(max_examples=300)
@given(body=st.one_of(st.binary(max_size=100), mutated(), ANY.map(msgpack.packb)))
def test_a_decoder_raises_malformed_only_and_repeats_nothing(body: bytes) -> None:
    for decode in (codec.decode_request, codec.decode_answer):
        error = refusal(decode, body)
        if error is not None:
            assert error.code in ("bad_frame", "bad_message", "unknown_type")
            assert error.msg.isascii()
            assert error.msg.isprintable()
            assert error.at is None or (error.at.startswith("$") and error.at.isascii())


def refusal(decode: Callable[[bytes], object], body: bytes) -> codec.Malformed | None:
    """Why the body is refused."""
    try:
        decode(body)
    except codec.Malformed as error:
        return error
    return None


@pytest.mark.parametrize("secret", ["\x1b[31m", "sësame", "x" * 400])
@pytest.mark.parametrize("shape", ["tag", "kind", "colour", "key", "option", "float"])
def test_an_error_does_not_repeat_what_was_received(secret: str, shape: str) -> None:
    act: dict[str, Any] = {"t": "act", "id": 1, "table": "x", "do": {"k": "wish", "color": "red"}}
    raw: dict[str, Any] = {
        "tag": act | {"t": secret},
        "kind": act | {"do": {"k": secret}},
        "colour": act | {"do": {"k": "wish", "color": secret}},
        "key": act | {secret: 0.5},
        "option": {"t": "create", "id": 1, "name": "x", "options": {secret: None}},
        "float": act | {"x": {secret: {"y": [0.5]}}},
    }[shape]
    with pytest.raises(codec.Malformed) as caught:
        codec.decode_request(msgpack.packb(raw))
    assert secret not in f"{caught.value} {caught.value.at}"
    assert caught.value.re == 1


BOMBS = {
    "nested headers of 256": b"\x81\xa1x" + b"\xdc\x01\x00" * 21_800,
    "nested headers, sane depth": b"\x81\xa1x" + b"\xdc\x01\x00" * 14 + b"\xc0",
    "empty maps": b"\x81\xa1x\xdc\x00\xfa" + (b"\xdc\x01\x00" + b"\x80" * 256) * 250,
    "empty arrays": b"\x81\xa1x\xdc\x00\xfa" + (b"\xdc\x01\x00" + b"\x90" * 256) * 250,
    "maps of one": b"\x81\xa1x\xdc\x00\xfa" + (b"\xdc\x00\x55" + b"\x81\xa0\xc0" * 85) * 250,
    "long strings": b"\x81\xa1x\xdc\x00\x0f" + (b"\xda\x10\x00" + b"\xc3\xa9" * 2048) * 15,
    "claims of four billion": b"\x81\xa1x\xdd\xff\xff\xff\xff",
}


@pytest.mark.parametrize("name", BOMBS)
def test_memory_stays_within_the_documented_bound(name: str) -> None:
    body = BOMBS[name]
    assert len(body) <= m.FRAME_TO_SERVER
    tracemalloc.start()
    try:
        with pytest.raises(codec.Malformed):
            codec.decode_request(body)
        assert tracemalloc.get_traced_memory()[1] < 100 * len(body) + 2_500_000
    finally:
        tracemalloc.stop()


def test_a_reader_keeps_no_more_than_a_frame() -> None:
    reader = FrameReader(m.FRAME_TO_SERVER)
    tracemalloc.start()
    try:
        reader.feed(b"\0\x01\0\0")
        for _ in range(m.FRAME_TO_SERVER // 64 - 1):
            assert reader.feed(b"x" * 64) == []
        assert tracemalloc.get_traced_memory()[1] < 2 * m.FRAME_TO_SERVER
    finally:
        tracemalloc.stop()


def test_a_message_that_is_too_long_is_not_sent() -> None:
    long = m.Create(1, "x", options={f"k{n}": "x" * 4000 for n in range(20)})
    with pytest.raises(ValueError, match=r"Create takes 8[0-9]{4} bytes; the limit is 65536"):
        codec.encode(long)
    rows = [m.TableRow("x", "x", "una", 2, 1, "over", {"k": "x" * 4000}) for _ in range(300)]
    with pytest.raises(ValueError, match="the limit is 1048576"):
        codec.encode(m.LobbyNow(rows))
    assert len(codec.encode(m.LobbyNow(rows[:200]))) > m.FRAME_TO_SERVER
    with pytest.raises(OverflowError):
        codec.encode(m.Ok(2**70))
    assert codec.encode(m.Ping(1)) == bytes.fromhex("0000000c82a174a470696e67a2696401")  # a failure leaves nothing


def test_what_a_newer_server_sends_is_left_out_but_counted() -> None:
    newer = msgpack.packb({"t": "ev", "table": "x", "seq": 5, "mood": 1, "e": {"k": "danced", "seat": 1}})
    assert codec.decode_answer(newer) == m.Ev("x", 5, UnknownEvent("danced"))  # type: ignore[arg-type]
    assert codec.decode_answer(msgpack.packb({"t": "danced", "who": [1]})) is None
    with pytest.raises(codec.Malformed, match="bad_message"):
        codec.decode_answer(msgpack.packb({"t": "ev", "table": "x", "seq": "5", "e": {"k": "danced"}}))
