"""The twin of Big Points beside the rules."""

from __future__ import annotations

from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.twins import Resampling, hold_against_the_law, rows_of

from spieltisch import registry
from spieltisch.conformance import check_odds, seeded
from spieltisch.game import Over
from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.state import LETTERS
from spieltisch.games.bigpoints.tests.positions import dealt
from spieltisch.twin import Kind

GOLDEN = Path(__file__).parent / "golden"
SETTINGS = [
    (2, "2009", {}),
    (3, "2009", {"stairs": "humble"}),
    (4, "2008", {"hands": "open"}),
    (5, "2009", {"stairs": "humble", "hands": "open"}),
]


def twin_of(players=2, edition="2009", options=None, first=0):
    return registry.twin(GAME, GAME.agree(players, edition, options, first))


@pytest.mark.parametrize(("players", "edition", "options"), SETTINGS)
def test_the_law_of_twins_holds_at_every_state(players, edition, options):
    hold_against_the_law(GAME, twin_of(players, edition, options, players - 1), games=24)


def test_ids_are_frozen():
    twin = twin_of()
    state = GAME.initial(twin.setup)
    lines = [f"{number} {GAME.write(state, action)}" for number, action in enumerate(twin.actions)]
    assert "\n".join(lines) + "\n" == (GOLDEN / "ids.txt").read_text(encoding="utf-8")


def test_rows_do_not_know_of_each_other():
    twin = twin_of(3)
    batch = twin.fresh(jax.random.key(1), 64)
    some = np.array([5, 9, 33])
    alone = rows_of(batch, some)
    for number in range(30):
        ids = jnp.argmax(twin.legal(batch), 1) if number % 2 else 62 - jnp.argmax(twin.legal(batch)[:, ::-1], 1)
        batch, alone = twin.step(batch, ids), twin.step(alone, ids[some])
        assert twin.unpack(rows_of(batch, some)) == twin.unpack(alone)


def test_random_play_of_a_row_is_the_same_in_a_larger_batch():
    twin = twin_of(2)
    batch = twin.fresh(jax.random.key(2), 256)
    many, few = (twin.wander(rows_of(batch, np.arange(size)), jax.random.key(3), 60)[0] for size in (256, 16))
    assert twin.unpack(few) == twin.unpack(rows_of(many, np.arange(16)))


@pytest.mark.parametrize("players", [2, 5])
def test_random_play_is_a_walk_along_the_rules(players):
    twin = twin_of(players)
    batch = twin.fresh(jax.random.key(players), 32)
    for number in range(70):
        after, finished = twin.wander(batch, jax.random.key(number), 1)
        for before, state, ended in zip(twin.unpack(batch), twin.unpack(after), finished.tolist(), strict=True):
            reached = [GAME.apply(before, action) for action in GAME.pending(before).actions]
            if ended:
                assert any(isinstance(GAME.pending(each), Over) for each in reached)
                assert sorted(state.deal.discs) == sorted(before.deal.discs) != state.deal.discs
                assert state == dealt_like(twin, state)
            else:
                assert state in reached
        batch = after


def dealt_like(twin, state):
    from spieltisch.games.bigpoints.rules import laid_out

    return laid_out(twin.setup, state.deal.discs)


def test_choices_of_random_play_are_even():
    twin = twin_of()
    state = dealt(5, 2)
    games = 1 << 14
    batch = jax.tree.map(lambda leaf: jnp.repeat(leaf, games), twin.pack([state]))
    after, _ = twin.wander(batch, jax.random.key(0), 1)
    actions = GAME.pending(state).actions
    reached = twin.unpack(after)
    counts = [reached.count(GAME.apply(state, action)) for action in actions]
    assert sum(counts) == games
    mean = games / len(actions)
    assert sum((count - mean) ** 2 / mean for count in counts) < 40


@pytest.mark.parametrize("pool", [0, 1024])
def test_games_of_random_play_are_as_long_as_by_the_rules(pool):
    twin, games, steps = twin_of(4), 2048, 56 * 8
    tracks = twin.fresh(jax.random.key(9), pool).track if pool else None
    batch = twin.fresh(jax.random.key(1), games)
    _, finished = twin.wander(batch, jax.random.key(2), steps, tracks)
    length = games * steps / float(finished.sum() + games / 2)
    lengths = []
    for seed in range(300):
        dice, state, count = Random(seed), dealt(seed, 4), 0
        while not isinstance(pending := GAME.pending(state), Over):
            state, count = GAME.apply(state, dice.choice(pending.actions)), count + 1
        lengths.append(count)
    assert abs(length / (sum(lengths) / 300) - 1) < 0.02


