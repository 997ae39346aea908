"""Vectorized environments, checked by Pgx's own tests and against the contract."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from functools import cache
from types import SimpleNamespace
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from pgx._src import api_test as pgx

from spieltisch import registry
from spieltisch.core.game import Decision, Over, Seat
from spieltisch.core.twin import Twin
from spieltisch.research import twin_env
from spieltisch.research.rewards import rank_rewards
from spieltisch.twins.prng import RandomStream
from tests.support import twins  # noqa: F401 - sets compiler flags for fast compilation

NAMES = [game.name for game in registry.all() if registry.has_twin(game)]
GAMES = 4  # the batch size of Pgx's test, so that everything is compiled once
WITHOUT = """
import sys
sys.modules["jax"] = None
from spieltisch.core.game import MissingExtra
try:
    from spieltisch.research import twin_env
except MissingExtra as missing:
    print(missing)
"""


class Compiled:
    """An environment, compiled for a batch."""

    def __init__(self, name: str) -> None:
        self.env = twin_env.make(name, players=3)
        functions = ("init", "step", "step_auto_reset", "sample")
        self.many = {name: jax.jit(jax.vmap(getattr(self.env, name))) for name in functions}

    @property
    def id(self):
        return self.env.id

    def init(self, key):
        """One game, played by the batch functions."""
        return first(self.many["init"](jax.random.split(key, GAMES)))

    def step(self, state, action, key):
        given = jax.device_get((state, action, key))
        many = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (GAMES, *np.shape(leaf))), given)
        return first(self.many["step"](*many))

    def played(self, seed: int):
        """Successive states of random games, with the actions in each and the states after them."""
        state, dice = jax.device_get(self.many["init"](keys(seed))), np.random.default_rng(seed)
        while not state.terminated.all():
            actions = (np.asarray(state.legal_action_mask) * dice.random((GAMES, self.env.num_actions))).argmax(1)
            after = jax.device_get(self.many["step"](state, actions.astype(np.int32), keys(dice.integers(1 << 30))))
            yield state, actions, after
            state = after


def keys(seed):
    """A batch of keys, as Pgx makes them."""
    return jax.random.split(jax.random.PRNGKey(int(seed)), GAMES)


@cache
def compiled(name: str) -> Compiled:
    return Compiled(name)


def first(tree):
    return jax.tree.map(lambda leaf: leaf[0], jax.device_get(tree))


def whole(env, state):
    """The states of the rules."""
    return env.twin.unpack(jax.tree.map(lambda leaf: leaf[:, 0], state._batch))


@pytest.mark.parametrize("name", NAMES[-1:])  # the environment is the same for all
def test_pgxs_api_test_passes(name, monkeypatch):
    made = compiled(name)
    monkeypatch.setattr(pgx, "EnvId", Literal[made.id])  # accepts only its own games otherwise
    monkeypatch.setattr(twin_env.State, "save_svg", lambda state, file: None, raising=False)  # is called by the test
    ready = SimpleNamespace(random=jax.random, jit=lambda ready: ready, vmap=lambda one: made.many[one.__name__])
    monkeypatch.setattr(pgx, "jax", ready)
    monkeypatch.setattr(
        pgx, "act_randomly", lambda key, mask: jax.random.categorical(key, jnp.log(mask))
    )  # of any shape
    pgx.api_test(made, 1)


@pytest.mark.parametrize("name", NAMES)
def test_every_state_agrees_with_the_contract(name):
    made = compiled(name)
    env, game, ids = made.env, made.env.game, {action: n for n, action in enumerate(made.env.twin.actions)}
    compared = 0
    for before, actions, after in made.played(1):
        now, later = whole(env, before), whole(env, after)
        for row in range(GAMES):
            if before.terminated[row]:
                continue
            pending, shift = game.pending(now[row]), int(before._shift[row])
            assert isinstance(pending, Decision)
            assert (pending.seat + shift) % 3 == before.current_player[row]
            assert np.flatnonzero(before.legal_action_mask[row]).tolist() == sorted(ids[a] for a in pending.actions)
            played = game.apply(now[row], env.twin.actions[env.choice_ids[actions[row]]])
            due = game.pending(played)
            if isinstance(due, Decision | Over):
                assert later[row] == played
            ends = game.pending(later[row])
            gains = rank_rewards(ends.outcome.ranks) if isinstance(ends, Over) else (0.0,) * 3
            assert after.rewards[row].tolist() == [pytest.approx(gains[(seat - shift) % 3]) for seat in range(3)]
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("name", NAMES)
def test_observations_are_the_features_of_the_player_to_move(name):
    env, seats = compiled(name).env, set()
    for number, (state, _, _) in enumerate(compiled(name).played(2)):
        if number % 9:
            continue
        worlds = whole(env, state)
        movers = [getattr(env.game.pending(world), "seat", 0) for world in worlds]
        expected = np.asarray(env.twin.features(env.twin.pack(worlds), jnp.array(movers)))
        for row, seat in enumerate(movers):
            if not state.terminated[row]:
                seats.add(seat)
                assert expected[row].tolist() == state.observation[row].tolist()
    assert seats == {0, 1, 2}


def test_an_observation_can_be_made_from_a_view():
    env, game = compiled(NAMES[0]).env, compiled(NAMES[0]).env.game
    view = game.observe(game.initial(env.twin.setup), Seat(1))
    vector = np.zeros(env.observation_shape, np.float32)
    env.features.write(view, vector)
    assert env.encode_view(view).tolist() == vector.tolist()
    with pytest.raises(ValueError, match="another setup"):
        env.encode_view(view._replace(setup=game.agree(2)))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
def test_environments_and_states_can_be_copied(copied):
    env, (state, _, _) = compiled(NAMES[0]).env, next(compiled(NAMES[0]).played(1))
    other = copied(env)
    assert (other.twin, other.choice_ids, other.observation_shape) == (env.twin, env.choice_ids, env.observation_shape)
    assert jax.tree.all(jax.tree.map(np.array_equal, copied(state), state))


def test_an_illegal_action_ends_the_game_and_a_finished_game_stays_unchanged():
    made = compiled(NAMES[0])
    state = made.init(jax.random.PRNGKey(3))
    wrong = int(np.argmin(state.legal_action_mask))
    lost = made.step(state, jnp.int32(wrong), jax.random.PRNGKey(0))
    assert lost.terminated
    assert lost.legal_action_mask.all()
    assert [float(lost.rewards[seat]) for seat in range(3) if seat != state.current_player] == [0.5, 0.5]
    assert lost.rewards[state.current_player] == -1
    after = made.step(lost, jnp.int32(wrong), jax.random.PRNGKey(0))
    assert after.terminated
    assert not after.rewards.any()
    assert after._step_count == lost._step_count == 1


@pytest.mark.parametrize("name", NAMES)
def test_auto_reset_is_a_step_and_the_replacement_of_games_that_ended(name):
    many, dice, ended = compiled(name).many, np.random.default_rng(5), np.zeros(GAMES, int)
    state, fresh = jax.device_get((many["init"](keys(5)), many["init"](keys(6))))
    while ended.min() < 2:
        actions = np.asarray(many["sample"](state, keys(dice.integers(1 << 30))))
        if dice.random() < 0.05:  # an illegal action, which ends a game too
            actions = np.where(np.arange(GAMES) == dice.integers(GAMES), state.legal_action_mask.argmin(1), actions)
        draws = keys(dice.integers(1 << 30))
        going_on = state.replace(terminated=np.zeros(GAMES, bool))
        stepped = jax.device_get(many["step"](going_on, actions, draws))
        after = jax.device_get(many["step_auto_reset"](state, actions, fresh, draws))
        ends = stepped.terminated
        replaced = jax.tree.map(
            lambda new, old, ends=ends: np.where(ends.reshape(-1, *[1] * (new.ndim - 1)), new, old), fresh, stepped
        ).replace(rewards=stepped.rewards, terminated=ends, _key=stepped._key)
        assert jax.tree.all(jax.tree.map(np.array_equal, after, replaced))
        state, ended = after, ended + ends


def test_games_from_the_same_deal_have_other_random_numbers():
    many = compiled(NAMES[-1]).many
    fresh = state = jax.device_get(many["init"](keys(7)))
    seen = []
    for _ in range(3):
        state = many["step_auto_reset"](state, fresh.legal_action_mask.argmin(1), fresh)  # illegal: starts again
        assert np.array_equal(state.observation, fresh.observation)
        seen.append(np.asarray(state._key[:, 0]).tolist())
    assert len({tuple(each) for each in seen}) == 3


@pytest.mark.parametrize("name", NAMES)
def test_a_sampled_action_is_legal_and_all_legal_actions_are_equally_likely(name):
    """With the state's own random numbers and with a key; a chi-square test at one state."""
    made, samples = compiled(name), 2048
    states = [first(state) for state, _, _ in made.played(4)]
    state = max(states, key=lambda each: 0 if each.terminated else int(each.legal_action_mask.sum()))
    many = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (samples, *np.shape(leaf))), state)
    own = jax.random.bits(jax.random.key(8), (samples, 2))
    for actions in (
        jax.vmap(made.env.sample)(many.replace(_key=own)),
        jax.vmap(made.env.sample)(many, jax.random.split(jax.random.key(9), samples)),
    ):
        counts = np.bincount(np.asarray(actions), minlength=made.env.num_actions)
        legal = np.asarray(state.legal_action_mask)
        assert not counts[~legal].any()
        mean, freedom = samples / legal.sum(), legal.sum() - 1
        assert freedom >= 3
        assert ((counts[legal] - mean) ** 2 / mean).sum() < freedom + 5 * (2 * freedom) ** 0.5


