"""The oracle: two worlds with one public course, in which one viewer must be sent the same bytes at the same times.

Chance drives the first world, from the legal lists, so that the rare branches come up; the second follows it with
other hidden cards. `Leak` says where the two differ for the viewer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgpack

from una_protocol import messages as m
from una_protocol.actions import CHALLENGE, DRAW, PASS, UNA, Catch, Challenge, Play, Una
from una_protocol.cards import COLORS, DECK, FACE
from una_protocol.events import Drew
from una_server.game import Split, legal_actions

from .hiding import hide, impose
from .tracer import Public, Tracer
from .worlds import NAMES, Ask, Command, Lose, Replace, Return, Ring, World

STEPS = 150


class Leak(AssertionError):
    """The viewer can tell the two worlds apart."""


class Twins:
    """Two worlds, told apart by what `viewer` may not know and by nothing else."""

    def __init__(self, seed: int, viewer: str, create: dict[str, Any], seated: Sequence[str]) -> None:
        bots = frozenset({"Fay"})
        self.viewer = viewer
        self.dice = random.Random(seed)
        self.tracer = Tracer(seed)
        self.first, self.second = (World(seed, create, seated, bots) for _ in range(2))
        self.reached: Counter[str] = Counter()
        self._counted: object = None
        if viewer not in seated:
            for world in (self.first, self.second):
                world.do(Ask(viewer, m.Watch(0, world.table.id)))
        self._compare(Ring())

    def run(self, steps: int = STEPS) -> Counter[str]:
        """Play on; raises Leak. What was reached how often."""
        with self.tracer.patched():
            for _ in range(steps):
                if self.first.closed:
                    break
                self.step(choose(self.first, self.dice, self.viewer))
                if self.dice.random() < 0.4:
                    self.look()
                passed = self.dice.choice((0.0, 0.01, 0.3, 1.0, 2.0))
                self.first.now += passed
                self.second.now += passed
            self.inherit()
        return self.reached

    def inherit(self) -> None:
        """The end of it: all go but one, and the viewer sits down where somebody else was, and asks what was told."""
        table, viewer = self.first.table, self.viewer
        self.step(Ask(viewer, m.Leave(0, table.id)))
        if self.first.closed:
            return
        self.step(Ask(viewer, m.Watch(0, table.id)))
        others = [name for name in NAMES if name != viewer and self.first.seat(name) is not None]
        self.dice.shuffle(others)
        seat = self.first.seat(others[0])
        for name in others[:-1]:
            self.step(Ask(name, m.Leave(0, table.id)))
        for bot in [place.number for place in table.taken_seats() if place.guest is None]:
            self.step(Ask(others[-1], m.Kick(0, table.id, bot)))
        if seat is not None:
            self.step(Ask(viewer, m.Join(0, table.id, seat=seat)))
        for seen in (0, table.seq // 2, self.dice.randint(0, table.seq)):
            self.step(Replace(viewer, seen))

    def look(self) -> None:
        """The viewer looks at what there is, in one of the ways there are."""
        table, viewer = self.first.table, self.viewer
        seen = self.dice.choice((None, self.dice.randint(0, table.seq), max(0, table.seq - 3)))
        way = self.dice.random()
        if way < 0.6:
            self.step(Ask(viewer, m.GetState(0, table.id)))
        elif way < 0.8:
            self.step(Replace(viewer, seen))
        else:
            self.step(Lose(viewer))
            self.step(Return(viewer, seen))

    def step(self, command: Command) -> None:
        """One command in both worlds."""
        first, second, tracer = self.first, self.second, self.tracer
        seat = first.seat(self.viewer)
        match = first.table.match
        running = match.copy() if match is not None else None
        tracer.begin()
        try:
            first.do(command)
        finally:
            tracer.stop()
        if seat is None:
            seat = first.seat(self.viewer)  # a watcher may sit down when a match begins, and be dealt to
        hiding = hide(tracer, running, seat, isinstance(command, Ring), self.dice)
        if hiding.round is not None:
            own = second.table.match
            assert own is not None
            assert own.round is not None
            impose(own.round, hiding.round)
        tracer.repeat(hiding.mask)
        try:
            second.do(command)
        finally:
            tracer.stop()
        in_round = running is not None and running.round is not None and not running.round.over
        self._count(command, in_round, hiding.moved)
        self._compare(command)

    def _compare(self, command: Command) -> None:
        """The same bytes in the same frames, the same time of the next alarm."""
        first, second = self.first, self.second
        sent, other = first.taken(self.viewer), second.taken(self.viewer)
        for name in NAMES:
            if name != self.viewer:
                first.taken(name)
                second.taken(name)
        if sent != other:
            differing = next((pair for pair in zip(sent, other, strict=False) if pair[0] != pair[1]), None)
            shown = [msgpack.unpackb(frame[4:]) if _whole(frame) else frame for frame in differing or ()]
            raise Leak(f"{command} tells {self.viewer} something hidden: {shown or (len(sent), len(other))}")
        if first.table.deadline != second.table.deadline:
            raise Leak(f"after {command} the table waits for something hidden")
        ours, theirs = first.table.match, second.table.match
        assert (ours is None) == (theirs is None)

    def _count(self, command: Command, in_round: bool, moved: int) -> None:
        """Note what this command has brought up."""
        reached = self.reached
        if in_round or self.tracer.ops:
            reached["steps in a round"] += 1
            reached["steps with other cards"] += moved > 0
        if isinstance(command, Return | Replace) and command.name == self.viewer:
            reached["resume"] += 1
        before: Public | None = None
        for op in self.tracer.ops:
            reached[_kind(op.action)] += not op.refused
            reached["refused"] += op.refused
            after = op.after
            if isinstance(op.action, Play) and not op.refused:
                reached["stacked"] += after.pending > 4
                reached["reverse"] += FACE[op.action.card] == "R"
            if before is not None and len(after.discards) < len(before.discards):
                reached["reshuffled"] += 1
            before = after
        self._count_events()

    def _count_events(self) -> None:
        if self.first.table.out is self._counted:
            return  # the command did not reach the table
        self._counted = self.first.table.out
        for _, happening in self.first.table.out.events:
            event = happening.public if isinstance(happening, Split) else happening
            kind = str(type(event).__struct_config__.tag)
            self.reached[f"ev {kind}"] += 1
            if isinstance(event, Drew):
                self.reached[f"drew {event.why}"] += 1


def _kind(action: Any) -> str:
    if isinstance(action, Play) and action.swap_with is not None:
        return "swap"
    return "deal" if action is None else type(action).__name__.lower()


def _whole(frame: bytes) -> bool:
    return len(frame) == 4 + int.from_bytes(frame[:4], "big")


# -- what happens ----------------------------------------------------------------------------------------------------


def choose(world: World, dice: random.Random, viewer: str) -> Command:
    """The next command, from what is possible now."""
    table = world.table
    kind = dice.random()
    if kind < 0.74 and table.round is not None:
        return act(world, dice)
    if kind < 0.79 or (kind < 0.86 and table.stage == "between"):
        return Ring(table.deadline or 0.0)
    if kind < 0.5 and table.stage in ("waiting", "over"):
        # seats change owners: what was told to the one before is not the next one's
        name = dice.choice((*NAMES, viewer, viewer))
        leave = world.seat(name) is not None and name != viewer
        return Ask(name, m.Leave(0, table.id) if leave else m.Join(0, table.id, seat=dice.randrange(6)))
    if kind < 0.86 and table.round is None:
        request = {"waiting": m.Start, "over": m.Rematch, "between": m.SetReady}.get(table.stage, m.Start)
        return Ask(dice.choice(NAMES[:2]), request(0, table.id))
    return aside(world, dice)


def act(world: World, dice: random.Random) -> Command:
    """Somebody acts: mostly who must, mostly by the rules."""
    table = world.table
    assert table.round is not None
    state = table.round
    names = {name: seat for name in NAMES if (seat := world.seat(name)) is not None}
    if not names:
        return Ring()
    on_turn = [name for name, seat in names.items() if seat == state.turn]
    name = on_turn[0] if on_turn and dice.random() < 0.85 else dice.choice(list(names))
    seat = names[name]
    legal = legal_actions(state, seat)
    wild = dice.random()
    do: Any
    if wild < 0.08:
        do = dice.choice((DRAW, PASS, UNA, CHALLENGE, Catch(dice.randrange(6)), Play(dice.choice(DECK))))
        if isinstance(do, Play) and state.hands[seat] and dice.random() < 0.7:
            card = dice.choice(state.hands[seat])
            do = Play(card, dice.choice(COLORS) if card.startswith("W") else None)
    elif not legal:
        do = dice.choice((UNA, *(Catch(seat) for seat in table.open_seats)))
    else:
        rare = [action for action in legal if isinstance(action, Challenge | Una | Catch)]
        plays = [action for action in legal if isinstance(action, Play)]
        do = dice.choice(rare if rare and wild < 0.5 else plays if plays and wild < 0.85 else legal)
    turn = None if isinstance(do, Una | Catch) else table.turn - (dice.random() < 0.03)
    return Ask(name, m.Act(0, table.id, do, turn))


def aside(world: World, dice: random.Random) -> Command:
    """Everything beside the game itself."""
    table, name = world.table, dice.choice(NAMES)
    id_, seat = table.id, dice.randrange(6)
    rare: list[Callable[[], Command]] = [
        lambda: Ask(name, m.Leave(0, id_)) if dice.random() < 0.3 else Ask(name, m.Ping(0)),
        lambda: Ask(name, m.BotSeat(0, id_, add="easy")),
        lambda: Ask(name, m.Kick(0, id_, seat)) if dice.random() < 0.2 else Ask(name, m.Lobby(0)),
        lambda: Ask(name, m.Auto(0, id_, dice.random() < 0.3)),
        lambda: Ask(name, m.Pause(0, id_, dice.random() < 0.1)),
        lambda: Ask(name, m.Say(0, "well", id_)),
        lambda: Ask(name, m.SetOptions(0, id_, turn_s=dice.choice((0, 5)))),
        lambda: Ask(name, m.Describe(0, "errors")),
        lambda: Ask(name, m.Lobby(0, subscribe=dice.random() < 0.5)),
    ]
    usual: list[Callable[[], Command]] = [
        lambda: Lose(name),
        lambda: Return(name, dice.choice((None, dice.randint(0, table.seq), max(0, table.seq - 3)))),
        lambda: Return(name, dice.randint(0, table.seq)),
        lambda: Ask(name, m.GetState(0, id_)),
        lambda: Ask(name, m.Watch(0, id_)),
        lambda: Ask(name, m.Join(0, id_)),
        lambda: Ask(name, m.Accuse(0, id_, seat)),
        lambda: Ask(name, m.Vote(0, id_, table.accusation.seat if table.accusation else seat, dice.random() < 0.7)),
    ]
    return dice.choice(rare if dice.random() < 0.3 else usual)()
