"""The twelve laws, for every registered game, number of players, edition and version of the rules."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.testing.conformance import LAWS, check, seeded
from spieltisch.testing.odds import check_odds
from tests.support.variants import GameVariant, ScriptedChooser, choosers, setups
from tests.support.variants import game_variants as all_settings

EVERY = list(all_settings())


@pytest.mark.parametrize("variant", EVERY, ids=str)
def test_laws_1_to_11_hold(variant: GameVariant):
    @settings(max_examples=2, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(setups(variant), choosers())
    def hold(setup, chooser):
        check(variant.game, setup, chooser)

    hold()


@pytest.mark.parametrize("variant", [each for each in EVERY if each.rules == each.game.rules[-1]], ids=str)
@pytest.mark.parametrize("steps", [3, 7, 12, 25])
def test_law_10_imagined_states_have_the_odds_of_chance(variant: GameVariant, steps: int):
    assert check_odds(variant.game, variant.setup(), seeded(0), steps=steps) >= 1


def test_law_10_is_checked_with_many_possible_states():
    """Otherwise only the odds of games without secrets would be checked."""
    most = max(check_odds(game, game.agree(), seeded(0), steps=12) for game in registry.all())
    assert most > 10


def test_every_game_is_checked_against_the_laws():
    assert {variant.game.name for variant in EVERY} == set(registry.names())
    assert list(LAWS) == list(range(1, 14))


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 255)), st.integers(1, 1000))
def test_a_scripted_chooser_stays_below_the_count(script, count):
    chooser = ScriptedChooser(script, 0)
    assert all(0 <= chooser(count) < count for _ in range(len(script) + 3))
