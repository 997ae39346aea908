"""`make prove-rondo`: compares thousands of games with the list-based implementation."""

from __future__ import annotations

import sys
from collections import Counter

from tests.campaigns.campaign import run_campaign, write_page

from spieltisch.games.rondo.tests.test_oracle import choose_hoarding, choose_randomly, compare_with_oracle


def main(games: int) -> None:
    def play(setting: str, seed: int) -> tuple[int, int, str]:
        players, edition = setting.split()
        return compare_with_oracle(seed, int(players), edition, choose_hoarding if seed % 4 == 3 else choose_randomly)

    settings = [f"{players} {edition}" for players in (2, 3, 4) for edition in ("blue", "red")]
    write_page(
        "rondo",
        "Rondo compared with a second implementation",
        f"`make prove-rondo GAMES={games}`: choices, odds, seats, racks, board, bag and points were identical at every "
        "step, and ranks and endings at the end of every game. All players had the same number of turns, and no stone was "
        "lost or duplicated. In every fourth game the players pass whenever they can, so that the bag runs out.",
        (
            "players, side",
            "games",
            "steps compared",
            "turns, fewest to most",
            "turns on average",
            "ended by grey fields",
            "ended by the bag",
        ),
        [row(setting, played) for setting, played in run_campaign("rondo", settings, games, play).items()],
    )


def row(setting: str, played: list[tuple[int, int, str]]) -> tuple[object, ...]:
    turns, steps, endings = zip(*played, strict=True)
    ended, mean = Counter(endings), sum(turns) / len(turns)
    return setting, len(played), sum(steps), f"{min(turns)} to {max(turns)}", f"{mean:.1f}", ended["grey"], ended["bag"]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
