"""The player contract: what a player receives when it must choose, and what a game knows about playing well."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeAlias, runtime_checkable

from spieltisch.core.game import A, Heard, Refusal, S, Sampler, V


class CannotPlay(Refusal):
    """The player is not made for games of this setup, and says so at its first decision."""

    code: ClassVar[str] = "cannot-play"


class Seen(NamedTuple, Generic[A, V]):
    """Everything a player receives: its view, its choices, and every action as its seat has witnessed it since the start."""

    view: V
    choices: Sequence[A]
    heard: Sequence[Heard]


class Clock(NamedTuple):
    """Deadline of a decision, on the monotonic clock; None means no limit."""

    deadline: float | None = None

    def left(self) -> float:
        """The seconds left until the deadline, never negative."""
        return float("inf") if self.deadline is None else max(0.0, self.deadline - time.monotonic())


class Player(Protocol[A, V]):
    """Anything that chooses actions: a bot, a person, a connection to another process."""

    def choose(self, seen: Seen[A, V], clock: Clock) -> A:
        """One of `seen.choices`."""
        ...


class Scale(Enum):
    """What the values of an evaluation mean."""

    VICTORY = "victory"  # estimated by simulations: a seat's expected share of the victory; the seats' add up to 1
    EXACT = "exact"  # proven: a seat's share of the victory if every seat plays its best
    POINTS = "points"  # there are no values, only a heuristic score in points


class Estimate(NamedTuple, Generic[A]):
    """What a player thinks of one choice."""

    action: A
    values: tuple[float, ...] = ()  # per seat; empty if the player has not valued this choice
    visits: int | None = None  # simulations that started with it; None if the player does not simulate
    prior: float | None = None  # probability that the search started with; they add up to 1 over the choices
    score: float | None = None  # points for the seat that decides: heuristic, or its final lead if exact


class Estimates(NamedTuple, Generic[A]):
    """What a player thinks of all its choices, and the one that it takes."""

    scale: Scale
    choices: Sequence[Estimate[A]]  # the best first
    chosen: A
    simulations: int = 0


def estimate_by_score(choices: Sequence[A], scores: Sequence[float], chosen: A) -> Estimates[A]:
    """The estimates of a player that knows heuristic scores only."""
    scored = [Estimate(choice, score=float(score)) for choice, score in zip(choices, scores, strict=True)]
    scored.sort(key=lambda estimate: -(estimate.score or 0.0))
    return Estimates(Scale.POINTS, scored, chosen)


@runtime_checkable
class Evaluator(Player[A, V], Protocol[A, V]):
    """A player that can tell what it thinks of its choices."""

    def evaluate(self, seen: Seen[A, V], clock: Clock) -> Estimates[A]:
        """The estimates of `seen.choices`; `chosen` is what `choose` would return."""
        ...


AnyPlayer: TypeAlias = Player[Any, Any]
AnyEvaluator: TypeAlias = Evaluator[Any, Any]
MakePlayer: TypeAlias = Callable[[Sampler], AnyPlayer]


class Level(NamedTuple):
    """Playing strength, defined by simulations and noise instead of time, so that it is the same on every machine."""

    method: str = ""  # 'mc' (flat Monte Carlo), 'search' (tree search), or '' for the action scores alone
    simulations: int = 0
    noise: float = 0.0  # standard deviation, in points, of the error added to each action score
    max_regret: float = 0.0  # actions that score worse than the best by more points are never chosen
    memory: int | None = None  # how many of the last witnessed actions the player remembers; None for all


LEVELS: Final = (
    Level("mc", 4),
    Level("mc", 16),
    Level("mc", 64),
    Level("search", 200),
    Level("search", 600),
)  # the default for games that define no levels; level 1 comes first


class Knowledge(Generic[S, A]):
    """Domain knowledge for players that look ahead: action scores, rollout policy and static evaluation.

    This base class knows nothing: equal scores, uniformly random rollouts to the end of the game. A game provides a
    subclass as KNOWLEDGE in its knowledge.py. It is asked about imagined states only, never about the real one.
    """

    scale: float = 1.0  # lead in points with which a seat wins about three games out of four
    prior_weight: float = 1.0  # how many simulations the prior value of an action counts for
    can_evaluate: bool = False  # whether `evaluate` is implemented

    def score_actions(self, state: S, actions: Sequence[A], sampler: Sampler) -> Sequence[float]:
        """A heuristic score in points per action, for the seat to move; only the differences matter."""
        return [0.0] * len(actions)

    def skip_search(self, state: S) -> bool:
        """Whether the action scores alone decide here, because looking ahead would add nothing."""
        return False

    def rollout_action(self, state: S, actions: Sequence[A], sampler: Sampler) -> A:
        """Rollout policy: a fast and reasonable choice for any seat."""
        return actions[sampler.randrange(len(actions))]

    def own_turn_action(self, state: S, actions: Sequence[A], sampler: Sampler) -> A:
        """Rollout policy for the rest of the searching seat's current turn: slower and better."""
        return self.rollout_action(state, actions, sampler)

    def is_quiescent(self, state: S) -> bool:
        """Whether the state can be evaluated as it is, not in the middle of a turn that has yet to pay off."""
        return True

    def evaluate(self, state: S) -> Sequence[float]:
        """Static evaluation: the expected final score of every seat.

        Called only for quiescent states, and only if `can_evaluate` is true.
        """
        raise NotImplementedError

    def is_endgame(self, state: S) -> bool:
        """Whether it is worth trying to solve the rest of the game exactly."""
        return False
