"""Monte Carlo and tree search: deterministic, in time, within the rules, and strong."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Outcome, Over
from spieltisch.core.player import AnyPlayer, Clock, Knowledge, Seen
from spieltisch.players.budget import Budget
from spieltisch.players.levels import LimitedMemory, Noisy
from spieltisch.players.monte_carlo import MonteCarlo
from spieltisch.players.tree_search import TreeSearch
from tests.support.command import run
from tests.support.matches import GAMES, NAMES, late_referee, make_bots, new_referee, play_out

PEBBLES, BIG_POINTS, RONDO = (registry.find(name) for name in ("template", "bigpoints", "rondo"))
SEARCH_PLAYERS = {"mc": MonteCarlo, "search": TreeSearch}
QUICKLY = settings(max_examples=100, derandomize=True, deadline=None)


def share(outcome: Outcome, seat: int) -> float:
    """The seat's share of the victory."""
    return (outcome.ranks[seat] == 1) / outcome.ranks.count(1)


def first_seen(game: AnyGame, seed: int = 1) -> Seen:
    """What the first player of a game receives."""
    referee = new_referee(game, seed=seed)
    return referee.seen(referee.settle().seat)


# Determinism


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:12", "search:6"])
def test_the_same_seed_and_simulations_give_the_same_decisions_in_a_whole_game(game, name):
    tables = [new_referee(game) if game.hides else late_referee(game, 30) for _ in range(2)]
    seated = [make_bots(game, [name] * referee.setup.players) for referee in tables]
    decisions: list[tuple[Seen, Any]] = []
    while not isinstance(pending := tables[0].settle(), Over):
        assert tables[1].settle() == pending
        for referee, bots in zip(tables, seated, strict=True):
            seen = referee.seen(pending.seat)
            referee.ask(bots[pending.seat])
        answers = [referee.steps[-1].action for referee in tables]
        assert answers[0] == answers[1]
        if pending.seat == 0:
            decisions.append((seen, answers[0]))
    (afresh,) = make_bots(game, [name])
    assert [afresh.choose(seen, Clock()) for seen, _ in decisions] == [answer for _, answer in decisions]
    assert len(decisions) >= 5


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:12", "search:6"])
def test_players_do_not_influence_each_other(game, name):
    referee = late_referee(game, 40)
    seen: list[Seen] = []
    bots = make_bots(game, ["random"] * referee.setup.players)
    while len(seen) < 6 and not isinstance(pending := referee.settle(), Over):
        seen.append(referee.seen(pending.seat))
        referee.ask(bots[pending.seat])
    alone, beside, other = (players.make(name, game, seed) for seed in (1, 1, 2))
    answers = [alone.choose(each, Clock()) for each in seen]
    for each, answer in zip(seen, answers, strict=True):
        other.choose(each, Clock())
        assert beside.choose(each, Clock()) == answer


@pytest.mark.parametrize("name", ["mc:12", "search:6"])
def test_another_seed_gives_other_decisions(name):
    played = set()
    for seed in range(4):
        referee = new_referee(PEBBLES)
        play_out(referee, make_bots(PEBBLES, [name] * 2, seed))
        played.add(referee.record().entries)
    assert len(played) > 1


@pytest.mark.parametrize("name", ["bigpoints", "rondo", "template"])
def test_decisions_do_not_depend_on_the_hash_seed(name, tmp_path):
    records = set()
    for seed in ("1", "2"):
        folder = tmp_path / seed
        ran = run("simulate", name, "-p", "mc:6,search:4", "-n", 1, "--out", folder, env={"PYTHONHASHSEED": seed})
        assert ran.code == 0, ran.err
        records.add(next(folder.iterdir()).read_bytes())
    assert len(records) == 1


# Reuse of the tree, within the rules


def searching(game: AnyGame, simulations: int, remembers: int | None) -> Callable[[int], AnyPlayer]:
    """A factory of tree searches with limited memory."""

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
def test_a_reused_tree_stays_within_the_rules_with_any_memory(game, games, remembers):
    for seed in range(games):
        for seats in (2, 3):
            make = searching(game, 3 + 4 * (seed % 2), remembers)
            outcome = play_out(new_referee(game, seats, seed), [make(seed + seat) for seat in range(seats)])
            assert len(outcome.scores) == seats


@pytest.mark.parametrize("game", [BIG_POINTS, PEBBLES], ids=["open", "hidden"])
def test_a_player_that_lives_as_long_as_its_game_reuses_its_tree(game):
    """Every decision gets its whole budget of new simulations, in addition to the visits that the root already has."""
    simulations, reused, searched = 60, 0, 0
    for seed in range(6):
        referee = new_referee(game, 2, seed)
        player = TreeSearch(game, registry.knowledge(game), Budget(simulations=simulations), Random(seed))
        (other,) = make_bots(game, ["greedy"], seed)
        while not isinstance(pending := referee.settle(), Over):
            root = player.root
            referee.ask(player if pending.seat == 0 else other)
            if player.root is not root:
                searched += 1
                assert player.root.visits >= simulations
                reused += player.root.visits > simulations
    assert reused > searched / 20


