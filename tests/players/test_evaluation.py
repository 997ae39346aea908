"""Evaluation of decisions: by every player that can, from what the seat knows alone."""

from __future__ import annotations

import json
import pickle
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Decision
from spieltisch.core.player import Clock, Evaluator, Scale
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.progress import Progress
from spieltisch.players import evaluation
from spieltisch.players.evaluation import CannotEvaluate, Evaluation, evaluate
from spieltisch.players.failures import PlayerFailed
from spieltisch.players.random import RandomPlayer
from spieltisch.players.solve import outcome_value, solve
from tests.support.matches import GAMES, late_referee, new_referee

BOTS = Path(__file__).parent / "bots"
PEBBLES, BIG_POINTS, RONDO = (registry.find(name) for name in ("template", "bigpoints", "rondo"))


def decision(game: AnyGame, left: int | None = None, **setup: object) -> Progress:
    """A game at its first decision, or `left` actions before its end."""
    referee = new_referee(game, **setup) if left is None else late_referee(game, left)
    referee.settle()
    return referee.progress


def check(found: Evaluation, progress: Progress) -> None:
    """Checks what holds for every evaluation."""
    pending = progress.pending
    assert isinstance(pending, Decision)
    assert found.seat == pending.seat
    assert {choice.action for choice in found.choices} == set(pending.actions)
    assert len(found.choices) == len(pending.actions)
    for choice in found.choices:
        assert choice.notation == progress.game.write(progress.state, choice.action)
    assert found.chosen in pending.actions
    assert found.notation == progress.game.write(progress.state, found.chosen)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["choices"][0]["action"] == found.best.notation
    assert pickle.loads(pickle.dumps(found)) == found
    assert str(found).count("\n") == len(found.choices) + 1


# The players


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, id=f"{game.name}-{name}")
        for game in GAMES
        for name in ("level:1", "level:3", "greedy", "mc:12", "search:8", "net", "net:deep")
        if not name.startswith("net") or name in players.names(game)
    ],
)
def test_every_evaluation_is_complete_and_chooses_what_the_player_would(game, name):
    progress = decision(game, 12)
    found = evaluate(progress, name, seed=4)
    check(found, progress)
    assert found.chosen == players.make(name, game, 4).choose(progress.seen(found.seat), Clock())
    assert evaluate(progress, name, seed=4) == found


@pytest.mark.parametrize("name", ["search:60", "mc:60"])
@pytest.mark.parametrize("game", [PEBBLES, RONDO], ids=lambda game: game.name)
def test_the_values_of_simulations_are_shares_of_the_victory_for_every_seat(game, name):
    found = evaluate(decision(game, seats=3), name)
    assert found.scale is Scale.VICTORY
    assert found.simulations == sum(choice.visits or 0 for choice in found.choices) >= 60
    for choice in found.choices:
        assert bool(choice.values) is bool(choice.visits)
        if choice.values:
            assert len(choice.values) == 3
            assert sum(choice.values) == pytest.approx(1)
            assert min(choice.values) >= 0
    assert found.best.action == found.chosen
    visits = [choice.visits for choice in found.choices]
    assert visits == sorted(visits, reverse=True)


def test_the_priors_of_a_tree_search_add_up_to_one_and_follow_the_scores():
    found = evaluate(decision(BIG_POINTS), "search:40")
    assert sum(choice.prior for choice in found.choices) == pytest.approx(1)
    by_score = sorted(found.choices, key=lambda choice: choice.score)
    assert [choice.prior for choice in by_score] == sorted(choice.prior for choice in by_score)


def test_heuristic_players_give_scores_and_no_values():
    for name in ("greedy", "level:2"):
        found = evaluate(decision(BIG_POINTS), name)
        assert found.scale is Scale.POINTS
        assert found.simulations == 0
        assert all(choice.values == () and choice.visits is None for choice in found.choices)
        scores = [choice.score for choice in found.choices]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] > scores[-1]


def test_a_solved_endgame_has_exact_values():
    progress = decision(BIG_POINTS, 4)
    found = evaluate(progress, "search:400")
    assert found.scale is Scale.EXACT
    check(found, progress)
    solution = solve(BIG_POINTS, progress.state, all_actions=True)
    assert solution is not None
    outcomes = {choice.action: choice.outcome for choice in solution.choices}
    ranked = [outcome_value(outcomes[choice.action], found.seat) for choice in found.choices]
    assert ranked == sorted(ranked, reverse=True)
    for choice in found.choices:
        assert sum(choice.values) == pytest.approx(1)
        assert [value > 0 for value in choice.values] == [rank == 1 for rank in outcomes[choice.action].ranks]
    assert outcome_value(outcomes[found.chosen], found.seat) == ranked[0]


