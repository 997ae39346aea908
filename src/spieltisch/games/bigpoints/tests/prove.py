"""`make prove-bigpoints`: compares thousands of random games with the list-based implementation."""

from __future__ import annotations

import sys

from tests.campaigns.campaign import run_campaign, write_page

from spieltisch.games.bigpoints.tests.test_oracle import compare_with_oracle


def main(games: int) -> None:
    def play(players: str, seed: int) -> tuple[int, int, int]:
        return compare_with_oracle(seed, int(players), humble=seed % 3 == 0)

    write_page(
        "bigpoints",
        "Big Points compared with a second implementation",
        f"`make prove-bigpoints GAMES={games}`: choices, seats, hands and scores were identical at every decision, and no "
        "disc was lost or duplicated.",
        (
            "players",
            "games",
            "decisions compared",
            "turns, fewest to most",
            "moves, fewest to most",
            "turns on average",
        ),
        [row(players, played) for players, played in run_campaign("bigpoints", "2345", games, play).items()],
    )


def row(players: str, played: list[tuple[int, int, int]]) -> tuple[object, ...]:
    turns, moves, decisions = zip(*played, strict=True)
    mean = sum(turns) / len(turns)
    lengths = f"{min(turns)} to {max(turns)}", f"{min(moves)} to {max(moves)}"
    return players, len(played), sum(decisions), *lengths, f"{mean:.1f}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
