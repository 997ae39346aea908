"""The solver, compared with brute force without pruning and tables on the ends of real games."""

from __future__ import annotations

import contextlib
import time
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from spieltisch import registry
from spieltisch.core.game import Chance, Decision, Edition, Outcome, Over, Seat, ranking
from spieltisch.core.player import Clock
from spieltisch.games.bigpoints import GAME as BIG_POINTS
from spieltisch.games.bigpoints import endgame
from spieltisch.games.bigpoints.tests.positions import position
from spieltisch.games.template import GAME as PEBBLES
from spieltisch.players.solve import ChanceAhead, find_hints, outcome_value, solve
from tests.support.toys import OpenToy

HINTS = {"key": endgame.key, "bounds": endgame.bounds}
ONE_COLOUR = {"bag": '{"R": 9, "B": 0, "G": 0}'}  # every draw has a single outcome


class TooMany(Exception):
    """More positions than a test has time for."""


def preference(outcome, seat):
    """A seat's preferences: its share of the victory, its rank, its lead over the best other."""
    share = Fraction(outcome.ranks[seat] == 1, outcome.ranks.count(1))
    others = [score for other, score in enumerate(outcome.scores) if other != seat]
    return share, -outcome.ranks[seat], outcome.scores[seat] - max(others, default=0)


def brute_force(game, state, patience):
    """The outcome of best play by brute force, with ties broken by order; TooMany if there are too many positions."""
    patience[0] -= 1
    if patience[0] < 0:
        raise TooMany
    pending = game.pending(state)
    if isinstance(pending, Over):
        return pending.outcome
    ends = [brute_force(game, game.apply(state, action), patience) for action in pending.actions]
    if isinstance(pending, Chance):
        assert len(ends) == 1
        return ends[0]
    return max(ends, key=lambda end: preference(end, pending.seat))


def states_of(game, setup, seed):
    """Every state of a random game."""
    dice, state = Random(seed), game.initial(setup)
    states = [state]
    while not isinstance(pending := game.pending(state), Over):
        weights = pending.weights if isinstance(pending, Chance) else None
        state = game.apply(state, dice.choices(pending.actions, weights)[0])
        states.append(state)
    return states


def ends_of(game, setup, seed, most=2500):
    """The last states of a random game that brute force can solve, the easiest first, with the outcome of best play."""
    found = []
    for state in reversed(states_of(game, setup, seed)):
        try:
            found.append((state, brute_force(game, state, [most])))
        except (TooMany, AssertionError):
            break
    return found


def same(found: Outcome, right: Outcome) -> bool:
    """Whether two outcomes are equivalent: the same lead for two seats, exactly the same for more."""
    if len(right.ranks) != 2:
        return found == right
    return found.ranks == right.ranks and preference(found, 0) == preference(right, 0)


@cache
def big_points_ends():
    """Endgames of Big Points for several numbers of players, with both kinds of stairs."""
    return [
        (state, right)
        for players in (2, 3, 4)
        for stairs in ("proud", "humble")
        for seed in range(5 if players == 2 else 3)
        for state, right in ends_of(BIG_POINTS, BIG_POINTS.agree(players, options={"stairs": stairs}), seed)
    ]


def test_there_are_enough_endgames_to_compare():
    ends = big_points_ends()
    assert len(ends) > 130
    assert {len(right.scores) for _, right in ends} == {2, 3, 4}
    assert any(right.ranks.count(1) > 1 for _, right in ends)
    assert any(state.extra for state, _ in ends)
    assert any(outcome_value(right, 0) < outcome_value(right, 1) for _, right in ends)


