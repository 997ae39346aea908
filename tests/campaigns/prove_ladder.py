"""`make prove-ladder`: every level against the one below, in every game with the fewest and with the most players.

Runs the compiled copy of the package: levels are defined in simulations, so the games are the same, only quicker.
Finished deals are kept below .build, so it goes on where it was stopped. Writes docs/reference/ladder.md.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from bench import compiled
from rich.progress import Progress

import spieltisch
from spieltisch import registry
from spieltisch.arena.standings import Standings, TournamentResult, order_is_certain
from spieltisch.arena.tournament import compete
from spieltisch.arena.tournament_log import TournamentLog
from spieltisch.arena.workers import ProcessWorkers
from tests.support.endgames import TURNS, measured

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "ladder.md"
LEAST = 30  # deals
MOST = 400
ENDS = 60  # games whose ends are worked out
TIMED = 60  # deals where seconds are the budget
SECONDS = "0.1s"
NOT_FOR_PLAY = {
    "description",
    "phrases",
    "render",
    "speech",
    "stats",
    "twin",
    "twin_rules",
}  # modules of a game that affect no decision


class Match(NamedTuple):
    """Two entrants at a table of that size; the first is to be the better one, where one is to be."""

    game: str
    size: int
    better: str
    other: str


def ladder() -> Iterator[Match]:
    for game in registry.offered():
        for size in (game.players.start, game.players.stop - 1):
            for level in range(1, len(registry.levels(game))):
                yield Match(game.name, size, f"level:{level + 1}", f"level:{level}")


def foot() -> Iterator[Match]:
    for game in registry.offered():
        yield Match(game.name, game.players.start, "level:1", "random")
        yield Match(game.name, game.players.start, "greedy", "level:1")


def equal_time(seconds: str) -> Iterator[Match]:
    for name in ("bigpoints", "rondo"):
        yield Match(name, 2, f"search:{seconds}", f"mc:{seconds}")


def stamp(game: str) -> str:
    """A digest of what decides how a game is played."""
    package = Path(spieltisch.__path__[0])  # the copy that is running
    own = [
        path
        for path in sorted((package / "games" / game).rglob("*.py"))
        if path.stem not in NOT_FOR_PLAY and "tests" not in path.parts
    ]
    sources = [*sorted((package / "players").glob("*.py")), *own]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


def enough(standing: Standings) -> bool:
    return standing.deals >= LEAST and order_is_certain(standing)


def played(match: Match, workers: ProcessWorkers, progress: Progress, deals: int = MOST) -> TournamentResult:
    name = "-".join(map(str, match)).replace(":", "")
    task = progress.add_task(" ".join(map(str, match)), total=deals)
    with TournamentLog(ROOT / ".build" / "ladder" / stamp(match.game) / name) as log:
        return compete(
            registry.find(match.game),
            {"players": match.size},
            [match.better, match.other],
            deals=deals,
            seed=1,
            executor=workers,
            log=log,
            until=enough,
            progress=lambda done, _: progress.update(task, completed=done),
        )


def row(match: Match, result: TournamentResult) -> str:
    pair, shares = result.pairs[0], {each.name: each.share for each in result.entrants}
    sign = 1 if pair.first == match.better else -1
    assert pair.bounds is not None
    low, high = sorted((sign * pair.bounds.low, sign * pair.bounds.high))
    won = f"{100 * shares[match.better]:.0f} : {100 * shares[match.other]:.0f}"
    verdict = {match.better: "yes", match.other: "**no, the other**", None: "**not decided**"}[pair.better]
    return (
        f"| {registry.find(match.game).title} | {match.size} | {match.better} | {match.other} | {result.deals} | {result.games} "
        f"| {won} | {sign * pair.difference:+.2f} ({low:+.2f} to {high:+.2f}) | {verdict} |"
    )


def table(
    matches: Iterator[Match], workers: ProcessWorkers, progress: Progress, only: list[str], deals: int = MOST
) -> str:
    rows = []
    for match in matches:
        if not only or match.game in only:
            rows.append(row(match, played(match, workers, progress, deals)))
            print(rows[-1], flush=True)
    return "\n".join([*HEAD, *rows])


HEAD = (
    "| game | players | better? | than | deals | games | victories a seat, in % | difference | shown |",
    "|---|---|---|---|---|---|---|---|---|",
)

TEXT = """# The ladder

{date}, `make prove-ladder`. Every level against the one below it, with the fewest and with the most players, all options as usual. A deal is all rotations of a line-up over the same dice; a match of two ends as soon as the difference is certain to 95 % by an interval that may be looked at after every deal, never before {least} deals and after {most} at the latest ([the arena](arena.md)). Differences are between victories a seat, shared ones by parts: +1 would be all for one, and with five at the table two or three seats play on each side, so that +0.4 to +0.5 is all there is to win.

{ladder}

## The foot
Level 1 is for children and for the first game: it beats `random` and loses to `greedy`.

{foot}

## Search and Monte Carlo at equal time
{seconds} a move, two players. Time depends on the machine and on what else it does, so these games cannot be repeated exactly.

{equal}

## Ends worked out
The last {turns} turns of {ends} games of Big Points between two players of level 5, worked out exactly in plain Python: {quick} % in under 2 s, {mean} s on average, {slow} s at most ([the solver](solve.md)).
"""


def main() -> None:
    if not compiled.is_compiled():
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.campaigns.prove_ladder", *sys.argv[1:]],
            compiled.environment(),
        )
    only = sys.argv[1:]
    with ProcessWorkers() as workers, Progress() as progress:
        found = [table(matches, workers, progress, only) for matches in (ladder(), foot())]
        equal = table(equal_time(SECONDS), workers, progress, only, TIMED)
        ends = sorted(measured(ROOT / ".build" / "ladder" / stamp("bigpoints") / "ends", ENDS, workers))
    if not only:
        said = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "least": LEAST, "most": MOST, "seconds": SECONDS}
        quick = sum(spent < 2 for spent in ends)
        told = {"turns": TURNS, "ends": ENDS, "quick": f"{100 * quick / ENDS:.1f}", "mean": f"{mean(ends):.2f}"}
        slow = f"{ends[-1]:.2f}"
        page = TEXT.format(ladder=found[0], foot=found[1], equal=equal, slow=slow, **told, **said)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
