"""Gymnasium environment: one learning agent, with given players on the other seats.

import gymnasium
env = gymnasium.make("spieltisch.research.gymnasium:spieltisch/NAME-v1", against=["greedy"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Never

import numpy as np
from numpy.typing import NDArray

from spieltisch import players, registry
from spieltisch.core.features import Vector
from spieltisch.core.game import AnyGame, Seat
from spieltisch.core.player import AnyPlayer
from spieltisch.i18n.message import message_factory
from spieltisch.research.environment import Environment, IllegalActionId
from spieltisch.research.extras import missing_extra
from spieltisch.research.rendering import RENDER_MODES, check_mode
from spieltisch.research.versions import OtherVersion, check_version, metadata, version

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise missing_extra("Gymnasium") from None

_SEEDS: Final = 1 << 62
_say = message_factory("")


class SeatEnv(gymnasium.Env[Vector, np.int64]):
    """One seat of a game; the other seats are played by the players named in `against`, by default all `random`.

    A single name in `against` is the player on every other seat. Without `seat`, the agent's seat is drawn for every
    game. Observations are the game's features; `info["action_mask"]` and `action_masks()` tell which actions are legal.
    The reward comes at the end, from 1 for the best to -1 for the last; an illegal action loses at once.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str,
        against: Sequence[str] | str | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
        features: str | None = None,
        **given: Any,
    ) -> None:
        if against is not None and not isinstance(against, str):
            given.setdefault("players", len(against) + 1)
        self.environment = Environment(game, **given)
        if features is not None:
            check_version(self.environment.game, features)
        count = len(self.environment.seats)
        self.against = (
            [against or "random"] * (count - 1) if against is None or isinstance(against, str) else [*against]
        )
        if len(self.against) != count - 1:
            raise ValueError(f"{count} at the table need {count - 1} others, and {len(self.against)} are given")
        for name in self.against:
            players.make(name, self.environment.game, 0)
        if seat is not None and seat not in self.environment.seats:
            raise ValueError(f"seats are numbered from 0 to {count - 1}, and {seat} is given")
        check_mode(render_mode)
        self.render_mode = render_mode
        table = self.environment.features
        self.metadata = {**self.metadata, **metadata(table)}
        self.observation_space = spaces.Box(table.low, table.high, (table.size,), np.float32)
        self.action_space = spaces.Discrete(len(self.environment.ids))
        self._fixed_seat = seat
        self.seat = seat or 0
        self._opponents: dict[int, AnyPlayer] = {}
        self._forfeited = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Starts another game and plays it up to the agent's first decision."""
        super().reset(seed=seed)
        game_seed = int(self.np_random.integers(_SEEDS))
        self.seat = game_seed % len(self.environment.seats) if self._fixed_seat is None else self._fixed_seat
        seats = [seat for seat in self.environment.seats if seat != self.seat]
        self._opponents = {
            seat: players.make(name, self.environment.game, f"{game_seed}/{seat}")
            for seat, name in zip(seats, self.against, strict=True)
        }
        self.environment.reset(game_seed)
        self._forfeited = False
        self._play_others()
        return self._observe(), self._info()

    def _play_others(self) -> None:
        """Plays the other seats until it is the agent's turn or the game is over."""
        while not self.environment.over and self.environment.seat != self.seat:
            self.environment.ask(self._opponents[self.environment.seat])

    def step(self, action: np.int64 | int) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Plays the agent's action, and the other seats until it is the agent's turn again."""
        if self._forfeited or self.environment.over:
            raise gymnasium.error.ResetNeeded("the game is over: reset the environment")
        try:
            self.environment.step(int(action))
        except IllegalActionId:
            self._forfeited = True
            return self._observe(), -1.0, True, False, self._info()
        self._play_others()
        return self._observe(), self.environment.rewards()[self.seat], self.environment.over, False, self._info()

    def _observe(self) -> Vector:
        return self.environment.observe(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "action_mask": self.environment.action_mask(self.seat)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Mask of the legal actions, as maskable algorithms ask for it."""
        return self.environment.action_mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """The board as the agent sees it: as text, as an SVG document or as pixels."""
        return self.environment.render(Seat(self.seat), self.render_mode) if self.render_mode else None


def environment_id(game: AnyGame) -> str:
    """The id in Gymnasium's registry, such as spieltisch/NAME-v1."""
    return f"spieltisch/{type(game).__name__}-{version(game)}"


def renamed(game: str, **given: Any) -> Never:
    """Refuses the id of an environment from before features were frozen."""
    del given
    new = environment_id(registry.find(game))
    raise OtherVersion(_say("research.renamed", given=f"spieltisch/{game}-v0", name=new))


for _game in registry.all():
    if version(_game) and environment_id(_game) not in gymnasium.registry:
        _kwargs = {"game": _game.name, "features": version(_game)}
        gymnasium.register(environment_id(_game), f"{__name__}:SeatEnv", kwargs=_kwargs)
        gymnasium.register(f"spieltisch/{_game.name}-v0", f"{__name__}:renamed", kwargs={"game": _game.name})
