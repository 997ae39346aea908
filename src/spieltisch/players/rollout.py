"""Rollouts from an imagined state, and the value of outcomes and positions per seat."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final, TypeAlias

from spieltisch.core.game import AnyGame, Chance, Outcome, Over, Sampler
from spieltisch.core.player import Knowledge

AnyKnowledge: TypeAlias = Knowledge[Any, Any]
Values: TypeAlias = list[float]  # the expected share of the victory per seat; they add up to 1

_TEMPERATURE: Final = 0.5  # of the softmax that turns action scores into priors, in scales of the game
_LOG3: Final = 1.0986122886681098
_SCORE_WEIGHT: Final = 0.15  # weight of the scores relative to the victory: a narrow defeat is better than a clear one


def win_probabilities(points: Sequence[float], scale: float) -> Values:
    """Softmax over the expected points per seat, in which a lead of `scale` wins three games out of four."""
    best = max(points)
    shares = [exp((own - best) * _LOG3 / scale) for own in points]
    total = sum(shares)
    return [share / total for share in shares]


def policy_priors(scores: Sequence[float], scale: float) -> list[float]:
    """Softmax over the heuristic scores of the actions: the probability of each before anything is simulated."""
    best, step = max(scores), _TEMPERATURE * scale
    weights = [exp((score - best) / step) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]


def outcome_values(outcome: Outcome, scale: float) -> Values:
    """The value of an outcome per seat: mostly its share of the victory, and a little for the scores."""
    winners = outcome.ranks.count(1)
    by_score = win_probabilities([float(score) for score in outcome.scores], scale)
    return [
        (1.0 - _SCORE_WEIGHT) * (1.0 / winners if rank == 1 else 0.0) + _SCORE_WEIGHT * likely
        for rank, likely in zip(outcome.ranks, by_score, strict=True)
    ]


def sample_chance(chance: Chance[Any], sampler: Sampler) -> Any:
    """A random action of chance; a judge who may decide anything takes the first action, which means that all is well."""
    if len(chance.actions) == 1 or chance.judged:
        return chance.actions[0]
    return sampler.choices(chance.actions, chance.weights)[0]


def rollout(game: AnyGame, knowledge: AnyKnowledge, state: Any, sampler: Sampler, until: int | None = None) -> Values:
    """The values at the end of one rollout: of the first quiescent state, or of the end of the game.

    With `until`, the rollout first goes on until it is that seat's turn again, and a judge is asked about that seat's
    own turn only.
    """
    waiting, turn = until is not None, until
    while not isinstance(pending := game.pending(state), Over):
        if isinstance(pending, Chance):
            state = game.apply(state, sample_chance(pending, sampler))
            continue
        if pending.seat != turn:
            turn = pending.seat
            game = game.for_replay
            waiting = waiting and turn != until
        if knowledge.can_evaluate and not waiting and knowledge.is_quiescent(state):
            return win_probabilities(knowledge.evaluate(state), knowledge.scale)
        policy = knowledge.own_turn_action if turn == until and waiting else knowledge.rollout_action
        state = game.apply(state, policy(state, pending.actions, sampler))
    return outcome_values(pending.outcome, knowledge.scale)
