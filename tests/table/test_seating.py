"""Seats, watchers, the host, house bots; who may do what, and when."""

from __future__ import annotations

import pytest

from una_protocol import events as ev
from una_protocol import messages as msg
from una_server.table import BadSetting, Guest, Request, Table

from .kit import SEED, Evening


def code(answer: object) -> str:
    return answer.code if isinstance(answer, msg.Err) else "ok" if isinstance(answer, msg.Ok) else "kept"


def test_the_opener_is_host_and_bots_sit_down_after() -> None:
    evening = Evening("Ann", bots=("easy", "normal"))
    view = evening.views["key-Ann"]
    assert (view.host, view.you) == (0, 0)
    assert [(p.bot, p.level) for p in view.players] == [(False, None), (True, "easy"), (True, "normal")]
    assert all(p.name.startswith("bot-") for p in view.players[1:])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"profile": "poker"}, "profile"),
        ({"options": {"hand_size": 99}}, "hand_size"),
        ({"options": {"hand_site": 7}}, "hand_site"),
        ({"bots": ["genius"]}, "allowed are easy, normal"),
        ({"seats": 2, "bots": ["easy", "easy"]}, "seat"),
        ({"seats": 10, "options": {"hand_size": 10}}, "hand_size"),
    ],
)
def test_bad_settings_say_which_and_what_is_allowed(fields: dict[str, object], words: str) -> None:
    create = msg.Create(id=1, name="T", **fields)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match=words):
        Table.open("x", create, Guest("k", "Ann"), SEED, 0.0)


def test_seats_are_the_lowest_free_ones_or_as_asked() -> None:
    evening = Evening("Ann", seats=4)
    assert evening.ask("Ben", msg.Join, seat=2) == msg.Ok(1, 3, "k3f", 2)
    assert code(evening.ask("Cy", msg.Join, seat=2)) == "table_full"
    assert evening.ask("Cy", msg.Join).seat == 1  # type: ignore[union-attr]
    assert code(evening.ask("Cy", msg.Join)) == "already_started"
    evening.ask("Dee", msg.Join)
    assert code(evening.ask("Eve", msg.Join)) == "table_full"


def test_the_host_passes_on_and_never_to_a_bot() -> None:
    evening = Evening("Ann", "Robo", "Ben", bots=("easy",), programs=("Robo",))
    evening.ask("Ann", msg.Leave)
    assert evening.table.host == evening.seat("Ben")
    assert code(evening.ask("Ben", msg.Start)) == "ok"
    evening.ask("Ben", msg.Leave)
    assert evening.table.host is None
    assert not evening.table.closed, "a socket bot still plays"


def test_the_table_closes_with_its_last_guest() -> None:
    evening = Evening("Ann", bots=("easy", "easy"))
    evening.ask("Ann", msg.Start)
    evening.ask("Ann", msg.Leave)
    assert evening.table.closed
    assert evening.table.deadline is None


def test_watchers_are_told_when_the_table_closes() -> None:
    evening = Evening("Ann", "Ben")
    evening.ask("Wim", msg.Watch)
    evening.ask("Ann", msg.Start)
    evening.ask("Ann", msg.Leave)
    out = evening.do(Request(evening.guests["Ben"], msg.Leave(99, "k3f")))
    assert evening.table.closed
    assert "key-Wim" in out.left
    assert evening.happened(ev.Left)[-1] == ev.Left("Wim")


def test_only_the_host_starts_kicks_seats_bots_and_sets_options() -> None:
    evening = Evening("Ann", "Ben")
    for kind, fields in (
        (msg.Start, {}),
        (msg.Kick, {"seat": 0}),
        (msg.BotSeat, {"add": "easy"}),
        (msg.SetOptions, {"turn_s": 5}),
    ):
        assert code(evening.ask("Ben", kind, **fields)) == "not_host"
        assert code(evening.ask("Nobody", kind, **fields)) == "not_seated"


def test_options_change_before_a_match_and_not_within() -> None:
    evening = Evening("Ann", "Ben")
    assert code(evening.ask("Ann", msg.SetOptions, profile="official", turn_s=30)) == "ok"
    view = evening.views["key-Ben"]
    assert (view.profile, view.options["draw_four"], view.turn_s) == ("official", "bluff", 30)
    assert code(evening.ask("Ann", msg.SetOptions, options={"stack_draw_two": "any", "una_penalty": 3})) == "ok"
    assert evening.table.row().options == {"stack_draw_two": "any", "una_penalty": 3}
    assert code(evening.ask("Ann", msg.SetOptions, options={"una_penalty": -1})) == "bad_option"
    assert code(evening.ask("Ann", msg.SetOptions, seats=2)) == "ok"
    evening.ask("Ann", msg.Start)
    assert code(evening.ask("Ann", msg.SetOptions, turn_s=5)) == "already_started"


