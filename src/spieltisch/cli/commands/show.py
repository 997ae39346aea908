"""The command `spieltisch show`."""

from __future__ import annotations

import click

from spieltisch import registry
from spieltisch.cli.terminal import (
    CommandRefused,
    detect_style,
    exit_on_refusal,
    language_option,
    read_record,
    say,
)
from spieltisch.core.game import Over, Refusal, Seat
from spieltisch.gameplay.chance import unforeseen
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.transcript import Transcript, seat_names
from spieltisch.i18n.format import format_message
from spieltisch.records import BadRecord, GameRecord


@click.command(epilog="Example: spieltisch show evening.game --at 40 --language fr")
@click.argument("file")
@click.option("--at", type=click.IntRange(0), help="Stop after this many actions.")
@click.option(
    "--game", "number", type=click.IntRange(1), show_default="all", help="Number of the game in a match, from 1."
)
@click.option("--viewer", type=int, show_default="a spectator", help="Seat to see the game from, from 0.")
@click.option("--moves", is_flag=True, help="Print the moves only, without the table.")
@language_option
def command(file: str, at: int | None, number: int | None, viewer: int | None, moves: bool, language: str) -> None:
    """Show a recorded game: the moves as sentences, then the table."""
    record = read_record(file, language)
    with exit_on_refusal(language):
        if number is not None and number > len(record.games):
            raise Refusal(say("show.no_game", games=len(record.games)))
    chosen = record.games if number is None else (record.games[number - 1],)
    for one in chosen:
        try:
            _show(one, at, viewer, moves, language)
        except BadRecord as error:
            raise CommandRefused(error, language, f"{file}:{error.line}") from None
    if record.total is not None and number is None:
        click.echo(format_message(say("show.total", total=" ".join(map(str, record.total))), language))


def _show(one: GameRecord, at: int | None, viewer: int | None, moves: bool, language: str) -> None:
    with exit_on_refusal(language):
        game = registry.find(one.game)
        if viewer is not None and not 0 <= viewer < one.players:
            raise Refusal(say("request.viewer", last=one.players - 1))
    referee = Referee.resume(game.for_replay, one, unforeseen())
    if at is not None and at < len(referee.steps):
        referee.undo(len(referee.steps) - at)
    seats = seat_names(one.players, language, dict(one.names))
    style = detect_style(language)
    transcript = Transcript(referee, seats, None if viewer is None else Seat(viewer), style)
    click.echo(style.bold(game.title))
    for line in transcript.events(0):
        click.echo(line)
    if not moves:
        click.echo()
        for line in transcript.table():
            click.echo(line)
    if isinstance(referee.pending, Over):
        for line in transcript.result():
            click.echo(line)
