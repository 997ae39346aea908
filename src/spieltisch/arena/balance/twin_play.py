"""Balance from random self-play on a game's twin, a batch of deals at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from spieltisch import registry
from spieltisch.arena.balance.measure import Balance, summarize
from spieltisch.arena.balance.self_play import COPIES, BalanceLog, DuplicateDeal, GameStats
from spieltisch.arena.config import make_self_play_config
from spieltisch.core.game import AnyGame, Over, Setup
from spieltisch.core.twin import AnyTwin, Kind

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError:
    raise registry.missing_twins() from None

PLAYER: Final = "random"
_BATCH: Final = 1024  # deals per batch
_STEPS_PER_CHECK: Final = 16  # steps between two checks whether all games are over


class _BatchState(NamedTuple):
    """A batch of games under way, with its counters."""

    batch: Any
    decisions: Any  # int32[games]
    draws: Any  # int32[games]
    actions: Any  # int32[games, seats, actions]: how often each seat took each action
    steps: Any  # int32: made so far


def measure_balance_on_twin(
    game: AnyGame,
    setup: Mapping[str, Any],
    *,
    deals: int,
    seed: int = 0,
    log: BalanceLog | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Balance:
    """Like `measure_balance` for random players, but on the twin and with other draws; NoTwin if there is none.

    Seat 0 starts every game.
    """
    config = make_self_play_config(game, setup, PLAYER, seed)._replace(first=0, code=("twin",))
    agreed = game.agree(config.players, config.edition, dict(config.options), 0, config.rules)
    twin = registry.twin(game, agreed)
    if twin is None:
        raise registry.no_twin(game)
    played = log.open(config) if log else {}
    play_batch = _make_play_batch(game, agreed, twin)
    for first in range(0, deals, _BATCH):
        numbers = range(first, first + _BATCH)
        if progress:
            progress(first, deals)
        if all(number in played for number in numbers[: deals - first]):
            continue
        started = time.perf_counter()
        games = _collect_stats(game, agreed, twin, play_batch(seed, first // _BATCH))
        seconds = (time.perf_counter() - started) / _BATCH
        for number, copies in zip(numbers, games, strict=True):
            if log and number not in played:
                log.add(DuplicateDeal(number, copies, seconds))
            played[number] = DuplicateDeal(number, copies, seconds)
    return summarize(config, [played[number] for number in range(deals)])


def _make_play_batch(game: AnyGame, setup: Setup, twin: AnyTwin) -> Callable[[int, int], _BatchState]:
    """A compiled function that plays a batch of deals to the end, from a seed and the number of the batch.

    The copies of a deal have the same random numbers for chance, draw by draw, and different ones for the players.
    """
    import jax  # noqa: PLC0415 - an extra
    import jax.numpy as jnp  # noqa: PLC0415

    from spieltisch.twins.arrays import tree_where  # noqa: PLC0415
    from spieltisch.twins.prng import random_below  # noqa: PLC0415

    rows = jnp.arange(COPIES * _BATCH)

    def draw_bits(chance_key: Any, deal: Any, number: Any) -> Any:
        return jax.random.bits(jax.random.fold_in(jax.random.fold_in(chance_key, deal), number))

    def step(number: Any, state: _BatchState, chance_key: Any, player_key: Any) -> _BatchState:
        batch, decisions, draws, actions, steps = state
        kind, seat, legal, weights = twin.kind(batch), twin.seat(batch), twin.legal(batch), twin.weights(batch)
        is_decision, is_chance = kind == Kind.DECISION, kind == Kind.CHANCE
        player_bits = jax.random.bits(jax.random.fold_in(player_key, steps + number), rows.shape)
        chance_bits = jax.vmap(draw_bits, (None, 0, 0))(chance_key, rows % _BATCH, draws)
        action = sample_index(legal.astype(jnp.uint32), player_bits)
        outcome = sample_index(weights.astype(jnp.uint32), chance_bits)
        after_action, after_draw = twin.step(batch, action), twin.draw(batch, outcome)
        batch = tree_where(is_decision, after_action, tree_where(is_chance, after_draw, batch))
        draws += is_chance & ((weights > 0).sum(1) > 1)
        actions = actions.at[rows, seat, action].add(is_decision.astype(jnp.int32))
        return _BatchState(batch, decisions + is_decision, draws, actions, steps)

    def sample_index(weights: Any, bits: Any) -> Any:
        """A random index per row, with odds in proportion to the weights."""
        cumulative = jnp.cumsum(weights, 1)
        ticket = random_below(cumulative[:, -1], bits)
        return (cumulative > ticket[:, None]).argmax(1).astype(jnp.int32)

    @partial(jax.jit, donate_argnums=0)
    def run_steps(state: _BatchState, chance_key: Any, player_key: Any) -> _BatchState:
        state = jax.lax.fori_loop(
            0, _STEPS_PER_CHECK, lambda number, state: step(number, state, chance_key, player_key), state
        )
        return state._replace(steps=state.steps + _STEPS_PER_CHECK)

    def play_batch(seed: int, number: int) -> _BatchState:
        chance_key, player_key = jax.random.split(jax.random.fold_in(jax.random.key(seed), number))
        counts = jnp.zeros(len(rows), jnp.int32)
        actions = jnp.zeros((len(rows), setup.players, len(twin.actions)), jnp.int32)
        batch = twin.pack([game.initial(setup)] * len(rows))
        state = _BatchState(batch, counts, counts + 0, actions, jnp.int32(0))  # + 0: donated buffers must differ
        while (twin.kind(state.batch) != Kind.OVER).any():
            state = run_steps(state, chance_key, player_key)
        return state

    return play_batch


def _collect_stats(game: AnyGame, setup: Setup, twin: AnyTwin, end: _BatchState) -> list[tuple[GameStats, ...]]:
    """The games of each deal; their outcomes come from the rules."""
    decisions, draws = np.asarray(end.decisions), np.asarray(end.draws)
    counts = _counts(game, setup, twin, end)
    games = []
    for row, state in enumerate(twin.unpack(end.batch)):
        pending = game.pending(state)
        assert isinstance(pending, Over)
        ranks, scores, ending = pending.outcome.ranks, pending.outcome.scores, pending.outcome.ending
        games.append(
            GameStats(
                shares=tuple((rank == 1) / ranks.count(1) for rank in ranks),
                scores=tuple(scores),
                decisions=int(decisions[row]),
                draws=int(draws[row]),
                ending=ending,
                counts=tuple((name, tuple(map(int, numbers[row]))) for name, numbers in counts.items()),
            )
        )
    return [tuple(games[number + copy * _BATCH] for copy in range(COPIES)) for number in range(_BATCH)]


def _counts(game: AnyGame, setup: Setup, twin: AnyTwin, end: _BatchState) -> Mapping[str, NDArray[Any]]:
    count = registry.twin_counts(game)
    if count is None:
        return {}
    viewers = twin.asarray([0] * len(end.decisions))
    features = {name: np.asarray(array) for name, array in twin.observe(end.batch, viewers).items()}
    return count(setup, twin.actions, np.asarray(end.actions), features)
