"""The screens as text: golden pictures, and what must hold for every picture.

`UNA_GOLDEN=write pytest tests/client/tui/test_screens.py` writes the pictures anew; look at the difference.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.tui import scenes
from una_client import i18n
from una_client.tui import expects, keys, prompt
from una_client.tui.cards import big, chip, small
from una_client.tui.layout import Line, Size, plain, text_width
from una_client.tui.model import Model, Retrying, Where
from una_client.tui.screens.frame import SMALLEST, render
from una_client.tui.screens.hand_rows import hand_rows
from una_client.tui.theme import Caps, style_rules
from una_client.tui.update import press, see
from una_protocol.cards import COLOR, Card
from una_protocol.messages import Leave
from una_protocol.view import Player, View

GOLDEN = Path(__file__).parents[2] / "golden" / "screens"
SIZES = (Size(80, 24), Size(120, 40), Size(60, 18))


def naming() -> Model:
    """The form for a new table."""
    model = scenes.lobby()
    for key in ("n", "enter"):
        if key == "enter":
            model = replace(model, typed="Jakob's table")
        model, _ = press(model, key, scenes.NOW)
    return model


def lobby_help() -> Model:
    """The help of the list of tables."""
    return press(scenes.lobby(), "?", scenes.NOW)[0]


SCENES: dict[str, Callable[[], Model]] = {
    "servers": scenes.servers,
    "servers-none": lambda: scenes.servers(0),
    "servers-many": lambda: replace(scenes.servers(30), server=25),
    "servers-trouble": scenes.trouble,
    "connecting": scenes.connecting,
    "lobby": scenes.lobby,
    "lobby-empty": lambda: scenes.lobby(0),
    "lobby-long": lambda: replace(scenes.lobby(40), row=30),
    "lobby-form": naming,
    "ladder": scenes.ladder,
    "ladder-long": lambda: scenes.ladder(50, at=30, more=True),
    "ladder-empty": lambda: scenes.ladder(0),
    "waiting-host": scenes.waiting,
    "waiting-guest": lambda: scenes.waiting(1, True),
    "play": scenes.my_turn,
    "play-others": scenes.others_turn,
    "play-pending": scenes.pending,
    "play-drawn": scenes.drawn,
    "play-two-cards": scenes.two_cards,
    "play-30-cards": scenes.many_cards,
    "play-ten": scenes.ten_players,
    "waiting-ten": scenes.many_waiting,
    "score-ten": scenes.many_scores,
    "watching-ten": scenes.many_watched,
    "challenge-ten": scenes.many_challenged,
    "play-lost": scenes.lost,
    "play-fresh": scenes.fresh,
    "play-alarm": scenes.alarm,
    "play-scrolled": scenes.scrolled,
    "vote": scenes.voting,
    "menu": scenes.menu,
    "history": scenes.history,
    "form-rules": lambda: scenes.form("options"),
    "form-all": lambda: replace(scenes.form(), dialog=replace(scenes.form().dialog, at=14)),  # type: ignore[type-var]
    "challenge-stacked": scenes.stacked_challenge,
    "picker-colour": scenes.picking,
    "picker-seat": scenes.swapping,
    "challenge": scenes.challenged,
    "leaving": scenes.leaving,
    "score-round": scenes.score,
    "score-match": lambda: scenes.score(True),
    "watching": scenes.watching,
    "help": scenes.helping,
    "help-lobby": lobby_help,
}


def picture(model: Model, size: Size, caps: Caps) -> list[str]:
    """The screen without styles."""
    return plain(render(model, size, caps, scenes.NOW))


def compare(path: Path, text: str) -> None:
    """The text is what the golden file holds; or it is written."""
    if os.environ.get("UNA_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.fixture(params=i18n.languages())
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language that there is, spoken during the test."""
    before = i18n._current
    i18n.use(request.param)
    yield request.param
    i18n._current = before


@pytest.mark.parametrize("name", SCENES)
def test_golden(name: str, language: str) -> None:
    parts = []
    for size in SIZES:
        for ascii_only in (False, True):
            rows = picture(SCENES[name](), size, Caps(ascii_only, "none"))
            head = f"==== {size.width}x{size.height} {'ascii' if ascii_only else 'unicode'}"
            parts.append("\n".join([head, *(row.rstrip() for row in rows)]))
    folder = GOLDEN if language == "en" else GOLDEN / language
    compare(folder / f"{name}.txt", "\n".join(parts) + "\n")


def test_the_picture_in_the_readme() -> None:
    page = GOLDEN.parents[2] / "README.md"
    before, fence, rest = page.read_text("utf-8").partition("```text\n")
    _shown, end, after = rest.partition("```")
    rows = picture(scenes.readme(), Size(80, 24), Caps(False, "none"))
    compare(page, "".join([before, fence, *(f"{row.rstrip()}\n" for row in rows), end, after]))


