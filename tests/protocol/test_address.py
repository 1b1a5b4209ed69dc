"""Addresses as people write them."""

from __future__ import annotations

import pytest

from una_protocol.address import Address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost", Address("localhost")),
        ("host.example", Address("host.example", 4820)),
        ("host:99", Address("host", 99)),
        ("host/k3f", Address("host", table="k3f")),
        ("host:99/Ann's table", Address("host", 99, "Ann's table")),
        ("10.0.0.7:1", Address("10.0.0.7", 1)),
        ("::1", Address("::1")),
        ("::1/k3f", Address("::1", table="k3f")),
        ("[::1]:99", Address("::1", 99)),
        ("[fe80::1%eth0]:99/k3f", Address("fe80::1%eth0", 99, "k3f")),
        ("bücher.local", Address("bücher.local")),
    ],
)
def test_an_address_is_read_and_written(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert str(address) == text


def test_other_spellings() -> None:
    assert Address.parse("[::1]") == Address("::1")
    assert Address.parse("  host:4820 ") == Address("host")
    assert Address.parse("host", default_port=5) == Address("host", 5)
    assert Address.parse("host/a/b").table == "a/b"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "/k3f",
        ":99",
        "host:",
        "host:0",
        "host:65536",
        "host:x",
        "host:-1",
        "host:٣",
        "host:1:2",
        "a b",
        "-a",
        "a..b",
        "a\x1bb",
        "http://host",
        "host/",
        "host/ ",
        "host/a\nb",
        "host/" + "x" * 65,
        "[::1",
        "[::1]99",
        "[::1]:",
        "[a]:1",
        "::1::",
        "[]:1",
        "x" * 254,
        "a@b",
    ],
)
def test_what_is_no_address_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[A-Z][^\n]+\.$|4820\.$"):
        Address.parse(text)
