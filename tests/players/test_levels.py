"""Players of five strengths: weak ones slip and forget, but not badly; they beat chance and lose to somebody who knows."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.core.player import LEVELS, Clock, Knowledge, Level, Seen
from spieltisch.players.levels import LimitedMemory, Noisy, at_level
from tests.support.tables import GAMES, NAMES, late_table, play_out, seat_down, table

SLIPPING = [
    pytest.param(game, level, id=f"{game.name}-{number}")
    for game in GAMES
    for number, level in enumerate(registry.levels(game), 1)
    if not level.method
]
CLUMSY = [Level(noise=1000.0, max_regret=worst) for worst in (0.0, 1.5, 4.0)]


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
def test_every_level_answers_with_a_choice_late_in_a_game_too(game, number):
    referee = late_table(game, 15)
    referee.settle()
    before = len(referee.steps)
    referee.ask(seat_down(game, [f"level:{number}"])[0])
    assert len(referee.steps) == before + 1


# Slips


class Watching(Knowledge[Any, Any]):
    """Rates as another one does, and keeps the ratings."""

    def __init__(self, inner: Knowledge[Any, Any]) -> None:
        self.inner = inner
        self.rated: list[tuple[tuple[Any, ...], list[float]]] = []

    def score_actions(self, state, actions, sampler):
        rates = list(self.inner.score_actions(state, actions, sampler))
        self.rated.append((tuple(actions), rates))
        return rates


def losses(game: AnyGame, level: Level, games: int) -> list[float]:
    """By how much every choice of a player at that level seemed worse than the best, all games long."""
    lost: list[float] = []
    for seed in range(games):
        referee = table(game, seed=seed)
        knowledge = Watching(registry.knowledge(game))
        bots = [at_level(game, knowledge, level, Random(seed)), *seat_down(game, ["random"], seed)]
        while not isinstance(pending := referee.settle(), Over):
            referee.ask(bots[pending.seat])
            if knowledge.rated:
                choices, rates = knowledge.rated.pop()
                assert choices == tuple(pending.actions)
                lost.append(max(rates) - rates[choices.index(referee.steps[-1].action)])
        assert not knowledge.rated
    assert len(lost) >= 8
    return lost


@pytest.mark.parametrize(("game", "level"), SLIPPING)
def test_nobody_takes_what_is_plainly_bad(game, level):
    lost = losses(game, level, 4 if game.hides else 1)
    assert max(lost) <= level.max_regret
    assert (max(lost) > 0) is (min(level.noise, level.max_regret) > 0)  # slips are real, and only where there are any


@pytest.mark.parametrize("game", [game for game in GAMES if game.hides], ids=lambda game: game.name)
@pytest.mark.parametrize("level", CLUMSY, ids=lambda level: f"{level.max_regret} at worst")
def test_even_the_clumsiest_takes_nothing_worse_than_the_worst(game, level):
    assert max(losses(game, level, 4)) <= level.max_regret


def test_somebody_clumsy_does_slip_as_far_as_is_allowed():
    lost = losses(registry.find("bigpoints"), Level(noise=1000.0, max_regret=4.0), 10)
    assert sum(each > 0 for each in lost) > len(lost) / 2
    assert max(lost) > 3


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_at_the_first_level_mistakes_are_made(game):
    """Wherever the first level does not look ahead, it slips."""
    level = registry.levels(game)[0]
    assert level.method or min(level.noise, level.max_regret) > 0


# Forgetting


class Listening:
    """Keeps what it was told."""

    def choose(self, seen, clock):
        self.seen, self.clock = seen, clock
        return seen.choices[-1]


@pytest.mark.parametrize("remembers", [0, 1, 5, 1000])
def test_somebody_forgetful_hears_the_last_actions_only(remembers):
    referee = late_table(registry.find("bigpoints"), 20)
    seen, inner, clock = referee.seen(referee.settle().seat), Listening(), Clock(0.0)
    assert LimitedMemory(inner, remembers).choose(seen, clock) == seen.choices[-1]
    assert (inner.seen.view, inner.seen.choices, inner.clock) == (seen.view, seen.choices, clock)
    assert len(seen.heard) > 5
    assert list(inner.seen.heard) == list(seen.heard)[max(0, len(seen.heard) - remembers) :]


@pytest.mark.parametrize("thinks", ["", "mc", "search"])
def test_a_level_says_who_forgets(thinks):
    game = GAMES[0]
    whole = at_level(game, Knowledge(), Level(thinks, 5), Random(1))
    forgetful = at_level(game, Knowledge(), Level(thinks, 5, memory=3), Random(1))
    assert not isinstance(whole, LimitedMemory)
    assert isinstance(forgetful, LimitedMemory)
    assert type(forgetful.player) is type(whole)
    assert forgetful.memory == 3
    assert isinstance(whole, Noisy) is (thinks == "")


def test_what_is_forgotten_changes_answers():
    """Hands of Big Points are concealed: what somebody holds is known to those who remember what they took."""
    game = registry.find("bigpoints")
    referee = late_table(game, 6)
    seen: Seen = referee.seen(referee.settle().seat)
    known = [game.recall(told.view, told.heard) for told in (seen, seen._replace(heard=seen.heard[-10:]))]
    assert all(hand.discs is not None for hand in known[0].hands)
    assert not all(hand.discs is not None for hand in known[1].hands)


# Strength


def share_of(game: AnyGame, name: str, other: str, games: int, **options: str) -> float:
    """The share of victories of one against another, both on either seat and beginning as often."""
    won = 0.0
    for seed in range(games):
        names = [name, other] if seed % 2 else [other, name]
        outcome = play_out(table(game, 2, seed, first=seed // 2 % 2, **options), seat_down(game, names, seed))
        won += (outcome.ranks[names.index(name)] == 1) / outcome.ranks.count(1)
    return won / games


@pytest.mark.parametrize("name", ["bigpoints", "rondo"])
def test_the_first_level_beats_chance_and_loses_to_somebody_who_knows(name):
    game = registry.find(name)
    assert share_of(game, "level:1", "random", 12) >= 0.75
    assert share_of(game, "level:1", "greedy", 12) <= 0.30


def test_the_first_level_builds_better_than_chance():
    assert share_of(registry.find("turmbauer").for_simulation, "level:1", "random", 6, hand="calm") >= 0.75
