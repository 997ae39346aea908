"""PettingZoo: every game as an AEC environment, its seats as agents.

from spieltisch.research import pettingzoo
env = pettingzoo.env(NAME, players=3)
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from spieltisch.research.extra import missing
from spieltisch.research.playing import Playing

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo.utils.env import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import (  # type: ignore[import-untyped]
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )
except ImportError:
    raise missing("PettingZoo") from None

Observed: TypeAlias = dict[str, Any]


def env(game: str, **given: Any) -> AECEnv[str, Observed, Any]:
    """The environment of a game by its name; an action that is not allowed loses the game.

    What else is given is agreed on before the game: `players`, `edition`, `options`, `first`, `rules`; and `render_mode`.
    """
    wrapped = TerminateIllegalWrapper(raw_env(game, **given), illegal_reward=-1)
    return OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observed, Any], EzPickle):  # type: ignore[misc]  # noqa: N801 - what PettingZoo calls it
    """The environment without wrappers.

    An agent observes `observation`, a row of numbers (`layout.py`), and `action_mask`. Rewards come at the end:
    from 1 for the best to -1 for the last. Every seed is another game; without one they follow from the last one.
    """

    def __init__(self, game: str, render_mode: str | None = None, **given: Any) -> None:
        EzPickle.__init__(self, game, render_mode, **given)
        AECEnv.__init__(self)
        self.playing = Playing(game, **given)
        self.metadata = {"name": f"spieltisch_{game}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in self.playing.seats]
        self.agents: list[str] = []
        size, width = self.playing.numbering.size, self.playing.layout.size
        self._observed = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (width,), np.float32),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._acting = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._random = seeding.np_random()[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observed[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._acting[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.playing.begin(int(self._random.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._turn()

    def _turn(self) -> str:
        return self.possible_agents[self.playing.seat]

    def observe(self, agent: str) -> Observed:
        seat = self.possible_agents.index(agent)
        return {"observation": self.playing.row(seat), "action_mask": self.playing.mask(seat)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.playing.take(int(action))
        self._clear_rewards()
        if self.playing.over:
            self.rewards = dict(zip(self.agents, self.playing.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._turn()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table in sentences, as a spectator sees it."""
        return self.playing.told() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