def test_the_same_position_continues_the_tree_and_another_game_starts_a_new_one():
    player = TreeSearch(PEBBLES, registry.knowledge(PEBBLES), Budget(simulations=60), Random(1))
    for seed in (1, 2):
        seen = first_seen(PEBBLES, seed)
        for visits in (60, 120):
            assert player.choose(seen, Clock()) in seen.choices
            assert player.root.visits == visits


@pytest.mark.parametrize("kind", ["mc", "search"])
def test_the_end_of_a_tower_is_built_within_the_rules(kind):
    game = registry.find("turmbauer").for_simulation
    referee = late_referee(game, 30)
    play_out(referee, make_bots(game, [f"{kind}:6"] * referee.setup.players))
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
def test_determinizations_that_are_equal_by_coincidence_do_no_harm(bag, seeds):
    """If little is unknown, determinizations are often equal, and those of the next decision may still differ."""
    for seed in (*seeds, *range(20)):
        make = searching(PEBBLES, 10, None)
        bots = [make(Random(f"{seed}/{seat}").getrandbits(32)) for seat in range(2)]
        play_out(new_referee(PEBBLES, 2, seed, bag=bag), bots)


# Budgets and deadlines


class UnusedKnowledge(Knowledge[Any, Any]):
    """Must not be used."""

    def skip_search(self, *state):
        raise AssertionError

    score_actions = rollout_action = own_turn_action = evaluate = is_quiescent = skip_search  # type: ignore[assignment]


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("kind", [MonteCarlo, TreeSearch, Noisy], ids=lambda kind: kind.__name__)
def test_a_single_choice_is_returned_without_search(game, kind):
    seen, dice = first_seen(game), Random(1)
    before = dice.getstate()
    budget = registry.levels(game)[0] if kind is Noisy else Budget(simulations=10**9)
    for choice in seen.choices:
        assert kind(game, UnusedKnowledge(), budget, dice).choose(seen._replace(choices=(choice,)), Clock()) == choice
    assert dice.getstate() == before
    with pytest.raises(AssertionError):
        kind(game, UnusedKnowledge(), budget, dice).choose(seen, Clock())


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("kind", SEARCH_PLAYERS)
def test_a_deadline_ends_the_largest_budget(game, kind):
    referee = late_referee(game, 40)
    seen = referee.seen(referee.settle().seat)
    for budget in ("1000000", "600s"):
        player = players.make(f"{kind}:{budget}", game, 1)
        began = time.process_time()
        assert player.choose(seen, Clock(time.monotonic() + 0.2)) in seen.choices
        assert time.process_time() - began < 3


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("name", ["mc:1000000", "search:1000000", "mc:600s", "search:600s"])
def test_there_is_a_decision_even_after_the_deadline(game, name):
    seen = first_seen(game)
    assert players.make(name, game, 1).choose(seen, Clock(0.0)) in seen.choices


@pytest.mark.parametrize("name", ["mc:1000000", "search:1000000", "mc:600s", "search:600s"])
def test_the_solver_leaves_time_for_a_decision(name):
    for left in (6, 8, 10):
        referee = late_referee(BIG_POINTS, left)
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


def test_more_seconds_allow_more_simulations():
    seen = first_seen(BIG_POINTS)
    searches = [TreeSearch(BIG_POINTS, Knowledge(), Budget(seconds=seconds), Random(1)) for seconds in (0.01, 0.3)]
    for player in searches:
        player.choose(seen, Clock())
    assert 0 < searches[0].root.visits < searches[1].root.visits


class CountingKnowledge(Knowledge[Any, Any]):
    """Evaluates every state, and counts how often."""

    can_evaluate = True

    def __init__(self) -> None:
        self.evaluations = 0

    def evaluate(self, state):
        self.evaluations += 1
        return [0.0] * state.setup.players


@pytest.mark.parametrize("simulations", [1, 6, 40, 200])
def test_simulations_are_counted(simulations):
    seen = first_seen(PEBBLES)
    knowledge = CountingKnowledge()
    TreeSearch(PEBBLES, knowledge, Budget(simulations=simulations), Random(1)).choose(seen, Clock())
    assert knowledge.evaluations == simulations
    knowledge = CountingKnowledge()
    MonteCarlo(PEBBLES, knowledge, Budget(simulations=simulations), Random(1)).choose(seen, Clock())
    assert simulations <= knowledge.evaluations < simulations + len(seen.choices)


# Without knowledge


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("kind", SEARCH_PLAYERS)
def test_without_knowledge_a_game_is_played_to_its_end(game, kind, monkeypatch):
    monkeypatch.setattr(registry, "knowledge", lambda game: Knowledge())
    referee = new_referee(game, 3) if game.hides else late_referee(game, 25)
    play_out(referee, make_bots(game, [f"{kind}:4", "random", f"{kind}:2"]))
    assert isinstance(referee.pending, Over)


@pytest.mark.parametrize("name", ["mc:40", "search:40"])
def test_search_without_knowledge_beats_random(name, monkeypatch):
    monkeypatch.setattr(registry, "knowledge", lambda game: Knowledge())
    won = 0.0
    for seed in range(6):
        names = ["random", "random"]
        names[seed % 2] = name
        won += share(play_out(new_referee(BIG_POINTS, 2, seed), make_bots(BIG_POINTS, names, seed)), seed % 2)
    assert won >= 5
