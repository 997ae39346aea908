"""Features and action ids of every game: documented, in range, frozen by golden files, and the same in its twin."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import numpy as np
import pytest

from spieltisch import registry
from spieltisch.core.features import share
from spieltisch.core.game import Decision, Game, Heard, Over, Seat
from tests.research import golden

GAMES = registry.all()
NAMES = [game.name for game in GAMES]
TWINS = [game for game in GAMES if registry.has_twin(game)]


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_features_and_ids_are_those_of_the_golden_files(game):
    for setup in golden.setups(game):
        file = golden.path(game, setup)
        assert file.exists(), f"{file.name} is missing: python -m tests.research.golden writes it"
        assert golden.written(game, setup) == file.read_text(encoding="utf-8"), (
            f"{file.name} has changed: features and ids are frozen, so give FEATURES a new version"
        )


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_every_field_is_documented_and_named_once(game):
    features = registry.features(game, game.agree())
    assert features.version == f"{game.name}-{features.version.rpartition('-')[2]}"
    assert len({field.name for field in features.fields}) == len(features.fields)
    assert all(len(field.doc) > 10 for field in features.fields)
    assert len(features.names) == features.size == sum(field.size for field in features.fields)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_sizes_depend_on_the_setup_only(game):
    for players in game.players:
        setups = [game.agree(players, first=first) for first in range(players)]
        assert len({registry.features(game, setup).digest for setup in setups}) == 1


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_features_do_not_know_how_bots_play(game):
    """Nothing that features import, directly or not, is the game's knowledge."""
    folder = Path(registry.__file__).parent / "games" / game.name
    seen, waiting = set(), ["features"]
    while waiting:
        module = waiting.pop()
        file = folder.joinpath(*module.split(".")).with_suffix(".py")
        if module in seen or not file.exists():
            continue
        seen.add(module)
        prefix = f"spieltisch.games.{game.name}"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(prefix):
                inner = (node.module or "").removeprefix(prefix).strip(".")
                waiting += [inner, *(".".join(filter(None, (inner, alias.name))) for alias in node.names)]
    assert len(seen) > 2
    assert not seen & {"knowledge", "evaluation", "advice", "endgame", "chains"}


def test_a_share_of_the_whole_is_at_most_one():
    for whole in range(1, 2000):
        assert 0.9999999 <= np.float32(whole) * np.float32(share(whole)) <= 1


def test_a_game_without_features_is_refused(monkeypatch):
    game = registry.find("template")
    monkeypatch.setattr(registry, "part", lambda game, name: None)
    with pytest.raises(registry.NoFeatures, match="Pebbles has no features"):
        registry.features(game, game.agree())


def random_positions(game, setup, seed):
    """Every state of a random game, with a viewer and the features of what it sees and remembers."""
    features, dice, state = registry.features(game, setup), Random(seed), game.initial(setup)
    memories = [game.memory(setup)] * setup.players
    while True:
        viewer = Seat(dice.randrange(setup.players))
        vector = np.zeros(features.size, np.float32)
        features.write(game.recollect(game.observe(state, viewer), memories[viewer]), vector)
        yield state, viewer, vector
        if isinstance(pending := game.pending(state), Over):
            return
        action = dice.choice(pending.actions)
        seat = pending.seat if isinstance(pending, Decision) else None
        witnessed = [Heard(seat, game.witness(state, action, Seat(viewer))) for viewer in range(setup.players)]
        memories = [game.remember(memory, heard) for memory, heard in zip(memories, witnessed, strict=True)]
        state = game.apply(state, action)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_all_numbers_are_in_the_range_of_their_field(game):
    game, setup = game.for_simulation, game.agree(max(game.players))
    features, highest = registry.features(game, setup), None
    for _, _, vector in random_positions(game, setup, 3):
        for field in features.fields:
            values = vector[features.slice(field.name)]
            assert field.low <= values.min() <= values.max() <= field.high, field.name
        highest = vector if highest is None else np.maximum(highest, vector)
    assert all(highest[features.slice(field.name)].max() > 0 for field in features.fields)


@pytest.mark.parametrize(
    "game", [game for game in GAMES if registry.features(game, game.agree()).reads_states], ids=lambda game: game.name
)
def test_features_of_a_state_are_those_of_the_view_and_the_memory(game):
    """And of every state that looks the same to the viewer, so that nothing hidden is written."""
    setup = game.agree(max(game.players), first=1)
    features, others = registry.features(game, setup), 0
    for number, (state, viewer, vector) in enumerate(random_positions(game, setup, 4)):
        found = np.zeros(features.size, np.float32)
        features.write_state(state, viewer, found)
        assert np.array_equal(found, vector)
        if number % 5 == 0 and type(game).remember is Game.remember:
            world = game.imagine(game.observe(state, viewer), Random(number))
            others += world != state
            looked = np.zeros(features.size, np.float32)
            features.write_state(world, viewer, looked)
            assert np.array_equal(looked, vector)
    assert others > 10 or type(game).remember is not Game.remember


@pytest.mark.parametrize(("game", "players", "edition"), [
    (game, players, edition.name) for game in TWINS for players, edition in zip((2, 3), game.editions, strict=True)
])  # fmt: skip
def test_a_twin_has_the_same_features(game, players, edition):
    import jax.numpy as jnp

    from tests.support import twins  # noqa: F401 - sets compiler flags for fast compilation

    setup = game.agree(players, edition, first=1)
    twin, features = registry.twin(game, setup), registry.features(game, setup)
    positions = [position for seed in range(3) for position in random_positions(game, setup, seed)]
    states, viewers, vectors = (list(column) for column in zip(*positions, strict=True))
    found = np.asarray(twin.features(twin.pack(states), jnp.array(viewers)))
    assert (found.dtype, found.shape[1:]) == (np.float32, (features.size,))
    for field in features.fields:
        part = features.slice(field.name)
        assert np.array_equal(found[:, part], np.array(vectors)[:, part]), field.name