def runs(line: Line) -> str:
    """The styles of a line: from which cell to which."""
    told: list[str] = []
    at = 0
    for style, text in line:
        end = at + text_width(text)
        if style and end > at:
            told.append(f"{at}-{end} {style.replace('class:', '')}")
        at = end
    return " | ".join(told)


@pytest.mark.parametrize("name", SCENES)
def test_golden_styles(name: str) -> None:
    lines = render(SCENES[name](), Size(80, 24), Caps(False, "256"), scenes.NOW)
    compare(GOLDEN / "styles" / f"{name}.txt", "".join(f"{row:2} {runs(line)}\n" for row, line in enumerate(lines)))


def test_no_language_overflows(language: str) -> None:
    for name, make in SCENES.items():
        for size in SIZES:
            for caps in (Caps(False, "256"), Caps(True, "none")):
                rows = picture(make(), size, caps)
                assert {text_width(row) for row in rows} == {size.width}, name
                assert rows[-1].rstrip().endswith(keys.hints(make(), size.width, caps)[-1][1].strip()), name


@pytest.mark.parametrize("size", [*SIZES, Size(100, 30), Size(200, 60), Size(79, 24), Size(80, 20), Size(40, 10)])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_screen_fills_the_terminal_exactly(size: Size, ascii_only: bool) -> None:
    for make in SCENES.values():
        rows = picture(make(), size, Caps(ascii_only, "256"))
        assert len(rows) == size.height
        assert {text_width(row) for row in rows} == {size.width}


