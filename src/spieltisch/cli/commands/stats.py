"""The command `spieltisch stats`."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spieltisch import players
from spieltisch.cli.commands.arena import progress_reporter, workers, workers_options
from spieltisch.cli.game_options import GameCommands, game_command, make_setup
from spieltisch.cli.terminal import exit_on_refusal, say
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_message
from spieltisch.records.files import write_atomically

if TYPE_CHECKING:
    from spieltisch.arena.balance.measure import Balance
    from spieltisch.arena.workers import Workers


class Stats(GameCommands):
    """Statistics, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        known = ", ".join(players.names(game))
        flags: list[click.Parameter] = [
            click.Option(["--player", "-p"], metavar="NAME", show_default="level:2, or random with --twin",
                         help=f"Bot that plays every seat: {known}."),
            click.Option(["--size"], type=int, show_default="every number the game allows", help="Number of players."),
            click.Option(["--deals", "-n"], type=click.IntRange(3), default=100, show_default=True,
                         help="Deals per number of players; each is played twice."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True,
                         help="Seed; the same seed gives the same games."),
            click.Option(["--out", "-o"], type=click.Path(path_type=Path, file_okay=False),
                         help="Folder for games, numbers and charts; the same command resumes from it."),
            click.Option(["--twin"], is_flag=True,
                         help="Play on the game's twin, thousands of games at once; random players only."),
            *workers_options(),
        ]  # fmt: skip
        example = f"stats {game.name} --player level:2 --size {game.players.start} --deals 500 --out FOLDER"
        return game_command(game, _stats, f"Measure the balance, length and luck of {game.title}.", example, flags)


@click.group(cls=Stats, epilog="Example: spieltisch stats GAME --player level:2 --deals 500 --out FOLDER")
def command() -> None:
    """Measure a game between equal players: the advantage of each seat, its length, and how much the deal decides."""


def _stats(game: AnyGame, language: str, size: int | None, out: Path | None, **given: Any) -> None:
    from spieltisch.arena.balance.report import format_balance

    if given["twin"] and given["player"] not in {None, "random"}:
        raise click.UsageError("--player cannot be used with --twin, which plays at random.")
    given["player"] = given["player"] or ("random" if given["twin"] else "level:2")
    game = game.for_simulation
    edition = next(one for one in game.editions if one.name == (given.get("edition") or game.editions[0].name))
    title = f"{game.title} ({edition.name})" if len(game.editions) > 1 else game.title
    results = []
    with exit_on_refusal(language), contextlib.ExitStack() as stack:
        executor = stack.enter_context(workers(given["cluster"], given["workers"]))
        for seats in edition.players if size is None else [size]:
            results.append(_measure(game, seats, executor, out, given))
            for line in format_balance(results[-1], game, title, language):
                click.echo(line)
    if out is not None:
        _save(results, game, title, language, out)


def _measure(game: AnyGame, seats: int, executor: Workers, out: Path | None, given: dict[str, Any]) -> Balance:
    from spieltisch.arena.balance.measure import measure_balance
    from spieltisch.arena.balance.self_play import BalanceLog

    setup = make_setup(game, seats, None, given)
    settings = {**setup._asdict(), "options": dict(setup.options), "first": given["first"]}
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(BalanceLog(out / str(seats))) if out else None
        progress = stack.enter_context(progress_reporter(f"{game.title}, {seats}"))
        common = {"deals": given["deals"], "seed": given["seed"], "log": log, "progress": progress}
        if given["twin"]:
            from spieltisch.arena.balance.twin_play import measure_balance_on_twin

            return measure_balance_on_twin(game, settings, **common)
        return measure_balance(game, settings, given["player"], executor=executor, **common)


def _save(results: list[Balance], game: AnyGame, title: str, language: str, out: Path) -> None:
    from spieltisch.arena.balance.chart import draw_marginal_values, draw_place_chart

    numbers = [result.to_json() for result in results]
    write_atomically(out / "stats.json", json.dumps(numbers, indent=2, ensure_ascii=False) + "\n")
    write_atomically(out / "places.svg", draw_place_chart(results, title, language))
    write_atomically(out / "worths.svg", draw_marginal_values(results, game, title, language))
    click.echo(format_message(say("stats.written", folder=str(out)), language), err=True)
