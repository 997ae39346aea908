"""`make prove-learner`: trains a bot for Big Points from scratch and measures its strength; writes docs/reference/learner.md."""

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
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "learner.md"
EXAMPLES = ROOT / "examples"
PARAMS = ROOT / ".build" / "ppo_bot.npz"
GAME = registry.find("bigpoints")
OPPONENTS = ("random", "greedy", "level:1", "level:2")
UPDATES = 60
DEALS = 500  # each played twice, once from either seat
TEXT = """# What a bot learns in minutes

{date}, `make prove-learner`: `examples/train_ppo.py` trains a policy for two-player Big Points from scratch, by self-play, with victory as the only reward. {updates} updates, {games} games, {wall:.0f} seconds of wall-clock time and {cpu:.0f} seconds of CPU time, on {cores} cores that other processes were using too. The bot then plays, seeing only its own view, {deals} deals against each opponent, each deal from both seats; a shared victory counts as half. The intervals are 95 % confidence intervals over deals.

| opponent | games | victories, % | lead in points per game |
|---|---|---|---|
{rows}

The training log:

```
{log}
```
"""


def train(updates: int) -> tuple[list[str], float, float]:
    """Runs the training; returns its output, the wall-clock time and the CPU time."""
    before, started, output = os.times(), time.monotonic(), list[str]()
    command = [sys.executable, "-u", "train_ppo.py", "bigpoints", "--updates", str(updates), "--out", str(PARAMS)]
    with subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            output.append(line.rstrip())
    assert process.returncode == 0
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return output, time.monotonic() - started, cpu


def play_deal(bot, opponent: str, number: int) -> tuple[float, float]:
    """The mean share of the victory and the mean lead over both games of a deal."""
    shares, leads = [], []
    for seat in (0, 1):
        referee = Referee(GAME, GAME.agree(2, first=number % 2), seeded(f"learner/{number}"))
        bots = {seat: bot, 1 - seat: players.make(opponent, GAME, f"learner/{number}/{seat}")}
        while isinstance(pending := referee.settle(), Decision):
            referee.ask(bots[pending.seat])
        ranks, scores = pending.outcome.ranks, pending.outcome.scores
        shares.append((ranks[seat] == 1) / ranks.count(1))
        leads.append(scores[seat] - scores[1 - seat])
    return sum(shares) / 2, sum(leads) / 2


def row(bot, opponent: str) -> str:
    results = [play_deal(bot, opponent, number) for number in track(range(DEALS), opponent)]
    cells = []
    for values, factor, digits in ((share for share, _ in results), 100, 0), ((lead for _, lead in results), 1, 1):
        sample = Sample([factor * value for value in values])
        bounds = confidence_interval(sample)
        assert bounds is not None
        cell = f"{sample.mean:.{digits}f} ({bounds.low:.{digits}f} to {bounds.high:.{digits}f})"
        cells.append(cell.replace("-", "−"))
    return f"| `{opponent}` | {2 * DEALS} | {cells[0]} | {cells[1]} |"


def main() -> None:
    updates = int(sys.argv[1]) if len(sys.argv) > 1 else UPDATES
    log, wall, cpu = train(updates)
    sys.path.insert(0, str(EXAMPLES))
    import ppo_bot

    ppo_bot.FILE = PARAMS
    bot = ppo_bot.PPOBot(GAME)
    rows = "\n".join(row(bot, opponent) for opponent in OPPONENTS)
    games = log[-2].split(",")[1].split()[0]
    page = TEXT.format(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        updates=updates,
        games=games,
        wall=wall,
        cpu=cpu,
        cores=os.cpu_count(),
        deals=DEALS,
        rows=rows,
        log="\n".join(log[:-1]),
    )
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
