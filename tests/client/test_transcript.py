"""Whole matches by commands only, against the real server, in every language: every line is a full sentence."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator

import pytest
import trio

from tests.conftest import RunningServer
from una_client import i18n, stats
from una_client.goal import Goal, UiOptions
from una_client.mirror import Mirror
from una_client.plain import run_plain
from una_protocol.messages import Create

BOXES = re.compile("[\u2500-\u25ff\u2800-\u28ff]")
WORDS = {
    "en": {"draw": "draw", "take": "take", "pass": "pass", "challenge": "challenge", "play": "play", "catch": "catch",
           "colour": "green", "una": "una"},
    "de": {"draw": "ziehen", "take": "nehmen", "pass": "passen", "challenge": "anzweifeln", "play": "legen",
           "catch": "erwischen", "colour": "grün", "una": "una"},
}  # fmt: skip
ASKS = {"en": "Type ", "de": "Tippe "}
MATCHES = [
    ("una", {"target_score": 0}),
    ("official", {"target_score": 0}),
    ("una", {"stack_draw_two": "any", "target_score": 0}),
]


class Typist:
    """Reads what is written, and types what it is asked for, as a person with a screen reader would."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.words = WORDS[lang]
        self.written: list[str] = []
        self.typed: list[str] = []
        self._send, self._lines = trio.open_memory_channel[str](1000)

    def write(self, line: str) -> None:
        """A line came; where it asks for something, an answer goes back."""
        self.written.append(line)
        over = i18n._("Type rematch for another match, leave, or quit.")
        asked = re.search(rf"(?:^|\. ){ASKS[self.lang]}(.*)", line)
        if line == over:
            self._type("quit" if self.lang == "en" else "ende")
        elif asked and (answer := self._answer(asked[1])):
            self._type(answer)

    def _answer(self, asked: str) -> str:
        cards = re.findall(r"(\d+) ([^.]+)\.", self.written[-2]) if len(self.written) > 1 else []
        number = "Type a number" if self.lang == "en" else "eine Nummer"
        if self.words["catch"] in asked and "una" not in asked:
            return self.words["catch"]
        if self.words["colour"] in asked:  # the first card was a wild
            return self.words["colour"]
        if ("a number" in asked or number in asked) and cards:
            at, name = cards[0]
            wild = i18n._("wild") in name or i18n._("wild draw four") in name
            return at + (f" {self.words['colour']}" if wild else "") + (" una" if "una" in asked else "")
        for word in ("play", "challenge", "take", "draw", "pass"):
            if re.match(rf"{self.words[word]}\b", asked) or (word != "play" and f" {self.words[word]}" in asked):
                held = self.written[-2] if len(self.written) > 1 else ""
                wild = word == "play" and any(
                    i18n._(card) in self.written[-1] + held for card in ("wild", "wild draw four")
                )
                return self.words[word] + (f" {self.words['colour']}" if wild else "")
        return ""

    def _type(self, line: str) -> None:
        self.typed.append(line)
        self._send.send_nowait(line)

    async def lines(self) -> AsyncGenerator[str, None]:
        """What is typed."""
        async for line in self._lines:
            yield line


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("profile", "options"), MATCHES)
async def test_a_whole_match(
    server: RunningServer, lang: str, profile: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mirror, "observers", [stats.Tally()])
    i18n.use(lang)
    try:
        typist = Typist(lang)
        create = Create(0, "Reading", profile=profile, options=options, seats=3, bots=["easy", "normal"])  # type: ignore[arg-type]
        create.una_grace_ms = create.think_ms = create.between_s = 0
        goal = Goal(host="127.0.0.1", port=server.port, name="Ann", do="create", create=create, start=True)
        with trio.fail_after(20):
            assert await run_plain(goal, UiOptions(), lines=typist.lines(), write=typist.write) == 0
        assert len(typist.typed) > 3
        assert stats.summary()["matches"] == 1
        for line in typist.written:
            assert line[-1] in ".!?", line
            assert not BOXES.search(line), line
            assert line == line.strip()
            assert line[0].isupper() or line[0].isdigit() or line.startswith("bot-"), line
        assert any(i18n._("You won the match.") in line or "bot-" in line for line in typist.written[-6:])
        if lang == "de":
            english = re.compile(r"\b(the|your|you|card|cards|draw|played|turn|type)\b", re.IGNORECASE)
            assert [line for line in typist.written if english.search(line)] == []
    finally:
        i18n.use("en")
