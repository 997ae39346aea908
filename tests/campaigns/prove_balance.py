"""`make prove-balance`: every game, edition and number of players between equals, at length.

Finished deals are kept below .build, so it goes on where it was stopped. Writes docs/reference/balance.md and its
pictures. Long runs are of the compiled copy of the package, which plays the same games, only quicker.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench import compiled
from rich.progress import Progress

from spieltisch import registry
from spieltisch.arena.balance.chart import draw_marginal_values, draw_place_chart
from spieltisch.arena.balance.measure import Balance, Estimate, measure_balance
from spieltisch.arena.balance.report import counted_name
from spieltisch.arena.balance.self_play import BalanceLog
from spieltisch.arena.balance.twin_play import measure_balance_on_twin
from spieltisch.arena.standings import TournamentResult
from spieltisch.arena.statistics import Interval
from spieltisch.arena.tournament import compete
from spieltisch.arena.tournament_log import TournamentLog
from spieltisch.arena.workers import ProcessWorkers
from spieltisch.core.game import AnyGame, Edition
from spieltisch.i18n.format import format_message
from tests.campaigns.prove_ladder import stamp

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "balance.md"
PICTURES = PAGE.parent / "pictures"
KEPT = ROOT / ".build" / "balance"
PLAYERS = {
    "bigpoints": ("level:2", 500),
    "rondo": ("level:2", 250),
    "turmbauer": ("greedy", 40),
}  # and how many deals
WEAKER = {"level:2": "level:1", "greedy": "random"}
AT_RANDOM = 1024  # deals, on a twin
LEAST = 4  # deals, however small a part of them is played
COMPILED_FROM = 0.1  # of the deals on, compiling takes less time than it saves
SEED = 1


class Table(NamedTuple):
    """A game in one edition at a table of that size."""

    game: AnyGame
    edition: Edition
    size: int

    @property
    def name(self) -> str:
        return f"{self.game.name}-{self.edition.name}-{self.size}"


def tables() -> Iterator[Table]:
    for game in registry.offered():
        for edition in game.editions:
            for size in edition.players:
                yield Table(game.for_simulation, edition, size)


def measured(table: Table, player: str, deals: int, workers: ProcessWorkers, progress: Progress) -> Balance:
    task = progress.add_task(table.name, total=deals)
    with BalanceLog(KEPT / stamp(table.game.name) / f"{table.name}-{player.replace(':', '')}") as log:
        result = measure_balance(
            table.game,
            {"players": table.size, "edition": table.edition.name},
            player,
            deals=deals,
            seed=SEED,
            executor=workers,
            log=log,
            progress=lambda done, _: progress.update(task, completed=done + 1),
        )
    progress.update(task, completed=deals)
    return result


def at_random(table: Table, deals: int, progress: Progress) -> Balance:
    """The same between random players, on the game's twin."""
    task = progress.add_task(f"{table.name}, at random", total=deals)
    with BalanceLog(KEPT / stamp(table.game.name) / f"{table.name}-twin") as log:
        result = measure_balance_on_twin(
            table.game,
            {"players": table.size, "edition": table.edition.name},
            deals=deals,
            seed=SEED,
            log=log,
            progress=lambda done, _: progress.update(task, completed=done),
        )
    progress.update(task, completed=deals)
    return result


def same(results: list[Balance], others: list[Balance]) -> bool:
    """Whether all of an edition's games are another edition's, too."""
    timeless = [other._replace(seconds=0.0) for other in others]
    return all(
        any(result._replace(config=other.config, seconds=0.0) == other for other in timeless) for result in results
    )


def skill(game: AnyGame, player: str, deals: int, workers: ProcessWorkers, progress: Progress) -> TournamentResult:
    """The player against a weaker one, two at the table, the same deals for both."""
    task = progress.add_task(f"{game.name}, {player} against {WEAKER[player]}", total=deals)
    with TournamentLog(KEPT / stamp(game.name) / f"{game.name}-skill-{player.replace(':', '')}") as log:
        return compete(
            game.for_simulation,
            {"players": game.players.start},
            [player, WEAKER[player]],
            deals=deals,
            seed=SEED,
            executor=workers,
            log=log,
            progress=lambda done, _: progress.update(task, completed=done + 1),
        )


def cell(estimate: Estimate, factor: float = 100.0, digits: int = 0) -> str:
    """A value with its interval."""

    def text(value: float) -> str:
        return f"{round(factor * value, digits) + 0.0:.{digits}f}".replace("-", "−")

    if estimate.bounds is None:
        return text(estimate.value)
    return f"{text(estimate.value)} ({text(estimate.bounds.low)} to {text(estimate.bounds.high)})"


def row(result: Balance, edition: str) -> str:
    shares = " · ".join(f"{100 * place.share.value:.0f}" for place in result.places)
    reach = max(100 * (place.share.bounds.high - place.share.value) for place in result.places if place.share.bounds)
    ties = f"{100 * result.ties.value:.0f}"
    length = f"{result.decisions.mean:.0f} ({result.decisions.low:.0f} to {result.decisions.high:.0f})"
    points = f"{result.winner.mean:.1f}, {result.lead.mean:+.1f}".replace("-", "−")
    return (
        f"| {edition} | {result.config.players} | {result.games} | {shares} | ± {reach:.0f} | {length} | {points} | {ties} "
        f"| {cell(result.luck)} | {cell(result.luck_in_points)} |"
    )


