"""Counting decision sequences: the classic proof that two programs know the same rules."""

from __future__ import annotations

from collections.abc import Iterator

from spieltisch.core.game import A, Chance, Decision, Game, S, V
from spieltisch.match.chance import Source


def perft(game: Game[S, A, V], state: S, depth: int, source: Source, drawn: int = 0) -> int:
    """How many sequences of so many decisions there are; a game that is over early counts as one.

    Chance does not branch: the source decides each draw by its number on the way there.
    """
    state, drawn = _settled(game, state, source, drawn)
    pending = game.pending(state)
    if depth == 0 or not isinstance(pending, Decision):
        return 1
    if depth == 1:
        return len(pending.actions)
    return sum(perft(game, game.apply(state, action), depth - 1, source, drawn) for action in pending.actions)


def divide(game: Game[S, A, V], state: S, depth: int, source: Source) -> Iterator[tuple[str, int]]:
    """The count below each first action: where two programs differ, this shows on which way."""
    state, drawn = _settled(game, state, source, 0)
    pending = game.pending(state)
    if isinstance(pending, Decision):
        for action in pending.actions:
            below = perft(game, game.apply(state, action), depth - 1, source, drawn)
            yield game.write(state, action), below


def _settled(game: Game[S, A, V], state: S, source: Source, drawn: int) -> tuple[S, int]:
    while isinstance(pending := game.pending(state), Chance):
        place = 0
        if len(pending.actions) > 1:
            place = source.pick(drawn, pending.weights)
            drawn += 1
        state = game.apply(state, pending.actions[place])
    return state, drawn
