"""`make prove-ladder`: every level against the one below, in every game, with the fewest and with the most players.

Runs the compiled copy of the package: levels are defined in simulations, so the games are the same, only faster.
Finished deals are logged in .build, so that a run can be resumed. Writes docs/reference/ladder.md.
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
from tests.support.endgames import TURNS, measure_endgames

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "ladder.md"
MIN_DEALS = 30
MAX_DEALS = 400
ENDGAMES = 60  # games whose ends are solved
TIMED_DEALS = 60  # if the budget is in seconds
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


class Pairing(NamedTuple):
    """Two entrants at a table of that size; the first one is expected to be better."""

    game: str
    size: int
    better: str
    other: str


def ladder_pairings() -> Iterator[Pairing]:
    for game in registry.offered():
        for size in (game.players.start, game.players.stop - 1):
            for level in range(1, len(registry.levels(game))):
                yield Pairing(game.name, size, f"level:{level + 1}", f"level:{level}")


def bottom_pairings() -> Iterator[Pairing]:
    for game in registry.offered():
        yield Pairing(game.name, game.players.start, "level:1", "random")
        yield Pairing(game.name, game.players.start, "greedy", "level:1")


def timed_pairings(seconds: str) -> Iterator[Pairing]:
    for name in ("bigpoints", "rondo"):
        yield Pairing(name, 2, f"search:{seconds}", f"mc:{seconds}")


def play_digest(game: str) -> str:
    """A digest of the sources that determine how bots play the game."""
    package = Path(spieltisch.__path__[0])  # the copy that is running
    own = [
        path
        for path in sorted((package / "games" / game).rglob("*.py"))
        if path.stem not in NOT_FOR_PLAY and "tests" not in path.parts
    ]
    sources = [*sorted((package / "players").glob("*.py")), *own]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


def is_decided(standings: Standings) -> bool:
    return standings.deals >= MIN_DEALS and order_is_certain(standings)


def play(pairing: Pairing, workers: ProcessWorkers, progress: Progress, deals: int = MAX_DEALS) -> TournamentResult:
    name = "-".join(map(str, pairing)).replace(":", "")
    task = progress.add_task(" ".join(map(str, pairing)), total=deals)
    with TournamentLog(ROOT / ".build" / "ladder" / play_digest(pairing.game) / name) as log:
        return compete(
            registry.find(pairing.game),
            {"players": pairing.size},
            [pairing.better, pairing.other],
            deals=deals,
            seed=1,
            executor=workers,
            log=log,
            until=is_decided,
            progress=lambda done, _: progress.update(task, completed=done),
        )


def row(pairing: Pairing, result: TournamentResult) -> str:
    pair, shares = result.pairs[0], {each.name: each.share for each in result.entrants}
    sign = 1 if pair.first == pairing.better else -1
    assert pair.bounds is not None
    low, high = sorted((sign * pair.bounds.low, sign * pair.bounds.high))
    won = f"{100 * shares[pairing.better]:.0f} : {100 * shares[pairing.other]:.0f}"
    verdict = {pairing.better: "yes", pairing.other: "**no, the other**", None: "**not decided**"}[pair.better]
    return (
        f"| {registry.find(pairing.game).title} | {pairing.size} | {pairing.better} | {pairing.other} | {result.deals} | {result.games} "
        f"| {won} | {sign * pair.difference:+.2f} ({low:+.2f} to {high:+.2f}) | {verdict} |"
    )


def table(
    pairings: Iterator[Pairing], workers: ProcessWorkers, progress: Progress, only: list[str], deals: int = MAX_DEALS
) -> str:
    rows = []
    for pairing in pairings:
        if not only or pairing.game in only:
            rows.append(row(pairing, play(pairing, workers, progress, deals)))
            print(rows[-1], flush=True)
    return "\n".join([*HEADER, *rows])


HEADER = (
    "| game | players | better? | than | deals | games | victories per seat, % | difference | decided |",
    "|---|---|---|---|---|---|---|---|---|",
)

TEXT = """# The ladder

{date}, `make prove-ladder`. Every level against the one below it, with the smallest and the largest number of players and default options. A deal is all rotations of a line-up over the same draws. A comparison ends as soon as a 95 % confidence sequence decides it, after at least {least} and at most {most} deals ([the arena](arena.md)). The difference is in the share of the victories per seat: +1 would mean that one side wins everything; with five players two or three seats belong to each side, so that +0.4 to +0.5 is the maximum.

{ladder}

## The bottom of the ladder
Level 1 is for children and for the first game: it beats `random` and loses to `greedy`.

{foot}

## Tree search and Monte Carlo at equal time
{seconds} per move, two players. Time depends on the machine and its load, so these games cannot be reproduced exactly.

{equal}

## Solved endgames
The last {turns} turns of {ends} games of Big Points between two players of level 5, solved exactly in pure Python: {quick} % in less than 2 s, {mean} s on average, {slow} s at most ([the solver](solve.md)).
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
        tables = [table(pairings, workers, progress, only) for pairings in (ladder_pairings(), bottom_pairings())]
        equal = table(timed_pairings(SECONDS), workers, progress, only, TIMED_DEALS)
        seconds = sorted(
            measure_endgames(ROOT / ".build" / "ladder" / play_digest("bigpoints") / "ends", ENDGAMES, workers)
        )
    if not only:
        page = TEXT.format(
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            least=MIN_DEALS,
            most=MAX_DEALS,
            ladder=tables[0],
            foot=tables[1],
            seconds=SECONDS,
            equal=equal,
            turns=TURNS,
            ends=ENDGAMES,
            quick=f"{100 * sum(each < 2 for each in seconds) / ENDGAMES:.1f}",
            mean=f"{mean(seconds):.2f}",
            slow=f"{seconds[-1]:.2f}",
        )
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