WAYS = {
    "without hints": {},
    "with the game's key": {"key": endgame.key},
    "with the game's key and bounds": HINTS,
    "the other way round": {"order": lambda state, actions: tuple(reversed(actions))},
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_endgames_of_big_points_are_solved_like_by_brute_force(way):
    for state, right in big_points_ends():
        solved = solve(BIG_POINTS, state, **way)
        assert solved is not None
        assert solved.proven
        assert same(solved.outcome, right), (state, solved, right)


@pytest.mark.parametrize("way", [{}, HINTS], ids=["without hints", "with hints"])
def test_every_choice_has_a_variation_and_the_first_best_one_is_the_line(way):
    for state, right in big_points_ends()[::3]:
        pending = BIG_POINTS.pending(state)
        if not isinstance(pending, Decision):
            continue
        solved = solve(BIG_POINTS, state, all_actions=True, **way)
        assert same(solved.outcome, right)
        assert [variation.action for variation in solved.choices] == list(pending.actions)
        for variation in solved.choices:
            assert same(variation.outcome, brute_force(BIG_POINTS, BIG_POINTS.apply(state, variation.action), [10_000]))
        values = [outcome_value(variation.outcome, pending.seat) for variation in solved.choices]
        assert solved.line == solved.choices[values.index(max(values))].line


def replayed(game, state, line):
    for action in line:
        assert action in game.pending(state).actions
        state = game.apply(state, action)
    return game.pending(state)


def test_every_variation_leads_to_its_outcome():
    for state, _ in big_points_ends():
        solved = solve(BIG_POINTS, state, all_actions=True, **HINTS)
        for one in (solved, *solved.choices):
            assert replayed(BIG_POINTS, state, one.line) == Over(one.outcome)


@pytest.mark.parametrize("way", [{}, HINTS], ids=["without hints", "with hints"])
def test_the_winner_alone_takes_fewer_nodes(way):
    whole = alone = 0
    for state, right in big_points_ends():
        solved = solve(BIG_POINTS, state, victory_only=True, **way)
        assert not solved.proven
        if len(right.ranks) == 2:
            assert solved.outcome.ranks == right.ranks
        assert replayed(BIG_POINTS, state, solved.line) == Over(solved.outcome)
        whole += solve(BIG_POINTS, state, **way).nodes
        alone += solved.nodes
    assert alone < 0.9 * whole


# Positions that can be checked by hand: the pawns are worth b 4, r 3, y 2, g 1, and purple, the last, 0


def test_the_better_disc_is_left_if_that_gives_the_opponent_less():
    state = position("b p r p g", stairs="bryg")
    solved = solve(BIG_POINTS, state, all_actions=True)
    assert [BIG_POINTS.write(state, action) for action in solved.line] == ["p+", "p+", "p^"]
    assert solved.outcome.scores == (3, 1)  # blue would bring 4, but leave red for 3
    assert [variation.outcome.scores for variation in solved.choices] == [(3, 1), (4, 3)]


def test_a_victory_is_better_than_a_shared_one():
    state = position("b p r", stairs="bryg", hands=("", "r"))
    solved = solve(BIG_POINTS, state, all_actions=True)
    assert [(variation.outcome.scores, variation.outcome.ranks) for variation in solved.choices] == [
        ((3, 3), (1, 1)),
        ((4, 3), (1, 2)),
    ]
    assert solved.outcome.ranks == (1, 2)


def test_a_seat_shares_the_victory_if_it_cannot_win():
    state = position("b p r", stairs="bryg", hands=("b", ""), seat=1)
    solved = solve(BIG_POINTS, state)
    assert (solved.outcome.scores, solved.outcome.ranks) == ((4, 4), (1, 1))


def test_an_extra_move_keeps_the_turn():
    state = position("b p r p p", "p2", stairs="bryg", hands=("k", "rr"), seat=0)
    solved = solve(BIG_POINTS, state, **HINTS)
    assert [BIG_POINTS.write(state, action) for action in solved.line][1][0] == "*"
    assert solved.outcome.scores == (7, 6)  # red and blue, by two moves in one turn


def test_each_of_three_seats_maximizes_its_own_value():
    state = position("b p r p g p y", stairs="bryg", hands=("", "b", "b"))
    solved = solve(BIG_POINTS, state, all_actions=True)
    right = brute_force(BIG_POINTS, state, [10_000])
    assert solved.outcome == right
    assert replayed(BIG_POINTS, state, solved.line) == Over(right)


# Other games


class Maze(OpenToy):
    """A random directed graph with transpositions, forced draws, and outcomes whose ranks contradict the points."""

    name, title, editions = "maze", "Maze", (Edition("standard", range(2, 5)),)
    size = 20

    def __init__(self, seats, seed):
        dice = Random(seed)
        self.forks = []
        for place in range(self.size):
            onward = sorted(dice.sample(range(place + 1, self.size + 8), dice.randint(1, 4)))
            self.forks.append((onward, dice.choice([None, *range(seats)] if len(onward) == 1 else range(seats))))
        scores = [tuple(dice.randint(0, 3) for _ in range(seats)) for _ in range(8)]
        self.ends = [Outcome(points, ranking([(dice.randint(0, 2),) for _ in points]), "out") for points in scores]

    def initial(self, setup):
        return 0

    def pending(self, state):
        if state >= self.size:
            return Over(self.ends[state - self.size])
        onward, seat = self.forks[state]
        return Chance(onward, [1]) if seat is None else Decision(Seat(seat), onward)

    def apply(self, state, action):
        assert action in self.forks[state][0]
        return action

    def bound(self, setup):
        return self.size


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_mazes_are_solved_like_by_brute_force(seats):
    solved_mazes = 0
    for seed in (
        *range(120),
        475,
        628,
        996,
        1005,
    ):  # the last ones once had wrong cutoffs between nodes of the same seat
        maze = Maze(seats, seed)
        try:
            right = brute_force(maze, 0, [20_000])
        except TooMany:
            continue
        for more in ({}, {"all_actions": True}, {"order": lambda state, actions: actions[::-1]}):
            solved = solve(maze, 0, **more)
            assert same(solved.outcome, right), (seed, more)
            assert replayed(maze, 0, solved.line) == Over(solved.outcome)
        solved_mazes += 1
    assert solved_mazes > 100


def test_endgames_of_pebbles_are_solved_like_by_brute_force():
    compared, broken_ties = 0, 0
    for players in (2, 3, 4):
        for rules in (1, 2):
            for seed in range(8):
                for state, right in ends_of(PEBBLES, PEBBLES.agree(players, rules=rules), seed, 400):
                    assert same(solve(PEBBLES, state).outcome, right)
                    compared += 1
                    broken_ties += len(set(right.scores)) < len(set(right.ranks))
    assert compared > 100
    assert broken_ties > 3  # equal points, but not an equal rank


@pytest.mark.parametrize("players", [2, 3])
def test_a_forced_draw_is_part_of_the_line(players):
    state = PEBBLES.initial(PEBBLES.agree(players, options=ONE_COLOUR))
    solved = solve(PEBBLES, state, all_actions=True)
    assert same(solved.outcome, brute_force(PEBBLES, state, [100_000]))
    assert replayed(PEBBLES, state, solved.line) == Over(solved.outcome)
    assert len(solved.line) > 9
    assert solved.choices


@pytest.mark.parametrize("game", [game.for_simulation for game in registry.all()], ids=lambda game: game.name)
def test_chance_ahead_is_refused(game):
    with pytest.raises(ChanceAhead, match="Chance still has a say"):
        solve(game, game.initial(game.agree()))


@pytest.mark.parametrize("game", [game.for_simulation for game in registry.all()], ids=lambda game: game.name)
def test_the_very_end_of_any_game_is_solved(game):
    for seed in range(3):
        *_, before, over = states_of(game, game.agree(), seed)
        right = game.pending(over).outcome
        assert solve(game, over)[:3] == (right, (), ())
        pending = game.pending(before)
        ends = [game.pending(game.apply(before, action)) for action in pending.actions]
        if isinstance(pending, Decision) and all(isinstance(end, Over) for end in ends):
            best = max((end.outcome for end in ends), key=lambda outcome: preference(outcome, pending.seat))
            assert same(solve(game, before, **find_hints(game)._asdict()).outcome, best)


# Hints of a game


@pytest.mark.parametrize("stairs", ["proud", "humble"])
def test_no_game_of_big_points_ends_outside_its_earlier_bounds(stairs):
    setup, narrow = BIG_POINTS.agree(2, options={"stairs": stairs}), 0
    for seed in range(25):
        states = states_of(BIG_POINTS, setup, seed)[55:]
        scores = BIG_POINTS.pending(states[-1]).outcome.scores
        for state in states:
            least, most = endgame.bounds(state)
            assert least <= scores[0] - scores[1] <= most
            narrow += most - least < 20
        assert least == most
    assert narrow > 50


def small_position(dice):
    """A random position with a short track, many black and white discs and some pawns on the stairs."""
    track = dice.choices("brygpwkk.", k=dice.randint(3, 8))
    there = dice.sample("brygp", dice.randint(2, 4))
    places = [f"{c}{n}" for n, c in enumerate(track, 1) if c in "brygp" and c not in there and dice.random() < 0.5]
    hands = tuple("".join(dice.choices("brygpwk", k=dice.randint(0, 4))) for _ in range(2))
    seat = dice.randrange(2)
    return position(
        " ".join(track),
        " ".join({place[0]: place for place in places}.values()),
        stairs="".join(there),
        hands=hands,
        seat=seat,
        extra="k" in hands[seat] and dice.random() < 0.3,
        humble=dice.random() < 0.5,
    )


def leads_from(state, known):
    """The smallest and largest possible lead of seat 0 with any play; checked against the bounds in every position."""
    if state in known:
        return known[state]
    if len(known) > 1000:
        raise TooMany
    pending = BIG_POINTS.pending(state)
    if isinstance(pending, Over):
        lead = pending.outcome.scores[0] - pending.outcome.scores[1]
        found = lead, lead
        assert endgame.bounds(state) == found
    else:
        leads = [leads_from(BIG_POINTS.apply(state, action), known) for action in pending.actions]
        found = min(low for low, _ in leads), max(high for _, high in leads)
        least, most = endgame.bounds(state)
        assert least <= found[0] <= found[1] <= most, state
    known[state] = found
    return found


def test_every_possible_end_of_big_points_is_within_the_bounds():
    dice, looked = Random(1), 0
    for _ in range(300):
        known = {}
        with contextlib.suppress(TooMany):
            leads_from(small_position(dice), known)
        looked += len(known)
    assert looked > 10_000


@pytest.mark.parametrize("players", [2, 5])
def test_keys_are_unique_for_all_positions_of_a_deal(players):
    dealt = states_of(BIG_POINTS, BIG_POINTS.agree(players), 1)[55]
    dice, seen = Random(1), set()
    for _ in range(40):
        state = dealt
        while isinstance(pending := BIG_POINTS.pending(state), Decision):
            state = BIG_POINTS.apply(state, dice.choice(pending.actions))
            seen.add(state)
    told_apart = seen | {state._replace(extra=not state.extra) for state in seen}
    told_apart |= {state._replace(seat=Seat((state.seat + 1) % players)) for state in seen}
    assert len({endgame.key(state) for state in told_apart}) == len(told_apart) > 1000


# Budgets


def hard():
    """A position that takes many nodes."""
    return states_of(BIG_POINTS, BIG_POINTS.agree(2), 3)[-9]


def test_the_node_budget_is_exact():
    solved = solve(BIG_POINTS, hard(), **HINTS)
    assert solved.nodes > 50
    assert solve(BIG_POINTS, hard(), solved.nodes, **HINTS) == solved
    assert solve(BIG_POINTS, hard(), solved.nodes - 1, **HINTS) is None


def test_bounds_save_nodes():
    assert solve(BIG_POINTS, hard(), **HINTS).nodes < 0.7 * solve(BIG_POINTS, hard()).nodes


def test_an_expired_clock_ends_the_search():
    start = states_of(BIG_POINTS, BIG_POINTS.agree(2), 3)[55]
    assert solve(BIG_POINTS, start, 10**9, clock=Clock(time.monotonic()), **HINTS) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_a_line_beyond_the_maximum_depth_is_not_solved(seats):
    for size, solved in ((350, True), (5000, False)):
        corridor = Maze(seats, 1)
        corridor.size = size
        corridor.forks = [([place + 1], place % seats) for place in range(size)]
        assert (solve(corridor, 0, 10**9) is not None) is solved


def test_progress_is_reported():
    reported = []
    solve(BIG_POINTS, states_of(BIG_POINTS, BIG_POINTS.agree(2), 3)[55], 1000, progress=reported.append, **HINTS)
    assert len(reported) > 3
    assert all(earlier < later <= 1000 for earlier, later in pairwise(reported))


def test_values_order_outcomes_by_victory_then_rank_then_points():
    ordered = [
        Outcome((0, 90, 90), (3, 1, 1), ""),
        Outcome((89, 90, 90), (3, 1, 1), ""),
        Outcome((1, 90, 0), (2, 1, 3), ""),
        Outcome((5, 5, 5), (1, 1, 1), ""),
        Outcome((5, 0, 5), (1, 3, 1), ""),
        Outcome((5, 7, 5), (1, 2, 3), ""),
        Outcome((5, 5, 5), (1, 2, 2), ""),
        Outcome((9, 5, 5), (1, 2, 2), ""),
    ]
    values = [outcome_value(outcome, 0) for outcome in ordered]
    assert values == sorted(set(values))
