"""The table of commands, and the parser that looks up in it what was typed."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from una_protocol import messages as m

from ..i18n import _, mark
from ..playing import find_card, find_color, find_number, parse_play
from . import at_table, in_lobby, in_round
from .intents import Intent, Parser, Quit, Refusal, Show, Situation, act


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
            return in_lobby.join(words, situation)
        return _unknown(words[0])
    color = find_color(words[0])
    if color is not None and len(words) == 1:
        if situation.turn is not None and situation.turn.phase == "wish":
            return in_round.wish(words, situation)
        return in_round.name_a_card()
    played = parse_play(words, situation.view, situation.turn, situation.hand)
    if played is None:
        return _unknown(words[0]) if color is None else in_round.name_a_card()
    return Refusal(played) if isinstance(played, str) else act(situation, played)


def _unknown(word: str) -> Refusal:
    return Refusal(_("There is no command {word}. Type help for the list.").format(word=word[:20]))


COMMANDS: Final[tuple[Command, ...]] = (
    Command(mark("play p"), mark("N|CARD [COLOUR] [with NAME] [una]"),
            mark("lay a card, by its number or name; the number alone is enough"), in_round.play),
    Command(mark("draw take d"), "", mark("draw a card, or take the pending ones"), in_round.draw),
    Command(mark("pass keep n"), "", mark("keep the drawn card"), in_round.keep),
    Command(mark("wish"), mark("COLOUR"), mark("wish a colour for a wild card turned up first"), in_round.wish),
    Command(mark("una u"), "", mark("say una"), in_round.call_una),
    Command(mark("challenge"), "", mark("doubt the draw four"), in_round.challenge),
    Command(mark("accept"), "", mark("accept the draw four and take the cards"), in_round.accept),
    Command(mark("catch"), mark("[NAME]"), mark("catch who forgot to say una"), in_round.catch),
    Command(mark("hand h"), "", mark("read out your hand"), at_table.show("hand")),
    Command(mark("table t"), "", mark("read out the table"), at_table.show("table")),
    Command(mark("score scores"), "", mark("read out the scores"), at_table.show("score")),
    Command(mark("say"), mark("TEXT"), mark("say something to the others"), at_table.say, "any"),
    Command(mark("mute"), mark("NAME"), mark("do not hear somebody any more"), at_table.mute(True), "any"),
    Command(mark("unmute"), mark("NAME"), mark("hear somebody again"), at_table.mute(False), "any"),
    Command(mark("ready"), "", mark("be ready for the next round"), at_table.ready),
    Command(mark("start"), "", mark("begin the match (host)"), at_table.start),
    Command(mark("rematch again"), "", mark("play another match"), at_table.rematch),
    Command(mark("bot"), mark("[LEVEL]|remove NAME"), mark("seat or remove a house bot (host)"), at_table.bot),
    Command(mark("sit"), "", mark("take a seat at the table you watch"), at_table.sit),
    Command(mark("auto"), mark("on|off"), mark("let a house bot play for you, or come back"),
            at_table.on_off(lambda table, on: m.Auto(0, table, on=on))),
    Command(mark("pause"), mark("on|off"), mark("ask for a pause, or to go on"),
            at_table.on_off(lambda table, on: m.Pause(0, table, on=on))),
    Command(mark("accuse"), mark("NAME"), mark("accuse a player of advising"), at_table.accuse),
    Command(mark("vote"), mark("yes|no"), mark("vote on the accusation"), at_table.vote),
    Command(mark("kick"), mark("NAME"), mark("remove a player (host)"), at_table.kick),
    Command(mark("leave stand"), "", mark("leave the table for good"), at_table.leave),
    Command(mark("tables list lobby"), "", mark("read out the tables of the server"), at_table.show("tables"), "any"),
    Command(mark("join j"), mark("N|NAME [password TEXT]"), mark("sit down at a table of the list"),
            in_lobby.join, "lobby"),
    Command(mark("watch w"), mark("N|NAME [password TEXT]"), mark("watch a table of the list"),
            in_lobby.watch, "lobby"),
    Command(mark("new"), mark("[NAME]"), mark("open a table of your own"), in_lobby.new, "lobby"),
    Command(mark("ladder top"), "", mark("read out the ladder of the arena"), in_lobby.ladder, "any"),
    Command(mark("help ?"), "", mark("read out these commands"), at_table.show("help"), "any"),
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
