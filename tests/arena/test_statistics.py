"""Statistics of means, and ratings."""

from __future__ import annotations

import math
import random
from statistics import fmean, variance

import pytest
from scipy import stats

from spieltisch.arena.deals import DealResult, GameResult
from spieltisch.arena.rating import Ratings
from spieltisch.arena.seating import line_ups
from spieltisch.arena.standings import Standings, order_is_certain, victory_shares
from spieltisch.arena.statistics import (
    MIN_DEALS,
    Sample,
    confidence_interval,
    confidence_sequence,
    decided_sign,
    student_quantile,
)
from tests.arena.cases import config_of


def test_a_sample_has_the_mean_and_variance_of_its_values():
    values = [random.Random(1).uniform(-1, 1) for _ in range(50)]
    sample = Sample(values)
    assert sample.mean == pytest.approx(fmean(values))
    assert sample.variance == pytest.approx(variance(values) + 1 / 49)


@pytest.mark.parametrize(("freedom", "off"), [(3, 0.01), (5, 0.001), (10, 1e-4), (100, 1e-6), (5000, 1e-8)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_students_quantile_agrees_with_scipy(freedom, off, level):
    assert student_quantile(freedom, level) == pytest.approx(
        stats.t.ppf(1 - level / 2, freedom), rel=off * (1 if level == 0.05 else 6)
    )


def test_a_confidence_interval_contains_the_mean_in_nineteen_cases_of_twenty():
    dice = random.Random(2)
    covered = 0
    for _ in range(600):
        bounds = confidence_interval(Sample(dice.choice((0, 0.25, 0.5, 1)) for _ in range(80)))
        assert bounds is not None
        covered += bounds.low <= 0.4375 <= bounds.high
    assert 0.93 < covered / 600 < 0.98
    assert confidence_interval(Sample([0.5])) is None


def test_thirty_defeats_do_not_prove_that_a_player_never_wins():
    bounds = confidence_interval(Sample([0.0] * 30))
    assert bounds is not None
    assert 0.03 < bounds.high < 0.1


def test_the_confidence_sequence_is_the_published_one():
    sample = Sample([0.3, -0.1] * 50)
    s, t, alpha = math.sqrt((100 * 0.04 + 1) / 99), 100, 0.05
    rho = math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / 100)
    assert rho == pytest.approx(0.296, abs=5e-4)
    reach = s * math.sqrt(2 * (t * rho**2 + 1) / (t**2 * rho**2) * math.log(math.sqrt(t * rho**2 + 1) / alpha))
    assert confidence_sequence(sample) == pytest.approx((0.1 - reach, 0.1 + reach))


NULLS = {
    "two alike at two seats": lambda dice: dice.choice((-1, 0, 0, 1)),
    "mostly the same result": lambda dice: dice.choices((-1, 0, 1), (1, 18, 1))[0],
    "many games a deal": lambda dice: dice.gauss(0, 0.15),
}


@pytest.mark.parametrize("draw_one", NULLS.values(), ids=NULLS.keys())
def test_a_confidence_sequence_is_wrong_about_equals_in_at_most_one_tournament_of_twenty(draw_one):
    dice = random.Random(3)
    wrong = 0
    for _ in range(400):
        sample = Sample()
        for _ in range(300):
            sample.add(draw_one(dice))
            if decided_sign(sample):
                wrong += 1
                break
    assert wrong / 400 <= 0.05 + 0.03


def test_the_order_of_three_equals_is_certain_in_at_most_one_tournament_of_twenty():
    dice = random.Random(4)
    wrong = 0
    for _ in range(150):
        standing = Standings(config_of(3, 3))
        for number in range(100):
            ranks = [tuple(dice.sample((1, 2, 3), 3)) for _ in range(3)]
            games = tuple(
                GameResult(seats, rank, rank)
                for seats, rank in zip(line_ups(standing.config, number), ranks, strict=True)
            )
            shares = victory_shares(DealResult(number, games, 0))
            for entrant, share in shares.items():
                standing.shares[entrant].add(share)
            for (one, other), sample in standing.differences.items():
                sample.add(shares[one] - shares[other])
            if order_is_certain(standing):
                wrong += 1
                break
    assert wrong / 150 <= 0.05


def test_a_clear_difference_is_decided_early_and_correctly():
    dice = random.Random(5)
    for sign in (1, -1):
        for _ in range(50):
            values = [sign * dice.choices((1, 0, -1), (6, 3, 1))[0] for _ in range(70)]
            assert decided_sign(values) == sign


def test_nothing_is_decided_before_thirty_deals():
    assert decided_sign([1.0] * (MIN_DEALS - 1)) == 0
    assert confidence_sequence(Sample([1.0] * (MIN_DEALS - 1))) is None
    assert decided_sign([1.0] * MIN_DEALS) == 1
    assert decided_sign([-1.0] * MIN_DEALS) == -1
    assert decided_sign([0.0] * 10_000) == 0


# Ratings


def test_more_wins_give_a_higher_rating():
    ratings = Ratings(3)
    for turn in range(30):
        seats = ((0, 1, 2), (1, 2, 0), (2, 0, 1))[turn % 3]
        ratings.add(GameResult(seats, tuple(entrant + 1 for entrant in seats), None))
    assert ratings[0].strength > ratings[1].strength > ratings[2].strength
    assert all(ratings[entrant].deviation < Ratings(1)[0].deviation for entrant in range(3))


def test_an_entrant_on_two_seats_is_rated_by_both():
    even, better = Ratings(2), Ratings(2)
    even.add(GameResult((0, 1, 1, 0), (1, 2, 3, 4), None))
    better.add(GameResult((0, 1, 0, 1), (1, 3, 2, 4), None))
    start = Ratings(1)[0].strength
    assert better[0].strength - start > abs(even[0].strength - start)
    assert better[1].strength < start < better[0].strength
