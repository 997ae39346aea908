"""The players that look ahead: the same on every machine, in time, never against the rules, and seeing what can be seen."""

from __future__ import annotations

import time
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
from spieltisch.core.player import AnyPlayer, Clock, Knowledge, Seen
from spieltisch.games.bigpoints.knowledge import moves_left
from spieltisch.games.bigpoints.state import LETTERS, STAIRS, START, hand_of
from spieltisch.games.bigpoints.tests.positions import dealt
from spieltisch.players.budget import Budget
from spieltisch.players.levels import LimitedMemory, Noisy
from spieltisch.players.monte_carlo import MonteCarlo
from spieltisch.players.rollout import outcome_values, win_probabilities
from spieltisch.players.tree_search import TreeSearch
from tests.support.running import run
from tests.support.tables import GAMES, NAMES, late_table, play_out, seat_down, table
from tests.support.toys import OpenToy

PEBBLES, BIG_POINTS, RONDO = (registry.find(name) for name in ("template", "bigpoints", "rondo"))
SEARCH_PLAYERS = {"mc": MonteCarlo, "search": TreeSearch}
QUICKLY = settings(max_examples=100, derandomize=True, deadline=None)


def first_seen(game: AnyGame, seed: int = 1) -> Seen:
    """What the first player of a game is told."""
    referee = table(game, seed=seed)
    return referee.seen(referee.settle().seat)


# The same on every machine


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:12", "search:6"])
def test_the_same_seed_and_simulations_give_the_same_answers_all_game_long(game, name):
    tables = [table(game) if game.hides else late_table(game, 30) for _ in range(2)]
    seated = [seat_down(game, [name] * referee.setup.players) for referee in tables]
    told: list[tuple[Seen, Any]] = []
    while not isinstance(pending := tables[0].settle(), Over):
        assert tables[1].settle() == pending
        for referee, bots in zip(tables, seated, strict=True):
            seen = referee.seen(pending.seat)
            referee.ask(bots[pending.seat])
        answers = [referee.steps[-1].action for referee in tables]
        assert answers[0] == answers[1]
        if pending.seat == 0:
            told.append((seen, answers[0]))
    (afresh,) = seat_down(game, [name])
    assert [afresh.choose(seen, Clock()) for seen, _ in told] == [answer for _, answer in told]
    assert len(told) >= 5


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:12", "search:6"])
def test_what_somebody_else_has_thought_of_changes_no_answer(game, name):
    referee = late_table(game, 40)
    seen: list[Seen] = []
    bots = seat_down(game, ["random"] * referee.setup.players)
    while len(seen) < 6 and not isinstance(pending := referee.settle(), Over):
        seen.append(referee.seen(pending.seat))
        referee.ask(bots[pending.seat])
    alone, beside, other = (players.make(name, game, seed) for seed in (1, 1, 2))
    answers = [alone.choose(each, Clock()) for each in seen]
    for each, answer in zip(seen, answers, strict=True):
        other.choose(each, Clock())
        assert beside.choose(each, Clock()) == answer


@pytest.mark.parametrize("name", ["mc:12", "search:6"])
def test_another_seed_gives_other_answers(name):
    played = set()
    for seed in range(4):
        referee = table(PEBBLES)
        play_out(referee, seat_down(PEBBLES, [name] * 2, seed))
        played.add(referee.record().entries)
    assert len(played) > 1


@pytest.mark.parametrize("name", ["bigpoints", "rondo", "template"])
def test_answers_do_not_depend_on_how_a_process_orders_its_sets(name, tmp_path):
    records = set()
    for seed in ("1", "2"):
        folder = tmp_path / seed
        ran = run("simulate", name, "-p", "mc:6,search:4", "-n", 1, "--out", folder, env={"PYTHONHASHSEED": seed})
        assert ran.code == 0, ran.err
        records.add(next(folder.iterdir()).read_bytes())
    assert len(records) == 1


