"""The text commands: one table of them, and the parser that makes intents of what was typed. Pure.

Line mode takes them as they are, the chat line of the full screen after a slash (`/draw`). What cannot be done now
is answered here with the reason, before anything is sent.

    intent = parse("8 green", Situation(view, turn, hand=hand_order(view)))
    Send -> send its request (set the id) · Show -> show it · Quit -> end · Refusal -> tell its reason
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Action, Catch, Wish
from una_protocol.cards import Card
from una_protocol.messages import _Request as Request
from una_protocol.view import View

from . import reasons
from .i18n import _, mark
from .playing import find_card, find_color, find_number, find_seat, means, parse_play
from .words import card_name, in_order, seat_name


def hand_order(view: View) -> list[Card]:
    """The hand as it is read out and numbered."""
    return in_order(view.hand or ())


class Situation(Struct, frozen=True):
    """What a command is understood by: the table and the decision we owe, the hand as it is numbered on the screen,
    and the rows of the lobby as they are numbered there.
    """

    view: View | None = None
    turn: m.TurnNow | None = None
    hand: Sequence[Card] = ()
    rows: Sequence[m.TableRow] = ()

    @property
    def names(self) -> dict[int, str]:
        """The raw names at the table by seat number."""
        return {} if self.view is None else reasons.names_of(self.view)


class Send(Struct, frozen=True):
    """Send this request; whoever sends it sets the id."""

    request: Request


class Show(Struct, frozen=True):
    """Show something that is known already."""

    what: Literal["hand", "table", "score", "help", "tables"]


class Mute(Struct, frozen=True):
    """Do not show any more what somebody says; or, not `on`, show it again. The server has no part in this."""

    name: str
    on: bool


class Quit(Struct, frozen=True):
    """End the program."""


class Refusal(Struct, frozen=True):
    """Nothing is sent, for this reason: a sentence."""

    reason: str


Intent = Send | Show | Mute | Quit | Refusal
Parser = Callable[[list[str], Situation], Intent]


class Command(NamedTuple):
    """One command: its names (the first is shown), what follows it, what it does, and where it is of use.

    The names are translated too: whoever reads `ziehen` shall be able to type it. English ones are always understood.
    """

    names: str
    usage: str
    help: str
    parse: Parser
    where: Literal["table", "lobby", "any"] = "table"


def parse(line: str, situation: Situation) -> Intent:
    """What the line asks for, or why it cannot be done now. An empty line shows the table (or the list of tables)."""
    words = line.strip().removeprefix("/").split()
    if not words:
        return Show("table" if situation.view is not None else "tables")
    verb = words[0].casefold()
    command = _find(verb)
    if command is not None and command.where == "lobby" and situation.view is not None and find_card(words):
        command = None  # at a table `w green` is the wild card
    if command is None:
        return _short(words, situation)
    if command.where == "table" and situation.view is None:
        return Refusal(_("You are not at a table."))
    return command.parse(words[1:], situation)


def _find(verb: str) -> Command | None:
    """The command of this name, in English or in the user's language."""
    if verb in BY_NAME:
        return BY_NAME[verb]
    return next((command for command in COMMANDS if verb in _(command.names).split()), None)


def _short(words: list[str], situation: Situation) -> Intent:
    """A line without a verb: a number or a card plays it, a colour answers the question for one."""
    if situation.view is None:
        if find_number(words[0]) is not None:
            return _join(words, situation)
        return _unknown(words[0])
    color = find_color(words[0])
    if color is not None and len(words) == 1:
        if situation.turn is not None and situation.turn.phase == "wish":
            return _wish(words, situation)
        return _name_a_card()
    played = parse_play(words, situation.view, situation.turn, situation.hand)
    if played is None:
        return _unknown(words[0]) if color is None else _name_a_card()
    return Refusal(played) if isinstance(played, str) else _act(situation, played)


