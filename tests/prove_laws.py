"""`make prove-laws`: the laws on very many games of every setting; goes on where it was stopped."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import Progress

from spieltisch.conformance import check, check_odds, seeded
from tests.settings import settings

ROOT = Path(__file__).parent.parent
STATE = ROOT / ".build" / "prove-laws.json"
REPORT = ROOT / "docs" / "reference" / "laws.md"


def main(walks: int) -> None:
    done: dict[str, int] = json.loads(STATE.read_text()) if STATE.exists() else {}
    every = list(settings())
    worlds: dict[str, int] = {}
    STATE.parent.mkdir(exist_ok=True)
    with Progress() as progress:
        for setting in every:
            name = str(setting)
            task = progress.add_task(name, total=walks, completed=done.get(name, 0))
            for seed in range(done.get(name, 0), walks):
                check(setting.game, setting.setup(first=seed % setting.players), seeded(seed))
                done[name] = seed + 1
                if seed % 50 == 0:
                    STATE.write_text(json.dumps(done))
                progress.advance(task)
            worlds[name] = max(check_odds(setting.game, setting.setup(), seeded(s), steps=s % 30) for s in range(30))
    STATE.write_text(json.dumps(done))
    rows = "\n".join(f"| {name} | {done[name]} | {worlds[name]} |" for name in map(str, every))
    REPORT.write_text(
        f"# The laws, at length\n\n{datetime.now(UTC):%Y-%m-%d}, `make prove-laws WALKS={walks}`: no law was broken.\n\n"
        f"| setting | whole games held against laws 1 to 11 | worlds compared at most for the odds of law 10 |\n|---|---|---|\n{rows}\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
