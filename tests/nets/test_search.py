"""The search on a value net: plies, beams, worlds and exact ends, for every game that has a net."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from spieltisch import players, registry
from spieltisch.core.game import Decision, Over
from spieltisch.core.net import Lookahead
from spieltisch.core.player import Clock, Scale
from spieltisch.nets.evaluator import Evaluator, load_evaluator
from spieltisch.nets.network import param_shapes
from spieltisch.nets.player import NetPlayer
from spieltisch.nets.search import Search
from spieltisch.nets.weights import Weights, WeightsInfo
from spieltisch.players.solve import EndSolver, find_hints, outcome_value, solve
from tests.support.matches import late_referee, make_bots, new_referee, play_out

GAMES = [game for game in registry.all() if registry.net_weights(game)]
BIG_POINTS, RONDO = registry.find("bigpoints"), registry.find("rondo")
TABLES = [pytest.param(game, seats, id=f"{game.name}-{seats}") for game in GAMES for seats in game.players]


def shipped(game) -> Evaluator:
    return load_evaluator(game, registry.net_weights(game))


def untrained(game, spread: float) -> Evaluator:
    """A net with random weights; if their spread is 0, every seat has the same share as long as the game goes on."""
    net, dice = registry.net(game), np.random.default_rng(1)
    info = WeightsInfo(game.name, 1, net.version, (8,), {net.variant(game.agree()): list(game.players)}, {}, 0, "")
    shape = net.shape(info.hidden)
    params = {name: dice.normal(0, spread, size).astype(np.float32) for name, size in param_shapes(shape).items()}
    return Evaluator(game, net, Weights(info, shape, params))


def after(game, decisions: int, seats: int = 2, seed: int = 1):
    """The referee of a game after random decisions."""
    referee, dice = new_referee(game, seats, seed), Random(seed)
    for _ in range(decisions):
        pending = referee.settle()
        referee.play(pending.seat, [dice.choice(pending.actions)])
    referee.settle()
    return referee


def near_the_end(game, left: int, seats: int = 2, seed: int = 1):
    """The state of a random game with so many decisions left."""
    states, dice, state = [], Random(seed), after(game, 0, seats, seed).state
    while not isinstance(pending := game.pending(state), Over):
        states.append(state)
        state = game.apply(state, dice.choice(pending.actions))
    return [one for one in states if isinstance(game.pending(one), Decision)][-left]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_players_on_a_net_play_whole_games_at_every_number_of_players(game, seats):
    """The referee refuses what is not legal. One of them searches, at the smallest and at the largest table."""
    names = ["net"] * seats
    if seats in (min(game.players), max(game.players)):
        names[seats // 2] = "net:deep"
    outcome = play_out(new_referee(game, seats, seats), make_bots(game, names))
    assert len(outcome.scores) == seats


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_choice_and_every_choice_is_valued(game):
    for decisions in (0, 9, 20):
        progress = after(game, decisions, 3).progress
        seen = progress.seen(progress.pending.seat)
        for lookahead in (Lookahead(), Lookahead((2, 1), 2, worlds=2)):
            found = [NetPlayer(shipped(game), Random(5), lookahead).evaluate(seen, Clock()) for _ in range(2)]
            assert found[0] == found[1]
            assert {estimate.action for estimate in found[0].choices} == set(seen.choices)
            assert len(found[0].choices) == len(seen.choices)
            assert all(sum(estimate.values) == pytest.approx(1, abs=1e-5) for estimate in found[0].choices)
            assert found[0].chosen == found[0].choices[0].action


@pytest.mark.parametrize("seats", [2, 3])
def test_a_search_of_full_width_to_the_end_finds_what_the_solver_proves(seats):
    """The net knows nothing here, so that everything comes from the ends of the game."""
    proven = 0
    for seed in range(6):
        state = near_the_end(BIG_POINTS, 3, seats, seed)
        seat = BIG_POINTS.pending(state).seat
        solution = solve(BIG_POINTS, state, all_actions=True, **find_hints(BIG_POINTS)._asdict())
        search = Search(untrained(BIG_POINTS, 0), Lookahead((99,) * 12), Random(1))
        chosen = search.choices(state.deal.setup, [state])[0].actions[0]
        values = {choice.action: outcome_value(choice.outcome, seat) for choice in solution.choices}
        proven += len(set(values.values())) > 1
        assert values[chosen] == max(values.values())
    assert proven > 2


def test_plies_change_what_a_net_chooses_alone():
    """And what is followed further comes first."""
    evaluator, changed = shipped(BIG_POINTS), 0
    for seed in range(8):
        state = after(BIG_POINTS, 12, 2, seed).state
        alone, deep = (
            Search(evaluator, lookahead, Random(1)).choices(state.deal.setup, [state])
            for lookahead in (Lookahead(), Lookahead((3, 2, 1)))
        )
        assert {turn.actions for turn in deep[:3]} == {turn.actions for turn in alone[:3]}
        assert [turn.actions for turn in deep[3:]] == [turn.actions for turn in alone[3:]]
        changed += deep[0].actions != alone[0].actions
    assert 0 < changed < 8


def test_a_beam_judges_chains_at_their_end():
    """A net whose values in the middle of a chain say nothing of its end needs a wide one."""
    evaluator, better = untrained(RONDO, 0.3), 0
    for seed in range(10):
        referee = after(RONDO, 8, 2, seed)
        seat = referee.pending.seat
        narrow, wide = (
            Search(evaluator, Lookahead(beam=beam), Random(1)).choices(referee.setup, [referee.state])[0]
            for beam in (1, 16)
        )
        for turn in (narrow, wide):
            pending = RONDO.pending(turn.state)
            assert not (isinstance(pending, Decision) and pending.seat == seat)
        assert wide.worth(seat) >= narrow.worth(seat) - 1e-6
        better += wide.worth(seat) > narrow.worth(seat) + 1e-6
    assert better


def test_values_are_means_over_the_worlds():
    referee = after(RONDO, 10, 3)
    setup, seat = referee.setup, referee.pending.seat
    view = RONDO.observe(referee.state, seat)
    worlds = [RONDO.imagine(view, Random(number)) for number in (1, 2)]
    assert worlds[0] != worlds[1]

    def best(given, dice):
        turns = Search(shipped(RONDO), Lookahead((1, 1), beam=1), dice).choices(setup, given)
        return turns[0]

    dice = Random(3)
    apart = [best([world], dice) for world in worlds]
    together = best(worlds, Random(3))
    assert together.actions == apart[0].actions == apart[1].actions
    assert list(apart[0].shares) != list(apart[1].shares)
    assert list(together.shares) == pytest.approx(np.mean([one.shares for one in apart], 0))


def test_the_end_is_played_by_the_exact_solver_if_nothing_is_hidden():
    solver = EndSolver(BIG_POINTS, registry.knowledge(BIG_POINTS))
    state = near_the_end(BIG_POINTS, 4)
    found = solver.estimate(state, Clock())
    assert found.scale is Scale.EXACT
    assert solver.estimate(near_the_end(BIG_POINTS, 30), Clock()) is None
    assert EndSolver(RONDO, registry.knowledge(RONDO)).estimate(near_the_end(RONDO, 2), Clock()) is None
    referee = late_referee(BIG_POINTS, 5)
    seen = referee.progress.seen(referee.settle().seat)
    assert players.make("net:deep", BIG_POINTS, 1).evaluate(seen, Clock()).scale is Scale.EXACT
    assert players.make("net", BIG_POINTS, 1).evaluate(seen, Clock()).scale is Scale.VICTORY


def test_a_search_may_also_stand_on_the_weights_of_a_file():
    path = registry.net_weights(RONDO)
    lookaheads = [players.make(name, RONDO, 1).search.lookahead for name in (f"net:{path}", f"net:deep:{path}")]
    assert lookaheads == [Lookahead(), registry.net(RONDO).lookahead]
    for access in (players.Access.COMMAND_LINE, players.Access.ENGINE):
        assert {"net", "net:deep"} <= set(players.names(RONDO, access))
    with pytest.raises(players.UnknownPlayer):
        players.maker(f"net:deep:{path}", RONDO, players.Access.ENGINE)
