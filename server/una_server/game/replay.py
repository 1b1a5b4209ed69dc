"""Playing a record again: it trusts nothing but deals, shuffles and plays as the record says, and compares the end."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from una_protocol.cards import Card

from .happening import Happening
from .match import Match
from .options import OPTION_SPECS, BadOption, Options, check_players, make_options
from .record_lines import VERSION, Act, End, EndLine, Header, Pile, end_of
from .refused import Refused
from .round import Round

_Form = TypeVar("_Form")


class RecordError(Exception):
    """A record that does not hold: the line, from 1, and one plain sentence."""

    def __init__(self, line_no: int, sentence: str) -> None:
        super().__init__(f"line {line_no}: {sentence}")
        self.line_no = line_no
        self.sentence = sentence


class Replayed(Struct, frozen=True):
    """What a record that holds contains. `end` is None where the round was never finished."""

    header: Header
    options: Options
    actions: int
    end: End | None


class Step(NamedTuple):
    """One step of a record, just played: `act` is None for the deal; `match` is the one that goes on."""

    header: Header
    match: Match
    act: Act | None
    told: list[Happening]


class _Piles:
    """The shuffles of a record: the deck, then the pile lines read so far. Those not used yet are told apart."""

    def __init__(self, deck: list[Card]) -> None:
        self.orders = [deck]
        self.lines = [1]
        self.used = 1
        self.line_no = 1
        """The line being played."""

    def add(self, line_no: int, pile: list[Card]) -> None:
        self.orders.append(pile)
        self.lines.append(line_no)

    def __call__(self, cards: Sequence[Card], number: int) -> Sequence[Card]:
        if number >= len(self.orders):
            raise RecordError(self.line_no, "The cards are shuffled here, but no line before says in which order.")
        if sorted(self.orders[number]) != sorted(cards):
            raise RecordError(
                self.lines[number],
                "The pile has other cards than are shuffled then."
                if number
                else "The deck has other cards than the game.",
            )
        self.used = number + 1
        return self.orders[number]

    def check_used(self) -> None:
        if self.used < len(self.orders):
            raise RecordError(self.lines[self.used], "Nothing is shuffled here.")


def replay(lines: Iterable[str]) -> Replayed:
    """Play a record again; RecordError names the first line that does not hold."""
    steps = replay_steps(lines)
    while True:
        try:
            next(steps)
        except StopIteration as last:
            found: Replayed = last.value
            return found


def replay_steps(lines: Iterable[str]) -> Generator[Step, None, Replayed]:
    """The same step by step: the deal first, then each action, as soon as it is played; what it contained at last."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise RecordError(1, "The record is empty.")
    (first, text), *rest = numbered
    header = _header(first, text)
    options = _options(first, header)
    match = Match(options, range(len(header.players)), bytes(32), header.dealer)
    match.scores = list(header.scores)
    replay_ = _Replay(first, match, _Piles(header.deck))
    for number, line in rest:
        for act, told in replay_.read(number, line):
            yield Step(header, match, act, told)
    last, end = replay_.finish(numbered[-1][0])
    for told in last:
        yield Step(header, match, None, told)
    return Replayed(header, options, replay_.actions, end)


def _header(line_no: int, text: str) -> Header:
    raw = _json(line_no, text)
    if not isinstance(raw, dict) or "una_record" not in raw:
        raise RecordError(line_no, "A record begins with a line that has una_record.")
    if raw["una_record"] != VERSION:
        raise RecordError(line_no, f"This is a record of version {raw['una_record']!r}; version {VERSION} can be read.")
    header = _convert(line_no, raw, Header)
    players = len(header.players)
    if not 0 <= header.dealer < players or len(header.scores) != players or header.round < 1:
        raise RecordError(line_no, "Dealer, scores and round do not go with the players.")
    return header


def _options(line_no: int, header: Header) -> Options:
    missing = [name for name in OPTION_SPECS if name not in header.options]
    if missing:
        raise RecordError(line_no, f"The option {missing[0]} is missing.")
    try:
        options = make_options(header.profile, {n: v for n, v in header.options.items() if n in OPTION_SPECS})
        check_players(options, len(header.players))
    except BadOption as error:
        raise RecordError(line_no, str(error)) from None
    return options


class _Replay:
    """One record being played again, line by line."""

    def __init__(self, line_no: int, match: Match, piles: _Piles) -> None:
        self.match = match
        self.piles = piles
        self.actions = 0
        self.end: End | None = None
        self._header_line = line_no
        self._dealt = False

    def read(self, line_no: int, text: str) -> Iterator[tuple[Act | None, list[Happening]]]:
        """One line after the header; what it led to."""
        if self.end is not None:
            raise RecordError(line_no, "There is a line after the end.")
        raw = _json(line_no, text)
        if isinstance(raw, dict) and "pile" in raw:
            self.piles.add(line_no, _convert(line_no, raw, Pile).pile)
            return
        for told in self.deal():
            yield None, told
        if isinstance(raw, dict) and "end" in raw:
            self.end = self._check_end(line_no, _convert(line_no, raw, EndLine).end)
            return
        act = _convert(line_no, raw, Act)
        yield act, self._act(line_no, act)

    def deal(self) -> list[list[Happening]]:
        """Deal, once the pile lines that may follow the header are known; nothing where that is done."""
        if self._dealt:
            return []
        self._dealt = True
        self.piles.line_no = self._header_line
        return [self.match.deal(self.piles)]

    @property
    def state(self) -> Round:
        assert self.match.round is not None
        return self.match.round

    def _act(self, line_no: int, act: Act) -> list[Happening]:
        self.piles.line_no = line_no
        self.actions += 1
        try:
            told = self.match.apply(act.seat, act.do)
        except Refused as refused:
            raise RecordError(line_no, f"The rules refuse this action: {refused.code}.") from None
        self.piles.check_used()
        return told

    def _check_end(self, line_no: int, end: End) -> End:
        state = self.state
        self.piles.check_used()
        if not state.over:
            raise RecordError(line_no, "The round is not over yet.")
        played = end_of(self.match, state, range(len(state.hands)))
        for name in End.__struct_fields__:
            told, found = getattr(end, name), getattr(played, name)
            if name == "points":
                told = {seat: points for seat, points in told.items() if points}
            if told != found:
                raise RecordError(line_no, f"The end does not follow from the record: {name} should be {found!r}.")
        return end

    def finish(self, line_no: int) -> tuple[list[list[Happening]], End | None]:
        """After the last line: the deal, where no line followed it, and the end."""
        dealt = self.deal()
        self.piles.check_used()
        if self.end is None and self.state.over:
            raise RecordError(line_no, "The round is over after this line, but its end is missing.")
        return dealt, self.end


def _json(line_no: int, text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(line_no, f"This is no JSON: {error}.") from None


def _convert(line_no: int, raw: Any, kind: type[_Form]) -> _Form:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise RecordError(line_no, f"This line cannot be read: {error}.") from None
