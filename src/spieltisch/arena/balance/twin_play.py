"""Balance from random self-play on a game's twin, a batch of deals at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.arena.balance.measure import Balance, shown
from spieltisch.arena.balance.self_play import COPIES, Copies, Noted, Notes, equals
from spieltisch.core.game import AnyGame, Over, Setup
from spieltisch.core.twin import AnyTwin, Kind

PLAYER: Final = "random"
_DEALS: Final = 1024  # at once
_UNHEARD: Final = 16  # steps between two looks whether all are over


class _Played(NamedTuple):
    """Games side by side, so far."""

    batch: Any
    decisions: Any  # int32[games]
    draws: Any  # int32[games]
    done: Any  # int32[games, seats, actions]: how often each seat took each action
    began: Any  # how many steps were made


def balance_on_twin(
    game: AnyGame,
    setup: Mapping[str, Any],
    *,
    deals: int,
    seed: int = 0,
    store: Notes | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Balance:
    """What so many deals between random players show; as `balance`, with other luck.

    The seat that begins counts as the first one, whoever that is. NoTwin where the game has none.
    """
    terms = equals(game, setup, PLAYER, seed)._replace(first=0, code=("twin",))
    agreed = game.agree(terms.players, terms.edition, dict(terms.options), 0, terms.rules)
    twin = registry.twin(game, agreed)
    if twin is None:
        raise registry.no_twin(game)
    played = store.begin(terms) if store else {}
    play = _player(game, agreed, twin)
    for begin in range(0, deals, _DEALS):
        numbers = range(begin, begin + _DEALS)
        if watch:
            watch(begin, deals)
        if all(number in played for number in numbers[: deals - begin]):
            continue
        began = time.perf_counter()
        noted = _noted(game, agreed, twin, play(seed, begin // _DEALS))
        each = (time.perf_counter() - began) / _DEALS
        for number, pair in zip(numbers, noted, strict=True):
            if store and number not in played:
                store.add(Copies(number, pair, each))
            played[number] = Copies(number, pair, each)
    return shown(terms, [played[number] for number in range(deals)])


def _player(game: AnyGame, setup: Setup, twin: AnyTwin) -> Callable[[int, int], _Played]:
    """Plays deals from the first draw to the end, by two seeds: copies of a deal have the same luck, draw by draw."""
    import jax  # noqa: PLC0415 - an extra
    import jax.numpy as jnp  # noqa: PLC0415

    from spieltisch.twins.arrays import tree_where  # noqa: PLC0415
    from spieltisch.twins.prng import random_below  # noqa: PLC0415

    rows = jnp.arange(COPIES * _DEALS)

    def word(luck: Any, deal: Any, number: Any) -> Any:
        return jax.random.bits(jax.random.fold_in(jax.random.fold_in(luck, deal), number))

    def step(number: Any, played: _Played, luck: Any, dice: Any) -> _Played:
        batch, decisions, draws, done, began = played
        kind, seat, legal, weights = twin.kind(batch), twin.seat(batch), twin.legal(batch), twin.weights(batch)
        deciding, chance = kind == Kind.DECISION, kind == Kind.CHANCE
        action = by_lot(legal.astype(jnp.uint32), jax.random.bits(jax.random.fold_in(dice, began + number), rows.shape))
        drawn = by_lot(weights.astype(jnp.uint32), jax.vmap(word, (None, 0, 0))(luck, rows % _DEALS, draws))
        chosen, other = twin.step(batch, action), twin.draw(batch, drawn)
        batch = tree_where(deciding, chosen, tree_where(chance, other, batch))
        draws += chance & ((weights > 0).sum(1) > 1)
        done = done.at[rows, seat, action].add(deciding.astype(jnp.int32))
        return _Played(batch, decisions + deciding, draws, done, began)

    def by_lot(weights: Any, word: Any) -> Any:
        """A place by lot, as often as it weighs."""
        bounds = jnp.cumsum(weights, 1)
        ticket = random_below(bounds[:, -1], word)
        return (bounds > ticket[:, None]).argmax(1).astype(jnp.int32)

    @partial(jax.jit, donate_argnums=0)
    def some_steps(played: _Played, luck: Any, dice: Any) -> _Played:
        played = jax.lax.fori_loop(0, _UNHEARD, lambda number, kept: step(number, kept, luck, dice), played)
        return played._replace(began=played.began + _UNHEARD)

    def play(seed: int, part: int) -> _Played:
        luck, dice = jax.random.split(jax.random.fold_in(jax.random.key(seed), part))
        counts = jnp.zeros(len(rows), jnp.int32)
        done = jnp.zeros((len(rows), setup.players, len(twin.actions)), jnp.int32)
        batch = twin.pack([game.initial(setup)] * len(rows))
        played = _Played(batch, counts, counts + 0, done, jnp.int32(0))
        while (twin.kind(played.batch) != Kind.OVER).any():
            played = some_steps(played, luck, dice)
        return played

    return play


def _noted(game: AnyGame, setup: Setup, twin: AnyTwin, played: _Played) -> list[tuple[Noted, ...]]:
    """The games of each deal; how they ended, the rules say."""
    decisions, draws = np.asarray(played.decisions), np.asarray(played.draws)
    counts = _counted(game, setup, twin, played)
    games = []
    for row, state in enumerate(twin.unpack(played.batch)):
        end = game.pending(state)
        assert isinstance(end, Over)
        ranks, scores, ending = end.outcome.ranks, end.outcome.scores, end.outcome.ending
        games.append(
            Noted(
                shares=tuple((rank == 1) / ranks.count(1) for rank in ranks),
                scores=tuple(scores),
                decisions=int(decisions[row]),
                draws=int(draws[row]),
                ending=ending,
                counts=tuple((thing, tuple(map(int, numbers[row]))) for thing, numbers in counts.items()),
            )
        )
    return [tuple(games[number + copy * _DEALS] for copy in range(COPIES)) for number in range(_DEALS)]


def _counted(game: AnyGame, setup: Setup, twin: AnyTwin, played: _Played) -> Mapping[str, NDArray[Any]]:
    count = registry.twin_counts(game)
    if count is None:
        return {}
    viewers = twin.asarray([0] * len(played.decisions))
    end = {name: np.asarray(array) for name, array in twin.features(played.batch, viewers).items()}
    return count(setup, twin.actions, np.asarray(played.done), end)
