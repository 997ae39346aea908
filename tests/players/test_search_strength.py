"""Tree search and Monte Carlo find the best moves; the values that they maximize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from math import isclose
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Decision, Edition, Outcome, Over, Seat, ranking
from spieltisch.core.player import Clock, Knowledge, Seen
from spieltisch.games.bigpoints.knowledge import moves_left
from spieltisch.games.bigpoints.state import LETTERS, STAIRS, START, hand_of
from spieltisch.games.bigpoints.tests.positions import dealt
from spieltisch.players.budget import Budget
from spieltisch.players.rollout import outcome_values, win_probabilities
from spieltisch.players.tree_search import TreeSearch
from tests.players.test_search import share
from tests.support.matches import new_referee
from tests.support.toys import OpenToy

PEBBLES, BIG_POINTS, RONDO = (registry.find(name) for name in ("template", "bigpoints", "rondo"))
QUICKLY = settings(max_examples=100, derandomize=True, deadline=None)


# Finding the best move


def climbing(stairs: str, *hands: str, seat: int = 0, extra: bool = False, steps: str = "proud") -> Any:
    """A position at the very end of Big Points: the track is empty, and the other pawns can only climb the stairs."""
    pawns = tuple(STAIRS << stairs.index(pawn) if pawn in stairs else START for pawn in "brygp")
    counts = tuple(hand_of(tuple(hand.count(letter) for letter in LETTERS)) for hand in hands)
    state = dealt(1, len(hands), hands="open", stairs=steps)
    return state._replace(remaining=0, pawns=pawns, hands=counts, seat=Seat(seat), extra=extra)


WINS = {
    "an extra move takes the last disc": ("*p^", climbing("bryg", "kg", "yy", extra=True, steps="humble")),
    "the black disc is worth more in the hand": (".", climbing("bryg", "kwwp", "r", extra=True)),
    "whoever moves first loses": (".", climbing("bgp", "kb", "", extra=True, steps="humble")),
    "the own colour climbs first": ("g^", climbing("bry", "gg", "pp")),
    "the own colour climbs last": ("g^", climbing("bry", "pp", "gg", steps="humble")),
    "the third seat's colour climbs first": ("p^", climbing("bry", "gg", "g", "pp", seat=2)),
}


@pytest.mark.parametrize("name", ["mc:100", "search:100", "search:4"])
@pytest.mark.parametrize("case", WINS)
def test_a_forced_win_is_found(name, case):
    """So near the end, few simulations are enough for the solver."""
    best, state = WINS[case]
    pending = BIG_POINTS.pending(state)
    end = best_end(BIG_POINTS, lambda outcome: outcome_values(outcome, 6.0))
    won = {
        BIG_POINTS.write(state, each): share(end(BIG_POINTS.apply(state, each)), state.seat) for each in pending.actions
    }
    assert [text for text in won if won[text] > 0] == [best]
    seen = Seen(BIG_POINTS.observe(state, state.seat), pending.actions, ())
    for seed in range(5):
        assert BIG_POINTS.write(state, players.make(name, BIG_POINTS, seed).choose(seen, Clock())) == best


def best_end(game: AnyGame, value: Callable[[Outcome], Sequence[float]]) -> Callable[[Any], Outcome]:
    """The outcome of a game without chance if every seat maximizes its own value, by brute force."""

    @cache
    def end(state: Any) -> Outcome:
        pending = game.pending(state)
        if isinstance(pending, Over):
            return pending.outcome
        assert isinstance(pending, Decision)
        return max(
            (end(game.apply(state, each)) for each in pending.actions), key=lambda after: value(after)[pending.seat]
        )

    return end


def endings(seats: int, number: int):
    """Endgames of Big Points in which the choice matters, with the share of the victory per choice."""
    found = 0
    for seed in range(1000):
        referee, dice = new_referee(BIG_POINTS, seats, seed), Random(seed)
        while not isinstance(pending := referee.settle(), Over):
            if sum(moves_left(referee.state)) <= 4:
                end = best_end(BIG_POINTS, lambda outcome: outcome_values(outcome, 6.0))
                won = {
                    each: share(end(BIG_POINTS.apply(referee.state, each)), pending.seat) for each in pending.actions
                }
                if len(set(won.values())) > 1:
                    yield referee.seen(pending.seat), won
                    found += 1
                    break
            referee.play(pending.seat, [dice.choice(pending.actions)])
        if found == number:
            return


@pytest.mark.parametrize(("seats", "nearly"), [(2, 29), (3, 26)])
def test_search_finds_what_brute_force_finds(seats, nearly):
    good, blind = 0, 0.0
    for number, (seen, won) in enumerate(endings(seats, 30)):
        best = max(won.values())
        good += won[players.make("search:400", BIG_POINTS, number).choose(seen, Clock())] == best
        blind += list(won.values()).count(best) / len(won)
    assert good >= nearly
    assert blind < 22  # the expected number for random choices


# Every seat maximizes its own value


class Leaf(NamedTuple):
    """The end of a game."""

    scores: tuple[int, ...]


class Tree(OpenToy):
    """A game given as a tree: three seats choose branches in turn, and a state is the path from the root."""

    name = "tree"
    title = "Tree"
    editions = (Edition("standard", range(3, 4)),)

    def __init__(self, tree: Any, order: Sequence[int] = (0, 1, 2)) -> None:
        self.tree = tree
        self.order = order  # of the seats; scores at the leaves have the same order

    def initial(self, setup):
        return ()

    def pending(self, state):
        node = self.tree
        for branch in state:
            node = node[branch]
        if isinstance(node, Leaf):
            scores = tuple(node.scores[self.order.index(seat)] for seat in range(3))
            return Over(Outcome(scores, ranking([(score,) for score in scores]), "leaf"))
        return Decision(Seat(self.order[len(state)]), tuple(range(len(node))))

    def apply(self, state, action):
        return (*state, action)

    def bound(self, setup):
        return 3


class ScaledKnowledge(Knowledge[Any, Any]):
    """Knows nothing but a scale of points."""

    scale = 8.0


def search_tree(game: Tree) -> tuple[TreeSearch, int]:
    """A search, and its choice at the root."""
    player = TreeSearch(game, ScaledKnowledge(), Budget(simulations=400), Random(1))
    return player, player.choose(Seen((), game.pending(()).actions, ()), Clock())


# In each tree, the first branch is best if every seat maximizes its own value. The other one looks better to a player
# who expects the others to harm it as much as possible, or to help it.
SELFISH = {
    "the second seat wins rather than the first": (
        (Leaf((9, 8, 0)), Leaf((0, 0, 9))),
        (Leaf((4, 9, 0)), Leaf((20, 0, 0))),
    ),
    "the third seat wins rather than harm the first": (
        ((Leaf((9, 0, 7)), Leaf((0, 9, 0))),),
        ((Leaf((9, 0, 8)), Leaf((3, 8, 9))),),
    ),
    "the second seat foresees the third": (
        ((Leaf((0, 9, 8)), Leaf((0, 0, 9))), (Leaf((9, 8, 0)), Leaf((8, 0, 9))), (Leaf((9, 8, 7)),)),
        ((Leaf((8, 0, 9)), Leaf((20, 0, 0))),),
    ),
}


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
@pytest.mark.parametrize("tree", SELFISH.values(), ids=SELFISH)
def test_search_assumes_that_every_seat_maximizes_its_own_value(tree, order):
    best, other = tree
    assert search_tree(Tree((best, other), order))[1] == 0
    assert search_tree(Tree((other, best), order))[1] == 1


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_brute_force_agrees_that_these_branches_are_best(order):
    for tree in SELFISH.values():
        game = Tree(tree, order)
        end = best_end(game, lambda outcome: outcome_values(outcome, ScaledKnowledge.scale))
        best, other = (outcome_values(end((branch,)), ScaledKnowledge.scale)[order[0]] for branch in (0, 1))
        assert best > other + 0.1


def test_nodes_have_a_value_per_seat():
    ends = [(9, 1, 2), (1, 9, 2), (2, 1, 9)]
    player, _ = search_tree(Tree(tuple((Leaf(scores),) for scores in ends)))
    for branch, scores in enumerate(ends):
        node = player.root.children[branch]
        expected = outcome_values(Outcome(scores, ranking([(score,) for score in scores]), ""), ScaledKnowledge.scale)
        assert node.totals == pytest.approx([node.visits * value for value in expected])


# Values of outcomes and positions


@st.composite
def outcomes(draw) -> Outcome:
    """Outcomes in which ranks may contradict scores."""
    keys = draw(st.lists(st.integers(0, 3), min_size=2, max_size=5))
    scores = draw(st.lists(st.integers(-50, 200), min_size=len(keys), max_size=len(keys)))
    return Outcome(tuple(scores), ranking([(key,) for key in keys]), "end")


points = st.lists(st.floats(-200, 200), min_size=2, max_size=5)
scales = st.floats(0.5, 50)


@QUICKLY
@given(points, scales)
def test_win_probabilities_add_up_to_one(expected, scale):
    shares = win_probabilities(expected, scale)
    assert len(shares) == len(expected)
    assert all(0 <= share <= 1 for share in shares)
    assert isclose(sum(shares), 1)


@QUICKLY
@given(st.floats(-200, 200), scales)
def test_a_lead_of_one_scale_wins_three_games_of_four(start, scale):
    assert win_probabilities([start + scale, start], scale) == pytest.approx([0.75, 0.25])
    assert win_probabilities([start, start + scale], scale) == pytest.approx([0.25, 0.75])
    assert win_probabilities([start, start], scale) == [0.5, 0.5]


@QUICKLY
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=5), st.integers(5, 50), st.data())
def test_more_expected_points_raise_the_own_probability_and_lower_the_others(expected, scale, data):
    seat = data.draw(st.integers(0, len(expected) - 1))
    before = win_probabilities(expected, scale)
    after = win_probabilities([value + (place == seat) for place, value in enumerate(expected)], scale)
    assert after[seat] > before[seat]
    assert all(after[other] < before[other] for other in range(len(expected)) if other != seat)
    assert sorted(before) == [
        before[place] for place in sorted(range(len(expected)), key=lambda place: expected[place])
    ]


@QUICKLY
@given(outcomes(), scales)
def test_outcome_values_add_up_to_one_and_rank_comes_before_score(outcome, scale):
    values = outcome_values(outcome, scale)
    assert isclose(sum(values), 1)
    assert all(0 <= value <= 1 for value in values)
    winning = [value for value, rank in zip(values, outcome.ranks, strict=True) if rank == 1]
    losing = [value for value, rank in zip(values, outcome.ranks, strict=True) if rank > 1]
    assert not losing or min(winning) > max(losing)


@QUICKLY
@given(st.integers(2, 5), st.integers(0, 100), scales, st.data())
def test_a_shared_victory_is_split(seats, score, scale, data):
    winners = data.draw(st.sets(st.integers(0, seats - 1), min_size=1))
    scores = tuple(score if seat in winners else score - 5 for seat in range(seats))
    values = outcome_values(Outcome(scores, ranking([(each,) for each in scores]), "end"), scale)
    assert len({values[seat] for seat in winners}) == 1
    alone = outcome_values(Outcome((score, *[score - 5] * (seats - 1)), (1, *[2] * (seats - 1)), "end"), scale)[0]
    assert values[min(winners)] <= alone
    assert (values[min(winners)] < alone) is (len(winners) > 1)


@QUICKLY
@given(outcomes(), st.integers(5, 50), st.data())
def test_a_narrow_defeat_is_better_than_a_clear_one(outcome, scale, data):
    seat = data.draw(st.integers(0, len(outcome.ranks) - 1))
    assume(max(outcome.scores) - min(outcome.scores) < 100)
    better = outcome._replace(scores=tuple(each + 3 * (other == seat) for other, each in enumerate(outcome.scores)))
    assert outcome_values(better, scale)[seat] > outcome_values(outcome, scale)[seat]
