"""PettingZoo AEC environments: the seats of a game are the agents.

from spieltisch.research.pettingzoo import NAME_v1
env = NAME_v1.env(players=3)

`env(NAME, players=3)` is the same in the current version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from spieltisch import registry
from spieltisch.research.environment import Environment
from spieltisch.research.extras import missing_extra
from spieltisch.research.rendering import RENDER_MODES, check_mode
from spieltisch.research.rewards import forfeit_rewards
from spieltisch.research.versions import metadata, version

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo.utils.env import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]
except ImportError:
    raise missing_extra("PettingZoo") from None

Observation: TypeAlias = dict[str, Any]


def env(game: str, **given: Any) -> AECEnv[str, Observation, Any]:
    """The environment of a game by name; an illegal action loses the game.

    Other arguments are those of the setup, `players`, `edition`, `options`, `first` and `rules`, and `render_mode`.
    """
    return _OrderEnforcingEnv(_ForfeitingEnv(game, **given))


class raw_env(AECEnv[str, Observation, Any]):  # type: ignore[misc]  # noqa: N801 - what PettingZoo calls it
    """The environment without wrappers, in which an illegal action raises IllegalActionId and changes nothing.

    An agent observes `observation`, the game's features, and `action_mask`. Rewards come at the end, from 1 for the best
    to -1 for the last. Every seed is another game; without a seed, games follow from the last one.
    """

    def __init__(self, game: str, render_mode: str | None = None, **given: Any) -> None:
        super().__init__()
        self.environment = Environment(game, **given)
        features = self.environment.features
        self.metadata = {
            "name": f"{game}_{version(self.environment.game)}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            **metadata(features),
        }
        check_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in self.environment.seats]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = len(self.environment.ids)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(features.low, features.high, (features.size,), np.float32),
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
        self.agent_selection = self.possible_agents[self.environment.seat]

    def observe(self, agent: str) -> Observation:
        seat = self._seats[agent]
        return {"observation": self.environment.observe(seat), "action_mask": self.environment.action_mask(seat)}

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.environment.step(int(action))
        if self.environment.over:
            self._end(self.environment.rewards())
        else:  # no rewards before the end, so none are to be added up
            self.agent_selection = self.possible_agents[self.environment.seat]

    def _end(self, rewards: tuple[float, ...]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """The board as a spectator sees it: as text, as an SVG document or as pixels."""
        return self.environment.render(None, self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """Does nothing: no resources are held."""


class _ForfeitingEnv(raw_env):
    """The environment in which an illegal action loses the game to all others."""

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or int(action) in self.environment.legal_ids:
            super().step(action)
        else:
            self._end(forfeit_rewards(self._seats[agent], len(self.possible_agents)))


class _OrderEnforcingEnv(OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, which forwards attributes one by one; what a loop calls in every step is forwarded as a whole."""

    _has_reset: bool
    _has_updated: bool

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        env: Any = self.env if self._has_reset else super()
        found: tuple[Observation | None, float, bool, bool, dict[str, Any]] = env.last(observe)
        return found

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        return self._agents(max_iter) if self._has_reset else super().agent_iter(max_iter)

    def _agents(self, max_iter: int) -> Iterator[str]:
        for _ in range(max_iter):
            if not self.env.agents:
                return
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated = False
            yield self.env.agent_selection

    def step(self, action: Any) -> None:
        if self._has_reset and self.env.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)


def __getattr__(name: str) -> SimpleNamespace:
    """NAME_v1 with `env` and `raw_env`, as PettingZoo's own environments are imported."""
    game, _, given = name.rpartition("_")
    if game in registry.names() and given.startswith("v"):
        current = version(registry.find(game))
        if given == current:
            make: Callable[..., Any] = partial(env, game)
            return SimpleNamespace(env=make, raw_env=partial(raw_env, game))
        raise AttributeError(f"the environment of {game} has the version {current}: import {game}_{current}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
