"""Conformance of twins (law 12): a twin agrees with the rules at every state of a batch of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from spieltisch.core.game import A, Chance, Decision, Game, Over, Pending, S, V
from spieltisch.core.twin import Kind, Twin
from spieltisch.testing.conformance import Chooser, Walk

T = TypeVar("T")


def check_twin(game: Game[S, A, V], twin: Twin[S, A, V, Any], choosers: Sequence[Chooser]) -> int:
    """Plays a batch of games, one per chooser, and checks the twin against law 12; returns the number of states."""
    states, walks = 0, [Walk(game, twin.setup, choose) for choose in choosers]
    ids = {action: number for number, action in enumerate(twin.actions)}
    if len(ids) != len(twin.actions):
        raise walks[0].broken(12, "an action has two ids")
    while walks:
        pending = [game.pending(walk.state) for walk in walks]
        states += len(walks)
        _check_states(twin, ids, walks, pending, len(choosers))
        _check_steps(twin, ids, walks, pending, 8 * len(choosers))
        going_on = [(walk, what) for walk, what in zip(walks, pending, strict=True) if not isinstance(what, Over)]
        for walk, what in going_on:
            walk.play(what)
        walks = [walk for walk, _ in going_on]
    return states


def _check_states(
    twin: Twin[S, A, V, Any],
    ids: dict[A, int],
    walks: Sequence[Walk[S, A, V]],
    pending: Sequence[Pending[A]],
    size: int,
) -> None:
    """Law 12 for everything that the twin computes from a state."""
    batch = twin.pack([walk.state for walk in _pad(walks, size)])
    states = twin.unpack(batch)
    arrays: tuple[Any, ...] = (
        *(twin.kind(batch), twin.seat(batch), twin.legal(batch), twin.weights(batch)),
        *(twin.scores(batch), twin.ranks(batch)),
    )
    kinds, seats, legal, weights, scores, ranks = (array.tolist() for array in arrays)
    for row, (walk, what) in enumerate(zip(walks, pending, strict=True)):
        actions = () if isinstance(what, Over) else what.actions
        if states[row] != walk.state:
            raise walk.broken(12, "unpack(pack(state)) is another state")
        if [number for number, allowed in enumerate(legal[row]) if allowed] != sorted(
            ids[action] for action in actions
        ):
            raise walk.broken(12, "other actions are legal")
        if kinds[row] != (Kind.DECISION, Kind.CHANCE, Kind.OVER)[(Decision, Chance, Over).index(type(what))]:
            raise walk.broken(12, "something else is pending")
        if isinstance(what, Decision) and seats[row] != what.seat:
            raise walk.broken(12, "another seat decides")
        odds = dict(zip(actions, what.weights, strict=True)) if isinstance(what, Chance) else {}
        if weights[row] != [odds.get(twin.actions[number], 0) for number in twin.outcomes]:
            raise walk.broken(12, "chance has other odds")
        if isinstance(what, Over) and (scores[row], ranks[row]) != (
            list(what.outcome.scores),
            list(what.outcome.ranks),
        ):
            raise walk.broken(12, "another outcome")


def _check_steps(
    twin: Twin[S, A, V, Any],
    ids: dict[A, int],
    walks: Sequence[Walk[S, A, V]],
    pending: Sequence[Pending[A]],
    size: int,
) -> None:
    """Law 12 for the state after every pending action, in batches of one size."""
    steps = [
        (walk, action)
        for walk, what in zip(walks, pending, strict=True)
        if not isinstance(what, Over)
        for action in what.actions
    ]
    for start in range(0, len(steps), size):
        some = _pad(steps[start : start + size], size)
        batch = twin.pack([walk.state for walk, _ in some])
        after = twin.unpack(twin.step(batch, twin.asarray([ids[action] for _, action in some])))
        for (walk, action), state in zip(some, after, strict=True):
            if state != walk.game.apply(walk.state, action):
                raise walk.broken(12, f"{walk.game.write(walk.state, action)} leads to another state")


def _pad(items: Sequence[T], size: int) -> list[T]:
    """The items, with the last one repeated up to a fixed size, so that the twin is compiled only once."""
    return [*items, *[items[-1]] * (size - len(items))]