def test_a_position_with_one_choice_is_valued_too():
    progress = decision(PEBBLES)
    while not (isinstance(progress.pending, Decision) and len(progress.pending.actions) == 1):
        pending = progress.pending
        seat = pending.seat if isinstance(pending, Decision) else None
        progress = progress.apply(seat, pending.actions[0])
    for name in ("mc:20", "search:20"):
        found = evaluate(progress, name)
        assert found.simulations == 20
        assert len(found.best.values) == progress.setup.players


# What the seat knows


@pytest.mark.parametrize("game", [PEBBLES, RONDO], ids=lambda game: game.name)
@pytest.mark.parametrize("name", ["search:20", "mc:20", "greedy", "level:2"])
def test_an_evaluation_never_looks_at_the_hidden_state(game, name):
    progress = decision(game)
    pending = progress.pending
    assert isinstance(pending, Decision)
    view = progress.view(pending.seat)
    other = next(state for seed in range(100) if (state := game.imagine(view, Random(seed))) != progress.state)
    disguised = replace(progress, state=other)
    assert disguised.view(pending.seat) == view
    assert evaluate(disguised, name) == evaluate(progress, name)


# Ways to name a player


class Opinionated:
    """Chooses the last choice, and thinks the more of a choice the later it comes."""

    def __init__(self, game, sampler):
        self.game, self.sampler = game, sampler

    def choose(self, seen, clock):
        return seen.choices[-1]

    def evaluate(self, seen, clock):
        from spieltisch.core.player import estimate_by_score

        return estimate_by_score(seen.choices, range(len(seen.choices)), seen.choices[-1])


def test_a_player_is_a_name_a_class_or_an_instance():
    progress = decision(PEBBLES)
    by_class = evaluate(progress, Opinionated)
    assert by_class.player == "Opinionated"
    assert by_class.chosen == by_class.best.action == progress.pending.actions[-1]
    assert evaluate(progress, Opinionated(PEBBLES, None)) == by_class


def test_an_instance_of_a_tree_search_keeps_its_tree():
    progress = decision(BIG_POINTS)
    player = players.make("search:50", BIG_POINTS, 1)
    assert evaluate(progress, player).simulations == 50
    assert evaluate(progress, player).simulations == 100


@pytest.mark.parametrize("player", ["random", RandomPlayer, RandomPlayer(None)])
def test_a_player_that_cannot_evaluate_is_refused_with_those_that_can(player):
    with pytest.raises(CannotEvaluate) as caught:
        evaluate(decision(PEBBLES), player)
    assert caught.value.message.key == "player.no_evaluation"
    known = evaluation.evaluators(PEBBLES)
    assert dict(caught.value.message.arguments)["known"] == known
    assert "greedy" in known
    assert "random" not in known
    for name in known:
        assert isinstance(players.make(name, PEBBLES, 0), Evaluator)


def test_nothing_is_evaluated_if_nobody_decides():
    game = registry.find("template")
    dealing = new_referee(game).progress
    with pytest.raises(NotPending):
        evaluate(dealing, "greedy")
    ended = late_referee(game, 1)
    while isinstance(pending := ended.settle(), Decision):
        ended.play(pending.seat, [pending.actions[0]])
    with pytest.raises(NotPending):
        evaluate(ended.progress, "greedy")


# Bots in processes of their own


def test_a_class_in_a_process_of_its_own_evaluates(monkeypatch):
    monkeypatch.chdir(BOTS)
    progress = decision(PEBBLES)
    found = evaluate(progress, "odd:Opinionated")
    check(found, progress)
    assert found.scale is Scale.VICTORY
    assert [choice.visits for choice in found.choices] == [7] * len(found.choices)
    with pytest.raises(CannotEvaluate):
        evaluate(progress, "odd:First")
    with pytest.raises(PlayerFailed, match="ZeroDivisionError"):
        evaluate(progress, "odd:CrashingOpinion")


def program(manner: str) -> str:
    return f"program:{shlex.join([sys.executable, str(BOTS / 'lines.py'), manner])}"


def test_a_program_that_offers_it_evaluates():
    progress = decision(PEBBLES)
    found = evaluate(progress, program("opinion"))
    check(found, progress)
    assert found.simulations == 12
    assert found.best.values == (0.75, 0.25)
    with pytest.raises(CannotEvaluate):
        evaluate(progress, program("first"))


@pytest.mark.parametrize("manner", ["opinion on nothing", "opinion without seats", "opinion in words"])
def test_an_evaluation_that_is_none_is_the_programs_failure(manner):
    with pytest.raises(PlayerFailed) as caught:
        evaluate(decision(PEBBLES), program(manner))
    assert caught.value.message.key == "bot.bad_evaluation"
