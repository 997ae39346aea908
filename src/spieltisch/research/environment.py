"""The environment behind the adapters: one game under way, with integer actions and vector observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Over, Seat, Viewer
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.format import format_messages
from spieltisch.i18n.message import Audience
from spieltisch.research.action_space import ActionSpace
from spieltisch.research.observation import Vector, observation_space
from spieltisch.research.rewards import rank_rewards


class Environment:
    """Games of one setup, one after the other, each from its seed."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        first: int | None = None,
        rules: int | None = None,
    ) -> None:
        self.game: AnyGame = registry.find(name).for_simulation
        self.setup = self.game.agree(players, edition, options, first or 0, rules)
        self.game.initial(self.setup)
        self.seats = range(self.setup.players)
        self.action_space: ActionSpace[Any] = ActionSpace(self.game)
        self.observation_space = observation_space(self.game, self.setup)
        self._first = first  # drawn for every game if None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts another game, dealt and ready for the first decision."""
        source = seeded(seed)
        first = Seat(self._first) if self._first is not None else source.first(self.setup.players)
        self.referee = Referee(self.game, self.setup._replace(first=first), source)
        self.referee.settle()

    @property
    def over(self) -> bool:
        return isinstance(self.referee.pending, Over)

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        assert isinstance(self.referee.pending, Decision)
        return self.referee.pending.seat

    def step(self, action_id: int) -> None:
        """Plays an action of the seat to move, and the draws it causes; IllegalActionId if it is not available."""
        assert isinstance(self.referee.pending, Decision)
        action = self.action_space.from_id(self.referee.pending.actions, action_id)
        self.referee.play(self.seat, [action])
        self.referee.settle()

    def action_mask(self, seat: int) -> NDArray[np.int8]:
        """1 for every action that the seat can take now."""
        mask = np.zeros(self.action_space.size, np.int8)
        if isinstance(self.referee.pending, Decision) and self.referee.pending.seat == seat:
            mask[self.action_space.legal_ids(self.referee.pending.actions)] = 1
        return mask

    def observe(self, seat: int) -> Vector:
        """What the seat sees and remembers, as a vector."""
        viewer = Seat(seat)
        return self.observation_space.encode(self.game.recall(self.referee.view(viewer), self.referee.heard(viewer)))

    def rewards(self) -> tuple[float, ...]:
        """The reward of every seat; zero until the game is over."""
        pending = self.referee.pending
        return rank_rewards(pending.outcome.ranks) if isinstance(pending, Over) else (0.0,) * len(self.seats)

    def render(self, viewer: Viewer = None) -> str:
        """The table in sentences, as the viewer sees it."""
        names = [f"seat_{seat}" for seat in self.seats]
        speech, view = registry.speech(self.game), self.referee.view(viewer)
        audience = Audience(names, viewer)
        position = list(speech.position(view, audience))
        return "\n".join(format_messages([*position, *(speech.scores(view, audience) if self.over else ())], "en"))
