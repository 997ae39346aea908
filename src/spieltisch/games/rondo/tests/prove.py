"""`make prove-rondo`: thousands of games beside the list-based implementation; goes on where it was stopped."""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import Progress

from spieltisch.games.rondo.tests.test_oracle import anyhow, beside_the_oracle, hoarding

ROOT = Path(__file__).parents[5]
STATE = ROOT / ".build" / "prove-rondo.json"
REPORT = ROOT / "docs" / "reference" / "rondo.md"


def main(games: int) -> None:
    kept: dict[str, list[tuple[int, int, str]]] = json.loads(STATE.read_text()) if STATE.exists() else {}
    STATE.parent.mkdir(exist_ok=True)
    with Progress() as progress:
        for players in (2, 3, 4):
            for edition in ("blue", "red"):
                played = kept.setdefault(f"{players} {edition}", [])
                task = progress.add_task(f"{players} players, {edition}", total=games, completed=len(played))
                for seed in range(len(played), games):
                    choose = hoarding if seed % 4 == 3 else anyhow
                    played.append(beside_the_oracle(seed, players, edition, choose))
                    if seed % 200 == 0:
                        STATE.write_text(json.dumps(kept))
                    progress.advance(task)
    STATE.write_text(json.dumps(kept))
    rows = "".join(_row(setting, played[:games]) for setting, played in kept.items())
    REPORT.write_text(
        "# Rondo beside a second implementation\n\n"
        f"{datetime.now(UTC):%Y-%m-%d}, `make prove-rondo GAMES={games}`: choices, odds, seats, racks, board, bag and "
        "points were the same at every step, ranks and endings at every end, all had equally many turns, and the 120 "
        "stones were all there. In every fourth game the players pass whenever they may, so that the bag runs out.\n\n"
        "| players | side | games | steps compared | turns, fewest to most | turns on average "
        "| ended by grey fields | by the bag |\n"
        f"|---|---|---|---|---|---|---|---|\n{rows}"
    )


def _row(setting: str, played: list[tuple[int, int, str]]) -> str:
    turns, steps, endings = zip(*played, strict=True)
    players, edition = setting.split()
    ended = Counter(endings)
    return (
        f"| {players} | {edition} | {len(played)} | {sum(steps)} | {min(turns)} to {max(turns)} "
        f"| {sum(turns) / len(turns):.1f} | {ended['grey']} | {ended['bag']} |\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
