"""una as an environment for learning agents: PettingZoo's AEC interface (needs the extra `pettingzoo`).

    from una_server.pettingzoo import env

    game = env(players=4, profile="official")
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, over, cut, info = game.last()
        action = None if over or cut else choose(observation["observation"], observation["action_mask"])
        game.step(action)

An episode is one round (or, with `match=True`, a match up to the target score). What an agent sees is what a seat may
know, as numbers; which numbers, and which actions they are, stands in `una_server.encoding`. Whoever wins gets 1, the
others share -1; a round that nobody wins gives 0. A catch and a call of una can be made on the own turn only.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .arena.sight import RoundView, Scene, Setting
from .encoding import ACTIONS, HIGHEST, SIZE, action_of, allowed, encode
from .game import Match, Round, check_players, make_options, may_catch, turn_actions

LONGEST: Final = 5_000
"""After so many actions an episode is cut off: agents that draw and draw would play for ever."""


def env(**settings: Any) -> AECEnv[str, Any, Any]:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the episode with -1 for the agent."""
    wrapped = wrappers.TerminateIllegalWrapper(UnaEnv(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class UnaEnv(AECEnv[str, Any, Any]):
    """The environment itself. `options` change the profile's rules; BadOption for what the rules do not allow."""

    metadata = {"name": "una_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        players: int = 4,
        profile: str = "una",
        options: dict[str, object] | None = None,
        match: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        rules = make_options(profile, options or {})
        check_players(rules, players)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._setting = Setting(profile, rules)
        self._whole = match
        self._chance = Random()
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces: dict[str, Space[Any]] = {}
        self._choices: dict[str, Space[Any]] = {}
        for agent in self.possible_agents:
            numbers = Box(0.0, HIGHEST, (SIZE,), np.float32)
            mask = Box(0, 1, (ACTIONS,), np.int8)
            self._spaces[agent] = Dict({"observation": numbers, "action_mask": mask})
            self._choices[agent] = Discrete(ACTIONS)

    def observation_space(self, agent: str) -> Space[Any]:
        """What `observe` gives."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The numbers of the actions."""
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. The same seed gives the same episodes from here on."""
        if seed is not None:
            self._chance = Random(f"una pettingzoo {seed}")
        seats = range(len(self.possible_agents))
        self._match, _ = Match.start(self._setting.options, seats, self._chance.randbytes(32))
        self._scene = Scene(self._setting, self._match, self.possible_agents)
        self._match.deal()
        self._moves = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._round.turn]

    @property
    def _round(self) -> Round:
        round = self._match.round
        assert round is not None
        return round

    def observe(self, agent: str) -> dict[str, Any]:
        """The view of the agent, and what it may do: nothing, while it is another's turn."""
        round, seat = self._round, self._seat[agent]
        own_turn = round.turn == seat and not round.over
        view = RoundView(self._scene, round, seat, turn_actions(round) if own_turn else (), None)
        mask = np.zeros(ACTIONS, np.int8)
        if own_turn:
            mask[allowed(view, next(iter(may_catch(round, seat)), None))] = 1
        return {"observation": np.array(encode(view), np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do what the agent decided; whose decision it is next, `agent_selection` says."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent whose episode is not over must act")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self._seat[agent]
        self._match.apply(seat, action_of(int(action), seat, self._round.forgot))
        self._moves += 1
        self._scene.turn += 1
        if self._round.over:
            self._round_over()
        elif self._moves >= LONGEST:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self._round.turn]
        self._accumulate_rewards()
        if self.render_mode == "ansi":
            self.render()

    def _round_over(self) -> None:
        if self._whole and not self._match.over:
            self._match.deal()
            return
        winners = self._match.winners if self._whole else (self._round.winner,)
        won = {agent for agent in self.agents if self._seat[agent] in winners}
        for agent in self.agents:
            if won:
                others = len(self.agents) - len(won)
                self.rewards[agent] = 1.0 if agent in won else -1.0 / others
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """The table in one line, in mode `ansi`."""
        if self.render_mode is None:
            return None
        round = self._round
        hands = ", ".join(f"{agent} {len(round.hands[seat])}" for agent, seat in self._seat.items())
        return f"{self.agent_selection} to decide; top {round.top} ({round.color}); cards: {hands}"

    def close(self) -> None:
        """Nothing is open."""
