"""Statistics of one's own matches: what is counted, how it is told, and that it can be forgotten."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.client.kit import a_view, an_ev
from una_client import stats
from una_client.mirror import Mirror
from una_protocol import events as ev
from una_protocol.cards import Card


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    """A mirror at the table of `a_view`, watched by a tally."""
    monkeypatch.setattr(Mirror, "observers", [stats.Tally(tmp_path / "x" / "stats.sqlite")])
    made = Mirror("Ann")
    made.handle(a_view(), 0.0)
    return made


def happen(mirror: Mirror, *events: ev.Event) -> None:
    """The events, after what is known."""
    for event in events:
        view = mirror.view
        assert view is not None
        mirror.handle(an_ev(view.seq + 1, event), 0.0)


OVER = ev.MatchOver((0,), (120, 30, 5))


def test_a_match_is_counted(mirror: Mirror, tmp_path: Path) -> None:
    happen(
        mirror,
        ev.UnaCalled(0), ev.Dealer(1),  # what was before the match does not count
        ev.Played(0, Card("R3"), "red", una=True), ev.UnaCalled(0), ev.UnaCalled(1), ev.Caught(1, 0), ev.Caught(0, 2),
        OVER,
    )  # fmt: skip
    found = stats.summary(tmp_path / "x" / "stats.sqlite")
    assert {name: found[name] for name in ("matches", "wins", "points", "una_called", "caught", "was_caught")} == {
        "matches": 1, "wins": 1, "points": 120, "una_called": 2, "caught": 1, "was_caught": 1,
    }  # fmt: skip
    assert found["opponents"] == [
        {"name": "Bo", "bot": False, "matches": 1, "wins": 1, "losses": 0},
        {"name": "Cy", "bot": True, "matches": 1, "wins": 1, "losses": 0},
    ]


def test_a_rematch_begins_anew_and_is_added(mirror: Mirror, tmp_path: Path) -> None:
    happen(mirror, ev.Dealer(1), ev.UnaCalled(0), OVER, ev.Dealer(1), ev.MatchOver((1,), (10, 80, 0)))
    found = stats.summary(tmp_path / "x" / "stats.sqlite")
    assert (found["matches"], found["wins"], found["points"], found["una_called"]) == (2, 1, 130, 1)
    assert found["opponents"][0] == {"name": "Bo", "bot": False, "matches": 2, "wins": 1, "losses": 1}
    assert stats.sentences(found) == [
        "You played 2 matches to their end and won 1.",
        "You made 130 points.",
        "You said una 1 time.",
        "You caught somebody 0 times.",
        "You were caught 0 times.",
        "Against Bo: 2 matches, you won 1, Bo won 1.",
        "Against Cy: 2 matches, you won 1, Cy won 0.",
    ]


def test_who_watches_has_no_matches(mirror: Mirror, tmp_path: Path) -> None:
    assert mirror.view is not None
    mirror.view.you = None
    happen(mirror, ev.Dealer(1), OVER)
    assert not (tmp_path / "x").exists()


def test_what_cannot_be_kept_is_not_worth_a_word(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no database" * 200)
    match = stats.Finished(
        profile="una", rounds=1, won=True, points=1, una=0, caught=0, was_caught=0, opponents=()
    )  # fmt: skip
    stats.keep(match, blocked / "stats.sqlite")
    stats.keep(match, blocked)
    with pytest.raises(sqlite3.DatabaseError):
        stats.summary(blocked)
    assert stats.show(False, blocked) == 1


def test_the_command(state_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stats.show(False) == 0
    assert capsys.readouterr().out == "No match of yours was played to its end yet.\n"
    opponents = (stats.Opponent("E\x1bve", False, 7, True),)
    match = stats.Finished(
        profile="una", rounds=3, won=False, points=2, una=1, caught=0, was_caught=0, opponents=opponents
    )
    stats.keep(match)
    assert stats.show(True) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["rounds"], found["first"] is not None) == (1, 3, True)
    assert stats.show(False) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert (state_home / "stats.sqlite").exists()
    assert stats.forget_all() == 0
    assert stats.forget_all() == 0
    assert not (state_home / "stats.sqlite").exists()
