"""Cards as text."""

from __future__ import annotations

from collections import Counter

import pytest

from una_protocol.cards import COLOR, DECK, WILD, WILD_DRAW_FOUR, parse_card, parse_color, points_of


def test_the_deck() -> None:
    assert len(DECK) == 108
    counts = Counter(DECK)
    assert set(counts) == set(COLOR)
    assert len(COLOR) == 54
    assert {counts[WILD], counts[WILD_DRAW_FOUR]} == {4}
    assert {n for card, n in counts.items() if card.endswith("0")} == {1}
    assert [card for card in COLOR if COLOR[card] is None] == ["W", "W+4"]


def test_each_card_is_read_from_its_text() -> None:
    assert all(parse_card(str(card)) is card for card in COLOR)
    assert parse_color("green") == "green"


@pytest.mark.parametrize("text", ["", "r7", "R10", "R7 ", "W+2", "X", "R+4", "7R", "R7\n"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        parse_card(text)
    with pytest.raises(ValueError, match="is no colour"):
        parse_color(text)


def test_points() -> None:
    assert points_of([parse_card(text) for text in ("R0", "G9", "BS", "YR", "R+2", "W", "W+4")]) == 169