class LongWords(gettext.NullTranslations):
    """A language whose texts are a third longer than the English ones."""

    def gettext(self, message: str) -> str:
        """Longer, in the same frame of blanks."""
        return message.rstrip() + "ü" * (len(message) // 3) + message[len(message.rstrip()) :]

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The same."""
        return self.gettext(one if n == 1 else many)


def test_longer_texts_find_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_current", LongWords())
    for name, make in SCENES.items():
        for size in SIZES:
            for caps in (Caps(False, "256"), Caps(True, "none")):
                rows = picture(make(), size, caps)
                assert {text_width(row) for row in rows} == {size.width}, name
                assert len(rows) == size.height
                if make().input is None:
                    assert "? help" in rows[-1], name


def test_ascii_is_ascii() -> None:
    for name, make in SCENES.items():
        for size in SIZES:
            for row in picture(make(), size, Caps(True, "none")):
                text = row.replace("李明", "").replace("ë", "")  # names are what they are
                assert text.isascii(), f"{name}: {row}"


def test_the_prompt_stands_in_the_same_row_and_is_never_covered() -> None:
    for name, make in SCENES.items():
        for size in SIZES:
            model = make()
            rows = picture(model, size, Caps(False, "none"))
            sentence = expects.sentence(model, Caps(), scenes.NOW)[1]
            assert sentence[:30] in rows[size.height - 4], name
            assert rows[size.height - 1].rstrip().endswith("help") or model.world.lost is not None, name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 7, 11, 12, 30, 60, 107])
def test_the_selected_card_is_always_shown(size: Size, count: int) -> None:
    deck = [card for card in COLOR for _copy in range(2)]
    hand = tuple(map(str, deck[:count]))
    for selected in {0, count // 2, count - 1}:
        model = Model(scenes.world(scenes.view(hand=hand)), selected=selected)
        for caps in (Caps(False, "none"), Caps(True, "none")):
            rows = picture(model, size, caps)
            mark = [row for row in rows if f"[{selected + 1}]" in row or f" {selected + 1} " in row]
            assert mark, (size, count, selected)
            text = "\n".join(rows)
            assert ("╔" in text or ">" in text) if not caps.ascii else ("#=" in text or ">" in text)


def test_without_styles_every_card_reads_differently() -> None:
    for caps in (Caps(False, "none"), Caps(True, "none")):
        for draw in (small, big):
            assert len({"".join(plain(draw(card, caps))) for card in COLOR}) == len(COLOR)
        chips = {"".join(plain([chip(card, 1, 9, "legal", caps, selected=False)])) for card in COLOR}
        assert len(chips) == len(COLOR)


def test_without_styles_legal_illegal_and_selected_read_differently() -> None:
    card = Card("R7")
    for caps in (Caps(False, "none"), Caps(True, "none")):
        seen = set()
        for state in ("legal", "illegal"):
            for selected in (False, True):
                seen.add("".join(plain([chip(card, 1, 9, state, caps, selected=selected)])))
        assert len(seen) == 4
        model = Model(scenes.world(scenes.view(hand=("R3", "Y7", "B2"))), selected=1)
        for size in SIZES:
            text = plain(hand_rows(model, size, caps).lines)
            assert any("[2]" in row for row in text)
            assert any("[3]" in row for row in text)
            assert not any("[1]" in row for row in text)


def test_the_sums_add_up_to_what_the_winner_scored() -> None:
    model = scenes.score()
    assert model.view is not None
    model.view.options = {**model.view.options, "going_out_bonus": 50, "scoring": "winner"}
    assert any("+ for going out 50" in row for row in picture(model, Size(80, 24), Caps(False, "none")))


def test_who_hosts_is_told_that_the_game_of_the_others_ends() -> None:
    alone = scenes.view(players=[Player(0, "Ann"), Player(1, "Ada", bot=True)])
    waiting = scenes.waiting().view
    assert waiting is not None
    for table, own, told in (
        (scenes.view(), False, "Your hand goes under the draw pile"), (scenes.view(), True, "the game of the others"),
        (waiting, True, "the game of the others"), (alone, True, "The game ends with it"),
    ):  # fmt: skip
        asked = press(Model(scenes.world(table, own=own)), "q", scenes.NOW)[0]
        assert any(told in row for row in picture(asked, Size(80, 24), Caps(False, "none")))
    assert press(scenes.waiting(), "q", scenes.NOW)[1] == (Leave(0, "k3f"),)


def test_the_wish_stands_in_words() -> None:
    table = scenes.view(top=Card("W"), color="green", turn_seat=1)
    for size in SIZES:
        for caps in (Caps(False, "none"), Caps(True, "none")):
            assert any("GREEN" in row for row in picture(Model(scenes.world(table)), size, caps))


def test_hostile_texts_do_nothing() -> None:
    evil = "a\x1b[2J\x07\x9b31m\u202eb\u200b\nc"
    model = scenes.my_turn()
    assert model.view is not None
    for player in model.view.players:
        player.name = evil
    model.view.name = model.view.profile = evil
    line = replace(scenes.LOG[0], text=evil)
    model = replace(model, world=replace(model.world, log=(line,), where=evil, me=evil))
    waiting = scenes.waiting()
    assert waiting.view is not None
    waiting.view.watchers = [evil]
    waiting.view.players[1].level = waiting.view.players[1].name = evil
    lobby = scenes.lobby()
    rows = tuple(row for row in lobby.world.lobby)
    for row in rows:
        row.name = row.profile = row.host = row.id = evil
    for shown in (model, waiting, lobby):
        for size in SIZES:
            text = "".join(picture(shown, size, Caps(False, "256")))
            assert all(char.isprintable() for char in text)
            assert "\u202e" not in text
            assert "\u200b" not in text


def test_too_small_still_says_what_is_expected() -> None:
    rows = picture(scenes.my_turn(), Size(57, 15), Caps())
    assert "57x15" in rows[0]
    assert str(SMALLEST.width) in rows[0]
    assert "YOUR TURN" in rows[-3]


def test_colours_are_the_ones_that_were_measured() -> None:
    rules = style_rules("256")
    assert rules["card.red"] == "bg:#af0000 #ffffff"
    assert rules["card.yellow"] == "bg:#ffd700 #000000"
    assert rules["card.green"] == "bg:#00af5f #000000"
    assert rules["card.blue"] == "bg:#005faf #ffffff"
    assert all("#" not in rule for rule in style_rules("16").values())
    assert all(
        rule in ("", "bold", "reverse", "reverse bold", "bold underline") for rule in style_rules("none").values()
    )


def test_a_clock_shows_seconds_and_gets_urgent() -> None:
    model = scenes.my_turn()
    line = prompt.clock(model, 80, Caps(), scenes.NOW + 20)
    assert line[-1] == ("class:timer.short", " 4 s ")
    assert prompt.clock(replace(model, world=replace(model.world, deadline=None)), 80, Caps(), scenes.NOW) == []


@pytest.mark.parametrize(
    ("width", "changes", "shown"),
    [
        (80, {"delay": 0.0042}, "@192.168.1.20 4 ms ●"), (80, {"delay": 0.0001}, "@192.168.1.20 1 ms ●"),
        (80, {"delay": 1.5}, "@192.168.1.20 1500 ms ●"),
        (60, {"delay": 0.0042}, "@192.168.1.20 ●"), (80, {}, "@192.168.1.20 ●"),
        (120, {"delay": 0.0042, "lost": Retrying()}, "@192.168.1.20 ✗"),
    ],
)  # fmt: skip
def test_the_title_says_how_long_answers_take_where_there_is_room(
    width: int, changes: dict[str, Any], shown: str
) -> None:
    model = scenes.my_turn()
    model = replace(model, world=replace(model.world, **changes))
    assert picture(model, Size(width, 24), Caps())[0].rstrip().endswith(shown)


def test_places() -> None:
    made: dict[str, View | None] = {name: make().view for name, make in SCENES.items()}
    assert made["lobby"] is None
    assert scenes.watching().place is Where.WATCH
    assert see(scenes.my_turn(), scenes.lobby().world, 0).place is Where.LOBBY