def _unknown(word: str) -> Refusal:
    return Refusal(_("There is no command {word}. Type help for the list.").format(word=word[:20]))


def _name_a_card() -> Refusal:
    return Refusal(_("Name a card: its number, or like {example}.").format(example=card_name(Card("R7"))))


def _act(situation: Situation, action: Action, *, any_time: bool = False) -> Intent:
    """Send an action for the decision that the user was looking at (a jump-in carries the public turn number)."""
    view = situation.view
    assert view is not None
    number = None if any_time else view.turn if situation.turn is None else situation.turn.turn
    return Send(m.Act(0, view.table, action, turn=number))


def _table(situation: Situation) -> str:
    assert situation.view is not None
    return situation.view.table


# -- in the round


def _play(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    played = parse_play(words, view, situation.turn, situation.hand)
    if played is None:
        return _name_a_card()
    return Refusal(played) if isinstance(played, str) else _act(situation, played)


def _simple(why: Callable[[View, m.TurnNow | None], str | None], action: Action) -> Parser:
    def parse_it(words: list[str], situation: Situation) -> Intent:
        assert situation.view is not None
        reason = why(situation.view, situation.turn)
        return _act(situation, action, any_time=action is UNA) if reason is None else Refusal(reason)

    return parse_it


def _accept(words: list[str], situation: Situation) -> Intent:
    if situation.turn is not None and situation.turn.phase != "penalty":
        return Refusal(_("There is nothing to accept."))
    return _draw(words, situation)


def _wish(words: list[str], situation: Situation) -> Intent:
    view, turn = situation.view, situation.turn
    assert view is not None
    color = find_color(words[0]) if words else None
    if color is None:
        return Refusal(_("Name a colour: red, green, blue or yellow."))
    if (blocked := reasons.why_no_move(view, turn)) is not None:
        return Refusal(blocked)
    if turn is None or turn.phase != "wish":
        return Refusal(_("There is no colour to wish now; a wild card is laid with its colour."))
    return _act(situation, Wish(color))


def _catch(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    if view.you is None:
        return Refusal(_("You are only watching."))
    open_seats = [seat for seat in view.catchable if seat != view.you]
    if not words:
        if not open_seats:
            return Refusal(_("There is nobody to catch."))
        if len(open_seats) > 1:
            names = ", ".join(seat_name(situation.names, seat) for seat in open_seats)
            return Refusal(_("Catch whom? {names}").format(names=names))
        return _act(situation, Catch(open_seats[0]), any_time=True)
    seat = find_seat(words, view)
    if isinstance(seat, str):
        return Refusal(seat)
    if seat not in open_seats:
        return Refusal(_("{name} cannot be caught.").format(name=seat_name(situation.names, seat)))
    return _act(situation, Catch(seat), any_time=True)


# -- at the table


def _show(what: Literal["hand", "table", "score", "help", "tables"]) -> Parser:
    return lambda words, situation: Show(what)


def _say(words: list[str], situation: Situation) -> Intent:
    if not words:
        return Refusal(_("Say what?"))
    table = None if situation.view is None else situation.view.table
    return Send(m.Say(0, " ".join(words), table=table))


def _mute(on: bool) -> Parser:
    def parse_it(words: list[str], situation: Situation) -> Intent:
        if not words:
            return Refusal(_("Name a player."))
        wanted = " ".join(words)
        view = situation.view
        names = [] if view is None else [player.name for player in view.players] + view.watchers
        known = [name for name in names if name.casefold() == wanted.casefold()]
        return Mute(known[0] if known else wanted, on)

    return parse_it


def _ready(words: list[str], situation: Situation) -> Intent:
    return Send(m.SetReady(0, _table(situation)))


def _start(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    if view.host != view.you or view.you is None:
        return Refusal(_("Only the host of the table may start."))
    if len(view.players) < 2:
        return Refusal(_("At least two must sit at the table. Type bot to add a house bot."))
    return Send(m.Start(0, view.table))


def _rematch(words: list[str], situation: Situation) -> Intent:
    assert situation.view is not None
    if situation.view.stage != "over":
        return Refusal(_("The match is not over yet."))
    return Send(m.Rematch(0, _table(situation)))


def _bot(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    if view.host != view.you or view.you is None:
        return Refusal(_("Only the host of the table may seat bots."))
    if words and means(words[0], mark("remove")):
        seat = find_seat(words[1:], view)
        return Refusal(seat) if isinstance(seat, str) else Send(m.BotSeat(0, view.table, remove=seat))
    return Send(m.BotSeat(0, view.table, add=words[0][:16] if words else "normal"))


def _leave(words: list[str], situation: Situation) -> Intent:
    return Send(m.Leave(0, _table(situation)))


def _sit(words: list[str], situation: Situation) -> Intent:
    return Send(m.Join(0, _table(situation)))


def _on_off(make: Callable[[str, bool], Request]) -> Parser:
    def parse_it(words: list[str], situation: Situation) -> Intent:
        on = not words or means(words[0], mark("on"))
        if not on and not means(words[0], mark("off")):
            return Refusal(_("Say on or off."))
        return Send(make(_table(situation), on))

    return parse_it


def _accuse(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    if not view.options.get("advice_penalty"):
        return Refusal(_("This table has no rule against advising."))
    seat = find_seat(words, view)
    return Refusal(seat) if isinstance(seat, str) else Send(m.Accuse(0, view.table, seat))


def _vote(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    guilty = bool(words) and means(words[0], mark("yes"))
    if view.accusation is None:
        return Refusal(_("There is nothing to vote on."))
    if not guilty and not (words and means(words[0], mark("no"))):
        return Refusal(_("Vote yes (guilty) or no."))
    return Send(m.Vote(0, view.table, view.accusation.seat, guilty=guilty))


def _kick(words: list[str], situation: Situation) -> Intent:
    view = situation.view
    assert view is not None
    if view.host != view.you or view.you is None:
        return Refusal(_("Only the host of the table may remove somebody."))
    seat = find_seat(words, view)
    return Refusal(seat) if isinstance(seat, str) else Send(m.Kick(0, view.table, seat))


# -- in the lobby


def _row(words: list[str], situation: Situation) -> m.TableRow | Refusal:
    wanted = " ".join(words)
    if not wanted:
        return Refusal(_("Name a table: its number in the list, or its name."))
    number = find_number(wanted)
    if number is not None and 1 <= number <= len(situation.rows):
        return situation.rows[number - 1]
    found = [row for row in situation.rows if wanted.casefold() in (row.name.casefold(), row.id.casefold())]
    return found[0] if len(found) == 1 else Refusal(_("There is no such table. Type tables for the list."))


def _enter(make: Callable[[str, str | None], Request]) -> Parser:
    def parse_it(words: list[str], situation: Situation) -> Intent:
        if situation.view is not None:
            return Refusal(_("You are at a table; leave it first."))
        password = None
        if len(words) > 2 and means(words[-2], mark("password")):
            *words, _word, password = words
        row = _row(words, situation)
        return row if isinstance(row, Refusal) else Send(make(row.id, password))

    return parse_it


def _ladder(words: list[str], situation: Situation) -> Intent:
    return Send(m.Ladder(0))


def _new(words: list[str], situation: Situation) -> Intent:
    if situation.view is not None:
        return Refusal(_("You are at a table; leave it first."))
    return Send(m.Create(0, " ".join(words)[:16] or _("Table")))


_draw: Final = _simple(reasons.why_not_draw, DRAW)
_join: Final = _enter(lambda table, password: m.Join(0, table, password=password))

COMMANDS: Final[tuple[Command, ...]] = (
    Command(mark("play p"), mark("N|CARD [COLOUR] [with NAME] [una]"),
            mark("lay a card, by its number or name; the number alone is enough"), _play),
    Command(mark("draw take d"), "", mark("draw a card, or take the pending ones"), _draw),
    Command(mark("pass keep n"), "", mark("keep the drawn card"), _simple(reasons.why_not_pass, PASS)),
    Command(mark("wish"), mark("COLOUR"), mark("wish a colour for a wild card turned up first"), _wish),
    Command(mark("una u"), "", mark("say una"), _simple(reasons.why_not_una, UNA)),
    Command(mark("challenge"), "", mark("doubt the draw four"), _simple(reasons.why_not_challenge, CHALLENGE)),
    Command(mark("accept"), "", mark("accept the draw four and take the cards"), _accept),
    Command(mark("catch"), mark("[NAME]"), mark("catch who forgot to say una"), _catch),
    Command(mark("hand h"), "", mark("read out your hand"), _show("hand")),
    Command(mark("table t"), "", mark("read out the table"), _show("table")),
    Command(mark("score scores"), "", mark("read out the scores"), _show("score")),
    Command(mark("say"), mark("TEXT"), mark("say something to the others"), _say, "any"),
    Command(mark("mute"), mark("NAME"), mark("do not hear somebody any more"), _mute(True), "any"),
    Command(mark("unmute"), mark("NAME"), mark("hear somebody again"), _mute(False), "any"),
    Command(mark("ready"), "", mark("be ready for the next round"), _ready),
    Command(mark("start"), "", mark("begin the match (host)"), _start),
    Command(mark("rematch"), "", mark("play another match"), _rematch),
    Command(mark("bot"), mark("[LEVEL]|remove NAME"), mark("seat or remove a house bot (host)"), _bot),
    Command(mark("sit"), "", mark("take a seat at the table you watch"), _sit),
    Command(mark("auto"), mark("on|off"), mark("let a house bot play for you, or come back"),
            _on_off(lambda table, on: m.Auto(0, table, on=on))),
    Command(mark("pause"), mark("on|off"), mark("ask for a pause, or to go on"),
            _on_off(lambda table, on: m.Pause(0, table, on=on))),
    Command(mark("accuse"), mark("NAME"), mark("accuse a player of advising"), _accuse),
    Command(mark("vote"), mark("yes|no"), mark("vote on the accusation"), _vote),
    Command(mark("kick"), mark("NAME"), mark("remove a player (host)"), _kick),
    Command(mark("leave stand"), "", mark("leave the table for good"), _leave),
    Command(mark("tables list lobby"), "", mark("read out the tables of the server"), _show("tables"), "any"),
    Command(mark("join j"), mark("N|NAME [password TEXT]"), mark("sit down at a table of the list"), _join, "lobby"),
    Command(mark("watch w"), mark("N|NAME [password TEXT]"), mark("watch a table of the list"),
            _enter(lambda table, password: m.Watch(0, table, password=password)), "lobby"),
    Command(mark("new"), mark("[NAME]"), mark("open a table of your own"), _new, "lobby"),
    Command(mark("ladder top"), "", mark("read out the ladder of the arena"), _ladder, "any"),
    Command(mark("help ?"), "", mark("read out these commands"), _show("help"), "any"),
    Command(mark("quit q exit"), "", mark("end the program"), lambda words, situation: Quit(), "any"),
)  # fmt: skip
BY_NAME: Final[dict[str, Command]] = {name: command for command in COMMANDS for name in command.names.split()}


def _shown(command: Command) -> str:
    """How the command is typed."""
    name = _(command.names).split()[0]
    return f"{name} {_(command.usage)}" if command.usage else name


def help_lines(situation: Situation) -> list[str]:
    """The commands that are of use where the user is, one a line."""
    here = ("table", "any") if situation.view is not None else ("lobby", "any")
    return [
        _("{command}: {what}.").format(command=_shown(command), what=_(command.help))
        for command in COMMANDS
        if command.where in here
    ]
