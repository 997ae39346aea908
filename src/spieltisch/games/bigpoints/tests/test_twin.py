"""The twin of Big Points, checked against the rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.support.twins import Resampling, check_random_games, compile_rollout, rows_of

from spieltisch import registry
from spieltisch.core.game import Decision, Over
from spieltisch.core.twin import Kind
from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.rules import after_deal
from spieltisch.games.bigpoints.state import BLACK, LETTERS, Move, Take, discs
from spieltisch.games.bigpoints.tests.positions import dealt
from spieltisch.testing.conformance import seeded
from spieltisch.testing.odds import check_odds
from spieltisch.twins.arrays import tree_where

GOLDEN = Path(__file__).parent / "golden"
SETTINGS = [(3, "2008", {"hands": "open"}), (5, "2009", {"stairs": "humble"})]  # all others: make prove-twins
GAMES = 256  # one size for all tests, so that a twin is compiled once


@cache
def rollout():
    return compile_rollout(twin_of(*SETTINGS[0]))


def twin_of(players=2, edition="2009", options=None, first=0):
    return registry.twin(GAME, GAME.agree(players, edition, options, first))


@pytest.mark.parametrize(("players", "edition", "options"), SETTINGS)
def test_law_12_holds_at_every_state(players, edition, options):
    assert check_random_games(GAME, twin_of(players, edition, options, players - 1), games=16) > 1000


def test_ids_are_frozen():
    twin = twin_of()
    state = GAME.initial(twin.setup)
    lines = [f"{number} {GAME.write(state, action)}" for number, action in enumerate(twin.actions)]
    assert "\n".join(lines) + "\n" == (GOLDEN / "ids.txt").read_text(encoding="utf-8")


def test_rows_are_independent():
    """Other games in the other rows change nothing, neither in steps nor in rollouts."""
    twin = twin_of(*SETTINGS[0])
    batch, others = (twin.init(jax.random.key(number), GAMES) for number in (1, 2))
    kept = np.arange(GAMES) % 3 == 0
    mixed = tree_where(kept, batch, others)
    for number in range(30):
        ids = jnp.argmax(twin.legal(batch), 1) if number % 2 else 62 - jnp.argmax(twin.legal(batch)[:, ::-1], 1)
        elsewhere = jnp.where(kept, ids, jnp.argmax(twin.legal(mixed), 1))
        batch, mixed = twin.step(batch, ids), twin.step(mixed, elsewhere)
    alone, among = (rollout()(each, jax.random.key(3), 30)[0] for each in (batch, mixed))
    assert twin.unpack(rows_of(alone, kept)) == twin.unpack(rows_of(among, kept))


def test_a_rollout_follows_the_rules():
    """And its games are as long as those of the rules."""
    twin, steps, ended = twin_of(*SETTINGS[0]), 0, 0
    batch, watched = twin.init(jax.random.key(2), GAMES), np.arange(8)
    before = twin.unpack(rows_of(batch, watched))
    for number in range(90):
        some = 1 if number < 70 else 19
        batch, finished = rollout()(batch, jax.random.key(number), some)
        steps, ended = steps + some, ended + int(finished.sum())
        if some == 1:
            after = twin.unpack(rows_of(batch, watched))
            for state, following, over in zip(before, after, finished.tolist()[:8], strict=True):
                check_choice(twin, state, following, over)
            before = after
    lengths = [length_by_the_rules(seed, 3) for seed in range(300)]
    assert abs(GAMES * steps / (ended + GAMES / 2) / (sum(lengths) / 300) - 1) < 0.03


def check_choice(twin, state, following, over):
    reached = [GAME.apply(state, action) for action in GAME.pending(state).actions]
    if over:
        assert any(isinstance(GAME.pending(each), Over) for each in reached)
        assert sorted(following.deal.discs) == sorted(state.deal.discs) != following.deal.discs
        assert following == after_deal(twin.setup, following.deal.discs)
    else:
        assert following in reached


def length_by_the_rules(seed, players):
    dice, state, count = Random(seed), dealt(seed, players), 0
    while not isinstance(pending := GAME.pending(state), Over):
        state, count = GAME.apply(state, dice.choice(pending.actions)), count + 1
    return count


def test_choices_of_a_rollout_are_uniform():
    twin, rounds = twin_of(*SETTINGS[0]), 16
    state = after_deal(twin.setup, dealt(5, 3).deal.discs)
    batch = jax.tree.map(lambda leaf: jnp.repeat(leaf, GAMES), twin.pack([state]))
    reached = [end for key in range(rounds) for end in twin.unpack(rollout()(batch, jax.random.key(key), 1)[0])]
    actions = GAME.pending(state).actions
    counts = [reached.count(GAME.apply(state, action)) for action in actions]
    assert sum(counts) == rounds * GAMES
    mean = rounds * GAMES / len(actions)
    assert sum((count - mean) ** 2 / mean for count in counts) < 40


def test_games_that_are_over_are_reset_with_a_new_track():
    """A random track, or one of a pool."""
    twin = twin_of(*SETTINGS[0])
    states = some_states(twin.setup, 48)
    over = [isinstance(GAME.pending(state), Over) for state in states]
    tracks = twin.init(jax.random.key(9), 4).track
    known = {state.deal.discs for state in twin.unpack(twin._new_games(tracks))}
    for pool in (None, tracks):
        renewed = twin.unpack(twin.auto_reset(twin.pack(states), jax.random.key(1), pool))
        again = [state for state, ended in zip(renewed, over, strict=True) if ended]
        assert [s for s, e in zip(renewed, over, strict=True) if not e] == [
            s for s, e in zip(states, over, strict=True) if not e
        ]
        assert len(again) > 8
        assert all(state == after_deal(twin.setup, state.deal.discs) for state in again)
        assert ({state.deal.discs for state in again} <= known) == (pool is not None)


def test_new_tracks_are_uniformly_shuffled():
    twin, games = twin_of(*SETTINGS[0]), 1 << 15
    laid = np.asarray(twin.observe(twin.init(jax.random.key(4), games), jnp.zeros(games, int))["laid"])
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
def test_observations_say_what_the_view_says(players, edition, options):
    twin = twin_of(players, edition, options)
    states = some_states(twin.setup, 48)
    viewers = [number % players for number in range(48)]
    found = {name: array.tolist() for name, array in twin.observe(twin.pack(states), jnp.array(viewers)).items()}
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
        pending = GAME.pending(state)
        for move in pending.actions if isinstance(pending, Decision) else ():
            if isinstance(move, Move):
                assert found["takes"][row][4 * move.pawn + 2 * move.backward + (move.take is Take.BEHIND)] == brought(
                    state, move
                )


def brought(state, move):
    """The colour of the disc that a move brings, counted from 1."""
    before, after = (discs(each.hands[state.seat]) for each in (state, GAME.apply(state, move)))
    gains = [now - then for now, then in zip(after, before, strict=True)]
    gains[BLACK] += move.extra
    return gains.index(1) + 1


def some_states(setup, count):
    """Random states from all phases of a game."""
    states = []
    for seed in range(count):
        dice, state = Random(seed), GAME.initial(setup)
        for _ in range(dice.randrange(160)):
            if isinstance(pending := GAME.pending(state), Over):
                break
            state = GAME.apply(state, dice.choice(pending.actions))
        states.append(state)
    return states


def test_resampled_states_look_like_the_view():
    """A viewer who recalls every hand has one possible state only."""
    twin = twin_of(3)
    for number, state in enumerate(some_states(twin.setup, 12)):
        for viewer in (0, 1, 2, None):
            view = GAME.observe(state, viewer)
            for world in twin.unpack(twin.resample(view, jax.random.key(number), 8)):
                assert GAME.observe(world, viewer) == view
        hands = [hand._replace(discs=discs(held)) for hand, held in zip(view.hands, state.hands, strict=True)]
        recalled = view._replace(hands=tuple(hands))
        assert set(twin.unpack(twin.resample(recalled, jax.random.key(number), 8))) == {state}


@pytest.mark.parametrize("steps", [58, 61, 64])
def test_resampled_states_have_the_odds_of_imagined_ones(steps):
    game = Resampling(GAME, twin_of())
    assert check_odds(game, game.agree(), seeded(3), steps=steps, samples=1024) >= 1


def test_rewards_come_at_the_end_and_sum_to_zero():
    twin = twin_of(*SETTINGS[0])
    states = some_states(twin.setup, 48)
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
            assert np.allclose(row, np.array(expected) / 2)


def test_a_state_of_another_setup_is_refused():
    with pytest.raises(ValueError, match="another setup"):
        twin_of(3).pack([dealt(1, 2)])
