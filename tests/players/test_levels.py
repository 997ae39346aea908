"""Levels: noise, maximum regret, limited memory, and playing strength."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.core.player import LEVELS, Clock, Knowledge, Level, Seen
from spieltisch.players.levels import LimitedMemory, Noisy, at_level
from tests.support.matches import GAMES, NAMES, late_referee, make_bots, new_referee, play_out

SCORED = [
    pytest.param(game, level, id=f"{game.name}-{number}")
    for game in GAMES
    for number, level in enumerate(registry.levels(game), 1)
    if not level.method
]
EXTREMELY_NOISY = [Level(noise=1000.0, max_regret=worst) for worst in (0.0, 1.5, 4.0)]


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_every_game_has_five_levels(game):
    levels = registry.levels(game)
    assert len(levels) == len(LEVELS) == 5
    for level in levels:
        assert level.simulations > 0 or not level.method
        assert level.noise >= 0
        assert level.max_regret >= 0
        assert level.memory is None or level.memory >= 0


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("number", range(1, 6))
def test_every_level_returns_a_choice_late_in_a_game(game, number):
    referee = late_referee(game, 15)
    referee.settle()
    before = len(referee.steps)
    referee.ask(make_bots(game, [f"level:{number}"])[0])
    assert len(referee.steps) == before + 1


# Noise


class RecordingKnowledge(Knowledge[Any, Any]):
    """Wraps knowledge and records its action scores."""

    def __init__(self, inner: Knowledge[Any, Any]) -> None:
        self.inner = inner
        self.rated: list[tuple[tuple[Any, ...], list[float]]] = []

    def score_actions(self, state, actions, sampler):
        rates = list(self.inner.score_actions(state, actions, sampler))
        self.rated.append((tuple(actions), rates))
        return rates


def losses(game: AnyGame, level: Level, games: int) -> list[float]:
    """The regret of every choice of a player of that level, over whole games."""
    lost: list[float] = []
    for seed in range(games):
        referee = new_referee(game, seed=seed)
        knowledge = RecordingKnowledge(registry.knowledge(game))
        bots = [at_level(game, knowledge, level, Random(seed)), *make_bots(game, ["random"], seed)]
        while not isinstance(pending := referee.settle(), Over):
            referee.ask(bots[pending.seat])
            if knowledge.rated:
                choices, rates = knowledge.rated.pop()
                assert choices == tuple(pending.actions)
                lost.append(max(rates) - rates[choices.index(referee.steps[-1].action)])
        assert not knowledge.rated
    assert len(lost) >= 8
    return lost


@pytest.mark.parametrize(("game", "level"), SCORED)
def test_no_level_exceeds_its_maximum_regret(game, level):
    lost = losses(game, level, 4 if game.hides else 1)
    assert max(lost) <= level.max_regret
    assert (max(lost) > 0) is (
        min(level.noise, level.max_regret) > 0
    )  # there are mistakes exactly if the level allows them


@pytest.mark.parametrize("game", [game for game in GAMES if game.hides], ids=lambda game: game.name)
@pytest.mark.parametrize("level", EXTREMELY_NOISY, ids=lambda level: f"{level.max_regret} at worst")
def test_extreme_noise_does_not_exceed_the_maximum_regret(game, level):
    assert max(losses(game, level, 4)) <= level.max_regret


def test_extreme_noise_comes_close_to_the_maximum_regret():
    lost = losses(registry.find("bigpoints"), Level(noise=1000.0, max_regret=4.0), 10)
    assert sum(each > 0 for each in lost) > len(lost) / 2
    assert max(lost) > 3


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_first_level_makes_mistakes(game):
    """It has noise, unless it looks ahead."""
    level = registry.levels(game)[0]
    assert level.method or min(level.noise, level.max_regret) > 0


# Limited memory


class RecordingPlayer:
    """Records what it receives."""

    def choose(self, seen, clock):
        self.seen, self.clock = seen, clock
        return seen.choices[-1]


@pytest.mark.parametrize("remembers", [0, 1, 5, 1000])
def test_a_player_with_limited_memory_receives_the_last_actions_only(remembers):
    referee = late_referee(registry.find("bigpoints"), 20)
    seen, inner, clock = referee.seen(referee.settle().seat), RecordingPlayer(), Clock(0.0)
    assert LimitedMemory(inner, remembers).choose(seen, clock) == seen.choices[-1]
    assert (inner.seen.view, inner.seen.choices, inner.clock) == (seen.view, seen.choices, clock)
    assert len(seen.heard) > 5
    assert list(inner.seen.heard) == list(seen.heard)[max(0, len(seen.heard) - remembers) :]


@pytest.mark.parametrize("thinks", ["", "mc", "search"])
def test_a_level_with_memory_makes_a_player_with_limited_memory(thinks):
    game = GAMES[0]
    whole = at_level(game, Knowledge(), Level(thinks, 5), Random(1))
    forgetful = at_level(game, Knowledge(), Level(thinks, 5, memory=3), Random(1))
    assert not isinstance(whole, LimitedMemory)
    assert isinstance(forgetful, LimitedMemory)
    assert type(forgetful.player) is type(whole)
    assert forgetful.memory == 3
    assert isinstance(whole, Noisy) is (thinks == "")


def test_limited_memory_changes_what_is_known():
    """Hands of Big Points are concealed: only a player that remembers all actions knows them."""
    game = registry.find("bigpoints")
    referee = late_referee(game, 6)
    seen: Seen = referee.seen(referee.settle().seat)
    known = [game.recall(told.view, told.heard) for told in (seen, seen._replace(heard=seen.heard[-10:]))]
    assert all(hand.discs is not None for hand in known[0].hands)
    assert not all(hand.discs is not None for hand in known[1].hands)


# Strength


def share_of(game: AnyGame, name: str, other: str, games: int, **options: str) -> float:
    """The share of victories of one player against another, with seats and the starting seat balanced."""
    won = 0.0
    for seed in range(games):
        names = [name, other] if seed % 2 else [other, name]
        outcome = play_out(new_referee(game, 2, seed, first=seed // 2 % 2, **options), make_bots(game, names, seed))
        won += (outcome.ranks[names.index(name)] == 1) / outcome.ranks.count(1)
    return won / games


@pytest.mark.parametrize("name", ["bigpoints", "rondo"])
def test_the_first_level_beats_random_and_loses_to_greedy(name):
    game = registry.find(name)
    assert share_of(game, "level:1", "random", 12) >= 0.75
    assert share_of(game, "level:1", "greedy", 12) <= 0.30


def test_the_first_level_beats_random_at_building():
    assert share_of(registry.find("turmbauer").for_simulation, "level:1", "random", 6, hand="calm") >= 0.75
