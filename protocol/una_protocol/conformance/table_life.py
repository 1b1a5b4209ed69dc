"""The situations about a table's life: who comes and goes, calls and catches, rounds that end, connections lost."""

from __future__ import annotations

from .script import TABLE, Script, Situation

_LATE = Script("stale-turn", "A turn becomes stale before it can be answered: what counts is the newest.")
_LATE_FIRST = _LATE.turn("B9 Y7 draw").number
_CAUGHT = Script("caught", "We are caught while we think: cards come, and the turn gets another number.", hand="B9")
_CAUGHT_FIRST = _CAUGHT.turn("B9 draw").number
_JUMP = Script("jump-in-of-another", "Somebody jumps in on our turn: it is over, whatever we answered (H1).",
               options={"jump_in": True})  # fmt: skip
_JUMP_FIRST = _JUMP.turn("B9 Y7 draw").number

TABLE_LIFE: tuple[Situation, ...] = (
    _LATE.turn("R3 G2 draw").answer(_LATE_FIRST).done(),

    _CAUGHT.ev("caught", seat=0, by=1).ev("drew", seat=0, n=2, why="una", draw_pile=58, cards=["R1", "G4"])
    .turn("B9 draw").answer(_CAUGHT_FIRST).done(),

    _JUMP.ev("played", seat=2, card="B7", color="blue", jump=True).others(0 + 1)
    .ev("played", seat=1, card="B1", color="blue").others(2)
    .turn("B9 W:rgby draw").answer(_JUMP_FIRST).done(),

    Script("asked-again", "The connection broke and the answer was lost: `state` and the same turn come again.")
    .turn("B9 Y7 draw").answer().step(lost=True).state().again("B9 Y7 draw").answer().done(),

    Script("state-amid", "A `state` and the pending turn come while the turn is thought about.")
    .turn("B9 Y7 draw").state().again("B9 Y7 draw").answer().others()
    .turn("B9 Y7 draw").answer().done(),

    Script("catch-chance", "Somebody may be caught; who tries is told that it is too late, and the turn goes on.")
    .others(1, catchable=[2]).others(2, catchable=[1], called=[2]).turn("B9 draw", public={"catchable": [1]}).answer()
    .done(),

    Script("own-call", "We hold one card and can be caught ourselves: nobody catches oneself.", hand="B9",
           catchable=[0])
    .others(1).others(2, called=[0]).ev("una", seat=0).turn("B9 draw").answer().done(),

    Script("refused", "The choice is refused: it is not sent over and over, and the next turn is answered.")
    .turn("B9 Y7 draw").answer().send(t="err", re=0, code="illegal_card", msg="It does not fit.", retry="no")
    .turn("R3 draw").answer().done(),

    Script("own-seat-away", "A house bot played for us for a while; we are back.")
    .ev("timeout", seat=0).ev("away", seat=0).ev("drew", seat=0, n=1, why="turn", draw_pile=59, cards=["Y1"])
    .ev("passed", seat=0).others().ev("lost", seat=0).ev("back", seat=0).turn("B9 Y7 draw").answer().done(),

    Script("player-leaves", "A seat is left in the round; its number stays empty.")
    .ev("lost", seat=2).ev("left", seat=2, name="Cy", why="gone", draw_pile=66).ev("left", name="Zoë")
    .turn("B9 Y7 draw").answer().done(),

    Script("gaps-between-seats", "We sit at seat 9, others at 3 and 6: seats are numbers, not places in a list.",
           seat=9, seats=10, players=[{"seat": 3, "name": "Bo", "cards": 4}, {"seat": 6, "name": "Cy", "cards": 6},
                                      {"seat": 9, "name": "Ann", "bot": True, "cards": 5}], turn_seat=9)
    .again("B9 Y7 W:rgby draw").answer().done(),

    Script("round-over", "A round ends and the next is dealt: the hand is new.")
    .ev("played", seat=1, card="B1", color="blue")
    .ev("round_over", winner=1, hands=[["R3", "G2", "B9", "Y7", "W"], [], ["G1"]], points=[0, 72, 0],
        scores=[0, 72, 35], match_over=False, between_ms=15000)
    .ev("ready", seat=1).ev("dealt", round=2, dealer=0, counts=[2, 2, 2], draw_pile=102, hand=["R1", "G1"])
    .ev("top", card="R5", draw_pile=101, color="red").others(1).others(2).turn("R1 draw", can_una=True).answer()
    .done(),

    Script("match-over", "The match is over, and another begins at the same table.")
    .ev("round_over", winner=None, hands=[["R3"], ["G1"], []], points=[0, 0, 0], scores=[0, 250, 35], match_over=True)
    .ev("match_over", winners=[1], scores=[0, 250, 35]).ev("left", seat=2, name="Cy", why="kicked")
    .ev("joined", name="Dee", seat=2).ev("host", seat=2).ev("dealer", seat=1)
    .ev("dealt", round=1, dealer=1, counts=[2, 2, 2], draw_pile=102, hand=["R1", "W"])
    .ev("top", card="R5", draw_pile=101, color="red").turn("R1 W:rgby draw").answer().done(),

    Script("nothing-left", "The pile is turned over, then nothing can be drawn: only keeping on is left (T5).",
           draw_pile=1, hand="R3 G2")
    .ev("drew", seat=1, n=1, why="turn", draw_pile=0).ev("reshuffled", draw_pile=12).ev("reversed", direction=-1)
    .ev("skipped", seat=1).turn("pass").answer().done(),

    Script("penalties", "Cards for a wrong card and for advice: the hand grows out of turn (P1, P2).", hand="R3 G2")
    .ev("accused", seat=0, by=1, ms=20000).ev("voted", seat=2).ev("accused", seat=0, by=1, open=False, guilty=True)
    .ev("drew", seat=0, n=2, why="advice", draw_pile=58, cards=["B1", "W"])
    .ev("drew", seat=1, n=2, why="illegal", draw_pile=56).turn("B1 W:rgby draw").answer().done(),

    Script("table-events", "Everything that happens around a game: watchers, options, hosts, pauses, bots.")
    .ev("joined", name="Zoë").ev("joined", name="bot-Ada", seat=3, bot=True, level="hard").ev("host", seat=0)
    .ev("host").ev("options", profile="official", options={"hand_size": 5}, seats=6, turn_s=20, una_grace_ms=0,
                   away="wait", between_s=5, public=False, password=True)
    .ev("paused", seat=2, want=True, on=False).ev("left", name="Zoë").turn("B9 Y7 draw").answer().done(),

    Script("watched-first", "First we only watch, without hand and seat; then we sit down.", seat=None, hand="")
    .ev("drew", seat=1, n=1, why="turn", draw_pile=59).state().turn("B9 Y7 draw").answer().done(),

    Script("gap", "Events were missed; the `state` that follows has all of it.")
    .send(t="ev", table=TABLE, seq=160, e={"k": "drew", "seat": 1, "n": 2, "why": "pending", "draw_pile": 40})
    .state(hand="R5 B5", seq=161).turn("B5 draw").answer().done(),
)  # fmt: skip
