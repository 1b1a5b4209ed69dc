"""Bots that misbehave, each in its own way, and some that do not."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading
from typing import Any

from una_protocol import events as ev
from una_protocol.actions import UNA, Action, Catch, Play
from una_protocol.bot import AsyncBot, Bot, BotView
from una_protocol.cards import Card
from una_protocol.events import Event
from una_protocol.view import View


class First(Bot):
    """Well-behaved: the first choice."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]


class Waiting(AsyncBot):
    """Well-behaved, with a coroutine."""

    async def choose(self, view: BotView) -> Action:
        return view.legal[0]


class Raising(Bot):
    """Fails at its first decision."""

    def choose(self, view: BotView) -> Action:
        raise ZeroDivisionError("oh")


class Unmade(Bot):
    """Cannot even be made."""

    def __init__(self) -> None:
        raise OSError("no model file")


class Nothing(Bot):
    """Answers with no action."""

    def choose(self, view: BotView) -> Any:
        return None


class Cheating(Bot):
    """Lays cards that it does not hold."""

    def choose(self, view: BotView) -> Action:
        return Play(Card("W+4"), "red", una=True)


class Endless(Bot):
    """Never comes back."""

    def choose(self, view: BotView) -> Action:
        while True:
            pass


class Calling(Bot):
    """Calls una without end instead of deciding."""

    def choose(self, view: BotView) -> Action:
        return UNA


class Spoiling(Bot):
    """Fails when it is told something."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]

    def watch(self, view: View, event: Event) -> Action | None:
        if isinstance(event, ev.Played):
            raise KeyError("card")
        return None


class Comparing(Bot):
    """Well-behaved, and sees to it that what it was told and what it is shown are the same; catches and calls."""

    def __init__(self) -> None:
        self.told: View | None = None

    def choose(self, view: BotView) -> Action:
        shown = view.table
        assert self.told is not None
        self.told.ms = shown.ms = None
        assert self.told == shown
        assert (view.hand, view.top, view.color, view.phase) == (shown.hand, shown.top, shown.color, shown.phase)
        assert (view.pending, view.drawn, view.players) == (shown.pending, shown.drawn, shown.players)
        assert view.next_player == BotView(shown, view.legal, 0).next_player
        return view.legal[0]

    def watch(self, view: View, event: Event) -> Action | None:
        self.told = view
        if isinstance(event, ev.Turn) and event.catchable:
            return UNA if view.you in event.catchable else Catch(event.catchable[0])
        return None


class Leaving(Bot):
    """Ends the program, as it thinks, and chats on its standard output."""

    def choose(self, view: BotView) -> Action:
        print("bye")
        raise SystemExit(0)


class Swallowing(Bot):
    """Never comes back, and catches whatever is thrown at it."""

    def choose(self, view: BotView) -> Action:
        while True:
            try:
                while True:
                    pass
            except Exception:  # noqa: BLE001, S110
                pass


class Killing(Bot):
    """Takes the whole process with it."""

    def choose(self, view: BotView) -> Action:
        os._exit(3)


class AllAlike:
    """Says that it is everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


class Equal(Bot):
    """Answers with what equals every choice, and is none."""

    def choose(self, view: BotView) -> Any:
        return AllAlike()


class Alike(str):
    """Equals every card."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


class Blurring(Bot):
    """Lays a card that equals all cards; it comes down to the first choice, where that is a card."""

    def choose(self, view: BotView) -> Any:
        return Play(Alike("ZZ"))  # type: ignore[arg-type]


class Grasping(Bot):
    """Catches what is no seat."""

    def choose(self, view: BotView) -> Any:
        return Catch([])  # type: ignore[arg-type]


class Babbling(Bot):
    """Answers to events with what is no seat."""

    def choose(self, view: BotView) -> Action:
        return view.legal[0]

    def watch(self, view: View, event: Event) -> Any:
        return Catch({})  # type: ignore[arg-type]


class LeavingEarly(Bot):
    """Ends the program where it is made."""

    def __init__(self) -> None:
        sys.exit(4)


class EndlessEarly(Bot):
    """Does not come back from where it is made."""

    def __init__(self) -> None:
        while True:
            pass


class Interrupting(Bot):
    """Presses Ctrl-C, as it were."""

    def choose(self, view: BotView) -> Action:
        raise KeyboardInterrupt


class Odd(BaseException):
    """No Exception, and not even a text."""

    def __str__(self) -> str:
        raise self


class RaisingOdd(Bot):
    """Raises what few expect."""

    def choose(self, view: BotView) -> Action:
        raise Odd


class Colouring(Bot):
    """Raises a text that turns a terminal red."""

    def choose(self, view: BotView) -> Action:
        raise ValueError("\x1b[31m\nred")


class Stubborn(Bot):
    """Never comes back from where no signal reaches."""

    def choose(self, view: BotView) -> Any:
        return sum(itertools.repeat(1))


class Deaf(Bot):
    """Never comes back, and hears no signal."""

    def choose(self, view: BotView) -> Action:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            pass


class Lingering(Bot):
    """Plays well; but a thread of it never ends, nor does its process."""

    def __init__(self) -> None:
        threading.Thread(target=threading.Event().wait).start()

    def choose(self, view: BotView) -> Action:
        return view.legal[0]


class Hoarding(Bot):
    """Takes ever more memory."""

    hoard: list[bytes] = []  # noqa: RUF012

    def choose(self, view: BotView) -> Action:
        self.hoard.append(bytes(50_000_000))
        return view.legal[0]


class Meddling(Bot):
    """Throws its cards away, in the game itself."""

    def choose(self, view: Any) -> Action:
        view._round.hands[view.seat].clear()
        chosen: Action = view.legal[0]
        return chosen


class Closing(Bot):
    """Closes whatever is open."""

    def choose(self, view: BotView) -> Action:
        os.closerange(3, 200)
        return view.legal[0]


class Pondering(Endless):
    """Never comes back, and says so."""

    def choose(self, view: BotView) -> Action:
        print("pondering", flush=True)
        return super().choose(view)


class Hashing(Bot):
    """Chooses by the order of a set of texts."""

    def choose(self, view: BotView) -> Action:
        texts = {str(action): action for action in view.legal}
        return texts[next(iter(set(texts)))]


class Printing(Bot):
    """Plays well, and writes to the standard output, in more than one way."""

    def choose(self, view: BotView) -> Action:
        print("hello")
        os.write(1, b"hello again\n")
        return view.legal[0]


print("hello, when it is loaded")
