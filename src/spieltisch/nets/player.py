"""The player on a value net: it takes the choice that is worth most to its seat, after one ply or a search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from spieltisch import registry
from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.net import Lookahead
from spieltisch.core.player import Clock, Estimate, Estimates, MakePlayer, Scale, Seen

if TYPE_CHECKING:
    from spieltisch.nets.evaluator import Evaluator

SolveEnd: TypeAlias = Callable[[Any, Clock], Estimates[Any] | None]  # solves a state in which nothing is hidden
_ONE_PLY: Final = Lookahead()
_EQUAL: Final = 3  # imagined states that must be equal if nothing is hidden


class NetPlayer:
    """Values every choice by the net, from what its seat knows and remembers."""

    def __init__(
        self, evaluator: Evaluator, sampler: Sampler, lookahead: Lookahead = _ONE_PLY, solve_end: SolveEnd | None = None
    ) -> None:
        from spieltisch.nets.search import Search  # noqa: PLC0415 - NumPy is an extra

        self.evaluator = evaluator
        self.sampler = sampler
        self.solve_end = solve_end
        self.search = Search(evaluator, lookahead, sampler)

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        return self.evaluate(seen, clock).chosen

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """Every seat's expected share of the victory after each choice; the exact one if the end can be solved."""
        game, setup = self.evaluator.game, seen.view.setup
        view = game.recall(seen.view, seen.heard)
        needed = self.search.lookahead.worlds
        imagined = 1 if needed == 1 and self.solve_end is None else max(_EQUAL, needed)
        worlds = [game.imagine(view, self.sampler) for _ in range(imagined)]
        certain = imagined > 1 and all(world == worlds[0] for world in worlds)
        if certain and self.solve_end and (exact := self.solve_end(worlds[0], clock)):
            return exact
        turns = self.search.choices(setup, worlds[: 1 if certain else needed])
        estimates = [Estimate(turn.actions[0], tuple(turn.shares), score=turn.lead(turn.mover)) for turn in turns]
        return Estimates(Scale.VICTORY, estimates, estimates[0].action)


def net_maker(game: AnyGame, path: Path, solve_end: SolveEnd | None = None, *, deep: bool = False) -> MakePlayer:
    """The factory of players on a net's weights; BadWeights says what does not fit, MissingExtra if NumPy is missing.

    A deep one searches as far as the game's net says, and solves the end if it can.
    """
    net = registry.net(game)
    from spieltisch.nets.evaluator import load_evaluator  # noqa: PLC0415 - NumPy is an extra

    evaluator = load_evaluator(game.for_simulation, path)
    if net is None or not deep:
        return lambda sampler: NetPlayer(evaluator, sampler)
    return lambda sampler: NetPlayer(evaluator, sampler, net.lookahead, solve_end)
