"""spieltisch stats."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spieltisch import players
from spieltisch.cli.commands.arena import watching, workers, workers_options
from spieltisch.cli.game_options import GameCommands, agreed, game_command
from spieltisch.cli.terminal import refusing, say, write_whole
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_message

if TYPE_CHECKING:
    from spieltisch.arena.balance.measure import Balance
    from spieltisch.arena.workers import Workers


class Stats(GameCommands):
    """One command a game."""

    def for_game(self, game: AnyGame) -> click.Command:
        known = ", ".join(players.names(game))
        flags: list[click.Parameter] = [
            click.Option(["--player", "-p"], metavar="NAME", help=f"Who plays on every seat, by name: {known}.  "
                         "[default: level:2, or random with --twin]"),
            click.Option(["--size"], type=int, help="How many sit at the table; every number there is if not given."),
            click.Option(["--deals", "-n"], type=click.IntRange(3), default=100, show_default=True,
                         help="So many deals for each size, every one played twice."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Same seed, same games."),
            click.Option(["--out", "-o"], type=click.Path(path_type=Path, file_okay=False),
                         help="A folder for the games, from which the same command goes on, and for numbers and pictures."),
            click.Option(["--twin"], is_flag=True,
                         help="Play on the game's twin, thousands of games at once: random players only."),
            *workers_options(),
        ]  # fmt: skip
        example = f"stats {game.name} --player level:2 --size {game.players.start} --deals 500 --out FOLDER"
        return game_command(game, _stats, f"Tell what {game.title} is like between equals.", example, flags)


@click.group(cls=Stats, epilog="Example: spieltisch stats GAME --player level:2 --deals 500 --out FOLDER")
def command() -> None:
    """Tell what a game is like between equals: who begins well, how long it takes, how much the deal decides."""


def _stats(game: AnyGame, language: str, size: int | None, out: Path | None, **given: Any) -> None:
    from spieltisch.arena.balance.report import tell_balance

    if given["twin"] and given["player"] not in {None, "random"}:
        raise click.UsageError("--twin plays at random: leave --player out.")
    given["player"] = given["player"] or ("random" if given["twin"] else "level:2")
    game = game.for_simulation
    edition = next(one for one in game.editions if one.name == (given.get("edition") or game.editions[0].name))
    title = f"{game.title} ({edition.name})" if len(game.editions) > 1 else game.title
    results = []
    with refusing(language), contextlib.ExitStack() as things:
        many = things.enter_context(workers(given["cluster"], given["workers"]))
        for seats in edition.players if size is None else [size]:
            results.append(_measured(game, seats, many, out, given))
            for line in tell_balance(results[-1], game, title, language):
                click.echo(line)
    if out is not None:
        _keep(results, game, title, language, out)


def _measured(game: AnyGame, seats: int, many: Workers, out: Path | None, given: dict[str, Any]) -> Balance:
    from spieltisch.arena.balance.measure import balance
    from spieltisch.arena.balance.self_play import Notes

    setup = agreed(game, seats, None, given)
    asked = {**setup._asdict(), "options": dict(setup.options), "first": given["first"]}
    with contextlib.ExitStack() as things:
        store = things.enter_context(Notes(out / str(seats))) if out else None
        watch = things.enter_context(watching(f"{game.title}, {seats}"))
        same = {"deals": given["deals"], "seed": given["seed"], "store": store, "watch": watch}
        if given["twin"]:
            from spieltisch.arena.balance.twin_play import balance_on_twin

            return balance_on_twin(game, asked, **same)
        return balance(game, asked, given["player"], executor=many, **same)


def _keep(results: list[Balance], game: AnyGame, title: str, language: str, out: Path) -> None:
    from spieltisch.arena.balance.chart import draw_places, draw_worths

    numbers = [result.to_json() for result in results]
    write_whole(out / "stats.json", json.dumps(numbers, indent=2, ensure_ascii=False) + "\n")
    write_whole(out / "places.svg", draw_places(results, title, language))
    write_whole(out / "worths.svg", draw_worths(results, game, title, language))
    click.echo(format_message(say("stats.written", folder=str(out)), language), err=True)
