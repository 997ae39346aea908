"""The one-ply player on a value net: it takes the choice whose afterstate is worth most to its seat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from spieltisch import registry
from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import Clock, Estimate, Estimates, MakePlayer, Scale, Seen

if TYPE_CHECKING:
    from spieltisch.nets.evaluator import Evaluator

_POINT: Final = 0.0005  # share of the victory that one point of lead counts for, so that ties are broken sensibly


class NetPlayer:
    """Values every choice by the net, from what its seat knows and remembers."""

    def __init__(self, evaluator: Evaluator, sampler: Sampler) -> None:
        self.evaluator = evaluator
        self.sampler = sampler

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        return self.evaluate(seen, clock).chosen

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """Every seat's expected share of the victory after each choice."""
        game, setup, seat = self.evaluator.game, seen.view.setup, seen.view.viewer
        state = game.imagine(game.recall(seen.view, seen.heard), self.sampler)
        shares, points = self.evaluator.evaluate(setup, [game.apply(state, action) for action in seen.choices], seat)
        estimates = [
            Estimate(action, tuple(map(float, values)), score=_lead(scores, seat))
            for action, values, scores in zip(seen.choices, shares.tolist(), points.tolist(), strict=True)
        ]
        estimates.sort(key=lambda one: -(one.values[seat] + _POINT * (one.score or 0.0)))
        return Estimates(Scale.VICTORY, estimates, estimates[0].action)


def _lead(points: Sequence[float], seat: int) -> float:
    return points[seat] - max(other for number, other in enumerate(points) if number != seat)


def net_maker(game: AnyGame, path: Path) -> MakePlayer:
    """The factory of players on a net's weights; BadWeights says what does not fit, MissingExtra if NumPy is missing."""
    registry.net(game)
    from spieltisch.nets.evaluator import load_evaluator  # noqa: PLC0415 - NumPy is an extra

    evaluator = load_evaluator(game.for_simulation, path)
    return lambda sampler: NetPlayer(evaluator, sampler)
