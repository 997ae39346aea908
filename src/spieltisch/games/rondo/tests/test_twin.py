"""The twin of Rondo, checked against the rules."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.support.twins import Resampling, check_random_games, compile_rollout, kernel_rollout, rows_of

from spieltisch import registry
from spieltisch.core.game import Chance, Decision, Over
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.state import COLOURS, DRAWS, count
from spieltisch.games.rondo.twin import TWIN
from spieltisch.testing.conformance import seeded
from spieltisch.testing.odds import check_odds
from spieltisch.twins.arrays import tree_where

GOLDEN = Path(__file__).parent / "golden"
SETTINGS = [(3, "red"), (4, "blue")]  # all others: make prove-twins
GAMES = 256  # one size for all tests, so that a twin is compiled once


@cache
def rollout():
    return compile_rollout(twin_of(*SETTINGS[0]))


def twin_of(players=2, edition="blue", first=0):
    return registry.twin(GAME, GAME.agree(players, edition, first=first))


def some_states(setup, count):
    """Random states from all phases of a game."""
    states = []
    for seed in range(count):
        dice, state = Random(seed), GAME.initial(setup)
        for _ in range(dice.randrange(260)):
            pending = GAME.pending(state)
            if isinstance(pending, Over):
                break
            state = GAME.apply(state, dice.choice(pending.actions))
        states.append(state)
    return states


@pytest.mark.parametrize(("players", "edition"), SETTINGS)
def test_law_12_holds_at_every_state(players, edition):
    assert check_random_games(GAME, twin_of(players, edition, players - 1), games=4) > 600


def test_law_12_holds_on_a_small_board_whose_games_end_in_every_way():
    """Three fields in a row: chains are short, the board is soon full, and those with five stones must pass."""
    fields = {"A": {"colour": "P", "value": 900}, "B": {"colour": "B", "value": 2}, "D": {"colour": "R", "value": 1000}}
    board = {
        "cells": list(fields),
        "adjacency": {"C": ["A"], "A": ["C", "B"], "B": ["A", "D"], "D": ["B"]},
        "grey": ["D"],
        "sides": {"blue": fields, "red": fields},
    }
    twin = registry.twin(GAME, GAME.agree(3, options={"board": json.dumps(board)}, first=1))
    assert check_random_games(GAME, twin, games=12) > 100
    batch, ended, play = twin.init(jax.random.key(0), 64), np.zeros(64, int), compile_rollout(twin)
    for number in range(20):
        batch, finished = play(batch, jax.random.key(number), 5)
        ended += np.asarray(finished).astype(int)
        assert all(isinstance(GAME.pending(state), Decision) for state in twin.unpack(batch))
    assert ended.min() > 3


def test_a_board_with_too_many_fields_is_refused():
    names = [f"F{number}" for number in range(65)]
    around = {name: [names[n - 1] if n else "C", *names[n + 1 : n + 2]] for n, name in enumerate(names)}
    side = {name: {"colour": "P", "value": 1} for name in names}
    board = {"cells": names, "adjacency": {"C": ["F0"], **around}, "grey": ["F3"], "sides": {"blue": side}}
    with pytest.raises(ValueError, match="64 fields"):
        TWIN(GAME.agree(2, options={"board": json.dumps(board)}))


def test_ids_are_frozen():
    for edition in ("blue", "red"):
        twin = twin_of(2, edition)
        state = GAME.initial(twin.setup)
        lines = [f"{number} {GAME.write(state, action)}" for number, action in enumerate(twin.actions)]
        assert "\n".join(lines) + "\n" == (GOLDEN / f"ids-{edition}.txt").read_text(encoding="utf-8")


def after_draws(state):
    """Every state that the draws pending here can lead to."""
    return [end for end, _ in weighted_ends(state)]


def weighted_ends(state):
    """Every state that the draws pending here can lead to, with its odds."""
    pending = GAME.pending(state)
    if not isinstance(pending, Chance):
        return [(state, 1.0)]
    return [
        (end, share * weight / sum(pending.weights))
        for action, weight in zip(pending.actions, pending.weights, strict=True)
        for end, share in weighted_ends(GAME.apply(state, action))
    ]


def test_rows_are_independent():
    twin = twin_of(*SETTINGS[0])
    batch, others = (twin.init(jax.random.key(number), GAMES) for number in (1, 2))
    kept = np.arange(GAMES) % 3 == 0
    mixed = tree_where(kept, batch, others)
    batch, mixed = (rollout()(each, jax.random.key(3), 40)[0] for each in (batch, mixed))
    assert twin.unpack(rows_of(batch, kept)) == twin.unpack(rows_of(mixed, kept))


def test_a_rollout_follows_the_rules():
    """And its games are as long as those of the rules."""
    twin, steps, ended, watched_ends = twin_of(*SETTINGS[0]), 0, 0, 0
    batch, watched = twin.init(jax.random.key(1), GAMES), np.arange(3)
    before = twin.unpack(rows_of(batch, watched))
    for number in range(160):
        some = 1 if number < 120 else 12
        batch, finished = rollout()(batch, jax.random.key(number), some)
        steps, ended = steps + some, ended + int(finished.sum())
        if some == 1:
            after = twin.unpack(rows_of(batch, watched))
            for state, following, over in zip(before, after, finished.tolist()[:3], strict=True):
                check_choice(twin, state, following, over)
                watched_ends += over
            before = after
    assert watched_ends
    lengths = [length_by_the_rules(twin.setup, seed) for seed in range(60)]
    assert abs(GAMES * steps / (ended + GAMES / 2) / (sum(lengths) / 60) - 1) < 0.05


def check_choice(twin, state, following, over):
    reached = [end for action in GAME.pending(state).actions for end in after_draws(GAME.apply(state, action))]
    if over:
        assert any(isinstance(GAME.pending(each), Over) for each in reached)
        assert following == dealt_like(twin.setup, following.racks)
    else:
        assert following in reached


def dealt_like(setup, racks):
    """The state after a deal that brings these racks."""
    state = GAME.initial(setup)
    while isinstance(GAME.pending(state), Chance):
        missing = [
            colour for colour in COLOURS if count(state.racks[state.seat], colour) < count(racks[state.seat], colour)
        ]
        state = GAME.apply(state, DRAWS[missing[0]])
    return state


def length_by_the_rules(setup, seed):
    dice, state, count = Random(seed), GAME.initial(setup), 0
    while not isinstance(pending := GAME.pending(state), Over):
        if isinstance(pending, Chance):
            (action,) = dice.choices(pending.actions, pending.weights)
        else:
            action, count = dice.choice(pending.actions), count + 1
        state = GAME.apply(state, action)
    return count


def test_choices_and_draws_of_a_rollout_have_the_right_odds():
    twin, rounds = twin_of(*SETTINGS[0]), 32
    state = next(
        state for state in some_states(twin.setup, 60) if isinstance(GAME.pending(state), Decision) and state.covered
    )
    batch = jax.tree.map(lambda leaf: jnp.repeat(leaf, GAMES), twin.pack([state]))
    reached = [end for key in range(rounds) for end in twin.unpack(rollout()(batch, jax.random.key(key), 1)[0])]
    odds, counts, actions = {}, {}, GAME.pending(state).actions
    for action in actions:
        for end, share in weighted_ends(GAME.apply(state, action)):
            odds[end] = odds.get(end, 0) + share / len(actions)
    for each in reached:
        counts[each] = counts.get(each, 0) + 1
    assert set(counts) <= set(odds)
    likely = {end: share * len(reached) for end, share in odds.items() if share * len(reached) >= 5}
    square = sum((counts.get(end, 0) - mean) ** 2 / mean for end, mean in likely.items())
    assert square < len(likely) + 6 * (2 * len(likely)) ** 0.5 + 10


def test_a_kernel_plays_the_same_games():
    """Other games are compared by `bench/gpu.py`, on a GPU."""
    twin = twin_of(*SETTINGS[0])
    batch, key, steps = twin.init(jax.random.key(5), GAMES), jax.random.key(6), 162
    one, other = rollout()(batch, key, steps), kernel_rollout(twin, batch, key, steps)
    assert int(one[1].sum()) >= 256
    assert jax.tree.all(jax.tree.map(np.array_equal, one, other))


def test_observations_say_what_the_view_says():
    players, edition = SETTINGS[1]
    twin = twin_of(players, edition)
    states = some_states(twin.setup, 48)
    viewers = [number % players for number in range(48)]
    found = {name: array.tolist() for name, array in twin.observe(twin.pack(states), jnp.array(viewers)).items()}
    for row, (state, viewer) in enumerate(zip(states, viewers, strict=True)):
        view = GAME.observe(state, viewer)
        order = [(viewer + n) % players for n in range(players)]
        names = [field.name for field in view.fields]
        assert found["face_up"][row] == [field.face_up for field in view.fields]
        assert found["bridges"][row] == [0 if f.bridge is None else 1 + order.index(f.bridge) for f in view.fields]
        assert found["colours"][row] == [LETTERS.index(f.hidden) + 1 if f.hidden else 0 for f in view.fields]
        assert found["open"][row] == [name in view.open for name in names]
        assert found["racks"][row] == [list(view.racks[seat].stones or [-1] * 5) for seat in order]
        assert found["sizes"][row] == [view.racks[seat].size for seat in order]
        assert found["scores"][row] == [view.scores[seat] for seat in order]
        assert found["bag"][row] == view.bag.size
        assert found["drawing"][row] == view.drawing
        assert found["last"][row] == (names.index(view.last) + 1 if view.last else 0)
        assert found["gained"][row] == view.gained
        assert found["cause"][row] == ("", "grey", "bag").index(view.cause)
        assert found["seat"][row] == order.index(view.seat)


def test_resampled_states_look_like_the_view():
    twin = twin_of(*SETTINGS[0])
    for number, state in enumerate(some_states(twin.setup, 12)):
        for viewer in (0, 2, None):
            view = GAME.observe(state, viewer)
            for world in twin.unpack(twin.resample(view, jax.random.key(number), 6)):
                assert GAME.observe(world, viewer) == view


@pytest.mark.parametrize("steps", [4, 7, 9])
def test_resampled_states_have_the_odds_of_imagined_ones(steps):
    game = Resampling(GAME, twin_of())
    assert check_odds(game, game.agree(), seeded(3), steps=steps, samples=1024) > 1
