"""spieltisch arena."""

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
from spieltisch.cli.game_options import GameCommands, agreed, game_command, players_option
from spieltisch.cli.terminal import refusing, say, write_whole
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_message

if TYPE_CHECKING:
    from spieltisch.arena.standings import Result
    from spieltisch.arena.workers import Workers


class Arena(GameCommands):
    """One tournament command a game."""

    def for_game(self, game: AnyGame) -> click.Command:
        default = f"{players.DEFAULT},level:2"
        known = ", ".join(players.names(game))
        flags = [
            players_option(default, f"Who competes, by name: {known}."),
            click.Option(["--size"], type=int, help="How many sit at the table; as few as possible if not given."),
            click.Option(["--games", "-n"], type=click.IntRange(1), default=1000, show_default=True,
                         help="At least so many games, in whole deals."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Same seed, same games."),
            click.Option(["--decide"], is_flag=True, help="Stop as soon as the order is certain."),
            click.Option(["--out", "-o"], type=click.Path(path_type=Path, file_okay=False),
                         help="A folder for the deals, from which the same command goes on, and for the result."),
            *workers_options(),
        ]  # fmt: skip
        example = f"arena {game.name} --players {default} --games 2000 --seed 1 --out FOLDER"
        return game_command(game, _compete, f"Let bots compete at {game.title}.", example, flags)


@click.group(cls=Arena, epilog="Example: spieltisch arena GAME --games 2000 --seed 1 --decide --out FOLDER")
def command() -> None:
    """Let bots compete, and tell who is better and how certain that is."""


def _compete(game: AnyGame, language: str, seed: int, games: int, decide: bool, out: Path | None, **given: Any) -> None:
    from spieltisch.arena.standings import order_is_certain
    from spieltisch.arena.store import Store
    from spieltisch.arena.tournament import compete

    game = game.for_simulation
    names = [name.strip() for name in given["players"].split(",")]
    store = Store(out) if out else None
    try:
        with refusing(language), contextlib.ExitStack() as things:
            result = compete(
                game,
                _setup(game, given),
                names,
                games=games,
                seed=seed,
                executor=things.enter_context(workers(given["cluster"], given["workers"])),
                store=store and things.enter_context(store),
                until=order_is_certain if decide else None,
                watch=things.enter_context(watching(game.title)),
            )
    except KeyboardInterrupt:
        stopped = say("arena.stopped", deals=store.kept, folder=str(out)) if store else say("arena.stopped_lost")
        click.echo(f"\n{format_message(stopped, language)}", err=True)
        raise click.exceptions.Exit(130) from None
    _tell(game, result, language, out)


def _setup(game: AnyGame, given: dict[str, Any]) -> dict[str, Any]:
    """What the flags say was agreed on; whoever begins is left open where nobody said."""
    chosen = given.get("edition") or game.editions[0].name
    least = next(edition.players.start for edition in game.editions if edition.name == chosen)
    setup = agreed(game, least if given["size"] is None else given["size"], None, given)
    return {**setup._asdict(), "options": dict(setup.options), "first": given["first"]}


def workers_options() -> list[click.Option]:
    """The flags that say who plays."""
    return [
        click.Option(["--workers"], type=click.IntRange(1), help="How many processes; one a core if not given."),
        click.Option(["--cluster"], metavar="ADDRESS", help="Play on a dask cluster instead."),
    ]


def workers(cluster: str | None, processes: int | None) -> Workers:
    """Who plays: so many processes, one a core where nobody says how many, or a cluster."""
    from spieltisch.arena.workers import Cluster, Processes

    if cluster is None:
        return Processes(processes)
    if processes is not None:
        raise click.UsageError("--cluster has workers of its own: leave --workers out.")
    many = Cluster(cluster)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it has to say is said here
    return many


@contextlib.contextmanager
def watching(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Something to tell the progress to, shown with the time left where somebody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def watch(done: int, total: int) -> None:
            if not bar.task_ids:  # what was there before says nothing about the speed
                bar.add_task(title, total=total, completed=done)
            bar.update(bar.task_ids[0], completed=done)

        yield watch


def _tell(game: AnyGame, result: Result, language: str, out: Path | None) -> None:
    from spieltisch.arena.chart import draw
    from spieltisch.arena.report import tell

    for line in tell(result, game.title, language):
        click.echo(line)
    if out is not None:
        write_whole(out / "result.json", json.dumps(result.to_json(), indent=2, ensure_ascii=False) + "\n")
        write_whole(out / "result.svg", draw(result, game.title, language))
        click.echo(format_message(say("arena.written", folder=str(out)), language), err=True)
