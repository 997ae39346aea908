"""The command `spieltisch picture`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NamedTuple

import click

from spieltisch import pictures, registry
from spieltisch.cli.terminal import (
    CommandRefused,
    exit_on_refusal,
    language_option,
    read_record,
    say,
)
from spieltisch.core.game import Refusal, Seat, Viewer
from spieltisch.gameplay.progress import AnyProgress, Progress
from spieltisch.gameplay.transcript import seat_names
from spieltisch.i18n.format import format_message
from spieltisch.records import BadRecord, GameRecord, Record
from spieltisch.records.files import write_atomically

_STILLS: Final = (".svg", ".png")
_FILMS: Final = (".svg", ".gif")
_WIDTH: Final = 960


class Wanted(NamedTuple):
    """What is to be drawn, and how."""

    viewer: Viewer
    names: list[str]
    language: str
    dark: bool
    size: int | None


@click.command(epilog="Example: spieltisch picture evening.game --ply 12 --out evening.png --dark")
@click.argument("file")
@click.option(
    "--out",
    "-o",
    required=True,
    help="File to write: .svg or .png; a film is .svg or .gif; - is SVG on standard output.",
)
@click.option(
    "--ply", type=click.IntRange(0), show_default="the end", help="Draw the position after this many decisions."
)
@click.option("--film", is_flag=True, help="Draw the whole game, up to --ply, as one animated picture.")
@click.option("--game", "number", type=click.IntRange(1), help="Number of the game in a match, from 1.")
@click.option("--seat", type=int, show_default="a spectator", help="Seat to see the game from, from 0.")
@click.option("--dark", is_flag=True, help="Use the dark colours.")
@click.option(
    "--size",
    type=click.IntRange(64, 4096),
    show_default=f"{_WIDTH}, films 640",
    help="Width of a bitmap in pixels.",
)
@language_option
def command(
    file: str,
    out: str,
    ply: int | None,
    film: bool,
    number: int | None,
    seat: int | None,
    dark: bool,
    size: int | None,
    language: str,
) -> None:
    """Draw a position of a recorded game, or the whole game as a film.

    FILE is a record, or - for standard input.
    """
    kind = ".svg" if out == "-" else Path(out).suffix.lower()
    record = read_record(file, language)
    with exit_on_refusal(language):
        known = _FILMS if film else _STILLS
        if kind not in known:
            raise Refusal(say("picture.format", given=kind or out, known=known))
        chosen = _chosen(record, number)
        if seat is not None and not 0 <= seat < chosen.players:
            raise Refusal(say("request.viewer", last=chosen.players - 1))
        names = seat_names(chosen.players, language, dict(chosen.names))
        wanted = Wanted(None if seat is None else Seat(seat), names, language, dark, size)
        try:
            progress: AnyProgress = Progress.resume(registry.find(chosen.game), chosen)
        except BadRecord as error:
            raise CommandRefused(error, language, f"{file}:{error.line}") from None
        if ply is not None:
            progress = pictures.cut(progress, ply)
        content = _film(progress, wanted, kind) if film else _still(progress, wanted, kind)
    if kind != ".svg" and not pictures.has_fonts():
        click.echo(format_message(say("picture.fonts"), language), err=True)
    if out == "-":
        sys.stdout.buffer.write(content)
    else:
        write_atomically(Path(out), content)


def _chosen(record: Record, number: int | None) -> GameRecord:
    """The game with that number, or the only one."""
    if number is None and len(record.games) > 1:
        raise Refusal(say("picture.several", games=len(record.games)))
    if number is not None and number > len(record.games):
        raise Refusal(say("show.no_game", games=len(record.games)))
    return record.games[(number or 1) - 1]


def _still(progress: AnyProgress, wanted: Wanted, kind: str) -> bytes:
    viewer, names, language, dark, size = wanted
    svg = pictures.picture(progress, viewer, names, language, dark=dark)
    return svg.encode() if kind == ".svg" else pictures.png(svg, size or _WIDTH)


def _film(progress: AnyProgress, wanted: Wanted, kind: str) -> bytes:
    viewer, names, language, dark, size = wanted
    if kind == ".svg":
        return pictures.film(progress, viewer, names, language, dark=dark).encode()
    return pictures.animate(progress, viewer, names, language, dark=dark, width=size)
