"""Ratings on a fixed scale: recovered from results, unmoved by later players, honest about what is not known."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest

from spieltisch.arena.bradley_terry import Pairing, expected_share, fit, fit_with_intervals

TRUE = {"anchor": 1000.0, "weak": 700.0, "strong": 1250.0, "new": 1100.0}


def exact(first: str, second: str, deals: int = 10_000) -> Pairing:
    """A pairing whose share is exactly what the ratings say."""
    won = round(deals * expected_share(TRUE[first], TRUE[second]))
    return Pairing(first, second, {1.0: won, 0.0: deals - won})


def sampled(first: str, second: str, deals: int, sampler: Random) -> Pairing:
    share = expected_share(TRUE[first], TRUE[second])
    results = [sum(sampler.random() < share for _ in range(2)) / 2 for _ in range(deals)]
    return Pairing(first, second, Counter(results))


def test_four_hundred_points_are_ten_to_one():
    assert expected_share(1400, 1000) == pytest.approx(10 / 11)
    assert expected_share(1000, 1000) == 0.5
    assert expected_share(1100, 1000) == pytest.approx(0.64, abs=0.01)


def test_the_ratings_behind_the_results_are_found():
    pairings = [exact("weak", "anchor"), exact("strong", "anchor"), exact("weak", "strong")]
    ratings = fit(pairings, {"anchor": 1000.0})
    assert set(ratings) == {"weak", "strong"}
    for name, rating in ratings.items():
        assert rating == pytest.approx(TRUE[name], abs=2)


def test_the_fit_is_the_maximum_of_the_likelihood():
    pairings = [Pairing("a", "b", {1.0: 6, 0.5: 3, 0.0: 2}), Pairing("b", "c", {1.0: 2, 0.5: 5})]
    ratings = {"a": 1000.0, **fit(pairings, {"a": 1000.0})}

    def likelihood(moved: dict[str, float]) -> float:
        total = -sum((moved[name] - 1000) ** 2 / (2 * 800**2) for name in ("b", "c"))
        for first, second, shares, per_deal in pairings:
            won = sum(share * count for share, count in shares.items()) * per_deal
            lost = sum((1 - share) * count for share, count in shares.items()) * per_deal
            chance = expected_share(moved[first], moved[second])
            total += won * math.log(chance) + lost * math.log(1 - chance)
        return total

    best = likelihood(ratings)
    for name in ("b", "c"):
        for step in (-1, 1):
            assert likelihood({**ratings, name: ratings[name] + step}) < best


def test_a_later_player_moves_nobody():
    fixed = {name: TRUE[name] + 40 for name in ("anchor", "weak", "strong")}
    pairings = [exact("new", "anchor"), exact("new", "strong"), exact("weak", "strong")]
    ratings = fit(pairings, fixed)
    assert set(ratings) == {"new"}
    assert ratings["new"] == pytest.approx(TRUE["new"] + 40, abs=2)


def test_a_player_that_won_everything_has_a_finite_rating_that_is_a_bound():
    pairings = [Pairing("best", "anchor", {1.0: 20}), Pairing("anchor", "worst", {1.0: 20}),
                Pairing("worst", "also bad", {1.0: 5, 0.0: 5}), exact("strong", "anchor", 40)]  # fmt: skip
    found = fit_with_intervals(pairings, {"anchor": 1000.0}, 50, Random(1))
    assert {name: each.bound for name, each in found.items()} == {
        "best": ">",
        "worst": "<",
        "also bad": "<",
        "strong": "",
    }
    assert 1600 < found["best"].rating < 2200
    assert found["best"].interval.high > found["best"].rating + 50


def test_a_player_between_two_others_is_no_bound_even_if_it_won_or_lost_everything():
    pairings = [Pairing("mid", "anchor", {0.0: 5}), Pairing("mid", "weak", {1.0: 5}), exact("weak", "anchor", 40),
                Pairing("last", "mid", {0.0: 5})]  # fmt: skip
    found = fit_with_intervals(pairings, {"anchor": 1000.0}, 20, Random(1))
    assert {name: each.bound for name, each in found.items()} == {"mid": "", "weak": "", "last": "<"}


def test_intervals_hold_the_true_rating_about_as_often_as_they_say():
    sampler, hits, runs = Random(4), 0, 60
    for _ in range(runs):
        pairings = [sampled("weak", "anchor", 30, sampler), sampled("strong", "anchor", 30, sampler)]
        found = fit_with_intervals(pairings, {"anchor": 1000.0}, 80, sampler)
        hits += sum(each.interval.low <= TRUE[name] <= each.interval.high for name, each in found.items())
    assert 0.85 <= hits / (2 * runs) <= 1


def test_a_player_without_a_link_to_a_fixed_one_is_refused():
    with pytest.raises(ValueError, match="lonely"):
        fit([Pairing("lonely", "alone", {1.0: 1})], {"anchor": 1000.0})


def test_a_pairing_counts_its_games_and_shares():
    pairing = Pairing("a", "b", {1.0: 3, 0.5: 1})
    assert (pairing.deals, pairing.games, pairing.share) == (4, 8, 0.875)
    drawn = pairing.resample(Random(1))
    assert drawn.deals == 4
    assert set(drawn.shares) <= {1.0, 0.5, 0.0}


def test_an_interval_relative_to_the_anchor_includes_what_is_not_known_about_the_others():
    pairings = [exact("strong", "anchor", 20), exact("new", "strong", 20)]
    fixed = {"anchor": 1000.0, "strong": 1250.0}
    narrow = fit_with_intervals(pairings, fixed, 100, Random(1))["new"]
    wide = fit_with_intervals(pairings, fixed, 100, Random(1), "anchor")["new"]
    assert wide.rating == narrow.rating
    assert wide.interval.high > narrow.interval.high


def test_one_deal_is_no_certainty():
    found = fit_with_intervals([Pairing("lucky", "anchor", {1.0: 1})], {"anchor": 1000.0}, 100, Random(1))
    assert found["lucky"].interval.high - found["lucky"].interval.low > 300