def test_draws_have_the_odds_of_their_weights():
    """Along the random streams of a few games, and across many."""
    weights, expected = jnp.array([3, 0, 1, 5, 7], jnp.uint32), np.array([3, 0, 1, 5, 7]) / 16
    for games, words in ((4, 1024), (1024, 4)):
        start, increment = jax.vmap(twin_env._stream)(jax.random.split(jax.random.key(13), games)).T
        random = RandomStream(start[:, None], increment[:, None])(jnp.arange(words, dtype=jnp.uint32)).ravel()
        drawn = twin_env._weighted_choice(jnp.tile(weights, (4096, 1)), random)
        counts, mean = np.bincount(np.asarray(drawn), minlength=5), 4096 * expected
        assert counts[1] == 0
        assert sum((counts[n] - mean[n]) ** 2 / mean[n] for n in (0, 2, 3, 4)) < 16  # three degrees of freedom


def test_sampling_without_a_key_plays_legal_actions_to_the_end():
    many, state = compiled(NAMES[-1]).many, compiled(NAMES[-1]).many["init"](keys(10))
    while not state.terminated.all():
        actions = many["sample"](state)
        assert np.asarray(state.legal_action_mask)[np.arange(GAMES), actions].all()
        state = many["step"](state, actions)
    assert np.asarray(state._step_count).min() > 10


