"""Perft: counts decision sequences, the classic check that two programs implement the same rules."""

from __future__ import annotations

from collections.abc import Iterator

from spieltisch.core.game import A, Chance, Decision, Game, S, V
from spieltisch.gameplay.chance import Source


def perft(game: Game[S, A, V], state: S, depth: int, source: Source, draws: int = 0) -> int:
    """The number of sequences of `depth` decisions; a game that ends earlier counts as one.

    Chance does not branch: the source decides each draw by its number along the sequence.
    """
    state, draws = _resolve_chance(game, state, source, draws)
    pending = game.pending(state)
    if depth == 0 or not isinstance(pending, Decision):
        return 1
    if depth == 1:
        return len(pending.actions)
    return sum(perft(game, game.apply(state, action), depth - 1, source, draws) for action in pending.actions)


def divide(game: Game[S, A, V], state: S, depth: int, source: Source) -> Iterator[tuple[str, int]]:
    """The count per first action, which shows where two programs differ."""
    state, draws = _resolve_chance(game, state, source, 0)
    pending = game.pending(state)
    if isinstance(pending, Decision):
        for action in pending.actions:
            count = perft(game, game.apply(state, action), depth - 1, source, draws)
            yield game.write(state, action), count


def _resolve_chance(game: Game[S, A, V], state: S, source: Source, draws: int) -> tuple[S, int]:
    while isinstance(pending := game.pending(state), Chance):
        index = 0
        if len(pending.actions) > 1:
            index = source.pick(draws, pending.weights)
            draws += 1
        state = game.apply(state, pending.actions[index])
    return state, draws
