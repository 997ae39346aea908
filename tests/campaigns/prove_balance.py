"""`make prove-balance`: the balance of every game, edition and number of players.

Finished deals are logged in .build, so that a run can be resumed. Writes docs/reference/balance.md and its charts. Long
runs use the compiled copy of the package, which plays the same games, only faster.
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
from tests.campaigns.prove_ladder import play_digest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "balance.md"
CHARTS = PAGE.parent / "pictures"
LOGS = ROOT / ".build" / "balance"
PLAYERS = {
    "bigpoints": ("level:2", 500),
    "rondo": ("level:2", 250),
    "turmbauer": ("greedy", 40),
}  # with the number of deals
WEAKER = {"level:2": "level:1", "greedy": "random"}
TWIN_DEALS = 1024
MIN_DEALS = 4
COMPILE_FROM = 0.1  # part of the deals from which compiling saves time
SEED = 1


class Table(NamedTuple):
    """A game with an edition and a number of players."""

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


def measure(table: Table, player: str, deals: int, workers: ProcessWorkers, progress: Progress) -> Balance:
    task = progress.add_task(table.name, total=deals)
    with BalanceLog(LOGS / play_digest(table.game.name) / f"{table.name}-{player.replace(':', '')}") as log:
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


def measure_on_twin(table: Table, deals: int, progress: Progress) -> Balance:
    """The balance between random players, on the game's twin."""
    task = progress.add_task(f"{table.name}, at random", total=deals)
    with BalanceLog(LOGS / play_digest(table.game.name) / f"{table.name}-twin") as log:
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


def is_same(results: list[Balance], others: list[Balance]) -> bool:
    """Whether two editions have the same results."""
    timeless = [other._replace(seconds=0.0) for other in others]
    return all(
        any(result._replace(config=other.config, seconds=0.0) == other for other in timeless) for result in results
    )


def measure_skill(
    game: AnyGame, player: str, deals: int, workers: ProcessWorkers, progress: Progress
) -> TournamentResult:
    """A tournament of two players: this one against a weaker one."""
    task = progress.add_task(f"{game.name}, {player} against {WEAKER[player]}", total=deals)
    with TournamentLog(LOGS / play_digest(game.name) / f"{game.name}-skill-{player.replace(':', '')}") as log:
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
    """A value with its confidence interval."""

    def text(value: float) -> str:
        return f"{round(factor * value, digits) + 0.0:.{digits}f}".replace("-", "−")

    if estimate.bounds is None:
        return text(estimate.value)
    return f"{text(estimate.value)} ({text(estimate.bounds.low)} to {text(estimate.bounds.high)})"


def row(result: Balance, edition: str) -> str:
    shares = " · ".join(f"{100 * place.share.value:.0f}" for place in result.places)
    margin = max(100 * (place.share.bounds.high - place.share.value) for place in result.places if place.share.bounds)
    ties = f"{100 * result.ties.value:.0f}"
    length = f"{result.decisions.mean:.0f} ({result.decisions.low:.0f} to {result.decisions.high:.0f})"
    points = f"{result.winner.mean:.1f}, {result.lead.mean:+.1f}".replace("-", "−")
    return (
        f"| {edition} | {result.config.players} | {result.games} | {shares} | ± {margin:.0f} | {length} | {points} | {ties} "
        f"| {cell(result.luck)} | {cell(result.luck_in_points)} |"
    )


def marginal_value_rows(results: list[Balance], game: AnyGame, edition: str) -> Iterator[str]:
    for result in results:
        for value in result.marginal_values:
            if value.points.bounds is not None:
                name = format_message(counted_name(game, value.name), "en")
                yield (
                    f"| {edition} | {result.config.players} | {name} | {value.often:.1f} | {cell(value.points, 1, 1)} "
                    f"| {cell(value.victory, 100, 1)} |"
                )


