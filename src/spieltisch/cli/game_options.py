"""Command groups with one subcommand per game, whose options follow from what the game declares."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from spieltisch import players, registry
from spieltisch.cli.terminal import exit_on_refusal, language_option, say
from spieltisch.core.game import AnyGame, BadSetup, Choice, Refusal, Setup
from spieltisch.gameplay.chance import Source
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory


class GameCommands(click.Group):
    """Command group with one subcommand per game."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.subcommand_metavar = "[GAME [OPTIONS]]" if self.invoke_without_command else "GAME [OPTIONS]"

    @abstractmethod
    def for_game(self, game: AnyGame) -> click.Command:
        """The subcommand for that game."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.epilog = (self.epilog or "").replace("GAME", self.list_commands(ctx)[0])
        super().format_epilog(ctx, formatter)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [game.name for game in sorted(registry.all(), key=lambda game: not game.offered)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        try:
            return self.for_game(registry.find(cmd_name))
        except Refusal as error:
            raise click.UsageError(str(error), ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Games"):
            names = self.list_commands(ctx)
            formatter.write_dl([(name, _summary(registry.find(name))) for name in names])


def _summary(game: AnyGame) -> str:
    least, most = game.players.start, game.players.stop - 1
    return f"{game.title}, {least} to {most} players" + ("" if game.offered else " (the teaching game)")


def game_command(
    game: AnyGame,
    run: Callable[..., None],
    about: str,
    example: str,
    flags: Sequence[click.Parameter],
    first: str = "drawn",
) -> click.Command:
    """The subcommand for one game: the given options, then those of the setup, then the language."""
    command = click.Command(
        game.name,
        params=[*flags, *setup_options(game, first)],
        callback=lambda **given: run(game, **given),
        help=about,
        epilog=f"Example: spieltisch {example}",
    )
    return language_option(command)


def setup_options(game: AnyGame, first: str) -> list[click.Parameter]:
    """The options for everything in a setup except the players; `first` describes the default of `--first`."""
    flags: list[click.Parameter] = [
        click.Option(["--first"], type=int, show_default=first, help="Seat that starts, from 0."),
        click.Option(["--rules"], type=int, show_default="the newest", help="Version of the rules."),
    ]
    if len(game.editions) > 1:
        names = [edition.name for edition in game.editions]
        flags.append(
            click.Option(["--edition"], type=click.Choice(names), default=names[0], show_default=True, help="Edition.")
        )
    for option in game.options:
        about = format_message(message_factory(game.name)(f"option.{option.name}.about"), "en")
        if isinstance(option, Choice):
            kind = click.Choice(option.values)
            flags.append(
                click.Option([f"--{option.name}"], type=kind, default=option.default, show_default=True, help=about)
            )
        else:
            file = click.Path(exists=True, dir_okay=False, path_type=Path)
            flags.append(click.Option([f"--{option.name}"], type=file, metavar="FILE", help=about))
    return flags


def players_option(default: str, about: str) -> click.Option:
    """The option that lists the players."""
    return click.Option(["--players", "-p"], default=default, show_default=True, metavar="LIST", help=about)


def make_setup(game: AnyGame, seats: int, source: Source | None, given: Mapping[str, Any]) -> Setup:
    """The setup that the options describe; the first seat is drawn if not given, or is 0 without a source."""
    options = {
        option.name: _read_document(option.name, given[option.name])
        for option in game.options
        if given.get(option.name) is not None
    }
    edition = given.get("edition")
    setup = game.agree(seats, edition, options, given.get("first") or 0, given.get("rules"))
    if given.get("first") is None and source is not None:
        setup = game.agree(seats, edition, options, source.first(seats), given.get("rules"))
    game.initial(setup)
    return setup


def _read_document(name: str, value: str | Path) -> str:
    if isinstance(value, str):
        return value
    try:
        return value.read_text(encoding="utf-8") or " "
    except UnicodeDecodeError:
        raise BadSetup(say("setup.document", option=name), field=name) from None


def parse_players(game: AnyGame, text: str, language: str, people: tuple[str, ...] = ()) -> list[str]:
    """The players by seat, from a comma-separated list of bots and of the words in `people`; refuses unknown names."""
    seats = [name.strip() for name in text.split(",")]
    for name in seats:
        if name not in people:
            with exit_on_refusal(language):
                players.make(name, game, 0)
    return seats
