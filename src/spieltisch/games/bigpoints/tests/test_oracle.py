"""Compares Big Points with an independent, list-based implementation: choices and scores at every step."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from bench.bigpoints_lists import Table
from tests.support.playing import engine_client

from spieltisch.core.game import Decision, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.perft import perft
from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.speech.turns import reach_of
from spieltisch.games.bigpoints.state import LETTERS, Move
from spieltisch.games.bigpoints.tests.positions import choices, dealt, held
from spieltisch.records import read
from spieltisch.records.replay import replay

GOLDEN = Path(__file__).parent / "golden"
GAMES = 60  # of each number of players; `make prove-bigpoints` plays thousands


def compare_with_oracle(seed: int, players: int, *, humble: bool = False) -> tuple[int, int, int]:
    """Plays one random game in both implementations; returns its turns, moves and decisions."""
    dice = Random(seed)
    state = dealt(seed, players, stairs="humble" if humble else "proud")
    table = Table(list(GAME.observe(state, None).laid), players, humble=humble)
    turns = moves = decisions = 0
    while not isinstance(pending := GAME.pending(state), Over):
        assert isinstance(pending, Decision)
        assert pending.seat == table.seat
        assert choices(state) == table.choices()
        for seat in range(players):
            assert held(state, seat) == "".join(sorted(table.hands[seat], key=LETTERS.index))
        text = dice.choice(table.choices())
        turns += not state.extra
        moves += text != "."
        decisions += 1
        state = GAME.apply(state, GAME.read(state, text))
        table.play(text)
        check_disc_count(state)
    assert table.over()
    assert list(pending.outcome.scores) == table.scores()
    return turns, moves, decisions


def check_disc_count(state) -> None:
    """The discs in hands, handed in, on the track and beside the staircase are always sixty."""
    view = GAME.observe(state, None)
    on_track = sum(letter != "." for letter in view.track)
    assert on_track + len(view.beside) + view.handed_in + sum(hand.size for hand in view.hands) == 60


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_choices_and_scores_agree_at_every_step(players):
    lengths = [compare_with_oracle(seed, players, humble=seed % 3 == 0) for seed in range(GAMES)]
    for turns, moves, decisions in lengths:
        assert 25 <= turns <= 54
        assert 28 <= moves <= 59
        assert decisions <= GAME.bound(GAME.agree(players)) - 55
    assert 30 < sum(turns for turns, _, _ in lengths) / GAMES < 38


def test_what_a_view_says_of_a_move_is_what_the_move_does():
    for seed in range(12):
        dice, state = Random(seed), dealt(seed, 2 + seed % 4)
        while not isinstance(pending := GAME.pending(state), Over):
            view = GAME.observe(state, None)
            for action in pending.actions:
                if isinstance(action, Move):
                    reached, after = reach_of(view, action), GAME.observe(GAME.apply(state, action), None)
                    assert after.pawns[action.pawn] == reached.landing
                    gone = [n for n in range(1, 56) if view.track[n - 1] != after.track[n - 1]]
                    expected = {"+": reached.ahead, "-": reached.behind}.get(action.take.value)
                    assert gone == ([] if expected is None else [expected])
            state = GAME.apply(state, dice.choice(pending.actions))


def test_in_a_real_game_there_is_always_something_to_take():
    for seed in range(40):
        dice, state = Random(seed), dealt(seed, 2 + seed % 4)
        while not isinstance(pending := GAME.pending(state), Over):
            assert not any(text.endswith("0") for text in choices(state))
            state = GAME.apply(state, dice.choice(pending.actions))


def count_with_oracle(track: str, players: int, past: tuple[str, ...], depth: int) -> int:
    """Counts decision sequences by playing each of them from the start."""
    table = Table(list(track), players)
    for text in past:
        table.play(text)
    if depth == 0 or table.over():
        return 1
    return sum(count_with_oracle(track, players, (*past, text), depth - 1) for text in table.choices())


@pytest.mark.parametrize(
    ("seed", "players", "counts"),
    [(1, 2, [9, 81, 731]), (2, 3, [10, 100, 1000]), (3, 4, [9, 81, 738]), (4, 5, [9, 81, 737])],
)
def test_perft_is_what_an_independent_count_gives(seed, players, counts):
    state = dealt(seed, players)
    track = GAME.observe(state, None).laid
    found = [perft(GAME, state, depth, seeded(0)) for depth in (1, 2, 3)]
    assert found == [count_with_oracle(track, players, (), depth) for depth in (1, 2, 3)]
    assert found == counts


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_engine_plays_the_same_game(players):
    ask, dice = engine_client(), Random(players)
    answer = ask(do="new", game="bigpoints", players=players, first=players - 1)
    track = []
    while answer["pending"]["kind"] == "chance":
        letter = dice.choices(answer["pending"]["actions"], answer["pending"]["weights"])[0]
        track.append(letter)
        answer = ask(do="apply", state=answer["state"], action=letter)
    table = Table(track, players, first=players - 1)
    while answer["pending"]["kind"] == "decision":
        assert answer["pending"]["actions"] == table.choices()
        assert answer["pending"]["seat"] == table.seat
        view = ask(do="view", state=answer["state"], viewer=0)["view"]
        assert view["track"] == "".join(disc or "." for disc in table.track)
        text = dice.choice(table.choices())
        table.play(text)
        answer = ask(do="apply", state=answer["state"], action=text)
    assert answer["pending"]["scores"] == table.scores()
    assert answer["pending"]["ending"] == "stairs"


def test_a_stored_state_of_a_random_game_takes_less_than_a_kilobyte():
    import tracemalloc

    dice, start = Random(1), dealt(1, 4)
    tracemalloc.start()
    states, state = [], start
    while not isinstance(pending := GAME.pending(state), Over):
        state = GAME.apply(state, dice.choice(pending.actions))
        states.append(state)
    del pending
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / len(states) < 1024


def test_greedy_beats_random_nearly_always():
    from spieltisch import players
    from spieltisch.gameplay.referee import Referee

    won = 0.0
    for seed in range(60):
        referee = Referee(GAME, GAME.agree(2, first=seed % 2), seeded(seed))
        bots = [players.make(name, GAME, seed) for name in ("greedy", "random")]
        while not isinstance(pending := referee.settle(), Over):
            referee.ask(bots[pending.seat])
        won += pending.outcome.ranks[0] == 1
    assert won / 60 >= 0.95


@pytest.mark.parametrize(
    ("name", "turns", "moves"), [("fewest-turns", 25, 30), ("fewest-moves", 27, 28), ("longest", 54, 59)]
)
def test_the_bounds_on_the_length_of_a_game_are_attained(name, turns, moves):
    text = (GOLDEN / f"{name}.game").read_text(encoding="utf-8")
    past = replay(GAME, read(text).games[0])
    decisions = [step for step in past.steps if step.seat is not None]
    assert sum(not step.before.extra for step in decisions) == turns
    assert sum(isinstance(step.action, Move) for step in decisions) == moves
