"""Commands that take a game: one subcommand a game, its flags made from what the game declares."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from spieltisch import players, registry
from spieltisch.cli.terminal import language_option, refusing, say
from spieltisch.core.game import AnyGame, BadSetup, Choice, Refusal, Setup
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.match.chance import Source


class GameCommands(click.Group):
    """A command that is completed by a game's name."""

    @abstractmethod
    def for_game(self, game: AnyGame) -> click.Command:
        """The command for that game."""

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
    game: AnyGame, run: Callable[..., None], about: str, example: str, flags: Sequence[click.Parameter]
) -> click.Command:
    """A command for one game: its own flags, then those of the setup, then the language."""
    command = click.Command(
        game.name,
        params=[*flags, *setup_options(game)],
        callback=lambda **given: run(game, **given),
        help=about,
        epilog=f"Example: spieltisch {example}",
    )
    return language_option(command)


def setup_options(game: AnyGame) -> list[click.Parameter]:
    """The flags for everything that is agreed on before the game, except who plays."""
    flags: list[click.Parameter] = [
        click.Option(["--first"], type=int, help="The seat that begins, from 0; drawn if not given."),
        click.Option(["--rules"], type=int, help="The version of the rules; the newest if not given."),
    ]
    if len(game.editions) > 1:
        names = [edition.name for edition in game.editions]
        flags.append(click.Option(["--edition"], type=click.Choice(names), default=names[0], show_default=True))
    for option in game.options:
        words = format_message(message_factory(game.name)(f"option.{option.name}"), "en")
        about = words[:1].upper() + words[1:] + "."
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
    """The flag that says who sits where."""
    return click.Option(["--players", "-p"], default=default, show_default=True, metavar="LIST", help=about)


def agreed(game: AnyGame, seats: int, source: Source | None, given: Mapping[str, Any]) -> Setup:
    """The setup that the flags describe; whoever begins is drawn where nobody said, without a source it is seat 0."""
    options = {
        option.name: _content(option.name, given[option.name])
        for option in game.options
        if given.get(option.name) is not None
    }
    edition = given.get("edition")
    setup = game.agree(seats, edition, options, given.get("first") or 0, given.get("rules"))
    if given.get("first") is None and source is not None:
        setup = game.agree(seats, edition, options, source.first(seats), given.get("rules"))
    game.initial(setup)
    return setup


def _content(name: str, value: str | Path) -> str:
    if isinstance(value, str):
        return value
    try:
        return value.read_text(encoding="utf-8") or " "
    except UnicodeDecodeError:
        raise BadSetup(say("setup.document", option=name), field=name) from None


def seats_of(game: AnyGame, text: str, language: str, people: tuple[str, ...] = ()) -> list[str]:
    """Who sits where: names of bots, and of people where they may sit down too; a sentence says who is unknown."""
    seats = [name.strip() for name in text.split(",")]
    for name in seats:
        if name not in people:
            with refusing(language):
                players.make(name, game, 0)
    return seats
