"""The situations about deciding: each phase, each kind of choice."""

from __future__ import annotations

from .script import TABLE, Script, Situation

_FIRST = (
    Script("first-turn", "A match begins: seats, the deal, the first card, and the first turn.", stage="waiting",
           phase="waiting", round=0, dealer=None, top=None, color=None, draw_pile=0, turn_seat=None, turn=None, hand="",
           host=0)
    .ev("ready", seat=1).ev("dealer", seat=2, draws=[[0, "R4"], [1, "G2"], [2, "B9"]])
    .ev("dealt", round=1, dealer=2, counts=[7, 7, 7], draw_pile=87, hand=["R3", "G2", "B9", "Y7", "W", "R+2", "GS"])
    .ev("top", card="W+4", draw_pile=87, back=True).ev("top", card="B7", draw_pile=86, color="blue")
    .turn("B9 Y7 W:rgby draw", ms=20000).answer()
    .others().ev("played", seat=1, card="B2", color="blue").others(2).ev("drew", seat=2, n=1, why="turn", draw_pile=85)
    .turn("G2 W:rgby draw", ms=20000).answer().done()
)  # fmt: skip

DECISIONS: tuple[Situation, ...] = (
    _FIRST,
    Script("one-choice", "There is nothing to choose: one entry in `legal`, which is the default too.", hand="R3 G2")
    .turn("draw").answer().ev("drew", seat=0, n=1, why="turn", draw_pile=59, cards=["Y1"]).others()
    .turn("pass").answer().done(),

    Script("wish", "The first card is a wild: the colour is wished before anything is laid (F2).", top="W", color=None,
           wish_served=False)
    .turn("wish:rgby", phase="wish", default=0).answer().ev("wished", seat=0, color="red")
    .turn("R3 W:rgby draw").answer().done(),

    Script("drawn", "The card just drawn may be laid, or kept (T3).", hand="R3 G2")
    .turn("draw").answer().ev("drew", seat=0, n=1, why="turn", draw_pile=59, cards=["B4"])
    .turn("B4 pass", phase="drawn").answer().done(),

    Script("drawn-wild", "The card just drawn is a wild: it comes with each colour.", hand="R3 G2")
    .turn("draw").answer().ev("drew", seat=0, n=1, why="turn", draw_pile=59, cards=["W+4"])
    .turn("W+4:rgby pass", phase="drawn").answer().done(),

    Script("penalty-stack", "Two cards are pending: lay another draw two on top, or take them (D2).", hand="R3 R+2 Y+2",
           top="B+2", pending=2, phase="penalty")
    .turn("R+2 Y+2 draw", phase="penalty", public={"pending": 2}).answer().done(),

    Script("penalty-take", "Six cards are pending and nothing helps: they are taken, and the hand grows.",
           hand="R3", top="B+2", pending=6, phase="penalty")
    .turn("draw", phase="penalty", public={"pending": 6}).answer()
    .ev("drew", seat=0, n=6, why="pending", draw_pile=54, cards=["Y1", "Y2", "Y3", "B4", "W", "R+2"]).others()
    .turn("B4 W:rgby draw").answer().done(),

    Script("challenge", "A draw four was laid on us: take the cards, or doubt it (D5); the hand is shown to us.",
           top="W+4", color="red", pending=4, phase="penalty")
    .turn("draw challenge", phase="penalty", default=0, public={"pending": 4}).answer()
    .ev("challenged", seat=0, of=2, guilty=True).ev("shown", seat=2, to=0, hand=["R1", "G5"])
    .ev("drew", seat=2, n=4, why="challenge", draw_pile=56)
    .turn("R3 W:rgby draw").answer().done(),

    Script("challenged", "Somebody doubts our draw four: our hand is shown, but not to us again.", hand="R3 G2")
    .ev("challenged", seat=1, of=0, guilty=False).ev("shown", seat=0, to=1)
    .ev("drew", seat=1, n=6, why="challenge", draw_pile=54).others(2).turn("R3 draw").answer().done(),

    Script("swap-seven", "A seven swaps hands: each choice names a seat (H2); after it the hand is another one.",
           hand="B7 G2 R1", options={"seven_zero": True})
    .turn("B7@12 draw").answer()
    .ev("played", seat=0, card="B7", color="blue", counts=[4, 2, 6], hand=["Y1", "Y2", "W", "B3"], **{"with": 1})
    .others().turn("B3 W:rgby draw").answer().done(),

    Script("swap-zero", "A zero moves all hands on: the hand changes while others play.", hand="B7 G2",
           options={"seven_zero": True})
    .others().ev("played", seat=1, card="B0", color="blue", counts=[6, 2, 3],
                 hand=["R9", "R8", "G6", "Y5", "B1", "W"])
    .turn("B1 W:rgby draw").answer().done(),

    Script("can-una", "The second-to-last card: una may be called with it.", hand="B9 B2")
    .turn("B9 B2 draw", can_una=True).answer().done(),

    Script("no-una", "Without `can_una` no call may go with the card, however few cards there are.", hand="B9 B2")
    .turn("B9 B2 draw").answer().done(),

    Script("last-card", "The last card, a draw two: the round ends with it.", hand="B+2")
    .turn("B+2 draw").answer().done(),

    Script("draw-four-alone", "Nothing but a wild draw four in hand, with each colour.", hand="W+4 W+4 W+4")
    .turn("W+4:rgby draw").answer().done(),

    Script("hand-of-20", "Twenty cards, and as many choices.",
           hand="R1 R2 R3 G1 G2 G3 B1 B2 B3 B4 B5 Y1 Y2 Y3 RS GS BS W W W+4")
    .turn("B1 B2 B3 B4 B5 BS W:rgby W+4:rgby draw").answer().done(),

    Script("many-choices", "Ten at the table, sevens of each colour and wilds: a long list of choices.", seats=10,
           hand="R7 G7 B7 Y7 W W+4", options={"seven_zero": True},
           players=[{"seat": seat, "name": f"P{seat}", "cards": 6} for seat in range(10)])
    .turn("R7@123456789 G7@123456789 B7@123456789 Y7@123456789 W:rgby W+4:rgby draw").answer().done(),

    Script("default-first", "The default is the first choice, number 0.", hand="R3 G2 B9")
    .turn("draw B9", default=0, ms=20000).answer().done(),

    Script("little-time", "A millisecond is left; it is answered all the same, if late.")
    .turn("B9 Y7 draw", ms=1).answer().ev("timeout", seat=0)
    .ev("drew", seat=0, n=1, why="turn", draw_pile=59, cards=["Y1"]).others()
    .send(t="err", re=0, code="stale_turn", msg="That turn is over.", retry="resync")
    .turn("B9 Y7 W:rgby draw", ms=20000).answer().done(),

    Script("paused", "The table is paused on our turn and goes on: the turn is the same.")
    .turn("B9 Y7 draw", ms=20000).ev("paused", seat=1, want=True, on=True).ev("paused", seat=1, want=False, on=False)
    .answer().send(t="said", table=TABLE, **{"from": "Bo"}, text="Go on").turn("B9 Y7 draw").answer().done(),
)  # fmt: skip
"""In the order in which they are tried; the first shows whether there is a bot at all."""
