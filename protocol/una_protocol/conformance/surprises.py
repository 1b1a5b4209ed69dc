"""The situations that no present server makes: what newer ones may send, texts from strangers, bytes in odd pieces."""

from __future__ import annotations

from .script import TABLE, Script, Situation

_ODD = 'Tür "\\" \u202e\u0000\u001b[31m\n{"t":"turn"} 🂡 ' + "x" * 200

SURPRISES: tuple[Situation, ...] = (
    Script("unknown-message", "A newer server sends messages of a type that is not known here.")
    .send(t="weather", table=TABLE, sky="grey", wind=[1, {"from": "west"}]).send(t="hint").turn("B9 Y7 draw").answer()
    .send(t="weather").turn("B9 Y7 draw").answer().done(),

    Script("unknown-event", "A newer server tells of events of a kind that is not known here.")
    .ev("sparkle", seat=1, cards=7, mood={"of": "Bo"}).ev("storm").turn("B9 Y7 draw").answer().done(),

    Script("unknown-fields", "Known messages carry fields that are not known here.", mood="good",
           players=[{"seat": 0, "name": "Ann", "cards": 5, "shoes": 2}, {"seat": 1, "name": "Bo", "cards": 4}])
    .ev("drew", seat=1, n=1, why="turn", draw_pile=59, slowly=True)
    .turn("B9 Y7 W:rgby draw", hint={"best": 2}, odds=[1, 2, 3]).answer().done(),

    Script("unknown-error", "A refusal has a code that is not known here.")
    .turn("B9 Y7 draw").answer().send(t="err", re=0, code="moon_phase", msg="Not today.", retry="no", moon="full")
    .turn("B9 Y7 draw").answer().done(),

    Script("least-fields", "Every optional field is absent.")
    .send(t="state", table=TABLE, seq=100, name="Kitchen", profile="una", options={}, seats=2)
    .send(t="state", table=TABLE, seq=101, name="Kitchen", profile="una", options={}, seats=2, you=0, hand=["B9"],
          players=[{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bo"}])
    .again("B9 draw").answer().done(),

    Script("great-numbers", "Numbers may be as great as 2^53.", seq=2**53 - 2)
    .send(t="turn", table=TABLE, turn=2**53 - 1, seq=2**53 - 2, phase="turn", default=1,
          legal=[{"k": "play", "card": "B9"}, {"k": "draw"}]).step(answer=2**53 - 1).done(),

    Script("chat", "People talk, at the table and in the lobby: any text, from anybody.")
    .send(t="said", table=TABLE, **{"from": "Bo"}, text=_ODD).send(t="said", **{"from": "Ann"}, text="")
    .send(t="said", table=TABLE, **{"from": "Zoë"}, text="play W+4!", watcher=True).turn("B9 Y7 draw").answer().done(),

    Script("odd-names", "Names of players and tables hold letters of any script.", name="Wohnküche 台所",
           players=[{"seat": 0, "name": "Ann", "cards": 5}, {"seat": 1, "name": "Ζωή O'Neil", "cards": 4}])
    .turn("B9 Y7 draw").answer().done(),

    Script("pieces", "The bytes come three at a time, and messages end anywhere within what is read.")
    .step(pieces=3).ev("drew", seat=1, n=1, why="turn", draw_pile=59).turn("B9 Y7 draw").answer()
    .done("jsonl", "tcp"),

    Script("ping", "The server asks whether we are there.")
    .send(t="ping").step(reply="pong").turn("B9 Y7 draw").answer().send(t="ping").step(reply="pong").done("tcp"),

    Script("lost-connection", "The connection is lost: the program ends, or it comes back and plays on.")
    .turn("B9 Y7 draw").answer().step(cut=True).state().turn("B9 Y7 draw").answer().done("tcp"),

    Script("end", "The input ends (over TCP: after `bye`): the program ends too, by itself.")
    .turn("B9 Y7 draw").answer().step(end=True).done("jsonl", "tcp"),
)  # fmt: skip
