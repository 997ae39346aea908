"""The twin of Rondo beside the rules."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.twins import Resampling, hold_against_the_law, rows_of

from spieltisch import registry
from spieltisch.conformance import check_odds, seeded
from spieltisch.game import Chance, Decision, Over
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.fast import TWIN

GOLDEN = Path(__file__).parent / "golden"
SETTINGS = [(2, "blue"), (3, "red"), (4, "blue")]


def twin_of(players=2, edition="blue", first=0):
    return registry.twin(GAME, GAME.agree(players, edition, first=first))


def some_states(setup, count):
    """States from all of a game, luck by its odds."""
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
def test_the_law_of_twins_holds_at_every_state(players, edition):
    assert hold_against_the_law(GAME, twin_of(players, edition, players - 1), games=8) > 1000


def test_the_law_holds_on_a_small_board_whose_games_end_in_every_way():
    """Three fields in a row: chains are short, the board is soon full, and those with five stones must pass."""
    fields = {"A": {"colour": "P", "value": 900}, "B": {"colour": "B", "value": 2}, "D": {"colour": "R", "value": 1000}}
    board = {
        "cells": list(fields),
        "adjacency": {"C": ["A"], "A": ["C", "B"], "B": ["A", "D"], "D": ["B"]},
        "grey": ["D"],
        "sides": {"blue": fields, "red": fields},
    }
    twin = registry.twin(GAME, GAME.agree(3, options={"board": json.dumps(board)}, first=1))
    assert hold_against_the_law(GAME, twin, games=64) > 500
    batch, finished = twin.wander(twin.fresh(jax.random.key(0), 64), jax.random.key(1), 100)
    assert finished.min() > 3
    assert all(isinstance(GAME.pending(state), Decision) for state in twin.unpack(batch))


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


def test_random_play_of_a_row_is_the_same_in_a_larger_batch():
    twin = twin_of(3)
    batch = twin.fresh(jax.random.key(2), 64)
    many, few = (twin.wander(rows_of(batch, np.arange(size)), jax.random.key(3), 150)[0] for size in (64, 8))
    assert twin.unpack(few) == twin.unpack(rows_of(many, np.arange(8)))


def after_luck(state):
    """Every state that the draws pending here can lead to."""
    pending = GAME.pending(state)
    if not isinstance(pending, Chance):
        return [state]
    return [end for action in pending.actions for end in after_luck(GAME.apply(state, action))]


def test_random_play_is_a_walk_along_the_rules():
    twin = twin_of(2, "red")
    batch, ended = twin.fresh(jax.random.key(1), 16), 0
    for number in range(130):
        after, finished = twin.wander(batch, jax.random.key(number), 1)
        for before, state, over in zip(twin.unpack(batch), twin.unpack(after), finished.tolist(), strict=True):
            reached = [end for action in GAME.pending(before).actions for end in after_luck(GAME.apply(before, action))]
            ended += over
            if over:
                assert any(isinstance(GAME.pending(each), Over) for each in reached)
                assert state in after_luck(GAME.initial(twin.setup))
            else:
                assert state in reached
        batch = after
    assert ended >= 16


def test_choices_and_draws_of_random_play_have_their_odds():
    twin, games = twin_of(), 1 << 14
    state = next(
        state for state in some_states(twin.setup, 60) if isinstance(GAME.pending(state), Decision) and state.covered
    )
    batch = jax.tree.map(lambda leaf: jnp.repeat(leaf, games), twin.pack([state]))
    reached = twin.unpack(twin.wander(batch, jax.random.key(0), 1)[0])
    odds = {}
    actions = GAME.pending(state).actions
    for action in actions:
        for end, share in weighed(GAME.apply(state, action)):
            odds[end] = odds.get(end, 0) + share / len(actions)
    assert set(reached) <= set(odds)
    counts = dict.fromkeys(odds, 0)
    for each in reached:
        counts[each] += 1
    likely = {end: share * games for end, share in odds.items() if share * games >= 5}
    square = sum((counts[end] - mean) ** 2 / mean for end, mean in likely.items())
    assert square < len(likely) + 6 * (2 * len(likely)) ** 0.5 + 10


def weighed(state):
    """Every state that the draws pending here can lead to, with its odds."""
    pending = GAME.pending(state)
    if not isinstance(pending, Chance):
        return [(state, 1.0)]
    return [
        (end, share * weight / sum(pending.weights))
        for action, weight in zip(pending.actions, pending.weights, strict=True)
        for end, share in weighed(GAME.apply(state, action))
    ]


def test_games_of_random_play_are_as_long_as_by_the_rules():
    twin, games, steps = twin_of(3), 512, 900
    _, finished = twin.wander(twin.fresh(jax.random.key(1), games), jax.random.key(2), steps)
    length = games * steps / float(finished.sum() + games / 2)
    lengths = []
    for seed in range(60):
        dice, state, count = Random(seed), GAME.initial(twin.setup), 0
        while not isinstance(pending := GAME.pending(state), Over):
            if isinstance(pending, Chance):
                (action,) = dice.choices(pending.actions, pending.weights)
            else:
                action, count = dice.choice(pending.actions), count + 1
            state = GAME.apply(state, action)
        lengths.append(count)
    assert abs(length / (sum(lengths) / 60) - 1) < 0.04


@pytest.mark.parametrize(("players", "edition"), SETTINGS)
def test_features_say_what_the_view_says(players, edition):
    twin = twin_of(players, edition)
    states = some_states(twin.setup, 48)
    viewers = [number % players for number in range(48)]
    found = {name: array.tolist() for name, array in twin.features(twin.pack(states), jnp.array(viewers)).items()}
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


def test_resampled_worlds_look_like_the_view():
    twin = twin_of(3)
    for number, state in enumerate(some_states(twin.setup, 12)):
        for viewer in (0, 2, None):
            view = GAME.observe(state, viewer)
            for world in twin.unpack(twin.resample(view, jax.random.key(number), 6)):
                assert GAME.observe(world, viewer) == view


@pytest.mark.parametrize("steps", [4, 7, 9])
def test_resampled_worlds_have_the_odds_of_imagined_ones(steps):
    game = Resampling(GAME, twin_of())
    assert check_odds(game, game.agree(), seeded(3), steps=steps, samples=1024) > 1
