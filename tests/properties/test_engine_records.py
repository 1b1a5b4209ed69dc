"""Every round that can be played can be recorded, and its record replays to the same end."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from una_protocol.actions import LEAVE, Penalty, Play, RecordedAction
from una_server.game import OPTION_SPECS, PROFILES, Match, legal_actions, make_options
from una_server.game.record import Recorder, replay

CHOICES = {name: spec.values for name, spec in OPTION_SPECS.items() if spec.kind != "number" and name != "play_drawn"}


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(list(PROFILES)),
    st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in CHOICES.items()}),
    st.permutations(range(10)),
    st.integers(2, 10),
    st.integers(0, 2**32),
)
def test_records_replay(profile: str, overrides: dict[str, object], seats: list[int], players: int, seed: int) -> None:
    options = make_options(profile, overrides)
    match, _ = Match.start(options, seats[:players], seed.to_bytes(32, "big"))
    random = Random(seed)
    for _ in range(2):
        if match.over or len(match.seats) < 2:
            break
        match.deal()
        state = match.round
        assert state is not None
        recorder = Recorder(match)
        names = [{"name": f"p{seat}", "kind": "human"} for seat in state.order]
        lines = recorder.start(match, id="a", table="b", started="c", server="d", profile=profile, players=names)
        moves = 0
        while not state.over and moves < 400:
            moves += 1
            seat = state.turn if random.random() < 0.8 else random.choice(state.order)
            actions: list[RecordedAction] = [*legal_actions(state, seat)]
            plays = [action for action in actions if isinstance(action, Play)]
            action = random.choice(plays or actions or [Penalty(1)])
            action = LEAVE if random.random() < 0.005 else action
            match.apply(seat, action)
            lines += recorder.action(match, seat, action)
        found = replay(lines)
        assert found.options == options
        assert found.actions == moves
        assert (found.end is not None) == state.over
        if not state.over:
            break
