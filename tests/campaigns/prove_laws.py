"""`make prove-laws`: the laws on very many games of every setting."""

from __future__ import annotations

import sys

from spieltisch.testing.conformance import check, check_odds, seeded
from tests.campaigns.campaign import campaign, report
from tests.support.settings import settings

EVERY = {str(setting): setting for setting in settings()}


def held(name: str, seed: int) -> int:
    """Holds one game against all laws; answers in how many worlds a viewer could be when the odds were compared."""
    setting = EVERY[name]
    check(setting.game, setting.setup(first=seed % setting.players), seeded(seed))
    return check_odds(setting.game, setting.setup(), seeded(seed), steps=seed % 30) if seed < 30 else 1


def main(walks: int) -> None:
    answers = campaign("laws", EVERY, walks, held)
    report(
        "laws",
        "The laws, at length",
        f"`make prove-laws WALKS={walks}`: no law was broken.",
        ("setting", "whole games held against laws 1 to 11", "worlds compared at most for the odds of law 10"),
        [(name, len(worlds), max(worlds)) for name, worlds in answers.items()],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
