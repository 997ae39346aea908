"""The command `spieltisch rules`."""

from __future__ import annotations

import click

from spieltisch import registry
from spieltisch.cli.game_options import GameCommands
from spieltisch.cli.terminal import detect_style, language_option
from spieltisch.core.game import AnyGame


class Rules(GameCommands):
    """The rules, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        @click.command(
            game.name,
            help=f"Show the rules of {game.title}.",
            epilog=f"Example: spieltisch rules {game.name} --language fr",
        )
        @click.option("--numbers", is_flag=True, help="Show the numbers of the rules that refusals cite.")
        @language_option
        def show_rules(language: str, numbers: bool) -> None:
            page = registry.rules_page(game, language, numbers=numbers)
            if not detect_style(language).colour:
                click.echo(page, nl=False)
                return
            from rich.console import Console
            from rich.markdown import Markdown

            Console(width=min(Console().width, 100)).print(Markdown(page))

        return show_rules


@click.group(cls=Rules, epilog="Example: spieltisch rules GAME --language de")
def command() -> None:
    """Show the rules of a game."""