def test_taken_seats_cannot_be_cut_off() -> None:
    evening = Evening("Ann", "Ben", "Cy")
    answer = evening.ask("Ann", msg.SetOptions, seats=2)
    assert isinstance(answer, msg.Err)
    assert answer.code == "bad_option"
    assert "seats" in answer.msg


def test_nobody_joins_a_running_match_but_a_watcher_gets_a_seat_in_the_next() -> None:
    evening = Evening("Ann", "Ben", options={"hand_size": 1})
    evening.ask("Ann", msg.Start)
    assert code(evening.ask("Cy", msg.Join)) == "already_started"
    assert code(evening.ask("Cy", msg.Watch)) == "ok"
    answer = evening.ask("Cy", msg.Join)
    assert isinstance(answer, msg.Ok)
    assert answer.seat == 2
    assert evening.table.seat_of("key-Cy") is None
    assert evening.views["key-Cy"].hand is None
    evening.ask("Ben", msg.Leave)
    assert evening.table.stage == "over"
    evening.ask("Ann", msg.Rematch)
    assert evening.table.seat_of("key-Cy") == 2
    assert len(evening.views["key-Cy"].hand or []) == 1
    assert evening.views["key-Ann"].watchers == []


def test_kicking_in_a_round_moves_the_hand_under_the_pile() -> None:
    evening = Evening("Ann", "Ben", "Cy")
    evening.ask("Ann", msg.Start)
    before = evening.table.view_for("key-Ann", evening.now).draw_pile
    assert code(evening.ask("Ann", msg.Kick, seat=evening.seat("Ben"))) == "ok"
    left = evening.happened(ev.Left)[-1]
    assert (left.why, left.draw_pile) == ("kicked", before + 7)
    assert code(evening.ask("Ann", msg.Kick, seat=0)) == "not_now"
    assert code(evening.ask("Ann", msg.Kick, seat=1)) == "not_seated"


def test_chat_of_watchers_stays_apart_while_a_round_runs() -> None:
    evening = Evening("Ann", "Ben")
    evening.ask("Wim", msg.Watch)
    evening.ask("Wes", msg.Watch)
    evening.ask("Wim", msg.Say, text="hello all")
    assert set(evening.said[-1][0]) == {"key-Ann", "key-Ben", "key-Wim", "key-Wes"}
    evening.ask("Ann", msg.Start)
    evening.ask("Wim", msg.Say, text="Ann has a +4")
    assert set(evening.said[-1][0]) == {"key-Wim", "key-Wes"}
    assert evening.said[-1][1].watcher
    evening.ask("Ben", msg.Say, text="your turn")
    assert len(evening.said[-1][0]) == 4
    assert code(evening.ask("Ben", msg.Say, text=" \u200b ")) == "bad_message"
    assert code(evening.ask("Nobody", msg.Say, text="let me in")) == "not_seated"


def test_a_new_owner_of_a_seat_is_told_nothing_of_the_old_ones_cards() -> None:
    evening = Evening("Ann", "Ben", options={"hand_size": 3})
    evening.ask("Ann", msg.Start)
    evening.ask("Ben", msg.Leave)
    evening.ask("Cy", msg.Join, seat=1)
    assert evening.views["key-Cy"].hand is None
    assert evening.table.since("key-Cy", 0) is None
    assert evening.table.since("key-Ann", 1) is not None


def test_what_was_missed_comes_in_the_viewers_own_form() -> None:
    evening = Evening("Ann", "Ben")
    seq = evening.table.seq
    evening.ask("Ann", msg.Start)
    dealt = {
        name: next(e for _, e in evening.table.since(f"key-{name}", seq) or [] if isinstance(e, ev.Dealt))
        for name in ("Ann", "Ben")
    }
    assert list(dealt["Ann"].hand or []) == evening.views["key-Ann"].hand
    assert list(dealt["Ben"].hand or []) == evening.views["key-Ben"].hand
    assert evening.table.since("key-Ann", evening.table.seq) == []
    assert evening.table.since("key-Ann", evening.table.seq + 5) is None
