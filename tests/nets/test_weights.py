"""Weights files: written, read back, and refused with a sentence if they do not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from spieltisch import players, registry
from spieltisch.core.game import Seat
from spieltisch.core.player import CannotPlay
from spieltisch.games import rondo
from spieltisch.nets.evaluator import load_evaluator
from spieltisch.nets.network import param_shapes
from spieltisch.nets.weights import MAX_BYTES, BadWeights, WeightsInfo, encode_weights, load_weights
from spieltisch.players.failures import PlayerFailed, guard
from tests.support.matches import new_referee

GAME = registry.find("bigpoints")
NET = registry.net(GAME)
INFO = WeightsInfo("bigpoints", 1, NET.version, (8, 4), {"proud": [2]}, {}, 1, "2026-11-18")
SHAPE = NET.shape(INFO.hidden)
WITH_NET = [game for game in registry.all() if registry.has_net(game)]


def params(shape=SHAPE):
    dice = np.random.default_rng(1)
    return {name: dice.normal(0, 0.1, size) for name, size in param_shapes(shape).items()}


@pytest.fixture
def file(tmp_path):
    def write(info=INFO, given=None):
        path = tmp_path / "weights.npz"
        path.write_bytes(encode_weights(info, given or params()))
        return path

    return write


def test_weights_are_read_back_in_half_precision(file):
    weights = load_weights(file(), GAME)
    assert weights.info == INFO
    assert weights.shape == SHAPE
    for name, array in params().items():
        assert weights.params[name].dtype == np.float32
        assert np.allclose(weights.params[name], array, atol=1e-3)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "rondo"}, "weights.npz holds weights for rondo, not for Big Points."),
        ({"rules": 7}, "weights.npz was trained with version 7 of the rules; the current one is 1."),
        ({"inputs": "other-v9"}, "weights.npz holds weights for the inputs other-v9; this version needs"),
        ({"hidden": (9, 4)}, "weights.npz is not a weights file."),
    ],
)
def test_weights_of_something_else_are_refused(file, change, sentence):
    with pytest.raises(BadWeights) as caught:
        load_weights(file(replace(INFO, **change)), GAME)
    assert str(caught.value).startswith(sentence)


def test_what_is_no_weights_file_is_refused(file, tmp_path):
    path = file()
    content = path.read_bytes()
    for broken in (b"", b"nonsense", content[: len(content) // 2], content[:-30]):
        path.write_bytes(broken)
        with pytest.raises(BadWeights, match="is not a weights file"):
            load_weights(path, GAME)
    path.write_bytes(bytes(2_000_001))
    with pytest.raises(BadWeights, match="larger than 2 MB"):
        load_weights(path, GAME)
    with ZipFile(path, "w") as archive:
        archive.writestr("meta.npy", "x")
    with pytest.raises(BadWeights, match="is not a weights file"):
        load_weights(path, GAME)
    with pytest.raises(BadWeights, match="no weights file missing"):
        load_weights(tmp_path / "missing", GAME)
    bad = params()
    bad["bias0"][0] = np.nan
    with pytest.raises(BadWeights, match="is not a weights file"):
        load_weights(file(given=bad), GAME)
    with pytest.raises(BadWeights, match="Pebbles has no net"):
        load_weights(file(), registry.find("template"))


def test_a_player_on_weights_is_named_by_their_file(file):
    path = file()
    player = players.make(f"net:{path}", GAME, 0)
    assert player.evaluator is load_evaluator(GAME, path)
    assert "net:FILE" in players.names(GAME)
    assert "net:FILE" not in players.names(registry.find("template"))
    with pytest.raises(players.UnknownPlayer):
        players.maker(f"net:{path}", GAME, players.Access.ENGINE)


def test_settings_that_were_not_trained_are_refused(file):
    evaluator = load_evaluator(GAME, file())
    humble = GAME.agree(2, options={"stairs": "humble"})
    assert not evaluator.covers(humble)
    assert not evaluator.covers(GAME.agree(3))
    assert evaluator.covers(GAME.agree(2, "2008", {"hands": "open"}))
    with pytest.raises(CannotPlay, match="not been trained for these settings"):
        evaluator.evaluate(humble, [GAME.initial(humble)], Seat(0))


# The weights that come with the games


@pytest.mark.parametrize("game", WITH_NET, ids=lambda game: game.name)
def test_the_weights_of_a_game_cover_everything_that_its_net_tells_apart(game):
    path = registry.net_weights(game)
    assert path.stat().st_size <= MAX_BYTES
    evaluator, net = load_evaluator(game, path), registry.net(game)
    assert evaluator.weights.info.figures["games"] > 1_000_000
    for edition in game.editions:
        for number in edition.players:
            for trained in net.mix:
                options = {option.name: option.default for option in game.options} | dict(trained.options)
                assert evaluator.covers(game.agree(number, edition.name, options))


def test_the_player_net_is_there_if_the_game_comes_with_weights():
    for game in registry.all():
        for access in (players.Access.COMMAND_LINE, players.Access.ENGINE):
            assert ("net" in players.names(game, access)) == (registry.net_weights(game) is not None)
        assert "net" not in players.names(game, players.Access.REMOTE)
    with pytest.raises(players.UnknownPlayer):
        players.maker("net", registry.find("template"))


def test_a_net_says_which_settings_it_does_not_play():
    """A board of one's own: the sentence alone, without a traceback, which is for errors in a bot."""
    game = registry.find("rondo")
    board = (Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8")
    referee = new_referee(game, board=board)
    referee.settle()
    with pytest.raises(PlayerFailed, match="^The net of Rondo has not been trained for these settings.$") as failed:
        referee.ask(guard(players.make("net", game, 0), "net"))
    assert not failed.value.output
