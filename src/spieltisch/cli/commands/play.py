"""spieltisch play."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import click

from spieltisch import players, registry
from spieltisch.cli.game_options import GameCommands, agreed, game_command, players_option, seats_of
from spieltisch.cli.table import Table
from spieltisch.cli.terminal import (
    Refused,
    detect_style,
    language_option,
    read_record,
    refusing,
    said_before,
    say,
    seat_names,
)
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.i18n.format import format_message
from spieltisch.match.chance import KeyedSource, seeded, unforeseen
from spieltisch.match.series import Series
from spieltisch.match.verify import verify
from spieltisch.records import BadRecord
from spieltisch.records.model import LONGEST_NAME

PERSON = "you"
_words = click.Option(
    ["--words"],
    is_flag=True,
    default=lambda: said_before("words") or False,
    help="The table in sentences instead of a drawing.",
)
_save = click.Option(["--save"], type=click.Path(dir_okay=False, path_type=Path), help="Where to keep the record.")
_seed = click.Option(["--seed", "-s"], type=int, help="Where chance comes from; unforeseen if not given.")


class Play(GameCommands):
    """One table a game."""

    def for_game(self, game: AnyGame) -> click.Command:
        known = ", ".join(players.names(game))
        who = f"Who sits where: {PERSON} for a person, or a bot: {known}."
        flags = [
            players_option(f"{PERSON},{players.DEFAULT}", who),
            click.Option(["--names"], metavar="LIST", help="The names of the people, in the order of their seats."),
            click.Option(["--games"], type=click.IntRange(1, 100), help="A match of so many games; one if not given."),
            click.Option(["--match"], is_flag=True, help="A match of as many games as are recommended."),
            _seed,
            _words,
            _save,
        ]
        example = f"play {game.name} --players {PERSON},{players.DEFAULT},random --names Ada --language nl"
        return game_command(game, _play, f"Play {game.title} in the terminal.", example, flags)


@click.group(
    cls=Play,
    invoke_without_command=True,
    params=[_words],
    epilog=f"Example: spieltisch play GAME --players {PERSON},random — or: spieltisch play --resume evening.game",
)
@click.option("--resume", metavar="FILE", help="Go on with a recorded game.")
@language_option
@click.pass_context
def command(ctx: click.Context, resume: str | None, language: str, words: bool) -> None:
    """Play a game in the terminal, with people and bots.

    Without a game's name you are asked which. The game is kept as you play and can be gone on with later.
    """
    if resume is not None:
        if ctx.invoked_subcommand is not None:
            raise click.UsageError("--resume takes the game from its file: leave the game's name out.", ctx)
        _resume(resume, language, words)
    elif ctx.invoked_subcommand is None:
        game = _choose_game(language)
        _play(game, language, f"{PERSON},{players.DEFAULT}", words=words)


def _choose_game(language: str) -> AnyGame:
    """The game people pick from those on offer; the teaching game where there is no other."""
    games = registry.offered() or registry.all()
    if len(games) == 1:
        return games[0]
    for number, game in enumerate(games, 1):
        least, most = game.players.start, game.players.stop - 1
        click.echo(f"  {number}  {game.title} ({least}–{most})")
    picked = click.prompt(format_message(say("play.which"), language), type=click.IntRange(1, len(games)), default=1)
    return games[int(picked) - 1]


def _play(
    game: AnyGame,
    language: str,
    players: str,
    names: str | None = None,
    games: int | None = None,
    match: bool = False,
    seed: int | None = None,
    words: bool = False,
    save: Path | None = None,
    **given: Any,
) -> None:
    seats = seats_of(game, players, language, people=(PERSON,))
    with refusing(language):
        source = unforeseen() if seed is None else seeded(seed)
        setup = agreed(game, len(seats), source, given)
        called = _called(game, seats, names, language)
        if save is not None and save.exists():
            raise Refusal(say("file.exists", file=str(save)))
        length = games or (game.recommended_games(len(seats)) if match else 1)

        def chance(number: int) -> KeyedSource:
            return unforeseen() if seed is None else seeded(seed if length == 1 else f"{seed}/{number}")

        series = Series(game, setup, length, chance, dict(enumerate(called)))
    people = [seat for seat, who in enumerate(seats) if who == PERSON]
    _sit_down(series, {s: w for s, w in enumerate(seats) if s not in people}, called, seed or 0, language, words, save)


def _called(game: AnyGame, seats: list[str], names: str | None, language: str) -> list[str]:
    """What everybody is called: people as they say, bots by what they are."""
    given = [name.strip() for name in names.split(",")] if names else []
    people = seats.count(PERSON)
    if len(given) > people:
        raise Refusal(say("play.many_names", people=people, names=len(given)))
    for name in given:
        if not 0 < len(name) <= LONGEST_NAME or ";" in name or not name.isprintable():
            raise Refusal(say("record.name", longest=LONGEST_NAME))
        if _bot(game, name):
            raise Refusal(say("play.bot_name", given=name))
    rest = iter(given)
    called: list[str] = []
    for seat, who in enumerate(seats):
        if who == PERSON:
            called.append(next(rest, None) or format_message(say("seat.name", number=seat + 1), language))
        else:
            called.append(who if seats.count(who) == 1 else f"{who} {seat + 1}")
    return called


def _bot(game: AnyGame, name: str) -> str | None:
    """The bot that is called so, with or without its number; None for a person's name."""
    found = re.fullmatch(r"(\S+)(?: \d+)?", name)
    return found[1] if found and players.is_known(found[1], game) else None


def _resume(path: str, language: str, words: bool) -> None:
    record = read_record(path, language)
    with refusing(language):
        game = registry.find(record.games[0].game)
    try:
        verify(record)
        series = Series.resume(game, record, lambda _: unforeseen())
    except BadRecord as error:
        raise Refused(error, language, f"{path}:{error.line}") from None
    called = seat_names(record.games[0].players, language, dict(record.games[0].names))
    bots = {seat: bot for seat, name in enumerate(called) if (bot := _bot(game, name))}
    for seat, name in enumerate(called):
        if seat not in bots and re.fullmatch(r"\w[\w.]*:\S.*", name):
            click.echo(format_message(say("play.no_bot", bot=name), language), err=True)
    save = None if path == "-" else Path(path)
    _sit_down(series, bots, called, 0, language, words, save)


def _sit_down(
    series: Series[Any, Any, Any],
    bots: dict[int, str],
    called: list[str],
    seed: int,
    language: str,
    words: bool,
    save: Path | None,
) -> None:
    with refusing(language):
        made = {seat: players.make(who, series.game, f"{seed}/{seat}") for seat, who in bots.items()}
    Table(series, made, called, detect_style(language), save or _default_file(series.game), words=words).run()


def _default_file(game: AnyGame) -> Path:
    """A new file in the user's data folder, taken at once so that nobody else takes it."""
    from platformdirs import user_data_path

    folder = user_data_path("spieltisch") / "games"
    stem = f"{game.name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    for number in count(1):
        path = folder / (f"{stem}.game" if number == 1 else f"{stem}-{number}.game")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        except OSError:
            pass  # the table says so when it keeps the game
        return path
    raise AssertionError
