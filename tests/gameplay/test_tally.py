"""Tallies of draws: what is counted, goodness of fit for fair sources, and detection of loaded ones."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Seat
from spieltisch.gameplay.chance import KeyedSource, ReplaySource, Source, seeded
from spieltisch.gameplay.chi_square import tail
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.tally import Fit, Piece, Tally, judgement, tally
from spieltisch.games.template.state import DRAWS
from spieltisch.games.turmbauer.state import ROLLS, TREMORS, Roll
from spieltisch.records.replay import Draw, replay
from tests.support.matches import make_bots, play_out

PEBBLES, DICE = registry.find("template"), registry.find("turmbauer").for_simulation
GAMES = {"bigpoints": 10, "rondo": 6, "template": 30, "turmbauer": 12}  # games per tally
KINDS = {
    "bigpoints": ["bgkprwy"],
    "rondo": ["BGPRY"],
    "template": ["BGR"],
    "turmbauer": ["123456", "~E~N~S~W"],
}
SEEDS = (1, 2, 3)
FAIR = 1e-3  # below every p of the fair sources, of which 15 are tested from fixed seeds
LOADED = 1e-6  # above some p of every loaded source


class LoadedSource:
    """A source that picks the first action in one of five draws."""

    def __init__(self, seed: str) -> None:
        self.fair: KeyedSource = seeded(seed)

    def pick(self, number: int, weights: Sequence[int]) -> int:
        return 0 if not self.fair.uniform(b"load", number, 5) else self.fair.pick(number, weights)

    def first(self, players: int) -> Seat:
        return self.fair.first(players)


def counted(game: AnyGame, source: Source, seed: str) -> Tally:
    """The tally of a game between random players."""
    seats = 3
    referee = Referee(game, game.agree(seats, first=source.first(seats)), source)
    play_out(referee, make_bots(game, ["random"] * seats, seed))
    return tally(game, replay(game, referee.record()).draws)


@cache
def simulated(name: str, seed: int, loaded: bool = False) -> Tally:
    """The tally of several games."""
    game = registry.find(name).for_simulation
    seeds = [f"{seed}/{number}" for number in range(GAMES[name])]
    return sum((counted(game, LoadedSource(one) if loaded else seeded(one), one) for one in seeds), Tally())


def thrown(*rolls: tuple[int, int]) -> Tally:
    """The tally of throws of two dice."""
    before = DICE.initial(DICE.agree())
    chance = DICE.pending(before)
    return tally(DICE, [Draw(1, before, chance, Roll(*sorted(roll))) for roll in rolls])


def pulled(weights: Sequence[int], colours: Sequence[int]) -> Tally:
    """The tally of pebbles drawn with replacement."""
    before = PEBBLES.initial(PEBBLES.agree())
    chance = Chance(DRAWS, tuple(weights))
    return tally(PEBBLES, [Draw(1, before, chance, DRAWS[colour]) for colour in colours])


# Counting


def test_every_die_of_a_throw_and_every_tremor_is_a_piece():
    state = DICE.initial(DICE.agree())
    assert [DICE.drawn_pieces(state, ROLLS[place]) for place in (0, 2, 20)] == [("1", "1"), ("1", "3"), ("6", "6")]
    assert DICE.drawn_pieces(state, TREMORS[0]) == ("~N",)
    assert PEBBLES.drawn_pieces(PEBBLES.initial(PEBBLES.agree()), DRAWS[1]) == ("B",)


def test_two_dice_have_the_textbook_expectation_and_covariance():
    found = thrown((3, 5), (2, 2), (6, 3))
    assert found.draws == 3
    assert found.seen == {"1": 0, "2": 2, "3": 2, "4": 0, "5": 1, "6": 1}
    assert found.expected == pytest.approx(dict.fromkeys("123456", 1.0))
    assert found.spread["4", "4"] == pytest.approx(3 * 2 * 5 / 36)
    assert found.spread["2", "5"] == pytest.approx(-3 * 2 / 36)
    assert len(found.spread) == 21


def test_the_fit_of_dice_is_pearsons_test():
    rolls = [(1, 6), (2, 2), (3, 4), (5, 1), (6, 6), (4, 2), (1, 1), (3, 6), (6, 5), (2, 6)] * 3
    (fit,) = judgement(thrown(*rolls), enough=10)
    faces = Counter(face for roll in rolls for face in roll)
    expected = stats.chisquare([faces[face] for face in range(1, 7)])
    assert fit.pieces[0] == Piece("1", 12, pytest.approx(10))
    assert fit.freedom == 5
    assert (fit.statistic, fit.p) == pytest.approx(tuple(expected))


def test_draws_without_replacement_use_the_odds_of_every_draw():
    """R G B R R are drawn from three red, two blue and one green; the last one, B, is forced and not a draw."""
    setup = PEBBLES.agree(2, options={"bag": {"R": 3, "B": 2, "G": 1}})
    referee = Referee(PEBBLES, setup, ReplaySource((0, 2, 1, 0, 0), Seat(0)))
    referee.settle()
    found = tally(PEBBLES, replay(PEBBLES, referee.record()).draws)
    part = Fraction
    red = part(3, 6) + part(2, 5) + part(2, 4) + part(2, 3) + part(1, 2)
    blue = part(2, 6) + part(2, 5) + part(2, 4) + part(1, 3) + part(1, 2)
    green = part(1, 6) + part(1, 5)
    assert (found.draws, found.seen) == (5, {"R": 3, "B": 1, "G": 1})
    assert found.expected == pytest.approx({"R": float(red), "B": float(blue), "G": float(green)})
    red_red = part(1, 4) + part(6, 25) + part(1, 4) + part(2, 9) + part(1, 4)
    green_green = part(5, 36) + part(4, 25)
    red_green = -part(1, 12) - part(2, 25)
    assert found.spread["R", "R"] == pytest.approx(float(red_red))
    assert found.spread["G", "G"] == pytest.approx(float(green_green))
    assert found.spread["G", "R"] == pytest.approx(float(red_green))
    # One colour follows from the two others, so two are enough.
    off_red, off_green = 3 - red, 1 - green
    square = off_red**2 * green_green - 2 * off_red * off_green * red_green + off_green**2 * red_red
    square /= red_red * green_green - red_green**2
    (fit,) = judgement(found, enough=0, rare=0)
    assert (fit.statistic, fit.freedom) == pytest.approx((float(square), 2))
    assert fit.p == pytest.approx(stats.chi2.sf(float(square), 2))


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.tuples(*[st.integers(1, 9)] * 3), st.lists(st.integers(0, 2), min_size=1, max_size=40))
def test_with_constant_odds_the_fit_is_pearsons_test(weights, colours):
    (fit,) = judgement(pulled(weights, colours), enough=0, rare=0)
    seen = [colours.count(colour) for colour in range(3)]
    expected = [len(colours) * weight / sum(weights) for weight in weights]
    assert fit.freedom == 2
    assert (fit.statistic, fit.p) == pytest.approx(tuple(stats.chisquare(seen, expected)), abs=1e-9)


def test_undone_draws_are_counted():
    referee = Referee(PEBBLES, PEBBLES.agree(2), seeded(3))
    referee.settle()
    before = tally(PEBBLES, replay(PEBBLES, referee.record()).draws)
    referee.undo(2)
    referee.settle()
    after = tally(PEBBLES, replay(PEBBLES, referee.record()).draws)
    assert len(referee.steps) == before.draws == 6
    assert (after.draws, sum(after.seen.values()), math.fsum(after.expected.values())) == pytest.approx((8, 8, 8))


def test_verdicts_and_forced_draws_are_not_counted():
    assert simulated("turmbauer", 1).expected.keys() == {*"123456", "~N", "~E", "~S", "~W"}
    setup = PEBBLES.agree(2, options={"bag": {"R": 6, "B": 0, "G": 0}})
    referee = Referee(PEBBLES, setup, ReplaySource((), Seat(0)))
    referee.settle()
    assert tally(PEBBLES, replay(PEBBLES, referee.record()).draws) == Tally()


# Sums and JSON


def test_a_sum_of_tallies_is_the_tally_of_all():
    rolls = [(1, 2), (3, 3), (6, 1), (4, 5), (2, 6)]
    whole, parts = thrown(*rolls), thrown(*rolls[:2]) + thrown(*rolls[2:])
    assert (parts.draws, parts.seen) == (whole.draws, whole.seen)
    assert parts.expected == pytest.approx(whole.expected)
    assert parts.spread == pytest.approx(whole.spread)
    assert judgement(parts, enough=0, rare=0)[0].p == pytest.approx(judgement(whole, enough=0, rare=0)[0].p)


def test_a_sum_keeps_pieces_of_only_one_tally():
    both = thrown((1, 2)) + pulled((1, 1, 1), (0, 2))
    assert both.draws == 3
    assert (both.seen["1"], both.seen["R"], both.seen["B"]) == (1, 1, 0)
    assert ["".join(piece.name for piece in fit.pieces) for fit in judgement(both)] == ["123456", "BGR"]
    assert Tally() + both == both == both + Tally()


@pytest.mark.parametrize("name", registry.names())
def test_a_tally_round_trips_through_json(name):
    found = simulated(name, 1)
    assert Tally.read(json.loads(json.dumps(found.to_json()))) == found
    assert Tally.read(json.loads(json.dumps(Tally().to_json()))) == Tally()


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        {},
        {"draws": "many", "seen": {}, "expected": {}, "spread": {}},
        {"draws": 1, "seen": [1], "expected": {}, "spread": {}},
        {"draws": 1, "seen": {"R": 1}, "expected": {}, "spread": {}},
        {"draws": 1, "seen": {"R": 1}, "expected": {"R": 1.0}, "spread": {}},
        {"draws": 1, "seen": {"R": 1}, "expected": {"R": 1.0}, "spread": {"R": {"R": 0.0, "S": 0.0}}},
        {"draws": 1, "seen": {"R": 1}, "expected": {"R": None}, "spread": {"R": {"R": 0.0}}},
    ],
)
def test_an_invalid_tally_is_refused(wrong):
    with pytest.raises(ValueError, match="this is no tally of draws"):
        Tally.read(wrong)


# Goodness of fit


@pytest.mark.parametrize("name", registry.names())
def test_pieces_are_grouped_with_those_of_the_same_draws(name):
    fits = judgement(simulated(name, 1))
    assert ["".join(piece.name for piece in fit.pieces) for fit in fits] == KINDS[name]
    assert [fit.freedom for fit in fits] == [len(fit.pieces) - 1 for fit in fits]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", registry.names())
def test_fair_games_fit(name, seed):
    assert min(fit.p for fit in judgement(simulated(name, seed))) > FAIR


@pytest.mark.parametrize("name", registry.names())
def test_loaded_games_do_not_fit(name):
    assert min(fit.p for fit in judgement(simulated(name, 1, loaded=True))) < LOADED


def test_p_is_uniform_over_many_fair_tallies():
    game = registry.find("bigpoints")
    fits: list[Fit] = []
    for seed in range(60):
        found = Tally()
        for number in range(5):
            referee = Referee(game, game.agree(2), seeded(f"even/{seed}/{number}"))
            referee.settle()
            found += tally(game, replay(game, referee.record()).draws)
        fits += judgement(found)
    assert {fit.freedom for fit in fits} == {6}
    assert stats.kstest([fit.p for fit in fits], "uniform").pvalue > 0.01


def test_rare_pieces_are_pooled():
    found = pulled((50000, 49999, 1), [0, 1] * 50 + [2])
    alone, pooled = judgement(found, rare=0)[0], judgement(found)[0]
    assert alone.p < 1e-9  # one green pebble in 101 draws is plausible, but too rare for the chi-square approximation
    assert pooled.p > 0.1
    assert (alone.freedom, pooled.freedom) == (2, 1)
    assert pooled.pieces == alone.pieces


def test_a_pool_that_is_still_rare_takes_the_next_piece():
    found = pulled((96, 3, 1), [0] * 96 + [1, 1, 1, 2])
    (fit,) = judgement(found)
    assert (fit.statistic, fit.freedom, fit.p) == (0, 0, 1)


def test_too_few_draws_are_not_tested():
    assert judgement(Tally()) == ()
    (fit,) = judgement(thrown(*[(6, 6)] * 89))
    assert (fit.statistic, fit.freedom, fit.p) == (0, 0, 1)
    assert fit.pieces[5] == Piece("6", 178, pytest.approx(89 / 3))
    (fit,) = judgement(thrown(*[(6, 6)] * 90))
    assert fit.p < LOADED


# The chi-square distribution


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 6, 10, 33, 100, 1000])
def test_the_tail_agrees_with_scipy(freedom):
    places = [freedom * factor for factor in (1e-9, 0.01, 0.3, 0.9, 1, 1 + 1e-9, 1.02, 1.5, 2, 3, 5, 10, 40)]
    for place in places:
        assert tail(place, freedom) == pytest.approx(stats.chi2.sf(place, freedom), rel=1e-10, abs=1e-300)


def test_the_tail_is_one_without_data_and_zero_far_out():
    assert tail(0, 3) == tail(0, 0) == tail(7.5, 0) == 1
    assert tail(1e6, 3) == 0
