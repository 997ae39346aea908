"""`make prove-twins`: checks every twin against law 12, in every setup, on thousands of games."""

from __future__ import annotations

import sys
from itertools import product

from spieltisch import registry
from spieltisch.core.game import Choice
from tests.campaigns.campaign import campaign, report
from tests.support.settings import settings
from tests.support.twins import check_random_games

BATCH = 32  # games
EVERY = {str(setting): setting for setting in settings() if registry.has_twin(setting.game)}


def check(name: str, seed: int) -> tuple[int, int]:
    """Checks a batch of games; returns the number of games and of states compared."""
    setting = EVERY[name]
    words = [option for option in setting.game.options if isinstance(option, Choice)]
    ways = [
        dict(zip([option.name for option in words], way, strict=True)) for way in product(*(w.values for w in words))
    ]
    twin = registry.twin(setting.game, setting.setup(ways[seed % len(ways)], first=seed % setting.players))
    assert twin is not None
    return BATCH, check_random_games(setting.game, twin, BATCH, seed * BATCH)


def main(games: int) -> None:
    rounds = -(-games // BATCH)
    answers = campaign("twins", EVERY, rounds, check, every=1)
    report(
        "twins",
        "Twins beside the rules",
        f"`make prove-twins GAMES={games}`: law 12 held at every state of every game. Batches of {BATCH} games; "
        "rounds differ in options and in who begins. At each state what is packed comes back, the same actions "
        "are legal, the same seat decides, chance has the same odds, every action leads to the same state, and the end "
        "has the same scores and ranks.",
        ("setting", "games", "states compared", "states a game"),
        [
            (name, games := sum(n for n, _ in found), states := sum(n for _, n in found), round(states / games))
            for name, found in answers.items()
        ],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
