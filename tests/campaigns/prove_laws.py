"""`make prove-laws`: checks the laws on very many games of every variant; writes docs/reference/laws.md."""

from __future__ import annotations

import sys

from spieltisch.testing.conformance import check, seeded
from spieltisch.testing.odds import check_odds
from tests.campaigns.campaign import run_campaign, write_page
from tests.support.variants import game_variants

SETTINGS = {str(variant): variant for variant in game_variants()}


def check_game(name: str, seed: int) -> int:
    """Checks one game against all laws; returns the number of states that were compared for the odds of `imagine`."""
    variant = SETTINGS[name]
    check(variant.game, variant.setup(first=seed % variant.players), seeded(seed))
    return check_odds(variant.game, variant.setup(), seeded(seed), steps=seed % 30) if seed < 30 else 1


def main(walks: int) -> None:
    results = run_campaign("laws", SETTINGS, walks, check_game)
    write_page(
        "laws",
        "The laws, checked on many games",
        f"`make prove-laws WALKS={walks}`: no game broke a law.",
        ("variant", "games checked for laws 1 to 11", "most states compared for the odds of law 10"),
        [(name, len(states), max(states)) for name, states in results.items()],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
