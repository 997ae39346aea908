"""`make prove-twins`: checks every twin against law 12, in every setup, on thousands of games."""

from __future__ import annotations

import sys
from itertools import product

from spieltisch import registry
from spieltisch.core.game import Choice
from tests.campaigns.campaign import run_campaign, write_page
from tests.support.twins import check_random_games
from tests.support.variants import game_variants

BATCH = 32  # games
SETTINGS = {str(variant): variant for variant in game_variants() if registry.has_twin(variant.game)}


def check(name: str, seed: int) -> tuple[int, int]:
    """Checks a batch of games; returns the number of games and of states compared."""
    variant = SETTINGS[name]
    choices = [option for option in variant.game.options if isinstance(option, Choice)]
    variants = [
        dict(zip([option.name for option in choices], values, strict=True))
        for values in product(*(choice.values for choice in choices))
    ]
    twin = registry.twin(variant.game, variant.setup(variants[seed % len(variants)], first=seed % variant.players))
    assert twin is not None
    return BATCH, check_random_games(variant.game, twin, BATCH, seed * BATCH)


def main(games: int) -> None:
    rounds = -(-games // BATCH)
    results = run_campaign("twins", SETTINGS, rounds, check, save_interval=1)
    write_page(
        "twins",
        "Twins checked against the rules",
        f"`make prove-twins GAMES={games}`: law 12 held at every state of every game. Batches of {BATCH} games; "
        "rounds differ in options and in the starting seat. In every state, packing and unpacking restores the state, the "
        "same actions are legal, the same seat decides, chance has the same odds and every action leads to the same "
        "state; at the end, scores and ranks are the same.",
        ("variant", "games", "states compared", "states per game"),
        [
            (name, games := sum(n for n, _ in batches), states := sum(n for _, n in batches), round(states / games))
            for name, batches in results.items()
        ],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
