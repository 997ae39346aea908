"""The command `spieltisch play`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import click

from spieltisch import players, registry
from spieltisch.cli.game_options import GameCommands, game_command, make_setup, parse_players, players_option
from spieltisch.cli.session import Session
from spieltisch.cli.terminal import (
    CommandRefused,
    detect_style,
    exit_on_refusal,
    language_option,
    parent_option,
    read_record,
    say,
)
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.gameplay.chance import KeyedSource, seeded, unforeseen
from spieltisch.gameplay.series import Series
from spieltisch.gameplay.transcript import seat_names
from spieltisch.gameplay.verify import verify
from spieltisch.i18n.format import format_message
from spieltisch.records import BadRecord
from spieltisch.records.model import LONGEST_NAME
from spieltisch.table.avatars import choose_identity

PERSON = "you"
_words = click.Option(
    ["--words"],
    is_flag=True,
    default=lambda: parent_option("words") or False,
    help="Describe the table in sentences instead of drawing it.",
)
_save = click.Option(
    ["--save"],
    type=click.Path(dir_okay=False, path_type=Path),
    show_default="in the user's data folder",
    help="File for the record.",
)
_seed = click.Option(["--seed", "-s"], type=int, show_default="random", help="Seed of chance.")


class Play(GameCommands):
    """Play, by game."""

    def for_game(self, game: AnyGame) -> click.Command:
        known = ", ".join(players.names(game))
        who = f"Players by seat, separated by commas: {PERSON} for a person, or a bot: {known}."
        flags = [
            players_option(f"{PERSON},{players.DEFAULT}", who),
            click.Option(["--names"], metavar="LIST", help="Names of the people, in order of their seats."),
            click.Option(
                ["--games"], type=click.IntRange(1, 100), show_default="1", help="Number of games in the match."
            ),
            click.Option(["--match"], is_flag=True, help="Play a match of the recommended number of games."),
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
    epilog=f"Example: spieltisch play GAME --players {PERSON},random, or spieltisch play --resume evening.game",
)
@click.option("--resume", metavar="FILE", help="Resume a recorded game.")
@language_option
@click.pass_context
def command(ctx: click.Context, resume: str | None, language: str, words: bool) -> None:
    """Play in the terminal, against people and bots.

    Without the name of a game, asks for one. The game is saved after every turn and can be resumed later.
    """
    if resume is not None:
        if ctx.invoked_subcommand is not None:
            raise click.UsageError("--resume cannot be used with the name of a game: the file names it.", ctx)
        _resume(resume, language, words)
    elif ctx.invoked_subcommand is None:
        game = _choose_game(language)
        _play(game, language, f"{PERSON},{players.DEFAULT}", words=words)


def _choose_game(language: str) -> AnyGame:
    """Asks which game to play, of those that are offered; without any, the teaching game is played."""
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
    seats = parse_players(game, players, language, people=(PERSON,))
    with exit_on_refusal(language):
        source = unforeseen() if seed is None else seeded(seed)
        setup = make_setup(game, len(seats), source, given)
        all_names = _player_names(game, seats, names, language)
        if save is not None and save.exists():
            raise Refusal(say("file.exists", file=str(save)))
        length = games or (game.recommended_games(len(seats)) if match else 1)

        def chance(number: int) -> KeyedSource:
            return unforeseen() if seed is None else seeded(seed if length == 1 else f"{seed}/{number}")

        series = Series(game, setup, length, chance, dict(enumerate(all_names)))
    people = [seat for seat, who in enumerate(seats) if who == PERSON]
    _run_session(
        series, {s: w for s, w in enumerate(seats) if s not in people}, all_names, seed or 0, language, words, save
    )


def _player_names(game: AnyGame, seats: list[str], names: str | None, language: str) -> list[str]:
    """The players' names: people as given, bots by what they are."""
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
    result: list[str] = []
    for seat, who in enumerate(seats):
        if who == PERSON:
            result.append(next(rest, None) or format_message(say("seat.name", number=seat + 1), language))
        else:
            result.append(who if seats.count(who) == 1 else f"{who} {seat + 1}")
    return result


def _bot(game: AnyGame, name: str) -> str | None:
    """The bot with that name, with or without a number; None if it is a person's name."""
    found = re.fullmatch(r"(\S+)(?: \d+)?", name)
    return found[1] if found and players.is_known(found[1], game) else None


def _resume(path: str, language: str, words: bool) -> None:
    record = read_record(path, language)
    with exit_on_refusal(language):
        game = registry.find(record.games[0].game)
    try:
        verify(record)
        series = Series.resume(game, record, lambda _: unforeseen())
    except BadRecord as error:
        raise CommandRefused(error, language, f"{path}:{error.line}") from None
    names = seat_names(record.games[0].players, language, dict(record.games[0].names))
    bots = {seat: bot for seat, name in enumerate(names) if (bot := _bot(game, name))}
    for seat, name in enumerate(names):
        if seat not in bots and re.fullmatch(r"\w[\w.]*:\S.*", name):
            click.echo(format_message(say("play.no_bot", bot=name), language), err=True)
    save = None if path == "-" else Path(path)
    _run_session(series, bots, names, 0, language, words, save)


def _run_session(
    series: Series[Any, Any, Any],
    bots: dict[int, str],
    names: list[str],
    seed: int,
    language: str,
    words: bool,
    save: Path | None,
) -> None:
    shown = name_bots(names, bots)
    with exit_on_refusal(language):
        players_by_seat = {seat: players.make(who, series.game, f"{seed}/{seat}") for seat, who in bots.items()}
    Session(
        series, players_by_seat, shown, detect_style(language), save or _default_file(series.game), words=words
    ).run()


def name_bots(names: Sequence[str], bots: Mapping[int, str]) -> list[str]:
    """The names that the terminal shows: bots of a level are called as at a table. Records keep what a bot is."""
    shown = list(names)
    faces: list[str] = []
    for seat, player in bots.items():
        if player.startswith("level:"):
            face, shown[seat] = choose_identity(player, seat, faces, shown)
            faces.append(face)
    return shown


def _default_file(game: AnyGame) -> Path:
    """A new file in the user's data folder, created at once so that no other process takes its name."""
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
            pass  # the session warns when it saves the game
        return path
    raise AssertionError
