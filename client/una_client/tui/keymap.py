"""The key table: which keys do what, where, and why not now. `keys` looks things up in it.

It makes the bindings, the hint bar, the help overlay and the list in docs/KEYS.md. Keys have prompt_toolkit's names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..i18n import _, mark, ngettext
from . import reasons
from .layout import remote
from .model import Model, Where

PLAY, SCORE, WATCH, WAITING, LOBBY = Where.PLAY, Where.SCORE, Where.WATCH, Where.WAITING, Where.LOBBY
SERVERS: Final = Where.SERVERS
TABLE: Final = (PLAY, SCORE, WATCH, WAITING)
SCREENS: Final = (*TABLE, LOBBY)


@dataclass(frozen=True, slots=True)
class Key:
    """One entry. `label` is its word in the hint bar (none: not shown there), `help` its line in the help.

    `label_now` makes the word where it depends on the situation. `shown` are the keys as the hint bar writes them.
    Where the bar is too narrow, hints with the highest `minor` give way first, of these the one nearest the middle.
    """

    keys: tuple[str, ...]
    action: str
    where: tuple[Where, ...]
    help: str
    label: str = ""
    why_not: Callable[[Model], str | None] = reasons.never
    label_now: Callable[[Model], str] | None = None
    shown: str = ""
    minor: int = 0

    def hint(self, model: Model) -> str:
        """The word for the hint bar now."""
        return self.label_now(model) if self.label_now is not None else _(self.label) if self.label else ""

    def names(self) -> str:
        """The keys in words, for people."""
        return self.shown or " ".join(NAMES.get(key, key) for key in self.keys)


NAMES: Final = {
    "left": "←", "right": "→", "up": "↑", "down": "↓", "home": "Home", "end": "End", "tab": "Tab",
    "s-tab": "Shift-Tab", "enter": "Enter", "escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn", "c-l": "Ctrl-L",
    "c-r": "Ctrl-R", "c-c": "Ctrl-C", "c-z": "Ctrl-Z", "c-p": "Ctrl-P", "f1": "F1", " ": mark("Space"),
}  # fmt: skip


def draw_label(model: Model) -> str:
    """`draw`, or `take 6` where cards are pending."""
    pending = model.view.pending if model.view is not None else 0
    return ngettext("take {n}", "take {n}", pending).format(n=pending) if pending else _("draw")


def play_label(model: Model) -> str:
    """`play`, or `pass it on` where cards are pending."""
    return _("pass it on") if model.view is not None and model.view.pending else _("play")


def una_label(model: Model) -> str:
    """What `u` does now: call, arm or disarm."""
    if len(model.cards) == 1:
        return _("call una")
    return _("una: not yet") if model.armed else _("una with the card")


def challenge_label(model: Model) -> str:
    """What `c` does now: challenge, or catch somebody."""
    if model.may_challenge or not model.catchable:
        return _("challenge")
    return _("catch {name}").format(name=reasons.name_of(model, model.catchable[0]))


def leave_label(model: Model) -> str:
    """`leave` a table, `quit`, or give up the lost connection."""
    if model.world.lost is not None and model.world.home:
        return _("give up")
    return _("quit") if model.place in (LOBBY, SERVERS) or model.world.lost is not None else _("leave")


def leave_input_label(model: Model) -> str:
    """`leave` the chat line, which keeps what was typed; the others are cancelled."""
    return _("leave") if model.input is not None and model.input.kind == "chat" else _("cancel")


def accept_label(model: Model) -> str:
    """What accepting the draw four costs."""
    return draw_label(model)


def bot_label(model: Model) -> str:
    """Which bot is added."""
    return _("add bot ({level})").format(level=remote(model.level))


def keep_label(model: Model) -> str:
    """Whether the marked server becomes a favourite, or is one."""
    row = reasons.marked_server(model)
    return _("forget it") if row is not None and row.favourite else _("keep it")


def mouse_label(model: Model) -> str:
    """What `m` does."""
    return _("mouse off") if model.mouse else _("mouse on")


KEYMAP: Final[tuple[Key, ...]] = (
    # the hand
    Key(("left", "h"), "select-left", (PLAY,), mark("move along the hand"), mark("select"), reasons.has_hand,
        shown="←→", minor=1),
    Key(("right", "l"), "select-right", (PLAY,), mark("move along the hand"), why_not=reasons.has_hand),
    Key(("home",), "select-first", (PLAY,), mark("first, last card"), why_not=reasons.has_hand),
    Key(("end",), "select-last", (PLAY,), mark("first, last card"), why_not=reasons.has_hand),
    Key(tuple("1234567890"), "select-number", (PLAY,), mark("select this card"),
        why_not=reasons.has_hand, shown="1-9 0"),
    Key(("p", "enter"), "play", (PLAY,), mark("play the selected card"), mark("play"), reasons.play, play_label,
        shown="p"),
    Key(("n",), "keep", (PLAY,), mark("keep the drawn card"), mark("keep it"), reasons.keep),
    Key(("d",), "draw", (PLAY,), mark("draw, or take +2 +4"), mark("draw"), reasons.draw, draw_label),
    Key(("c",), "challenge", (PLAY,), mark("challenge, or catch"), mark("challenge"),
        reasons.challenge, challenge_label),
    Key(("a",), "accept", (PLAY,), mark("accept a +4"), mark("accept"), reasons.accept),
    Key(("u",), "una", (PLAY,), mark("una (with the card)"), mark("una"), reasons.una,
        una_label),
    Key(("tab",), "next-playable", (PLAY,), mark("to cards that fit"), mark("next fit"),
        reasons.has_playable, minor=1),
    Key(("s-tab",), "previous-playable", (PLAY,), mark("to cards that fit"),
        why_not=reasons.has_playable),
    Key(("s",), "sort", (PLAY,), mark("sort by colour or rank"), mark("sort"), reasons.has_hand, minor=3),
    # the challenge
    Key(("c",), "challenge", (Where.CHALLENGE,), mark("challenge the +4"), mark("challenge"), reasons.challenge_only),
    Key(("a",), "accept", (Where.CHALLENGE,), mark("accept the +4"), mark("accept"), reasons.accept, accept_label),
    Key(("p",), "answer", (Where.CHALLENGE,), mark("answer by a card"), mark("answer by a card"), reasons.answer),
    Key(("h", "escape"), "close", (Where.CHALLENGE,), mark("look at the hand first"), mark("see the hand"),
        shown="h"),
    Key(("1",), "which-challenge", (Where.WHICH,), mark("challenge the +4"), mark("challenge"),
        reasons.challenge_only),
    Key(("2",), "which-catch", (Where.WHICH,), mark("catch who forgot una"), mark("catch"), reasons.catch_only),
    Key(("escape",), "close", (Where.WHICH,), mark("neither"), mark("neither")),
    # the vote on an accusation
    Key(("y", "j"), "vote-guilty", (Where.VOTE,), mark("guilty"), mark("guilty"), reasons.a_vote, shown=mark("y")),
    Key(("n",), "vote-free", (Where.VOTE,), mark("not guilty"), mark("not guilty"), reasons.a_vote),
    Key(("escape", "h"), "close", (Where.VOTE,), mark("later (o votes)"), mark("later"), shown="Esc"),
    # pickers
    Key(tuple("1234"), "color-key", (Where.COLOR,), mark("pick a colour"), mark("pick"), shown="1-4"),
    Key(("up", "left", "k"), "pick-previous", (Where.COLOR, Where.SEAT), mark("move"), mark("move"), shown="↑↓"),
    Key(("down", "right", "j", "tab"), "pick-next", (Where.COLOR, Where.SEAT), mark("move")),
    Key(("enter", "p"), "pick", (Where.COLOR, Where.SEAT), mark("take the marked one"), mark("pick"),
        shown="Enter"),
    Key(("r", "y", "g", "b", "e"), "color-key", (Where.COLOR,), mark("first letter of the colour")),
    Key(tuple("123456789"), "seat-key", (Where.SEAT,), mark("pick a player"), mark("pick"), shown="1-9"),
    Key(("escape",), "close", (Where.COLOR, Where.SEAT), mark("take the card back"), mark("take the card back")),
    # questions and forms
    Key(("y", "j"), "yes", (Where.CONFIRM,), mark("yes"), mark("yes"), reasons.confirmable, shown=mark("y")),
    Key(("n", "escape"), "close", (Where.CONFIRM,), mark("no"), mark("no"), shown="n"),
    Key(("up", "k"), "pick-previous", (Where.FORM,), mark("move"), mark("move"), shown="↑↓"),
    Key(("down", "j", "tab"), "pick-next", (Where.FORM,), mark("move")),
    Key(("left", "h"), "form-less", (Where.FORM,), mark("change"), mark("change"), reasons.a_form, shown="←→"),
    Key(("right", "l", " "), "form-more", (Where.FORM,), mark("change"), why_not=reasons.a_form),
    Key(("pageup",), "form-page-up", (Where.FORM,), mark("more settings")),
    Key(("pagedown",), "form-page-down", (Where.FORM,), mark("more settings")),
    Key(("enter",), "form-done", (Where.FORM,), mark("send"), mark("done"), reasons.a_form),
    Key(("escape",), "close", (Where.FORM,), mark("cancel"), mark("cancel")),
    Key(("up", "k"), "pick-previous", (Where.MENU,), mark("move"), mark("move"), shown="↑↓"),
    Key(("down", "j", "tab"), "pick-next", (Where.MENU,), mark("move")),
    Key(("enter",), "menu-pick", (Where.MENU,), mark("do it"), mark("do it"), reasons.a_menu),
    Key(tuple("123456789"), "menu-number", (Where.MENU,), mark("do this one"), why_not=reasons.a_menu, shown="1-9"),
    Key(("escape", "o"), "close", (Where.MENU,), mark("close the menu"), mark("close"), shown="Esc"),
    Key(("up", "k", "pageup", "c-p"), "history-up", (Where.HISTORY,), mark("older"), mark("older"), shown="↑"),
    Key(("down", "j", "pagedown"), "history-down", (Where.HISTORY,), mark("newer"), mark("newer"), shown="↓"),
    Key(("home",), "history-first", (Where.HISTORY,), mark("the oldest, the newest")),
    Key(("end",), "history-last", (Where.HISTORY,), mark("the oldest, the newest")),
    Key(("x",), "save-log", (Where.HISTORY,), mark("save the messages"), mark("save"), reasons.scrollable),
    Key(("escape", "q", "enter"), "close", (Where.HISTORY,), mark("close the messages"), mark("close"), shown="Esc"),
    Key(("up", "k"), "ladder-up", (Where.LADDER,), mark("move"), mark("move"), reasons.a_ladder_row, shown="↑↓"),
    Key(("down", "j"), "ladder-down", (Where.LADDER,), mark("move"), why_not=reasons.a_ladder_row),
    Key(("pageup",), "ladder-page-up", (Where.LADDER,), mark("a page up, down"), why_not=reasons.a_ladder_row),
    Key(("pagedown",), "ladder-page-down", (Where.LADDER,), mark("a page up, down"), why_not=reasons.a_ladder_row),
    Key(("home",), "ladder-first", (Where.LADDER,), mark("the first, the last"), why_not=reasons.a_ladder_row),
    Key(("end",), "ladder-last", (Where.LADDER,), mark("the first, the last"), why_not=reasons.a_ladder_row),
    Key(("r",), "ladder-again", (Where.LADDER,), mark("look again"), mark("look again"), reasons.online),
    Key(("escape", "q", "l", "enter"), "close", (Where.LADDER,), mark("close the ladder"), mark("close"), shown="Esc"),
    Key(("up", "k", "pageup"), "help-up", (Where.HELP,), mark("scroll the help"), mark("scroll"), shown="↑↓"),
    Key(("down", "j", "pagedown"), "help-down", (Where.HELP,), mark("scroll the help")),
    Key(("escape", "q", "enter"), "close", (Where.HELP,), mark("close the help"), mark("close"), shown="Esc"),
    # the servers
    Key(("up", "k"), "server-up", (SERVERS,), mark("move"), mark("move"), reasons.a_server, shown="↑↓"),
    Key(("down", "j"), "server-down", (SERVERS,), mark("move"), why_not=reasons.a_server),
    Key(("enter",), "connect", (SERVERS,), mark("go to the server"), mark("connect"), reasons.fitting_server),
    Key(("a",), "address", (SERVERS,), mark("type an address"), mark("address")),
    Key(("f",), "keep-server", (SERVERS,), mark("keep as a favourite"), mark("keep it"), reasons.a_server, keep_label,
        minor=2),
    Key(("r",), "rescan", (SERVERS,), mark("look again"), mark("look again"), minor=1),
    Key(("escape", "q"), "back", (Where.CONNECTING,), mark("give up"), mark("give up"), shown="Esc"),
    # the lobby
    Key(("up", "k"), "row-up", (LOBBY,), mark("move"), mark("move"), reasons.a_table, shown="↑↓"),
    Key(("down", "j"), "row-down", (LOBBY,), mark("move"), why_not=reasons.a_table),
    Key(("pageup",), "row-page-up", (LOBBY,), mark("a page up, down"), why_not=reasons.a_table),
    Key(("pagedown",), "row-page-down", (LOBBY,), mark("a page up, down"), why_not=reasons.a_table),
    Key(("home",), "row-first", (LOBBY,), mark("the first, the last"), why_not=reasons.a_table),
    Key(("end",), "row-last", (LOBBY,), mark("the first, the last"), why_not=reasons.a_table),
    Key(("enter",), "join", (LOBBY,), mark("sit down at the table"), mark("join"), reasons.a_table),
    Key(("w",), "watch", (LOBBY,), mark("watch the table"), mark("watch"), reasons.a_table),
    Key(("n",), "new-table", (LOBBY,), mark("open a new table"), mark("new table"), reasons.online),
    Key(("l",), "ladder", (LOBBY,), mark("the ladder of the arena"), mark("ladder"), reasons.a_ladder),
    Key(("r",), "rescan", (LOBBY,), mark("list the tables anew"), why_not=reasons.online),
    Key(("escape", "tab"), "back", (LOBBY,), mark("to the list of servers"), mark("servers"), reasons.has_home,
        shown="Esc", minor=1),
    # at a table, between rounds
    Key((" ",), "ready", (WAITING, SCORE), mark("I am ready"), mark("ready"), reasons.ready),
    Key(("s",), "start", (WAITING,), mark("start the match"), mark("start"), reasons.start),
    Key(("b",), "add-bot", (WAITING, SCORE), mark("add a bot (host)"), mark("add bot"), reasons.add_bot, bot_label),
    Key(("l",), "bot-level", (WAITING,), mark("how well new bots play"), mark("level"), reasons.host, minor=1),
    Key(("x",), "remove-bot", (WAITING, SCORE), mark("remove a bot (host)"), mark("remove bot"),
        reasons.remove_bot, minor=1),
    Key(("e",), "edit-rules", (WAITING, SCORE), mark("change the rules (host)"), mark("rules"), reasons.host),
    Key(("r",), "rematch", (SCORE, WAITING), mark("ask for another match"), mark("rematch"), reasons.rematch),
    Key(("s",), "sit", (WATCH, WAITING, SCORE), mark("sit down, next match"), mark("sit next match"), reasons.sit),
    Key(("enter",), "retry", (Where.LOST,), mark("try again at once"), mark("retry now"), shown="Enter"),
    Key(("o",), "menu", TABLE, mark("pause, auto, kick, mute"), mark("more"), reasons.has_menu, minor=2),
    # everywhere
    Key(("t", "/"), "chat", SCREENS, mark("chat, / for commands"), mark("chat"), reasons.online, shown="t",
        minor=4),
    Key(("pageup", "k"), "scroll-up", TABLE, mark("scroll the log"), why_not=reasons.scrollable),
    Key(("pagedown", "j"), "scroll-down", TABLE, mark("scroll the log"), why_not=reasons.scrollable),
    Key(("enter",), "send", (Where.INPUT,), mark("send the line"), mark("send")),
    Key(("escape",), "leave-input", (Where.INPUT,), mark("leave the line, keep what was typed"), mark("leave"),
        label_now=leave_input_label),
    Key(("pageup",), "scroll-up", (Where.INPUT,), mark("scroll the log"), why_not=reasons.scrollable),
    Key(("pagedown",), "scroll-down", (Where.INPUT,), mark("scroll the log"), why_not=reasons.scrollable),
    Key(("q",), "leave", (*SCREENS, SERVERS, Where.LOST), mark("leave, or quit"), mark("leave"),
        label_now=leave_label),
    Key(("l",), "history", (SCORE,), mark("all messages"), mark("full log"), reasons.scrollable, minor=1),
    Key(("c-p",), "history", (*SCREENS, Where.LOST, Where.INPUT), mark("all messages"), why_not=reasons.scrollable),
    Key(("m",), "mouse", (*SCREENS, SERVERS), mark("mouse on or off")),
    Key(("c-c",), "cancel", (Where.ALWAYS,), mark("close, ask, twice quits")),
    Key(("c-l", "c-r"), "redraw", (Where.ALWAYS,), mark("draw the screen anew"), shown="Ctrl-L"),
    Key(("c-z",), "suspend", (Where.ALWAYS,), mark("stop until fg"), why_not=reasons.suspend),
    Key(("f1",), "help", (Where.ALWAYS,), mark("help")),
    Key(("?",), "help", (Where.ALWAYS,), mark("help"), mark("help")),
)  # fmt: skip