def test_new_tracks_are_even():
    twin, games = twin_of(), 1 << 15
    laid = np.asarray(twin.features(twin.fresh(jax.random.key(4), games), jnp.zeros(games, int))["laid"])
    for colour, share in enumerate((9, 9, 9, 9, 9, 5, 5), 1):
        assert (np.sum(laid == colour, axis=1) == share).all()
        expected = games * share / 55
        square = ((np.sum(laid == colour, axis=0) - expected) ** 2 / expected).sum()
        assert square < 120
    pairs = np.zeros((8, 8))
    np.add.at(pairs, (laid[:, 20], laid[:, 21]), 1)
    expected = np.outer((9, 9, 9, 9, 9, 5, 5), (9, 9, 9, 9, 9, 5, 5)) * games / (55 * 54)
    np.fill_diagonal(expected, [n * (n - 1) * games / (55 * 54) for n in (9, 9, 9, 9, 9, 5, 5)])
    assert ((pairs[1:, 1:] - expected) ** 2 / expected).sum() < 100
    assert len(np.unique(laid, axis=0)) == games


@pytest.mark.parametrize(("players", "edition", "options"), SETTINGS)
def test_features_say_what_the_view_says(players, edition, options):
    twin = twin_of(players, edition, options)
    states = some_states(twin.setup, 48)
    viewers = [number % players for number in range(48)]
    found = {name: array.tolist() for name, array in twin.features(twin.pack(states), jnp.array(viewers)).items()}
    for row, (state, viewer) in enumerate(zip(states, viewers, strict=True)):
        view = GAME.observe(state, viewer)
        order = [(viewer + n) % players for n in range(players)]
        laid = [LETTERS.index(letter) + 1 for letter in view.laid]
        track = [0 if now == "." else code for now, code in zip(view.track, laid, strict=True)]
        room = [0] * (55 - len(laid))
        assert found["laid"][row] == laid + room
        assert found["track"][row] == track + room
        assert found["pawns"][row] == [56 if place is None else place for place in view.pawns]
        steps = {step.pawn: number for number, step in enumerate(view.steps, 1)}
        assert found["steps"][row] == [steps.get(letter, 0) for letter in "brygp"]
        assert found["sizes"][row] == [view.hands[seat].size for seat in order]
        assert found["hands"][row] == [list(view.hands[seat].discs or [-1] * 7) for seat in order]
        assert found["handed_in"][row] == view.handed_in
        assert found["seat"][row] == order.index(view.seat)
        assert found["extra"][row] == state.extra


def some_states(setup, count):
    """States from all of a game."""
    states = []
    for seed in range(count):
        dice, state = Random(seed), GAME.initial(setup)
        for _ in range(dice.randrange(160)):
            if isinstance(pending := GAME.pending(state), Over):
                break
            state = GAME.apply(state, dice.choice(pending.actions))
        states.append(state)
    return states


@pytest.mark.parametrize("recalls", [False, True])
def test_resampled_worlds_look_like_the_view(recalls):
    twin = twin_of(3)
    for number, state in enumerate(some_states(twin.setup, 12)):
        for viewer in (0, 1, 2, None):
            view = GAME.observe(state, viewer)
            seen = view._replace(hands=GAME.observe(state, 0).hands) if recalls and viewer == 0 else view
            for world in twin.unpack(twin.resample(seen, jax.random.key(number), 8)):
                assert GAME.observe(world, viewer) == view


@pytest.mark.parametrize("steps", [58, 61, 64])
def test_resampled_worlds_have_the_odds_of_imagined_ones(steps):
    game = Resampling(GAME, twin_of())
    assert check_odds(game, game.agree(), seeded(3), steps=steps, samples=1024) >= 1


def test_rewards_come_at_the_end_and_add_up_to_nothing():
    twin = twin_of(4)
    states = some_states(twin.setup, 64)
    batch = twin.pack(states)
    over = np.asarray(twin.kind(batch)) == Kind.OVER
    rewards = np.asarray(twin.rewards(batch))
    assert over.any()
    assert not rewards[~over].any()
    assert np.allclose(rewards.sum(1), 0, atol=1e-6)
    for state, row in zip(states, rewards, strict=True):
        if isinstance(pending := GAME.pending(state), Over):
            ranks = pending.outcome.ranks
            expected = [sum(rank < other for other in ranks) - sum(rank > other for other in ranks) for rank in ranks]
            assert np.allclose(row, np.array(expected) / 3)


def test_a_state_of_another_setup_is_refused():
    with pytest.raises(ValueError, match="another setup"):
        twin_of(3).pack([dealt(1, 2)])
