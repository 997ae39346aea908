"""Looking ahead from an imagined state: what ends are worth, and where a position leads."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final, TypeAlias

from spieltisch.core.game import AnyGame, Chance, Outcome, Over, Sampler
from spieltisch.core.player import Knowledge

AnyKnowledge: TypeAlias = Knowledge[Any, Any]
Values: TypeAlias = list[float]  # how much of a victory every seat may hope for, all together 1

_LOG3: Final = 1.0986122886681098
_SCORE: Final = 0.15  # how much the scores count beside who has won: a narrow defeat is better than a clear one


def hopes(points: Sequence[float], scale: float) -> Values:
    """How likely each seat is to win with such points to expect: a lead of `scale` wins three of four."""
    best = max(points)
    shares = [exp((own - best) * _LOG3 / scale) for own in points]
    whole = sum(shares)
    return [share / whole for share in shares]


def worth(outcome: Outcome, scale: float) -> Values:
    """What an end is worth to every seat: its share of the victory above all, and a little for the scores."""
    winners = outcome.ranks.count(1)
    hope = hopes([float(score) for score in outcome.scores], scale)
    return [
        (1.0 - _SCORE) * (1.0 / winners if rank == 1 else 0.0) + _SCORE * likely
        for rank, likely in zip(outcome.ranks, hope, strict=True)
    ]


def draw(chance: Chance[Any], sampler: Sampler) -> Any:
    """What chance brings up; a judge who may say anything says what comes first: that all is well."""
    if len(chance.actions) == 1 or chance.judged:
        return chance.actions[0]
    return sampler.choices(chance.actions, chance.weights)[0]


def play_out(game: AnyGame, knowledge: AnyKnowledge, state: Any, sampler: Sampler, until: int | None = None) -> Values:
    """What a position is worth to every seat, by an estimate after some quick play, or at the end of the game.

    Play goes on until the position is settled; with `until`, first until it is that seat's turn again. A judge is asked
    about that seat's own turn only.
    """
    waiting, turn = until is not None, until
    while not isinstance(pending := game.pending(state), Over):
        if isinstance(pending, Chance):
            state = game.apply(state, draw(pending, sampler))
            continue
        if pending.seat != turn:
            turn = pending.seat
            game = game.for_replay
            waiting = waiting and turn != until
        if knowledge.can_evaluate and not waiting and knowledge.is_quiescent(state):
            return hopes(knowledge.evaluate(state), knowledge.scale)
        choose = knowledge.own_turn_action if turn == until and waiting else knowledge.rollout_action
        state = game.apply(state, choose(state, pending.actions, sampler))
    return worth(pending.outcome, knowledge.scale)
