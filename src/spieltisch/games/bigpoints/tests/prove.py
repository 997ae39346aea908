"""`make prove-bigpoints`: thousands of random games beside the list-based implementation; goes on where it was stopped."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import Progress

from spieltisch.games.bigpoints.tests.test_oracle import beside_the_oracle

ROOT = Path(__file__).parents[5]
STATE = ROOT / ".build" / "prove-bigpoints.json"
REPORT = ROOT / "docs" / "reference" / "bigpoints.md"


def main(games: int) -> None:
    kept: dict[str, list[list[int]]] = json.loads(STATE.read_text()) if STATE.exists() else {}
    STATE.parent.mkdir(exist_ok=True)
    with Progress() as progress:
        for players in (2, 3, 4, 5):
            lengths = kept.setdefault(str(players), [])
            task = progress.add_task(f"{players} players", total=games, completed=len(lengths))
            for seed in range(len(lengths), games):
                lengths.append(list(beside_the_oracle(seed, players, humble=seed % 3 == 0)))
                if seed % 200 == 0:
                    STATE.write_text(json.dumps(kept))
                progress.advance(task)
    STATE.write_text(json.dumps(kept))
    rows = "".join(_row(players, lengths[:games]) for players, lengths in kept.items())
    REPORT.write_text(
        "# Big Points beside a second implementation\n\n"
        f"{datetime.now(UTC):%Y-%m-%d}, `make prove-bigpoints GAMES={games}`: choices, seats, hands and scores were the "
        "same at every decision, and the sixty discs were all there.\n\n"
        "| players | games | decisions compared | turns, fewest to most | moves, fewest to most | turns on average |\n"
        f"|---|---|---|---|---|---|\n{rows}"
    )


def _row(players: str, lengths: list[list[int]]) -> str:
    turns, moves, decisions = zip(*lengths, strict=True)
    mean = sum(turns) / len(turns)
    return (
        f"| {players} | {len(lengths)} | {sum(decisions)} | {min(turns)} to {max(turns)} "
        f"| {min(moves)} to {max(moves)} | {mean:.1f} |\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
