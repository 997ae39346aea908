"""The command `spieltisch perft`."""

from __future__ import annotations

from typing import Any

import click

from spieltisch.cli.game_options import GameCommands, game_command, make_setup
from spieltisch.cli.terminal import CommandRefused, exit_on_refusal, progress, read_record, say
from spieltisch.core.game import AnyGame, Refusal, Setup
from spieltisch.gameplay.chance import ReplaySource, Source, seeded
from spieltisch.gameplay.perft import divide, perft
from spieltisch.records import BadRecord
from spieltisch.records.replay import replay


class Perft(GameCommands):
    """Perft, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        flags = [
            click.Option(["--depth", "-d"], type=click.IntRange(1, 1000), default=3, show_default=True,
                         help="Number of decisions in a sequence."),
            click.Option(["--players", "-p"], type=int, default=game.players.start, show_default=True,
                         help="Number of players."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Seed of chance."),
            click.Option(["--record", "-r"], metavar="FILE", help="Take the setup and the draws from a record instead."),
            click.Option(["--divide"], is_flag=True, help="Print the count below each first action."),
        ]  # fmt: skip
        about, example = f"Count the sequences of decisions in {game.title}.", f"perft {game.name} --depth 3 --seed 1"
        return game_command(game, _perft, about, example, flags, first="0")


@click.group(cls=Perft, epilog="Example: spieltisch perft GAME --depth 3 --seed 1")
def command() -> None:
    """Count the sequences of decisions, as a check of the rules.

    Draws do not branch: the n-th draw of every sequence is the same, given by the seed or the record.
    """


def _perft(game: AnyGame, language: str, depth: int, record: str | None, seed: int, **given: Any) -> None:
    game = game.for_simulation
    with exit_on_refusal(language):
        if record is None:
            source: Source = seeded(seed)
            setup = make_setup(game, given["players"], None, given)
        else:
            setup, source = _from_record(game, record, language)
        state = game.initial(setup)
        if given["divide"]:
            for text, count in divide(game, state, depth, source):
                click.echo(f"{text:<12} {count}")
            return
        for ply in progress(range(1, depth + 1), "perft", depth):
            click.echo(f"{ply:>3} {perft(game, state, ply, source)}")


def _from_record(game: AnyGame, path: str, language: str) -> tuple[Setup, Source]:
    one = read_record(path, language).games[0]
    if one.game != game.name:
        raise Refusal(say("perft.other_game", file=path, game=one.game))
    try:
        past = replay(game, one)
    except BadRecord as error:
        raise CommandRefused(error, language, f"{path}:{error.line}") from None
    picks = tuple(list(drawn.chance.actions).index(drawn.action) for drawn in past.draws)
    return past.setup, ReplaySource(picks, past.setup.first)
