"""The command `spieltisch arena`."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spieltisch import players
from spieltisch.cli.game_options import GameCommands, game_command, make_setup, players_option
from spieltisch.cli.terminal import exit_on_refusal, say
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_message
from spieltisch.records.files import write_atomically

if TYPE_CHECKING:
    from spieltisch.arena.standings import TournamentResult
    from spieltisch.arena.workers import Workers


class Arena(GameCommands):
    """Tournaments, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        default = f"{players.DEFAULT},level:2"
        known = ", ".join(players.names(game))
        flags = [
            players_option(default, f"Bots that compete, separated by commas: {known}."),
            click.Option(["--size"], type=int, show_default="the fewest possible", help="Players per game."),
            click.Option(["--games", "-n"], type=click.IntRange(1), default=1000, show_default=True,
                         help="Minimum number of games; every deal is completed."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Seed; the same seed gives the same games."),
            click.Option(["--decide"], is_flag=True, help="Stop as soon as the ranking is certain."),
            click.Option(["--out", "-o"], type=click.Path(path_type=Path, file_okay=False),
                         help="Folder for the deals and the result; the same command resumes from it."),
            click.Option(["--keep-games"], type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
                         help="File for the records of all games, such as games.jsonl.gz; see `spieltisch dataset`."),
            click.Option(["--clock"], metavar="SECONDS+INCREMENT",
                         help="Time per player and game, with an increment per decision, such as 60+1."),
            click.Option(["--move-time"], metavar="SECONDS", help="Time per decision, such as 0.5."),
            *workers_options(),
        ]  # fmt: skip
        example = f"arena {game.name} --players {default} --games 2000 --seed 1 --out FOLDER"
        return game_command(game, _compete, f"Run a tournament between bots in {game.title}.", example, flags)


@click.group(cls=Arena, epilog="Example: spieltisch arena GAME --games 2000 --seed 1 --decide --out FOLDER")
def command() -> None:
    """Run a tournament between bots and rate them, with confidence intervals."""


def _compete(game: AnyGame, language: str, seed: int, games: int, decide: bool, out: Path | None, **given: Any) -> None:
    from spieltisch.arena.standings import order_is_certain
    from spieltisch.arena.time_control import TimeControl
    from spieltisch.arena.tournament import compete
    from spieltisch.arena.tournament_log import TournamentLog

    game = game.for_simulation
    names = [name.strip() for name in given["players"].split(",")]
    log = TournamentLog(out) if out else None
    try:
        with exit_on_refusal(language), contextlib.ExitStack() as stack:
            result = compete(
                game,
                tournament_setup(game, given),
                names,
                games=games,
                seed=seed,
                executor=stack.enter_context(workers(given["cluster"], given["workers"])),
                log=log and stack.enter_context(log),
                until=order_is_certain if decide else None,
                progress=stack.enter_context(progress_reporter(game.title)),
                clock=TimeControl.parse(given["clock"], given["move_time"]),
                keep_games=given["keep_games"],
            )
    except KeyboardInterrupt:
        stopped = say("arena.stopped", deals=log.deals, folder=str(out)) if log else say("arena.stopped_lost")
        click.echo(f"\n{format_message(stopped, language)}", err=True)
        raise click.exceptions.Exit(130) from None
    _print_result(game, result, language, out)


def tournament_setup(game: AnyGame, given: dict[str, Any]) -> dict[str, Any]:
    """The setup as the options give it, with the first seat left open if it was not given."""
    chosen = given.get("edition") or game.editions[0].name
    least = next(edition.players.start for edition in game.editions if edition.name == chosen)
    setup = make_setup(game, least if given["size"] is None else given["size"], None, given)
    return {**setup._asdict(), "options": dict(setup.options), "first": given["first"]}


def workers_options() -> list[click.Option]:
    """The options that say where the games are played."""
    return [
        click.Option(
            ["--workers"], type=click.IntRange(1), show_default="one per core", help="Number of worker processes."
        ),
        click.Option(["--cluster"], metavar="ADDRESS", help="Address of a Dask scheduler to play on instead."),
    ]


def workers(cluster: str | None, processes: int | None) -> Workers:
    """The executor: worker processes, by default one per core, or a cluster."""
    from spieltisch.arena.workers import ClusterWorkers, ProcessWorkers

    if cluster is None:
        return ProcessWorkers(processes)
    if processes is not None:
        raise click.UsageError("--workers cannot be used with --cluster, which has its own workers.")
    executor = ClusterWorkers(cluster)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # its errors are reported by the command
    return executor


@contextlib.contextmanager
def progress_reporter(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback for a progress bar with the remaining time; None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def report(done: int, total: int) -> None:
            if not bar.task_ids:  # deals resumed from the store must not count towards the speed
                bar.add_task(title, total=total, completed=done)
            bar.update(bar.task_ids[0], completed=done)

        yield report


def _print_result(game: AnyGame, result: TournamentResult, language: str, out: Path | None) -> None:
    from spieltisch.arena.chart import draw_chart
    from spieltisch.arena.report import format_report

    for line in format_report(result, game.title, language):
        click.echo(line)
    if out is not None:
        write_atomically(out / "result.json", json.dumps(result.to_json(), indent=2, ensure_ascii=False) + "\n")
        write_atomically(out / "result.svg", draw_chart(result, game.title, language))
        click.echo(format_message(say("arena.written", folder=str(out)), language), err=True)
