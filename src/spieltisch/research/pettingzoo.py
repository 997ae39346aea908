"""PettingZoo AEC environments: the seats of a game are the agents.

from spieltisch.research import pettingzoo
env = pettingzoo.env(NAME, players=3)
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from spieltisch.research.environment import Environment
from spieltisch.research.extras import missing_extra

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo.utils.env import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import (  # type: ignore[import-untyped]
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )
except ImportError:
    raise missing_extra("PettingZoo") from None

Observation: TypeAlias = dict[str, Any]


def env(game: str, **given: Any) -> AECEnv[str, Observation, Any]:
    """The environment of a game by name; an illegal action loses the game.

    Other arguments are those of the setup, `players`, `edition`, `options`, `first` and `rules`, and `render_mode`.
    """
    wrapped = TerminateIllegalWrapper(raw_env(game, **given), illegal_reward=-1)
    return OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, Any], EzPickle):  # type: ignore[misc]  # noqa: N801 - what PettingZoo calls it
    """The environment without wrappers.

    An agent observes `observation`, a vector (`observation.py`), and `action_mask`. Rewards come at the end, from 1 for
    the best to -1 for the last. Every seed is another game; without a seed, games follow from the last one.
    """

    def __init__(self, game: str, render_mode: str | None = None, **given: Any) -> None:
        EzPickle.__init__(self, game, render_mode, **given)
        AECEnv.__init__(self)
        self.environment = Environment(game, **given)
        self.metadata = {"name": f"spieltisch_{game}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in self.environment.seats]
        self.agents: list[str] = []
        actions, features = self.environment.action_space.size, self.environment.observation_space.size
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (features,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._rng = seeding.np_random()[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng = seeding.np_random(seed)[0]
        self.environment.reset(int(self._rng.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_move()

    def _agent_to_move(self) -> str:
        return self.possible_agents[self.environment.seat]

    def observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        return {"observation": self.environment.observe(seat), "action_mask": self.environment.action_mask(seat)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.environment.step(int(action))
        self._clear_rewards()
        if self.environment.over:
            self.rewards = dict(zip(self.agents, self.environment.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._agent_to_move()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table in sentences, as a spectator sees it."""
        return self.environment.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: no resources are held."""
