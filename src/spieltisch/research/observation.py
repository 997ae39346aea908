"""Observation space: views as vectors of features, for any game.

The features are found by playing: a dozen games of the setup from fixed seeds. What their players saw determines how
long lists become, which words occur and how far numbers reach, and from that follows an encoder, the same one on every
machine. Constant parts are left out. There is room for lists half as long again and for numbers a quarter larger. All
features lie between 0 and 1; anything beyond is clipped.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over, Setup
from spieltisch.core.json import Json, to_json
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.research.encoders import Encoder, fit_encoder

Vector: TypeAlias = NDArray[np.float32]
GAMES: Final = 12  # that are played to find the features
_cache: dict[tuple[type, str, Setup], ObservationSpace] = {}


class ObservationSpace:
    """Encodes views as vectors of `size` features; `names` says what each feature means."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.size = encoder.size
        self.names: tuple[str, ...] = tuple(name.removeprefix(".") for name in encoder.names(""))

    def encode(self, view: Any) -> Vector:
        """The view as a vector."""
        vector = np.zeros(self.size, np.float32)
        self.encoder.write(view, vector, 0)
        return vector


def observation_space(game: AnyGame, setup: Setup) -> ObservationSpace:
    """The observation space of a setup, the same for every starting seat; computed once and cached."""
    key = (type(game), game.name, setup._replace(first=type(setup.first)(0)))
    if key not in _cache:
        _cache[key] = ObservationSpace(fit_encoder([_sample_views(game, setup)]))
    return _cache[key]


def _sample_views(game: AnyGame, setup: Setup) -> list[Json]:
    """The recalled views of players, half of the games played at random and half by the rollout policy."""
    views: list[Json] = []
    knowledge = registry.knowledge(game)
    for number in range(GAMES):
        agreed = game.agree(setup.players, setup.edition, dict(setup.options), number % setup.players, setup.rules)
        referee = Referee(game, agreed, seeded(f"layout/{number}"))
        rng = Random(f"layout {number}")
        while not isinstance(decision := referee.settle(), Over):
            seen = referee.seen(decision.seat)
            views.append(to_json(game.recall(seen.view, seen.heard)))
            at_random = number < GAMES / 2
            action = (
                rng.choice(seen.choices) if at_random else knowledge.rollout_action(referee.state, seen.choices, rng)
            )
            referee.play(decision.seat, [action])
    return views
