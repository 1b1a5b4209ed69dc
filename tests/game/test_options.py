"""Options, profiles, house rules: what is taken, what is refused, and in which words."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from una_server.game import (
    DEFAULTS,
    OPTION_SPECS,
    PROFILES,
    BadOption,
    Options,
    check_players,
    deck_for,
    load_house_rules,
    make_options,
    overrides_of,
)  # fmt: skip


def test_specs_and_options_have_the_same_names_in_the_same_order() -> None:
    assert tuple(OPTION_SPECS) == Options.__struct_fields__
    assert len(OPTION_SPECS) == 25


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_has_allowed_values_only(profile: str) -> None:
    for name, spec in OPTION_SPECS.items():
        assert spec.accepts(getattr(PROFILES[profile], name))
    assert make_options(profile) == PROFILES[profile]
    assert overrides_of(profile, PROFILES[profile]) == {}


TABLE = """
hand_size 7 7 7 7
first_dealer random random draw draw
first_card plain plain effect effect
two_player_reverse removed skip skip skip
voluntary_draw yes no yes yes
play_drawn yes yes yes yes
force_play no no no no
draw_until_playable no no no no
stack_draw_two any none two none
stack_draw_four four none none none
draw_four free strict free bluff
draw_four_guard color color_or_number color color
failed_challenge_extra 2 2 2 2
serve_wish yes no no no
una_penalty 2 2 2 2
una_catcher next anyone anyone anyone
una_window acts acts discards acts
illegal_card_penalty 0 0 2 0
advice_penalty 0 0 2 0
last_card_draws no no no yes
scoring winner winner winner winner
going_out_bonus 50 0 0 0
target_score 0 500 500 500
jump_in no no no no
seven_zero no no no no
"""


def test_the_profiles_are_those_of_the_rules() -> None:
    rows = [line.split() for line in TABLE.split("\n") if line]
    assert [row[0] for row in rows] == list(OPTION_SPECS)
    for name, *cells in rows:
        for profile, cell in zip(("una", "classic", "traditional", "official"), cells, strict=True):
            value = getattr(PROFILES[profile], name)
            assert (
                {True: "yes", False: "no"}.get(value, str(value)) == cell
                if isinstance(value, bool)
                else (str(value) == cell)
            )
    assert PROFILES["una"] == DEFAULTS


@pytest.mark.parametrize(
    ("overrides", "option", "allowed"),
    [
        ({"hand_size": 0}, "hand_size", "a whole number from 1 to 20"),
        ({"hand_size": 21}, "hand_size", "a whole number from 1 to 20"),
        ({"hand_size": True}, "hand_size", "a whole number from 1 to 20"),
        ({"hand_size": 7.0}, "hand_size", "a whole number from 1 to 20"),
        ({"una_penalty": 21}, "una_penalty", "a whole number from 0 to 20"),
        ({"target_score": 10_001}, "target_score", "a whole number from 0 to 10000"),
        ({"going_out_bonus": -1}, "going_out_bonus", "a whole number from 0 to 10000"),
        ({"jump_in": 1}, "jump_in", "true or false"),
        ({"jump_in": "yes"}, "jump_in", "true or false"),
        ({"scoring": "loosers"}, "scoring", "one of winner, losers"),
        ({"scoring": ["winner"]}, "scoring", "one of winner, losers"),
        ({"draw_four": None}, "draw_four", "one of free, strict, bluff"),
        ({"force_play": True, "play_drawn": False}, "force_play", "false, or true together with play_drawn = true"),
        ({"draw_until_playable": True, "play_drawn": False}, "draw_until_playable",
         "false, or true together with play_drawn = true"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_with_name_why_and_what_is_allowed(
    overrides: Mapping[str, object], option: str, allowed: str
) -> None:
    with pytest.raises(BadOption) as caught:
        make_options("una", overrides)
    bad = caught.value
    assert (bad.option, bad.allowed) == (option, allowed)
    assert bad.why
    assert re.fullmatch(r"Option \w+ .+; allowed: .+\.", str(bad))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadOption, match="is unknown") as caught:
        make_options("una", {"turbo": True})
    assert "hand_size" in caught.value.allowed
    with pytest.raises(BadOption, match="no profile") as caught:
        make_options("ludo")
    assert caught.value.option == "profile"
    assert caught.value.allowed == "one of una, classic, traditional, official"
    with pytest.raises(BadOption) as caught:
        make_options("una", {"hand_size": "x" * 500})
    assert len(str(caught.value)) < 150


def test_losers_scoring_brings_the_target_of_100_on_traditional_only() -> None:
    assert make_options("traditional", {"scoring": "losers"}).target_score == 100
    assert make_options("traditional", {"scoring": "losers", "target_score": 300}).target_score == 300
    assert make_options("traditional", {"scoring": "winner"}).target_score == 500
    assert make_options("classic", {"scoring": "losers"}).target_score == 500


@pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"scoring": "losers"},
        {"scoring": "losers", "target_score": 500},
        {"scoring": "losers", "target_score": 0},
        {"jump_in": True, "hand_size": 5},
    ],
)
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("other", PROFILES)
def test_overrides_bring_the_same_options_back(profile: str, other: str, overrides: Mapping[str, object]) -> None:
    options = make_options(profile, overrides)
    assert make_options(other, overrides_of(other, options)) == options


@pytest.mark.parametrize(
    ("profile", "overrides", "players", "fits"),
    [
        ("una", {}, 1, False),
        ("una", {}, 2, True),
        ("una", {}, 10, True),
        ("una", {}, 11, False),
        ("una", {"hand_size": 9}, 10, True),
        ("una", {"hand_size": 10}, 10, False),
        ("una", {"hand_size": 20}, 2, True),
        ("classic", {"hand_size": 20}, 5, False),
        ("classic", {"hand_size": 19}, 5, True),
    ],
)
def test_enough_cards_are_left(profile: str, overrides: Mapping[str, object], players: int, fits: bool) -> None:
    options = make_options(profile, overrides)
    if fits:
        check_players(options, players)
        return
    with pytest.raises(BadOption) as caught:
        check_players(options, players)
    assert caught.value.option in ("players", "hand_size")


def test_the_deck_of_two_has_no_reverses_where_they_are_removed() -> None:
    assert len(deck_for(PROFILES["una"], 2)) == 100
    assert not [card for card in deck_for(PROFILES["una"], 2) if card[1:] == "R"]
    assert len(deck_for(PROFILES["una"], 3)) == len(deck_for(PROFILES["classic"], 2)) == 108


def test_house_rules_name_a_profile_and_options() -> None:
    text = 'title = "Ours"\nprofile = "classic"\n[options]\njump_in = true\nhand_size = 7\n'
    profile, overrides, options = load_house_rules(text)
    assert (profile, overrides) == ("classic", {"jump_in": True})
    assert options == make_options("classic", {"jump_in": True})
    assert load_house_rules("")[2] == DEFAULTS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("profile = una", "This is no TOML file"),
        ("profile = " + "[" * 5000, "This is no TOML file"),
        ("profile = 3", "a name in quotes"),
        ('profile = "ludo"', "which is no profile"),
        ("jump_in = true", "There is no 'jump_in' in house rules"),
        ("options = 3", "must be a table"),
        ("[options]\njump_in = 1", "Option jump_in cannot be 1; allowed: true or false."),
        ("[options]\nfirst_card = {}", "Option first_card cannot be {}"),
    ],
)
def test_bad_house_rules_are_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises((BadOption, ValueError)) as caught:
        load_house_rules(text)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")
