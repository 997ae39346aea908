"""The command `spieltisch simulate`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import click

from spieltisch import players
from spieltisch.cli.game_options import GameCommands, game_command, make_setup, parse_players, players_option
from spieltisch.cli.terminal import exit_on_refusal, progress, say
from spieltisch.core.game import AnyGame, Over, Refusal
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.format import decimal, format_message
from spieltisch.i18n.message import Message
from spieltisch.players.failures import PlayerFailed, quote_output
from spieltisch.records import Record, write
from spieltisch.records.files import write_atomically


class Simulate(GameCommands):
    """Simulations, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        default = ",".join(["random"] * game.players.start)
        known = ", ".join(players.names(game))
        flags = [
            players_option(default, f"Bots by seat, separated by commas: {known}."),
            click.Option(["--games", "-n"], type=click.IntRange(1), default=100, show_default=True,
                         help="Number of games."),
            click.Option(["--seed", "-s"], type=int, default=0, show_default=True, help="Seed; the same seed gives the same games."),
            click.Option(["--out", "-o"], type=click.Path(path_type=Path), help="Folder for the records."),
        ]  # fmt: skip
        example = f"simulate {game.name} --players {default} --games 1000 --seed 1 --out games"
        return game_command(game, _simulate, f"Play many games of {game.title} between bots.", example, flags)


@click.group(cls=Simulate, epilog="Example: spieltisch simulate GAME --games 1000 --seed 1 --out games")
def command() -> None:
    """Play many games between bots, and save their records."""


def _simulate(game: AnyGame, language: str, games: int, seed: int, out: Path | None, **given: Any) -> None:
    game = game.for_simulation
    seats = parse_players(game, given["players"], language)
    shares, points, ended = [0.0] * len(seats), [0] * len(seats), 0
    began, actions = time.perf_counter(), 0
    for number in progress(range(games), game.title, games):
        with exit_on_refusal(language):
            referee, failed = _play(game, seats, f"{seed}/{number}" if seed >= 0 else seed, given)
        if failed is not None:
            reason = format_message(
                say("simulate.failed", game=number, seat=failed.seat, reason=failed.reason), language
            )
            click.echo("\n".join([reason, *quote_output(failed.output)]), err=True)
            ranks = tuple(2 if seat == failed.seat else 1 for seat in range(len(seats)))
        else:
            assert isinstance(referee.pending, Over)
            scores, ranks, _ = referee.pending.outcome
            points, ended = [one + other for one, other in zip(points, scores, strict=True)], ended + 1
        for seat, rank in enumerate(ranks):
            shares[seat] += (rank == 1) / max(1, ranks.count(1))
        actions += len(referee.steps)
        if out is not None:
            _save(out / f"{game.name}-{seed}-{number:06}.game", write(Record((referee.record(),))), language)
    seconds = time.perf_counter() - began
    width = max(map(len, seats))
    for seat, name in enumerate(seats):
        line = say(
            "simulate.seat", seat=seat, name=f"{name:<{width}}", share=f"{decimal(language, 100 * shares[seat] / games, 1):>5}",
            points=decimal(language, points[seat] / max(1, ended), 2),
        )  # fmt: skip
        click.echo(format_message(line, language))
    click.echo(
        format_message(say("simulate.speed", games=games, actions=actions, rate=f"{actions / seconds:.0f}"), language),
        err=True,
    )


class _Failure(NamedTuple):
    """The seat whose player failed, why, and the end of what its bot printed."""

    seat: int
    reason: Message
    output: str


def _play(
    game: AnyGame, seats: list[str], seed: int | str, given: dict[str, Any]
) -> tuple[Referee[Any, Any, Any], _Failure | None]:
    """Plays a game to its end, or until a player fails, which loses that player the game."""
    source = seeded(seed)
    setup = make_setup(game, len(seats), source, given)
    referee = Referee(game, setup, source, dict(enumerate(seats)))
    bots = [players.make(name, game, f"{seed}/{seat}") for seat, name in enumerate(seats)]
    while not isinstance(pending := referee.settle(), Over):
        try:
            referee.ask(bots[pending.seat])
        except PlayerFailed as error:
            return referee, _Failure(pending.seat, error.message, error.output)
    return referee, None


def _save(path: Path, text: str, language: str) -> None:
    """Writes the record; a different record in a file of that name is never overwritten."""
    if path.exists():
        if path.read_bytes() == text.encode():
            return
        with exit_on_refusal(language):
            raise Refusal(say("file.exists", file=str(path)))
    write_atomically(path, text)
