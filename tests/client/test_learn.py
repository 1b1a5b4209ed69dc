"""`una learn`: the lessons lead through in every language; mistakes are told; one goes on where one stopped."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import trio

from una_client import i18n
from una_client.goal import Goal, UiOptions
from una_client.learn import course
from una_client.learn.lesson import YOU, view_of
from una_client.learn.lessons import LESSONS
from una_client.learn.school import TABLE, School
from una_client.plain import run_plain
from una_protocol.actions import Play
from una_protocol.cards import COLOR
from una_protocol.view import fold

RIGHT = {
    "en": [
        "red 3", "yellow 5", "draw", "play", "blue skip", "blue 3", "green draw two", "3 green", "green 1", "1 una",
        "catch", "challenge", "1",
    ],
    "de": [
        "rot 3", "gelb 5", "ziehen", "legen", "blau aussetzen", "blau 3", "grün 2-ziehen", "3 grün", "grün 1", "1 una",
        "erwischen", "anzweifeln", "1",
    ],
}  # fmt: skip
"""What to type, step by step."""
WRONG = ["draw", "draw", "", "pass", "blue 3", "draw", "green 4", "3 red", "draw", "1", "draw", "accept", "draw"]
"""What is possible in each step, and not what the lesson is about."""
ASKS = {"en": "Type ", "de": "Tippe "}


@pytest.fixture(autouse=True)
def english_again() -> object:
    yield
    i18n.use("en")


LAST = "That was the last lesson. Now play: una play, or una host for others."


async def attend(lang: str, typed: list[tuple[str, bool]], think_s: float = 0) -> tuple[list[str], list[int]]:
    """Type each line once there is a decision to make; those marked once the teacher has said that the last one was
    wrong. What was written, and which lessons are passed.
    """
    written: list[str] = []
    passed: list[int] = []
    asked = trio.Event()

    async def no_pause(seconds: float) -> None:
        await trio.lowlevel.checkpoint()

    def write(line: str) -> None:
        nonlocal asked
        written.append(line)
        asked.set()
        asked = trio.Event()

    async def until(text: str, seen: int) -> None:
        while not any(line.startswith(text) for line in written[seen:]):
            await asked.wait()

    async def lines() -> AsyncGenerator[str, None]:
        seen = 0
        for line, again in typed:
            await until(i18n._("Teacher") if again else ASKS[lang], seen)
            seen = len(written)
            await trio.sleep(think_s if (line, again) == typed[0] else 0)
            yield line
        await until(i18n._("{name} says: {text}").format(name=i18n._("Teacher"), text=i18n._(LAST)), 0)
        yield "quit"

    school = School(1, passed.append, no_pause, typed=True)
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
            nursery.start_soon(trio.serve_listeners, school.serve, listeners)
            port = listeners[0].socket.getsockname()[1]
            goal = Goal(host="127.0.0.1", port=port, name="Ann", do="join", table=TABLE, own_server=True)
            assert await run_plain(goal, UiOptions(), lines=lines(), write=write) == 0
            nursery.cancel_scope.cancel()
    return written, passed


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_all_ten_lessons(lang: str) -> None:
    i18n.use(lang)
    written, passed = await attend(lang, [(line, False) for line in RIGHT[lang]])
    assert passed == list(range(1, 11))
    for lesson in LESSONS:
        assert any(i18n._(lesson.done) in line for line in written)
    assert all(line[-1] in ".!?)" for line in written), [line for line in written if line[-1] not in ".!?)"]


async def test_mistakes_are_told_and_may_be_mended() -> None:
    typed: list[tuple[str, bool]] = []
    for wrong, right in zip(WRONG, RIGHT["en"], strict=True):
        typed += [(wrong, False), (right, True)] if wrong else [(right, False)]
    written, passed = await attend("en", typed)
    assert passed == list(range(1, 11))
    steps = [step for lesson in LESSONS for step in lesson.steps]
    for step, wrong in zip(steps, WRONG, strict=True):
        assert any(step.wrong in line for line in written) == bool(wrong)


async def test_the_learner_may_think_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("una_client.session.SILENCE", 0.02)  # 15 seconds as usual would be 0.3 now
    _, passed = await attend("en", [(line, False) for line in RIGHT["en"]], think_s=0.6)
    assert passed == list(range(1, 11))


def test_the_positions_are_as_the_lessons_say() -> None:
    """What is right is listed; what follows can be folded, and leaves nothing that is not there."""
    for number, lesson in enumerate(LESSONS, 1):
        view = view_of(lesson, number, "Ann", "Teacher", "x", 1)
        for step in lesson.steps:
            for event in step.before:
                fold(view, view.seq + 1, event)
            for action in step.legal:
                if isinstance(action, Play):
                    assert action.card in (view.hand or ())
                    fits = COLOR[action.card] in (None, view.color) or action.card[1:] == (view.top or "")[1:]
                    assert fits or step.phase == "drawn", (lesson.title, action)
            for event in step.then:
                fold(view, view.seq + 1, event)
            for player in view.players:
                assert player.cards >= 0
            if step.then:
                assert len(view.hand or ()) == next(p.cards for p in view.players if p.seat == YOU)


def test_one_goes_on_where_one_stopped(state_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert course.next_lesson() == 1
    course.keep_passed(4)
    assert course.next_lesson() == 5
    assert course.list_lessons() == 0
    assert capsys.readouterr().out.splitlines()[4] == "5 Draw two  (next)"
    course.keep_passed(10)
    assert course.next_lesson() == 1
    course.progress_path().write_text("[]")
    assert course.next_lesson() == 1