@pytest.mark.parametrize("name", NAMES)
def test_packed_masks_agree_with_masks(name):
    env = compiled(name).env
    batch = env.twin.init(jax.random.key(3), GAMES)
    legal, words = np.asarray(env.twin.legal(batch)), [np.asarray(word) for word in env.twin.legal_words(batch)]
    generic = [np.asarray(word) for word in Twin.legal_words(env.twin, batch)]
    assert [word.tolist() for word in generic] == [word.tolist() for word in words]
    assert all((words[n // 32] >> n % 32 & 1 == legal[:, n]).all() for n in range(len(env.twin.actions)))


def test_choices_need_not_come_before_outcomes():
    """The same environment with the actions in another order."""
    made = compiled(NAMES[-1])
    env = copy.copy(made.env)
    env.choice_ids = made.env.choice_ids[::-1]
    state, last = made.many["init"](keys(11)), env.num_actions - 1
    actions = np.asarray(state.legal_action_mask).argmax(1)
    after = made.many["step"](state, actions, keys(12))
    begin = jax.jit(jax.vmap(lambda key, action, draws: env.step(env.init(key), action, draws)))
    other = begin(keys(11), last - actions, keys(12))
    assert np.array_equal(other.observation, after.observation)
    assert np.array_equal(other.legal_action_mask[:, ::-1], after.legal_action_mask)


def test_one_game_works_without_a_key_and_with_either_kind_of_key():
    env = twin_env.make(NAMES[0], players=2, first=1)
    for key in (jax.random.key(1), jax.random.PRNGKey(1)):
        state = jax.eval_shape(env.init, key)
        after = jax.eval_shape(env.step, state, jnp.int32(0))
        assert jax.tree.structure(after) == jax.tree.structure(state)
        assert after.observation.shape == env.observation_shape
        assert after.legal_action_mask.shape == (env.num_actions,)
        assert after.rewards.shape == (env.num_players,)


def test_the_starting_seat_is_drawn_or_given():
    made = compiled(NAMES[0])
    begins = {int(seat) for seed in range(5) for seat in next(made.played(seed))[0].current_player}
    assert begins == {0, 1, 2}
    given = twin_env.make(NAMES[0], first=1)
    assert given.twin.setup.first == 1
    assert not given._draw_first


def test_a_game_without_a_twin_is_refused():
    with pytest.raises(registry.NoTwin, match="Pebbles has no twin"):
        twin_env.make("template")


def test_without_jax_the_extra_is_named():
    output = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "Many games at once need an extra: install spieltisch-core[batch]."
