"""Gymnasium: one learner at a table with given players.

import gymnasium
env = gymnasium.make("spieltisch.research.gymnasium:spieltisch/NAME-v0", against=["greedy"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spieltisch import players, registry
from spieltisch.core.game import Seat
from spieltisch.core.player import AnyPlayer
from spieltisch.research.extra import missing
from spieltisch.research.layout import Numbers
from spieltisch.research.numbering import NotOffered
from spieltisch.research.playing import Playing

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise missing("Gymnasium") from None

_SEEDS: Final = 1 << 62


class Learning(gymnasium.Env[Numbers, np.int64]):
    """One seat of a game; on the others sit players by name, all `random` where nobody says who.

    The learner's seat is drawn for every game where none is given. Observations are rows of numbers; `info["action_mask"]`
    and `action_masks()` say what can be taken. The reward comes at the end, from 1 for the best to -1 for the last;
    whoever takes what is not offered has lost at once.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str,
        against: Sequence[str] | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
        **given: Any,
    ) -> None:
        if against is not None:
            given.setdefault("players", len(against) + 1)
        self.playing = Playing(game, **given)
        count = len(self.playing.seats)
        self.against = ["random"] * (count - 1) if against is None else list(against)
        if len(self.against) != count - 1:
            raise ValueError(f"{count} at the table need {count - 1} others, and {len(self.against)} are given")
        for name in self.against:
            players.make(name, self.playing.game, 0)
        if seat is not None and seat not in self.playing.seats:
            raise ValueError(f"seats are numbered from 0 to {count - 1}, and {seat} is given")
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, 1.0, (self.playing.layout.size,), np.float32)
        self.action_space = spaces.Discrete(self.playing.numbering.size)
        self._given = seat
        self.seat = seat or 0
        self._others: dict[int, AnyPlayer] = {}
        self._lost = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Another game, up to the learner's first decision."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(_SEEDS))
        self.seat = drawn % len(self.playing.seats) if self._given is None else self._given
        seats = [seat for seat in self.playing.seats if seat != self.seat]
        self._others = {
            seat: players.make(name, self.playing.game, f"{drawn}/{seat}")
            for seat, name in zip(seats, self.against, strict=True)
        }
        self.playing.begin(drawn)
        self._lost = False
        self._go_on()
        return self._row(), self._info()

    def _go_on(self) -> None:
        """The others take their turns."""
        while not self.playing.over and self.playing.seat != self.seat:
            self.playing.referee.ask(self._others[self.playing.seat])
            self.playing.referee.settle()

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """The learner takes a choice by its number, and the others go on until it is asked again."""
        if self._lost or self.playing.over:
            raise gymnasium.error.ResetNeeded("the game is over: reset the environment")
        try:
            self.playing.take(int(action))
        except NotOffered:
            self._lost = True
            return self._row(), -1.0, True, False, self._info()
        self._go_on()
        return self._row(), self.playing.rewards()[self.seat], self.playing.over, False, self._info()

    def _row(self) -> Numbers:
        return self.playing.row(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "action_mask": self.playing.mask(self.seat)}

    def action_masks(self) -> NDArray[np.bool_]:
        """What can be taken now, as learners with masks ask for it."""
        return self.playing.mask(self.seat).astype(np.bool_)

    def render(self) -> str | None:
        """The table in sentences, as the learner sees it."""
        return self.playing.told(Seat(self.seat)) if self.render_mode == "ansi" else None


for _name in registry.names():
    if f"spieltisch/{_name}-v0" not in gymnasium.registry:
        gymnasium.register(f"spieltisch/{_name}-v0", f"{__name__}:Learning", kwargs={"game": _name})
