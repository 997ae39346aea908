"""Law 10's odds: whether imagined states come up as often as chance makes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from spieltisch.core.game import A, Chance, Decision, Game, Heard, Over, S, Setup, V, Viewer
from spieltisch.testing.conformance import Chooser, Walk, viewer_name


def check_odds(
    game: Game[S, A, V],
    setup: Setup,
    choose: Chooser,
    *,
    steps: int,
    samples: int = 2000,
    max_states: int = 2000,
    seed: int = 1,
) -> int:
    """Law 10's odds: plays some steps and compares samples of `imagine` with all states consistent with each view.

    Returns the largest number of such states. Stops early before there are more than `max_states`. The samples come from
    a fixed seed, so that the result is deterministic.
    """
    walk = Walk(game, setup, choose)
    possible: dict[Viewer, dict[S, Fraction]] = {viewer: {walk.state: Fraction(1)} for viewer in walk.viewers}
    views = {viewer: game.observe(walk.state, viewer) for viewer in walk.viewers}
    for _ in range(steps):
        pending = walk.pending()
        if isinstance(pending, Over):
            break
        walk.play(pending)
        after = {viewer: _update(game, possible[viewer], viewer, walk.heard[viewer][-1]) for viewer in possible}
        if max(map(len, after.values())) > max_states or isinstance(walk.pending(), Over):
            break
        possible = after
        views = {viewer: game.recall(game.observe(walk.state, viewer), walk.heard[viewer]) for viewer in views}
    for viewer, odds in possible.items():
        sampler = Random(seed)
        counts = Counter(game.imagine(views[viewer], sampler) for _ in range(samples))
        problem = _compare_odds(odds, counts)
        if problem:
            raise walk.broken(10, f"imagine gives {viewer_name(viewer)} {problem}")
    return max(map(len, possible.values()))


def _update(game: Game[S, A, V], possible: dict[S, Fraction], viewer: Viewer, witnessed: Heard) -> dict[S, Fraction]:
    """Bayesian update: the weights of the possible states after a viewer has witnessed one more action.

    Draws are weighted by their odds; choices of others only by the number of ways to carry them out.
    """
    after: dict[S, Fraction] = {}
    for state, odds in possible.items():
        pending = game.pending(state)
        if isinstance(pending, Over) or (pending.seat if isinstance(pending, Decision) else None) != witnessed.seat:
            continue
        for action, weight in _weighted(game, state, pending):
            if game.witness(state, action, viewer) == witnessed.text:
                following = game.apply(state, action)
                after[following] = after.get(following, Fraction(0)) + odds * weight
    return after


def _weighted(game: Game[S, A, V], state: S, pending: Decision[A] | Chance[A]) -> Iterator[tuple[A, Fraction]]:
    if isinstance(pending, Decision):
        return ((action, Fraction(game.multiplicity(state, action))) for action in pending.actions)
    total = sum(pending.weights)
    return ((action, Fraction(weight, total)) for action, weight in zip(pending.actions, pending.weights, strict=True))


def _compare_odds(odds: dict[S, Fraction], counts: Counter[S]) -> str | None:
    """What is wrong with the samples: an impossible state, or a χ² that a fair sampler reaches once in a billion."""
    if not counts.keys() <= odds.keys():
        return "an impossible state"
    samples, total = counts.total(), sum(odds.values())
    expected = {state: float(samples * weight / total) for state, weight in odds.items()}
    groups = [(expected[state], counts[state]) for state in odds if expected[state] >= 5]
    rare = [state for state in odds if expected[state] < 5]
    if (rare_expected := sum(expected[state] for state in rare)) >= 5:
        groups.append((rare_expected, sum(counts[state] for state in rare)))
    statistic = sum((count - mean) ** 2 / mean for mean, count in groups)
    freedom = max(1, len(groups) - 1)
    limit = freedom * (1 - 2 / (9 * freedom) + 6 * (2 / (9 * freedom)) ** 0.5) ** 3  # Wilson and Hilferty, 6 σ
    return f"states with wrong odds: χ² {statistic:.0f}, at most {limit:.0f} expected" if statistic > limit else None
