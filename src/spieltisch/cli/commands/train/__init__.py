"""The command `spieltisch train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from spieltisch import registry
from spieltisch.cli.game_options import GameCommands
from spieltisch.cli.terminal import exit_on_refusal, language_option, progress_bar, say
from spieltisch.core.game import AnyGame
from spieltisch.i18n.format import decimal, format_message
from spieltisch.i18n.message import Message

if TYPE_CHECKING:
    from spieltisch.training.match_play import Result
    from spieltisch.training.run import Progress

_MINUTES: Final = 3.0


class Train(GameCommands):
    """Training, by game."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in super().list_commands(ctx) if registry.has_net(registry.find(name))]

    def for_game(self, game: AnyGame) -> click.Command:
        command = click.Command(
            game.name,
            params=[
                click.Option(["--minutes"], type=click.FloatRange(0, min_open=True), show_default=f"{_MINUTES:g}, unless --updates is given",
                             help="Length of the training, without compilation; a resumed run continues the count."),
                click.Option(["--updates"], type=click.IntRange(1), help="Stop after this many updates."),
                click.Option(["--full/--small"], default=None, show_default="full on a GPU, otherwise small",
                             help="The full net on all settings, or a small one on the default settings for the fewest players."),
                click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Seed of weights and games."),
                click.Option(["--out", "-o"], type=click.Path(path_type=Path, file_okay=False), required=True,
                             help="Folder for weights, figures, curve and checkpoint; the same command resumes from it."),
            ],
            callback=lambda **given: _train(game, **given),
            help=f"Train the net of {game.title} by self-play.",
            epilog=f"Example: spieltisch train {game.name} --minutes 3 --out FOLDER",
        )  # fmt: skip
        return language_option(command)


@click.group(cls=Train, epilog="Example: spieltisch train GAME --minutes 3 --out FOLDER")
def command() -> None:
    """Train a game's value net by self-play on its twin, on a GPU if there is one."""


def _train(
    game: AnyGame, language: str, out: Path, minutes: float | None, updates: int | None, full: bool | None, seed: int
) -> None:
    with exit_on_refusal(language):
        from spieltisch.training.run import Limit, train

        limit = Limit(_MINUTES if minutes is None and updates is None else minutes, updates)
        with progress_bar(game.title) as show:

            def report(progress: Progress) -> None:
                show(round(1000 * progress.done), 1000)
                if progress.results and progress.done < 1:
                    _echo(_state(progress, language), language)
                    for result in progress.results:
                        _echo(_match(result, language), language)

            info = train(game, out, limit, seed=seed, large=full, report=report, language=language)
    for match in info.figures["matches"]:
        _echo(_message(match, language), language)
    _echo(say("train.written", folder=str(out)), language)


def _echo(message: Message, language: str) -> None:
    click.echo(format_message(message, language))


def _state(progress: Progress, language: str) -> Message:
    return say(
        "train.state",
        updates=progress.updates,
        games=progress.games,
        seconds=f"{progress.seconds:.0f}",
        victory=decimal(language, progress.victory_loss, 3),
        points=decimal(language, progress.points_loss, 3),
    )


def _match(result: Result, language: str) -> Message:
    return _message({"variant": "–", **result._asdict()}, language)


def _message(match: dict[str, Any], language: str) -> Message:
    return say(
        "train.match",
        variant=match["variant"],
        players=match["players"],
        opponent=match["opponent"],
        share=decimal(language, 100 * match["share"], 1),
        error=decimal(language, 100 * match["error"], 1),
        points=decimal(language, match["points"], 1),
        others=decimal(language, match["others"], 1),
    )