def worths(results: list[Balance], game: AnyGame, edition: str) -> Iterator[str]:
    for result in results:
        for worth in result.marginal_values:
            if worth.points.bounds is not None:
                name = format_message(counted_name(game, worth.name), "en")
                yield (
                    f"| {edition} | {result.config.players} | {name} | {worth.often:.1f} | {cell(worth.points, 1, 1)} "
                    f"| {cell(worth.victory, 100, 1)} |"
                )


HEAD = (
    "| edition | players | games | victories by place in the order of turns, % | | decisions | winner’s points, lead | ties, % | the deal decides of victories, % | of points, % |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
WORTH = (
    "| edition | players | one more of | a seat has | points that go with it | percentage points of the victory |",
    "|---|---|---|---|---|---|",
)


def section(game: AnyGame, player: str, deals: int, part: float, workers: ProcessWorkers, progress: Progress) -> str:
    """All that is told of a game, its pictures drawn."""
    rows, counted, pictures, alike = list(HEAD), list(WORTH), [], []
    told: dict[str, list[Balance]] = {}
    for edition in game.editions:
        results = [
            measured(Table(game.for_simulation, edition, size), player, deals, workers, progress)
            for size in edition.players
        ]
        other = next((name for name, others in told.items() if same(results, others)), None)
        if other is not None:
            alike.append(f"Edition {edition.name} plays as edition {other} does, with the same numbers.")
            continue
        told[edition.name] = results
        title = f"{game.title} ({edition.name})" if len(game.editions) > 1 else game.title
        for kind, picture in (
            ("places", draw_place_chart(results, title, "en")),
            ("worths", draw_marginal_values(results, game, title, "en")),
        ):
            name = f"balance-{game.name}-{edition.name}-{kind}.svg"
            (PICTURES / name).write_text(picture, encoding="utf-8")
            pictures.append(f"![{title}: {kind}](pictures/{name})")
        rows += [row(result, edition.name) for result in results]
        counted += worths(results, game, edition.name)
    won = skill(game, player, max(LEAST, deals // 2), workers, progress)
    best = {one.name: one for one in won.entrants}[player]
    bounds = best.bounds and Interval(max(best.bounds.low, 0.0), min(best.bounds.high, 1.0))
    share, games = cell(Estimate(best.share, bounds)), won.games
    said = [
        f"## {game.title}",
        f"`{player}` on every seat, {deals} deals a row, each played twice.",
        *alike,
        f"Skill: two at the table, `{player}` wins {share} % of {games} games against `{WEAKER[player]}`, over the same deals.",
        "\n".join(rows),
        "\n".join(counted),
        *pictures,
    ]
    return "\n\n".join([*said, *without_thought(game, list(told), part, progress)])


def without_thought(game: AnyGame, editions: list[str], part: float, progress: Progress) -> Iterator[str]:
    """The same at random, where the game has a twin."""
    if not registry.has_twin(game):
        return
    rows, counted, deals = list(HEAD), list(WORTH), max(LEAST, round(part * AT_RANDOM))
    for edition in game.editions:
        if edition.name in editions:
            results = [
                at_random(Table(game.for_simulation, edition, size), deals, progress) for size in edition.players
            ]
            rows += [row(result, edition.name) for result in results]
            counted += worths(results, game, edition.name)
    yield f"### {game.title} at random"
    yield f"`random` on every seat, {deals} deals a row, each played twice, on the game’s twin: what is left without any thought."
    yield "\n".join(rows)
    yield "\n".join(counted)


TEXT = """# What the games are like

{date}, `make prove-balance PART={part:g}`. Everybody at the table is the same player, so that what differs is the place in the order of turns and luck. Every deal is played twice, with the same shuffles and dice and other thoughts of the players. Intervals hold with 95 % certainty; deals are what is counted. Bots were asked in the arena; random play, where a game has a twin, was on the twin. `spieltisch stats GAME` gives the same numbers for other players, sizes and options.

- **Victories by place**: whoever begins comes first; shared victories by parts. The column beside it is how far off these may be.
- **The deal decides**: what part of the variance both games of a deal have in common, once the advantage of beginning is taken off. 100 would mean that the deal decides everything, 0 nothing; below 0 it comes by chance alone. It is a number about the game between these players: the more alike they think, the more the deal decides.
- **One more of**: what goes with having one more than the others in the same game. It is no cause: who does well may simply come by more of them.

{sections}
"""


def main() -> None:
    part = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    if part >= COMPILED_FROM and not compiled.is_compiled():
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.campaigns.prove_balance", *sys.argv[1:]],
            compiled.environment(),
        )
    with ProcessWorkers() as workers, Progress() as progress:
        sections = [
            section(game, player, max(LEAST, round(part * deals)), part, workers, progress)
            for game in registry.offered()
            for player, deals in [PLAYERS.get(game.name, ("level:2", 200))]
        ]
    page = TEXT.format(date=f"{datetime.now(UTC):%Y-%m-%d}", part=part, sections="\n\n".join(sections))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
