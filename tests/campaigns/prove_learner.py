"""`make prove-learner`: learns Big Points from nothing, and measures what was learnt; writes docs/reference/learner.md."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import track

from spieltisch import players, registry
from spieltisch.arena.statistics import Sample, confidence_interval
from spieltisch.core.game import Decision
from spieltisch.match.chance import seeded
from spieltisch.match.referee import Referee

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "learner.md"
EXAMPLES = ROOT / "examples"
KEPT = ROOT / ".build" / "learnt.npz"
GAME = registry.find("bigpoints")
AGAINST = ("random", "greedy", "level:1", "level:2")
UPDATES = 60
DEALS = 500  # each played twice, from either seat
TEXT = """# What a bot learns in minutes

{date}, `make prove-learner`: `examples/learn.py` learns Big Points for two from nothing, by playing against itself and being told who won. {updates} updates, {games} games, {wall:.0f} seconds on the clock and {cpu:.0f} seconds of the processor, on {cores} cores that had other work, too. Then it plays by the contract, through its view alone, {deals} deals against each player, every deal from both seats; shared victories count half. Intervals hold with 95 % certainty; deals are what is counted.

| against | games | victories, % | points a game more |
|---|---|---|---|
{rows}

How it went while it learnt:

```
{log}
```
"""


def learn(updates: int) -> tuple[list[str], float, float]:
    """What the learner told, and how long it took: on the clock, and of the processor."""
    before, began, told = os.times(), time.monotonic(), list[str]()
    command = [sys.executable, "-u", "learn.py", "bigpoints", "--updates", str(updates), "--out", str(KEPT)]
    with subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            told.append(line.rstrip())
    assert running.returncode == 0
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return told, time.monotonic() - began, spent


def met(learnt, other: str, number: int) -> tuple[float, float]:
    """The share of the victories and the lead over both games of a deal."""
    shares, leads = [], []
    for seat in (0, 1):
        referee = Referee(GAME, GAME.agree(2, first=number % 2), seeded(f"learner/{number}"))
        bots = {seat: learnt, 1 - seat: players.make(other, GAME, f"learner/{number}/{seat}")}
        while isinstance(pending := referee.settle(), Decision):
            referee.ask(bots[pending.seat])
        ranks, scores = pending.outcome.ranks, pending.outcome.scores
        shares.append((ranks[seat] == 1) / ranks.count(1))
        leads.append(scores[seat] - scores[1 - seat])
    return sum(shares) / 2, sum(leads) / 2


def row(learnt, other: str) -> str:
    results = [met(learnt, other, number) for number in track(range(DEALS), other)]
    said = []
    for values, factor, digits in ((share for share, _ in results), 100, 0), ((lead for _, lead in results), 1, 1):
        sample = Sample([factor * value for value in values])
        bounds = confidence_interval(sample)
        assert bounds is not None
        said.append(f"{sample.mean:.{digits}f} ({bounds.low:.{digits}f} to {bounds.high:.{digits}f})".replace("-", "−"))
    return f"| `{other}` | {2 * DEALS} | {said[0]} | {said[1]} |"


def main() -> None:
    updates = int(sys.argv[1]) if len(sys.argv) > 1 else UPDATES
    log, wall, cpu = learn(updates)
    sys.path.insert(0, str(EXAMPLES))
    import learnt

    learnt.FILE = KEPT
    bot = learnt.Learnt(GAME)
    rows = "\n".join(row(bot, other) for other in AGAINST)
    games = log[-2].split(",")[1].split()[0]
    page = TEXT.format(date=f"{datetime.now(UTC):%Y-%m-%d}", updates=updates, games=games, wall=wall, cpu=cpu, cores=os.cpu_count(), deals=DEALS, rows=rows, log="\n".join(log[:-1]))  # fmt: skip
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
