"""`make prove-turmbauer`: compares games with the set-based implementation, and measures the greedy player."""

from __future__ import annotations

import sys
from collections import Counter

from tests.campaigns.campaign import run_campaign, write_page

from spieltisch.games.turmbauer.tests.test_oracle import choose_climbing, choose_randomly, compare_with_oracle
from spieltisch.games.turmbauer.tests.test_players import played


def compare_game(setting: str, seed: int) -> dict[str, int]:
    return dict(compare_with_oracle(seed, int(setting), choose_climbing if seed % 2 else choose_randomly))


def play_contest(setting: str, seed: int) -> tuple[float, float]:
    """The greedy player's share of the victory against careful ones, and the seconds of its longest turn."""
    count = int(setting)
    names = ["careful"] * count
    names[seed // 2 % count] = "greedy"
    over, longest = played(names, seed)
    ranks = over.outcome.ranks
    return (ranks[names.index("greedy")] == 1) / ranks.count(1), longest["greedy"]


def main(games: int) -> None:
    settings = ["2", "3", "4"]
    contests = run_campaign("turmbauer-players", settings, games, play_contest)
    results = "; ".join(
        f"{setting} players {100 * sum(share for share, _ in answers) / games:.1f} %, longest turn "
        f"{max(seconds for _, seconds in answers):.2f} s"
        for setting, answers in contests.items()
    )
    write_page(
        "turmbauer",
        "Turmbauer compared with a second implementation",
        f"`make prove-turmbauer GAMES={games}`: stones offered, places, moves, rings, box, odds, seats, tower, pawns and "
        "stocks were identical at every step, scores, ranks and endings at the end of every game, and no cube was lost. "
        "Verdicts were drawn at random, so that stones fall and are put back. In every second game the pawns climb as "
        f"high as they can. The share of victories of one greedy player against careful ones: {results}.",
        ("players", "games", "steps compared", "places compared", "rings", "boxed", "fallen and put back", "collapses"),
        [
            row(setting, answers)
            for setting, answers in run_campaign("turmbauer", settings, games, compare_game).items()
        ],
    )


def row(setting: str, answers: list[dict[str, int]]) -> tuple[object, ...]:
    seen: Counter[str] = Counter()
    for answer in answers:
        seen.update(answer)
    rings = seen["a"] + seen["b"] + seen["c"]
    put_back = seen["fall"] - seen["collapse"]
    return setting, len(answers), seen["steps"], seen["places"], rings, seen["box"], put_back, seen["collapse"]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