HEADER = (
    "| edition | players | games | victories by place in the turn order, % | | decisions | winner’s points, lead | ties, % | the deal decides of victories, % | of points, % |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
MARGINAL_HEADER = (
    "| edition | players | one more of | per seat | points | percentage points of the victory |",
    "|---|---|---|---|---|---|",
)


def section(game: AnyGame, player: str, deals: int, part: float, workers: ProcessWorkers, progress: Progress) -> str:
    """The section of a game; draws its charts."""
    rows, counted, charts, notes = list(HEADER), list(MARGINAL_HEADER), [], []
    measured: dict[str, list[Balance]] = {}
    for edition in game.editions:
        results = [
            measure(Table(game.for_simulation, edition, size), player, deals, workers, progress)
            for size in edition.players
        ]
        other = next((name for name, others in measured.items() if is_same(results, others)), None)
        if other is not None:
            notes.append(f"Edition {edition.name} plays exactly like edition {other}, with the same numbers.")
            continue
        measured[edition.name] = results
        title = f"{game.title} ({edition.name})" if len(game.editions) > 1 else game.title
        for kind, chart in (
            ("places", draw_place_chart(results, title, "en")),
            ("worths", draw_marginal_values(results, game, title, "en")),
        ):
            name = f"balance-{game.name}-{edition.name}-{kind}.svg"
            (CHARTS / name).write_text(chart, encoding="utf-8")
            charts.append(f"![{title}: {kind}](pictures/{name})")
        rows += [row(result, edition.name) for result in results]
        counted += marginal_value_rows(results, game, edition.name)
    tournament = measure_skill(game, player, max(MIN_DEALS, deals // 2), workers, progress)
    best = {one.name: one for one in tournament.entrants}[player]
    bounds = best.bounds and Interval(max(best.bounds.low, 0.0), min(best.bounds.high, 1.0))
    share, games = cell(Estimate(best.share, bounds)), tournament.games
    parts = [
        f"## {game.title}",
        f"`{player}` on every seat, {deals} deals per row, each played twice.",
        *notes,
        f"Skill: with two players, `{player}` wins {share} % of {games} games against `{WEAKER[player]}`, over the same deals.",
        "\n".join(rows),
        "\n".join(counted),
        *charts,
    ]
    return "\n\n".join([*parts, *twin_section(game, list(measured), part, progress)])


def twin_section(game: AnyGame, editions: list[str], part: float, progress: Progress) -> Iterator[str]:
    """The balance between random players, if the game has a twin."""
    if not registry.has_twin(game):
        return
    rows, counted, deals = list(HEADER), list(MARGINAL_HEADER), max(MIN_DEALS, round(part * TWIN_DEALS))
    for edition in game.editions:
        if edition.name in editions:
            results = [
                measure_on_twin(Table(game.for_simulation, edition, size), deals, progress) for size in edition.players
            ]
            rows += [row(result, edition.name) for result in results]
            counted += marginal_value_rows(results, game, edition.name)
    yield f"### {game.title} at random"
    yield f"`random` on every seat, {deals} deals per row, each played twice, on the game’s twin: the baseline without any skill."
    yield "\n".join(rows)
    yield "\n".join(counted)


TEXT = """# What the games are like

{date}, `make prove-balance PART={part:g}`. Every seat has the same player, so that only the place in the turn order and luck make a difference. Every deal is played twice, with the same shuffles and dice and other random choices of the players. The intervals are 95 % confidence intervals over deals. Bots play in the arena; random players play on the game's twin if there is one. `spieltisch stats GAME` gives the same numbers for other players, sizes and options.

- **Victories by place**: the seat that starts comes first; shared victories are divided. The next column is the margin of error.
- **The deal decides**: the share of the variance that both games of a deal have in common, without the advantage of starting (an intraclass correlation). 100 means that the deal decides everything, 0 that it decides nothing; values below 0 are sampling error. It is a number about the game between these players: the more alike they play, the more the deal decides.
- **One more of**: what goes with having one more than the others in the same game. This is a correlation, not a cause: a player who does well may simply get more of them.

{sections}
"""


def main() -> None:
    part = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    if part >= COMPILE_FROM and not compiled.is_compiled():
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.campaigns.prove_balance", *sys.argv[1:]],
            compiled.environment(),
        )
    with ProcessWorkers() as workers, Progress() as progress:
        sections = [
            section(game, player, max(MIN_DEALS, round(part * deals)), part, workers, progress)
            for game in registry.offered()
            for player, deals in [PLAYERS.get(game.name, ("level:2", 200))]
        ]
    page = TEXT.format(date=f"{datetime.now(UTC):%Y-%m-%d}", part=part, sections="\n\n".join(sections))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
