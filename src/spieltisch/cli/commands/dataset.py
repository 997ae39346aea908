"""The command `spieltisch dataset`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spieltisch import players
from spieltisch.cli.commands.arena import progress_reporter, tournament_setup, workers, workers_options
from spieltisch.cli.game_options import GameCommands, game_command, players_option
from spieltisch.cli.terminal import exit_on_refusal, say
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import format_message


class Dataset(GameCommands):
    """Datasets, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        known = ", ".join(players.names(game))
        flags = [
            players_option(players.DEFAULT, f"Bots from which every seat is drawn, separated by commas: {known}."),
            click.Option(["--size"], type=int, show_default="the fewest possible", help="Players per game."),
            click.Option(["--games", "-n"], type=click.IntRange(1), default=1000, show_default=True,
                         help="Number of games."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Seed; the same seed gives the same file."),
            click.Option(["--out", "-o"], type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="FILE",
                         help="File, compressed as its name says: .gz or .xz."),
            *workers_options(),
        ]  # fmt: skip
        example = f"dataset {game.name} --players level:4 --games 1000 --seed 1 --out {game.name}-v1.jsonl.xz"
        return game_command(game, _write, f"Write a dataset of bot games of {game.title}.", example, flags)


@click.group(cls=Dataset, epilog="Example: spieltisch dataset GAME --players level:4 --games 1000 --out games.jsonl.xz")
def command() -> None:
    """Write many bot games into one compressed file, with a header and a checksum.

    Repeat an interrupted command to continue it. docs/reference/dataset.md describes the file.
    """


def _write(game: AnyGame, language: str, seed: int, games: int, out: Path, **given: Any) -> None:
    from spieltisch.arena.self_play_dataset import write_dataset

    game, done = game.for_simulation, 0
    names = [name.strip() for name in given["players"].split(",")]
    with progress_reporter(game.title) as show:

        def count(played: int, total: int) -> None:
            nonlocal done
            done = played
            if show:
                show(played, total)

        try:
            with exit_on_refusal(language), workers(given["cluster"], given["workers"]) as executor:
                header = write_dataset(
                    out,
                    game,
                    tournament_setup(game, given),
                    names,
                    games=games,
                    seed=seed,
                    executor=executor,
                    progress=count,
                )
        except KeyboardInterrupt:
            stopped = say("dataset.stopped", games=done, file=f"{out}.part")
            click.echo(f"\n{format_message(stopped, language)}", err=True)
            raise click.exceptions.Exit(130) from None
    written = say("dataset.written", file=str(out), games=header.games, size=out.stat().st_size, sum=header.sha256[:12])
    click.echo(format_message(written, language))
