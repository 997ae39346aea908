"""Law 12 as a check that anybody can run: a twin agrees with the rules, at every state of many games side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from spieltisch.core.game import A, Chance, Decision, Game, Over, Pending, S, V
from spieltisch.core.twin import Kind, Twin
from spieltisch.testing.conformance import Chooser, Walk

T = TypeVar("T")


def check_twin(game: Game[S, A, V], twin: Twin[S, A, V, Any], choosers: Sequence[Chooser]) -> int:
    """Plays a game for each chooser side by side and holds a twin against law 12; answers how many states it met."""
    met, walks = 0, [Walk(game, twin.setup, choose) for choose in choosers]
    ids = {action: number for number, action in enumerate(twin.actions)}
    if len(ids) != len(twin.actions):
        raise walks[0].broken(12, "an action has two ids")
    while walks:
        pending = [game.pending(walk.state) for walk in walks]
        met += len(walks)
        _check_asked(twin, ids, walks, pending, len(choosers))
        _check_steps(twin, ids, walks, pending, 8 * len(choosers))
        going_on = [(walk, what) for walk, what in zip(walks, pending, strict=True) if not isinstance(what, Over)]
        for walk, what in going_on:
            walk.play(what)
        walks = [walk for walk, _ in going_on]
    return met


def _check_asked(
    twin: Twin[S, A, V, Any],
    ids: dict[A, int],
    walks: Sequence[Walk[S, A, V]],
    pending: Sequence[Pending[A]],
    room: int,
) -> None:
    """Law 12 for what a twin says of states."""
    batch = twin.pack([walk.state for walk in _filled(walks, room)])
    states = twin.unpack(batch)
    arrays: tuple[Any, ...] = (
        *(twin.kind(batch), twin.seat(batch), twin.legal(batch), twin.weights(batch)),
        *(twin.scores(batch), twin.ranks(batch)),
    )
    kinds, seats, legal, weights, scores, ranks = (array.tolist() for array in arrays)
    for row, (walk, what) in enumerate(zip(walks, pending, strict=True)):
        actions = () if isinstance(what, Over) else what.actions
        if states[row] != walk.state:
            raise walk.broken(12, "unpacking does not give back the state")
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
    room: int,
) -> None:
    """Law 12 for where every action leads, as many at a time as there is room for."""
    steps = [
        (walk, action)
        for walk, what in zip(walks, pending, strict=True)
        if not isinstance(what, Over)
        for action in what.actions
    ]
    for start in range(0, len(steps), room):
        some = _filled(steps[start : start + room], room)
        batch = twin.pack([walk.state for walk, _ in some])
        after = twin.unpack(twin.step(batch, twin.asarray([ids[action] for _, action in some])))
        for (walk, action), state in zip(some, after, strict=True):
            if state != walk.game.apply(walk.state, action):
                raise walk.broken(12, f"{walk.game.write(walk.state, action)} leads elsewhere")


def _filled(things: Sequence[T], room: int) -> list[T]:
    """The things, the last one again and again, so that a twin is compiled for one number of games."""
    return [*things, *[things[-1]] * (room - len(things))]
