"""A bot that plays a policy trained by `train_ppo.py`. Here: spieltisch simulate bigpoints --players ppo_bot:PPOBot,random."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spieltisch import registry
from spieltisch.core.game import AnyGame
from spieltisch.core.player import Clock, Seen

FILE = Path(__file__).with_name("ppo_bot.npz")


def forward(params: Mapping[str, Any], inputs: Any, numpy: Any = np) -> tuple[Any, Any]:
    """The network: policy logits of all actions, and the value for the viewer, from -1 to 1.

    `numpy` is NumPy, or `jax.numpy` for training.
    """
    hidden = numpy.maximum(inputs @ params["input"] + params["input_bias"], 0.0)
    hidden = numpy.maximum(hidden @ params["hidden"] + params["hidden_bias"], 0.0)
    value = numpy.tanh(hidden @ params["value"] + params["value_bias"])[..., 0]
    return hidden @ params["policy"] + params["policy_bias"], value


class PPOBot:
    """Chooses the legal action with the highest logit."""

    def __init__(self, game: AnyGame) -> None:
        with np.load(FILE) as saved:
            self.params = {name: saved[name] for name in saved.files if name not in {"game", "players", "features"}}
            name, players, digest = str(saved["game"]), int(saved["players"]), str(saved["features"])
        if game.name != name:
            raise ValueError(f"the policy was trained for {name}, and this is {game.name}")
        self.game, self.setup = game, game.agree(players)
        self.features, self.ids = registry.features(game, self.setup), registry.action_ids(game, self.setup)
        if self.features.digest != digest:
            raise ValueError("the policy was trained with other features: train it again")

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        """The best of the choices; ValueError at a table that the policy was not trained for."""
        view = self.game.recall(seen.view, seen.heard)
        if view.setup._replace(first=self.setup.first) != self.setup:
            raise ValueError("the policy was not trained for this table")
        observation = np.zeros(self.features.size, np.float32)
        self.features.write(view, observation)
        logits, _ = forward(self.params, observation)
        return seen.choices[int(np.argmax(logits[self.ids.of(seen.choices)]))]