# Within the rules


def searching(game: AnyGame, simulations: int, remembers: int | None) -> Callable[[int], AnyPlayer]:
    """A maker of players that search, and forget."""

    def make(seed: int) -> AnyPlayer:
        player = TreeSearch(game, registry.knowledge(game), Budget(simulations=simulations), Random(seed))
        return player if remembers is None else LimitedMemory(player, remembers)

    return make


@pytest.mark.parametrize(
    ("game", "games", "remembers"),
    [
        *((BIG_POINTS, 3, remembers) for remembers in (None, 0, 1, 9, 30, 60)),
        *((PEBBLES, 8, remembers) for remembers in (None, 0, 1, 9, 30)),
        *((RONDO, 1, remembers) for remembers in (None, 9)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_tree_that_is_used_again_never_leads_astray_however_much_is_forgotten(game, games, remembers):
    for seed in range(games):
        for seats in (2, 3):
            make = searching(game, 3 + 4 * (seed % 2), remembers)
            outcome = play_out(table(game, seats, seed), [make(seed + seat) for seat in range(seats)])
            assert len(outcome.scores) == seats


@pytest.mark.parametrize("kind", ["mc", "search"])
def test_a_tower_that_is_nearly_built_is_built_within_the_rules(kind):
    game = registry.find("turmbauer").for_simulation
    referee = late_table(game, 30)
    play_out(referee, seat_down(game, [f"{kind}:6"] * referee.setup.players))
    assert isinstance(referee.pending, Over)


@pytest.mark.parametrize(
    ("bag", "seeds"),
    [
        ({"R": 13, "B": 1, "G": 1}, (15, 30, 155, 162, 211, 243, 261, 273)),
        ({"R": 7, "B": 2, "G": 1}, (39, 101, 233)),
        ({"R": 5, "B": 5, "G": 5}, (143, 201, 225)),
    ],
    ids=["red abounds", "few pebbles", "as usual"],
)
def test_worlds_that_are_the_same_by_coincidence_are_not_taken_for_certain(bag, seeds):
    """Where little is unknown, imagined worlds are often equal, and still those of the next decision may be others."""
    for seed in (*seeds, *range(20)):
        make = searching(PEBBLES, 10, None)
        bots = [make(Random(f"{seed}/{seat}").getrandbits(32)) for seat in range(2)]
        play_out(table(PEBBLES, 2, seed, bag=bag), bots)


# In time


class Mute(Knowledge[Any, Any]):
    """Must not be asked."""

    def skip_search(self, *state):
        raise AssertionError

    score_actions = rollout_action = own_turn_action = evaluate = is_quiescent = skip_search  # type: ignore[assignment]


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("kind", [MonteCarlo, TreeSearch, Noisy], ids=lambda kind: kind.__name__)
def test_a_single_choice_is_answered_at_once(game, kind):
    seen, dice = first_seen(game), Random(1)
    before = dice.getstate()
    budget = registry.levels(game)[0] if kind is Noisy else Budget(simulations=10**9)
    for choice in seen.choices:
        assert kind(game, Mute(), budget, dice).choose(seen._replace(choices=(choice,)), Clock()) == choice
    assert dice.getstate() == before
    with pytest.raises(AssertionError):
        kind(game, Mute(), budget, dice).choose(seen, Clock())


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("kind", SEARCH_PLAYERS)
def test_a_deadline_ends_the_longest_thought(game, kind):
    referee = late_table(game, 40)
    seen = referee.seen(referee.settle().seat)
    for budget in ("1000000", "600s"):
        player = players.make(f"{kind}:{budget}", game, 1)
        began = time.process_time()
        assert player.choose(seen, Clock(time.monotonic() + 0.2)) in seen.choices
        assert time.process_time() - began < 3


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:1000000", "search:1000000", "mc:600s", "search:600s"])
def test_when_the_time_is_up_there_still_is_an_answer(game, name):
    seen = first_seen(game)
    assert players.make(name, game, 1).choose(seen, Clock(0.0)) in seen.choices


@pytest.mark.parametrize("name", ["mc:1000000", "search:1000000", "mc:600s", "search:600s"])
def test_working_out_the_end_leaves_time_for_an_answer(name):
    for left in (6, 8, 10):
        referee = late_table(BIG_POINTS, left)
        seen = referee.seen(referee.settle().seat)
        for seconds in (0.001, 0.005, 0.02):
            clock = Clock(time.monotonic() + seconds)
            assert players.make(name, BIG_POINTS, 1).choose(seen, clock) in seen.choices


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:0.05s", "search:0.05s", "mc:0.001s", "search:0.001s"])
def test_seconds_are_a_budget(game, name):
    seen = first_seen(game)
    began = time.process_time()
    assert players.make(name, game, 1).choose(seen, Clock()) in seen.choices
    assert time.process_time() - began < 3


def test_more_seconds_are_more_simulations():
    seen = first_seen(BIG_POINTS)
    searches = [TreeSearch(BIG_POINTS, Knowledge(), Budget(seconds=seconds), Random(1)) for seconds in (0.01, 0.3)]
    for player in searches:
        player.choose(seen, Clock())
    assert 0 < searches[0].root.visits < searches[1].root.visits


class Counting(Knowledge[Any, Any]):
    """Estimates everything at once, and counts how often."""

    can_evaluate = True

    def __init__(self) -> None:
        self.estimated = 0

    def evaluate(self, state):
        self.estimated += 1
        return [0.0] * state.setup.players


@pytest.mark.parametrize("simulations", [1, 6, 40, 200])
def test_simulations_are_counted(simulations):
    seen = first_seen(PEBBLES)
    knowledge = Counting()
    TreeSearch(PEBBLES, knowledge, Budget(simulations=simulations), Random(1)).choose(seen, Clock())
    assert knowledge.estimated == simulations
    knowledge = Counting()
    MonteCarlo(PEBBLES, knowledge, Budget(simulations=simulations), Random(1)).choose(seen, Clock())
    assert simulations <= knowledge.estimated < simulations + len(seen.choices)


# Without any knowledge


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("kind", SEARCH_PLAYERS)
def test_without_any_knowledge_a_game_is_played_to_its_end(game, kind, monkeypatch):
    monkeypatch.setattr(registry, "knowledge", lambda game: Knowledge())
    referee = table(game, 3) if game.hides else late_table(game, 25)
    play_out(referee, seat_down(game, [f"{kind}:4", "random", f"{kind}:2"]))
    assert isinstance(referee.pending, Over)


@pytest.mark.parametrize("name", ["mc:40", "search:40"])
def test_looking_ahead_alone_beats_chance(name, monkeypatch):
    monkeypatch.setattr(registry, "knowledge", lambda game: Knowledge())
    won = 0.0
    for seed in range(6):
        names = ["random", "random"]
        names[seed % 2] = name
        won += share(play_out(table(BIG_POINTS, 2, seed), seat_down(BIG_POINTS, names, seed)), seed % 2)
    assert won >= 5


# Seeing what can be seen


def share(outcome: Outcome, seat: int) -> float:
    """How much of the victory is the seat's."""
    return (outcome.ranks[seat] == 1) / outcome.ranks.count(1)


def climbing(stairs: str, *hands: str, seat: int = 0, extra: bool = False, steps: str = "proud") -> Any:
    """Big Points at its very end: the track is taken, and whoever is not on the staircase has only to climb."""
    pawns = tuple(STAIRS << stairs.index(pawn) if pawn in stairs else START for pawn in "brygp")
    held = tuple(hand_of(tuple(hand.count(letter) for letter in LETTERS)) for hand in hands)
    state = dealt(1, len(hands), hands="open", stairs=steps)
    return state._replace(remaining=0, pawns=pawns, hands=held, seat=Seat(seat), extra=extra)


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
def test_a_win_that_is_there_is_taken(name, case):
    """So near the end few simulations are enough to work out the rest."""
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
    """How a game without chance ends when every seat takes what is worth most to itself, by trying everything."""

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
    """Positions of Big Points shortly before the end in which it matters who does what, and what each choice wins."""
    found = 0
    for seed in range(1000):
        referee, dice = table(BIG_POINTS, seats, seed), Random(seed)
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
def test_search_sees_what_trying_everything_sees(seats, nearly):
    good, blind = 0, 0.0
    for number, (seen, won) in enumerate(endings(seats, 30)):
        best = max(won.values())
        good += won[players.make("search:400", BIG_POINTS, number).choose(seen, Clock())] == best
        blind += list(won.values()).count(best) / len(won)
    assert good >= nearly
    assert blind < 22  # so many would be found by taking anything


# Every seat for itself


class Leaf(NamedTuple):
    """An end."""

    scores: tuple[int, ...]


class Tree(OpenToy):
    """A game that is a tree: three seats choose branches in an order, and a state is the way from the root."""

    name = "tree"
    title = "Tree"
    editions = (Edition("standard", range(3, 4)),)

    def __init__(self, tree: Any, order: Sequence[int] = (0, 1, 2)) -> None:
        self.tree = tree
        self.order = order  # scores at the leaves are in this order, too

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


class Even(Knowledge[Any, Any]):
    """Knows nothing, and takes every point seriously."""

    scale = 8.0


def climb(game: Tree) -> tuple[TreeSearch, int]:
    """A search, and what it chooses at the root."""
    player = TreeSearch(game, Even(), Budget(simulations=400), Random(1))
    return player, player.choose(Seen((), game.pending(()).actions, ()), Clock())


# Each tree has one branch, named first, that is best when every seat does what is best for itself. The other one looks
# better to somebody who expects the others to do their worst to them, or their best for them.
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
def test_every_seat_is_expected_to_do_what_is_best_for_itself(tree, order):
    best, other = tree
    assert climb(Tree((best, other), order))[1] == 0
    assert climb(Tree((other, best), order))[1] == 1


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_trying_everything_agrees_that_these_branches_are_best(order):
    for tree in SELFISH.values():
        game = Tree(tree, order)
        end = best_end(game, lambda outcome: outcome_values(outcome, Even.scale))
        best, other = (outcome_values(end((branch,)), Even.scale)[order[0]] for branch in (0, 1))
        assert best > other + 0.1


def test_the_values_in_the_tree_are_of_every_seat_its_own():
    ends = [(9, 1, 2), (1, 9, 2), (2, 1, 9)]
    player, _ = climb(Tree(tuple((Leaf(scores),) for scores in ends)))
    for branch, scores in enumerate(ends):
        node = player.root.children[branch]
        expected = outcome_values(Outcome(scores, ranking([(score,) for score in scores]), ""), Even.scale)
        assert node.totals == pytest.approx([node.visits * value for value in expected])


# What ends and hopes are worth


@st.composite
def outcomes(draw) -> Outcome:
    """Ends in which ranks may say otherwise than scores."""
    keys = draw(st.lists(st.integers(0, 3), min_size=2, max_size=5))
    scores = draw(st.lists(st.integers(-50, 200), min_size=len(keys), max_size=len(keys)))
    return Outcome(tuple(scores), ranking([(key,) for key in keys]), "end")


points = st.lists(st.floats(-200, 200), min_size=2, max_size=5)
scales = st.floats(0.5, 50)


@QUICKLY
@given(points, scales)
def test_hopes_are_parts_of_one_victory(expected, scale):
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
def test_whoever_expects_more_may_hope_for_more_and_the_others_for_less(expected, scale, data):
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
def test_an_end_is_one_victory_and_ranks_come_before_scores(outcome, scale):
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
