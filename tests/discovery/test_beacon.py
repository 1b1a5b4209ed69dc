"""Probe, beacon and TXT record: round trips, limits, and hostile bytes."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from una_protocol.beacon import (
    DATAGRAM_MAX,
    PROBE_SIZE,
    Beacon,
    Probe,
    decode_beacon,
    decode_probe,
    encode_beacon,
    encode_probe,
    from_txt,
    to_txt,
)
from una_protocol.text import clean

MAJORS = st.lists(st.integers(0, 65535), min_size=1, max_size=16).map(tuple)
NONCES = st.integers(0, 2**53)
COUNTS = st.integers(0, 1_000_000)
BEACONS = st.builds(
    Beacon,
    re=NONCES,
    id=st.from_regex(r"\A[A-Za-z0-9_-]{1,32}\Z"),
    name=st.text(max_size=512),
    port=st.integers(1, 65535),
    proto=MAJORS,
    players=COUNTS,
    tables=COUNTS,
    password=st.booleans(),
    server=st.text(max_size=512),
)
KITCHEN = Beacon(re=7, id="k1", name="Kitchen", port=4820, proto=(1,), players=3, tables=1)


@given(NONCES, MAJORS)
def test_a_probe_is_read_as_it_was_written(nonce: int, proto: tuple[int, ...]) -> None:
    datagram = encode_probe(Probe(nonce, proto))
    assert len(datagram) == PROBE_SIZE
    assert decode_probe(datagram) == Probe(nonce, proto)


@given(BEACONS)
def test_a_beacon_is_read_as_it_was_written_its_texts_apart_and_is_no_longer_than_a_probe(beacon: Beacon) -> None:
    datagram = encode_beacon(beacon)
    assert len(datagram) <= PROBE_SIZE
    read = decode_beacon(datagram)
    assert read is not None
    assert structs.replace(read, name="", server="") == structs.replace(beacon, name="", server="")
    assert decode_beacon(encode_beacon(read)) == read
    for text in (read.name, read.server):
        assert clean(text, 64) == text


@given(BEACONS)
def test_a_txt_record_says_the_same(beacon: Beacon) -> None:
    beacon = structs.replace(beacon, re=0)
    record = {key.encode(): value.encode() for key, value in to_txt(beacon).items()}
    assert all(len(key) + 1 + len(value) <= 255 for key, value in record.items())
    assert from_txt(record, beacon.port) == decode_beacon(encode_beacon(beacon))


@given(st.binary(max_size=DATAGRAM_MAX + 50))
def test_garbage_is_nothing(garbage: bytes) -> None:
    for magic in (b"", b"una?", b"una!"):
        assert decode_probe(magic + garbage) is None or magic == b"una?"
        assert decode_beacon(magic + garbage) is None or magic == b"una!"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(0, 9), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(Beacon.__struct_fields__), JSON, st.booleans())
def test_a_body_with_anything_in_it_does_no_harm(key: str, value: object, padded: bool) -> None:
    said = {"re": 7, "id": "k1", "name": "Kitchen", "port": 4820, "proto": [1], "nonce": 7, key: value}
    body = msgpack.packb(said)
    for magic in (b"una?", b"una!"):
        datagram = magic + len(body).to_bytes(2, "big") + body
        decode_beacon(datagram)
        decode_probe(datagram.ljust(PROBE_SIZE if padded else 0, b"\xff"))


@given(
    st.dictionaries(st.sampled_from([b"id", b"p", b"name", b"players", b"pw"]), st.none() | st.binary()), st.integers()
)
def test_a_txt_record_with_anything_in_it_does_no_harm(record: dict[bytes, bytes | None], port: int) -> None:
    from_txt(record, port)
    from_txt({b"id": b"k1", b"p": b"1", **record}, 4820)


def test_a_probe_that_is_shorter_than_an_answer_may_be_is_none() -> None:
    probe = encode_probe(Probe(7))
    assert decode_probe(probe[:-1]) is None
    assert decode_probe(probe + bytes(DATAGRAM_MAX - PROBE_SIZE)) == Probe(7)
    assert decode_probe(probe + bytes(DATAGRAM_MAX - PROBE_SIZE + 1)) is None


def test_what_is_not_known_is_ignored() -> None:
    body = msgpack.packb({"nonce": 7, "colour": "blue"})
    assert decode_probe((b"una?" + len(body).to_bytes(2, "big") + body).ljust(PROBE_SIZE, b"x")) == Probe(7)


def test_hostile_texts_are_cleaned() -> None:
    read = decode_beacon(encode_beacon(structs.replace(KITCHEN, name="\x1b[2JKit\u202echen\n\x9b31m")))
    assert read is not None
    assert read.name == "[2JKitchen 31m"


@pytest.mark.parametrize("id_", ["", "a b", "k1\n", "é", "x" * 33])
def test_an_id_is_plain(id_: str) -> None:
    body = msgpack.packb({"re": 7, "id": id_, "name": "Kitchen", "port": 4820, "proto": [1]})
    assert decode_beacon(b"una!" + len(body).to_bytes(2, "big") + body) is None
    assert from_txt({b"id": id_.encode(), b"p": b"1"}, 4820) is None
